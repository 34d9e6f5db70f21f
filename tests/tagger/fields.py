"""A conditional random field written out: every sequence of codes, one by one."""

from itertools import pairwise, product

import numpy as np

from spancrew.core import FloatArray, IntArray
from spancrew.tagger._training import Field


def sequences(tokens: int, codes: int) -> list[tuple[int, ...]]:
    """Return all sequences in which I follows only B and I of its own label."""
    return [
        each
        for each in product(range(codes), repeat=tokens)
        if all(_may_follow(before, code) for before, code in pairwise((0, *each)))
    ]


def _may_follow(before: int, code: int) -> bool:
    is_inside = code > 0 and code % 2 == 0
    return not is_inside or before in {code - 1, code}


def score(field: Field, places: IntArray, codes: tuple[int, ...]) -> float:
    """Add up the weights of a sequence: its moves, and the features of every token."""
    moves = sum(
        field.moves[before, code]
        for before, code in zip((0, *(each + 1 for each in codes)), codes, strict=False)
    )
    found = sum(
        float(field.features[place, code])
        for row, code in zip(places, codes, strict=True)
        for place in row
        if place >= 0
    )
    return float(moves + found)


def probabilities(field: Field, places: IntArray, tokens: int) -> dict[tuple[int, ...], float]:
    """Return the probability of every sequence."""
    found = sequences(tokens, field.features.shape[1])
    scores: FloatArray = np.array([score(field, places, each) for each in found])
    weights = np.exp(scores - scores.max())
    return dict(zip(found, (weights / weights.sum()).tolist(), strict=True))
