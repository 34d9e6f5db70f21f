"""Days and hours, against a slow count of the days."""

import math

from hypothesis import given
from hypothesis import strategies as st

from spancrew.planner import People
from spancrew.planner._schedule import schedule

PEOPLE = st.builds(
    People,
    st.integers(2, 60),
    st.integers(1, 5),
    st.floats(0.5, 12),
    st.floats(0.5, 12),
    st.floats(2, 120),
    st.floats(2, 240),
)


def days_of_one_after_the_other(seconds: float, hands: int, hours: float) -> float:
    """Return how long it takes, day by day."""
    day, left = 0, seconds
    while left > hands * hours * 3600:
        left -= hands * hours * 3600
        day += 1
    return day + left / (hands * hours * 3600)


@given(PEOPLE, st.integers(2, 60), st.integers(0, 20_000), st.integers(0, 3_000))
def test_the_slower_side_says_how_long_it_takes(
    people: People, crew: int, answers: int, labels: int
) -> None:
    """Experts work beside the crew, of which no more can work than there are."""
    found = schedule(people, crew, answers, labels)
    crowd = days_of_one_after_the_other(
        answers * people.worker_seconds, min(crew, people.workers), people.worker_hours
    )
    experts = days_of_one_after_the_other(
        labels * people.expert_seconds, people.experts, people.expert_hours
    )

    assert math.isclose(found.crowd_days, crowd, abs_tol=1e-6)
    assert math.isclose(found.expert_days, experts, abs_tol=1e-6)
    assert found.days == max(found)
    assert found.bottleneck == ("experts" if experts > crowd else "workers")


def test_labels_without_experts_are_never_done() -> None:
    """And without any label to give, experts are not missed."""
    people = People(10, experts=0)

    assert schedule(people, 10, 100, 1).days == math.inf
    assert schedule(people, 10, 100, 0).days < 1
