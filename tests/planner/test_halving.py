"""Successive halving, against looking at everything as closely as possible."""

import math
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from spancrew.planner._halving import halve

NOISE = (0.3, 0.1, 0.0)
"""What a look may be wrong by, one after the other."""


class Looks:
    """Looks at numbers that are closer to the truth each time; counts what was looked at."""

    def __init__(self, truth: Sequence[float], errors: Sequence[Sequence[float]]) -> None:
        self.truth, self.errors = truth, errors
        self.seen: list[list[int]] = []

    def look(self, arms: list[tuple[int, float]]) -> list[tuple[int, float]]:
        """Return the arms as this look sees them."""
        number = len(self.seen)
        self.seen.append([arm for arm, _ in arms])
        return [
            (arm, self.truth[arm] + NOISE[number] * self.errors[number][arm]) for arm, _ in arms
        ]


@given(st.data(), st.integers(3, 40))
def test_what_is_clearly_best_is_found(data: st.DataObject, count: int) -> None:
    """A full search sees the best of all; halving sees it too if it is better than the noise."""
    best = data.draw(st.integers(0, count - 1))
    truth = [0.0 if arm == best else 0.7 + arm / 100 for arm in range(count)]
    unit = st.lists(st.floats(-1, 1), min_size=count, max_size=count)
    looks = Looks(truth, [data.draw(unit) for _ in NOISE])
    left = halve([(arm, 0.0) for arm in range(count)], [looks.look] * 3, [lambda arm: arm[1]])

    assert left[0][0] == min(range(count), key=truth.__getitem__)
    first, second, third = (len(seen) for seen in looks.seen)
    assert (first, second, third) == (count, math.ceil(count / 3), math.ceil(second / 3))


@given(st.lists(st.integers(), min_size=1, max_size=30, unique=True))
def test_the_best_by_every_rank_stays(arms: list[int]) -> None:
    """Whatever the first rank says of it."""
    left = halve(arms, [list, list], [lambda arm: arm, lambda arm: -arm, abs])

    assert {min(arms), max(arms), min(arms, key=abs)} <= {*left, *(-arm for arm in left)}
    assert left[0] == min(arms)
    assert len(set(left)) == len(left)
