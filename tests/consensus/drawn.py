"""Answers drawn by hypothesis, and tables of them."""

import numpy as np
from hypothesis import strategies as st

from spancrew.core import Answers, IntArray, LabelSet, Ragged, decode, encode
from tests.strategies import LABELS, span_sets

Rows = list[list[int]]
"""The answers on one sentence."""

Place = tuple[int, int, int]
"""Start, end and label id of a span."""

FEW = LabelSet(("LOC", "PER"))


@st.composite
def answer_rows(
    draw: st.DrawFn, longest: int = 6, most: int = 6, labels: LabelSet = LABELS
) -> Rows:
    """Draw the answers on one sentence, in the order of their arrival."""
    length = draw(st.integers(1, longest))
    count = draw(st.integers(1, most))
    drawn = [draw(span_sets(length, labels)) for _ in range(count)]
    # Workers often agree; without this, nearly all spans would have one vote.
    picked = [drawn[draw(st.integers(0, count - 1))] for _ in range(count)]
    return [encode(spans, length, labels).tolist() for spans in picked]


def table(sentences: list[Rows]) -> tuple[Answers, IntArray]:
    """Return the answers on sentences as columns, and lengths; without any, it has two tokens."""
    lengths = [len(rows[0]) if rows else 2 for rows in sentences]
    answers = Answers(
        np.array([k for k, rows in enumerate(sentences) for _ in rows], np.int32),
        np.array([j for rows in sentences for j in range(len(rows))], np.int32),
        Ragged.of([row for rows in sentences for row in rows]),
        len(sentences),
    )
    return answers, np.array(lengths)


def places(codes: list[int], labels: LabelSet = LABELS) -> list[Place]:
    """Return the spans of codes."""
    return [(span.start, span.end, labels.id(span.label)) for span in decode(codes, labels)]


def overlap(one: Place, other: Place) -> bool:
    """Tell whether two spans share a token."""
    return one[0] < other[1] and other[0] < one[1]
