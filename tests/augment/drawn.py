"""Hypothesis strategies for sentences small enough to enumerate."""

from hypothesis import strategies as st

from spancrew.core import Span
from tests.augment import brute
from tests.strategies import LABELS, span_sets

MOST = 3_000
"""Sentences with more combinations are not drawn."""

Case = tuple[tuple[Span, ...], list[bool]]


@st.composite
def cases(draw: st.DrawFn, *, least: int = 1) -> Case:
    """Draw gold spans and word starts of a sentence with few combinations."""
    length = draw(st.integers(1, 9))
    gold = draw(span_sets(length).filter(lambda spans: len(spans) >= least))
    starts = draw(st.lists(st.booleans(), min_size=length, max_size=length))
    if draw(st.booleans()):
        starts = [True] * length
    while brute.count(gold, starts, LABELS.names) > MOST:
        gold = gold[:-1]
    return gold, starts
