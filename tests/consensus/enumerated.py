"""A sequence model worked out by listing every reading of a sentence."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from spancrew.consensus._bsc_tables import BscTables

Reading = tuple[int, ...]


class Case(NamedTuple):
    """One sentence: answers with their workers, and words if any."""

    answers: list[list[int]]
    workers: list[int]
    words: list[int] | None = None

    @property
    def size(self) -> int:
        """Return the number of tokens."""
        return len(self.answers[0])


def readings(size: int, codes: int) -> Iterator[Reading]:
    """Yield every row of codes in which I continues its own label."""
    for reading in itertools.product(range(codes), repeat=size):
        before = (0, *reading[:-1])
        if all(c % 2 or not c or b in (c, c - 1) for b, c in zip(before, reading, strict=True)):
            yield reading


def posterior(case: Case, tables: BscTables) -> dict[Reading, float]:
    """Return the probability of every reading."""
    codes = tables.moves.shape[1]
    weights = {each: _weight(each, case, tables) for each in readings(case.size, codes)}
    total = sum(weights.values())
    return {each: weight / total for each, weight in weights.items()}


def _weight(reading: Reading, case: Case, tables: BscTables) -> float:
    weight = 1.0
    for token, true in enumerate(reading):
        weight *= tables.moves[reading[token - 1] + 1 if token else 0, true]
        for worker, answer in zip(case.workers, case.answers, strict=True):
            context = tables.context[answer[token - 1] + 1 if token else 0]
            weight *= tables.workers[worker, context, answer[token], true]
        if case.words is not None:
            weight *= tables.words[case.words[token], true]
    return float(weight)


def spans_in(reading: Reading) -> set[tuple[int, int, int]]:
    """Return start, end and label of every span."""
    found = set()
    for start, code in enumerate(reading):
        if code % 2:
            end = start + 1
            while end < len(reading) and reading[end] == code + 1:
                end += 1
            found.add((start, end, (code - 1) // 2))
    return found


def span_chances(probabilities: dict[Reading, float]) -> dict[tuple[int, int, int], float]:
    """Return the probability of every span."""
    chances: dict[tuple[int, int, int], float] = {}
    for reading, probability in probabilities.items():
        for span in spans_in(reading):
            chances[span] = chances.get(span, 0.0) + probability
    return chances


def drawn_tables(rng: np.random.Generator, workers: int, labels: int, words: int) -> BscTables:
    """Draw tables in which everything possible has some probability."""
    codes = 2 * labels + 1
    moves = rng.dirichlet(np.ones(codes), codes + 1)
    for before in range(codes + 1):
        for code in range(2, codes, 2):
            if before - 1 not in (code, code - 1):
                moves[before, code] = 0.0
    table = rng.dirichlet(np.ones(codes), (workers, codes + 1, codes)).swapaxes(2, 3)
    return BscTables(
        np.ascontiguousarray(table),
        moves,
        rng.dirichlet(np.ones(words), codes).T.copy(),
        np.arange(codes + 1),
    )
