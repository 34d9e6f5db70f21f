"""Which sentences are audited in addition when all are settled."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spancrew.feedback import still_to_audit


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=40), st.integers(0, 50))
def test_those_with_the_lowest_lots_are_added(
    sentences: list[tuple[float, bool]], audit: int
) -> None:
    """So that all that are audited are a plain random sample, whatever their doubts and places."""
    lots = np.array([lot for lot, _ in sentences])
    is_drawn = np.array([drawn for _, drawn in sentences], bool)
    added = still_to_audit(audit if audit != 1 else 1.0, lots, is_drawn)
    left = np.setdiff1d(np.flatnonzero(~is_drawn), added)

    assert not is_drawn[added].any()
    assert len(added) == max(min(audit, len(lots)) - is_drawn.sum(), 0)
    assert not len(added) or not len(left) or lots[added].max() <= lots[left].min()
