"""Shares of the progress, by what is rehearsed."""

import numpy as np

from spancrew.planner import Aim, People, Terms
from spancrew.planner._candidates import families
from spancrew.planner._stages import stages

MEASURED = (4.1, 4.1, 1.7, 3.2, 4.2, 0.8)
"""Seconds of the stages of a plan from the bundled data set."""


def test_the_bar_is_where_the_time_is() -> None:
    """At the end of every stage, within 5 points of what was measured."""
    tried = list(families(30, 5, has_experts=True))
    found = np.cumsum(stages(tried, 581, Terms(Aim(581), People(30))))
    true = np.cumsum(MEASURED)

    assert np.abs(found / found[-1] - true / true[-1]).max() < 0.05


def test_a_large_campaign_is_rehearsed_at_two_sizes() -> None:
    """And no larger: beyond 2,000 sentences, nothing takes longer."""
    tried = list(families(30, 4, has_experts=True))
    small, large, larger = (
        stages(tried, 300, Terms(Aim(count), People(30))) for count in (2_000, 5_000, 50_000)
    )

    assert large == larger
    assert large[3] > small[3]
    assert large[:3] == small[:3]
