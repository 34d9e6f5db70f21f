"""Which sentences are audited in addition when all are settled."""

import numpy as np
import pytest

from spancrew.feedback import still_to_audit


@pytest.mark.parametrize("audit", [0.0, 0.3, 1, 5, 12, 30])
@pytest.mark.parametrize("drawn", [0, 2, 7])
def test_those_with_the_lowest_lots_are_added(audit: float, drawn: int) -> None:
    """So that all that are audited are a plain random sample, whatever their doubts and places."""
    rng = np.random.default_rng(4)
    wanted = 4 if audit == 0.3 else min(int(audit), 12)
    for _ in range(20):
        lots = rng.random(12)
        is_drawn = (rng.permutation(12) < drawn).astype(np.float64)
        added = still_to_audit(audit, lots, is_drawn)
        others = np.flatnonzero(is_drawn == 0)
        lowest = others[
            lots[others] <= np.sort(lots[others])[: max(wanted - drawn, 0)].max(initial=-1)
        ]

        assert sorted(added) == sorted(lowest)
