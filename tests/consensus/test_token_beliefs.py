"""What follows from the probabilities of tokens, against enumeration."""

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.consensus._token_beliefs import (
    certainty,
    expected_spans,
    most_likely,
    span_chances,
)
from spancrew.core import FloatArray
from tests.consensus.drawn import FEW, Place, places

CODES = 5


@st.composite
def chances(draw: st.DrawFn) -> FloatArray:
    """Draw the probabilities of the codes of up to four tokens, some of them 0."""
    length = draw(st.integers(1, 4))
    weights = st.lists(st.integers(0, 4), min_size=CODES, max_size=CODES)
    drawn = draw(st.lists(weights.filter(any), min_size=length, max_size=length))
    rows = np.array(drawn, np.float64)
    normal: FloatArray = rows / rows.sum(axis=1, keepdims=True)
    return normal


def repaired(codes: tuple[int, ...]) -> tuple[int, ...]:
    """Return codes in which an I that continues nothing is a B."""
    out: list[int] = []
    for code in codes:
        is_stray = code > 0 and code % 2 == 0 and not (out and out[-1] in {code, code - 1})
        out.append(code - 1 if is_stray else code)
    return tuple(out)


@given(chances())
def test_everything_follows_from_the_probabilities_of_tokens(chance: FloatArray) -> None:
    """Go through all codes that a sentence can have."""
    codes, spans = np.zeros(len(chance), np.uint8), np.zeros(len(chance))
    most_likely(chance, codes)
    found, total = span_chances(chance, codes, spans)
    chosen = places(codes.tolist(), FEW)
    sure = expected = 0.0
    by_span: dict[Place, float] = dict.fromkeys(chosen, 0.0)
    for path in product(range(CODES), repeat=len(chance)):
        weight = prod(float(chance[k, code]) for k, code in enumerate(path))
        true = repaired(path)
        sure += weight * (true == tuple(codes.tolist()))
        for place in places(list(true), FEW):
            expected += weight
            if place in by_span:
                by_span[place] += weight

    assert certainty(chance, codes) == pytest.approx(sure)
    assert expected_spans(chance, len(chance)) == pytest.approx(expected)
    assert found == len(chosen)
    assert total == pytest.approx(sum(by_span.values()))
    for (start, _, _), weight in by_span.items():
        assert spans[start] == pytest.approx(weight)


@pytest.mark.parametrize(
    ("chance", "expected", "contested"),
    [
        ([[0.5, 0.5, 0.0, 0.0, 0.0]], [1], False),
        ([[0.2, 0.4, 0.0, 0.4, 0.0]], [1], True),
        ([[0.4, 0.3, 0.0, 0.3, 0.0]], [0], False),
        ([[0.0, 0.4, 0.4, 0.1, 0.1]], [1], False),
        ([[1.0, 0.0, 0.0, 0.0, 0.0], [0.1, 0.0, 0.0, 0.2, 0.7]], [0, 3], False),
        ([[0.1, 0.0, 0.0, 0.9, 0.0], [0.1, 0.0, 0.0, 0.2, 0.7]], [3, 4], False),
    ],
)
def test_ties_are_settled_as_in_the_majority_vote(
    chance: list[list[float]], expected: list[int], contested: bool
) -> None:
    """O loses, the lower code wins, an I that continues nothing becomes a B."""
    codes = np.zeros(len(chance), np.uint8)

    assert most_likely(np.array(chance), codes) == contested
    assert codes.tolist() == expected


def test_without_labels_there_is_o_alone() -> None:
    """A data set in which nobody has marked anything."""
    codes = np.ones(2, np.uint8)
    most_likely(np.ones((2, 1)), codes)

    assert codes.tolist() == [0, 0]
