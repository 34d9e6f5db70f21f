"""Algorithm 2 against a plain reading of its lines."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spancrew.augment._targets import Closest, RunningMean, above, below, closest

unit = st.integers(0, 20).map(lambda k: k / 20)
levels = st.sets(unit, min_size=1, max_size=6).map(lambda found: np.array(sorted(found)))


def by_the_letter(sentences: list[np.ndarray], target: float) -> list[float]:
    """Choose for one worker as the paper prints it."""
    chosen: list[float] = []
    for scores in sentences:
        ordered = sorted(scores.tolist(), key=lambda score: (abs(score - target), score))
        lower = [score for score in ordered if score < target]
        higher = [score for score in ordered if score > target]
        if not chosen:
            wanted = ordered
        elif np.mean(chosen) > target + 1e-12:
            wanted = lower or ordered
        else:
            wanted = higher or ordered
        chosen.append(wanted[0])
    return chosen


@given(
    st.lists(levels, min_size=1, max_size=12), st.integers(0, 19).map(lambda k: (k + 0.37) / 20)
)
def test_the_running_mean_follows_the_letter(sentences: list[np.ndarray], target: float) -> None:
    """The closest first; then below the target if the mean is above it, else above."""
    choice = RunningMean(np.array([target]))
    worker = np.array([0])
    chosen = [float(scores[choice.next(scores, worker)[0]]) for scores in sentences]

    assert chosen == by_the_letter(sentences, target)


@given(levels, unit)
def test_each_side_is_the_closest_on_it(scores: np.ndarray, target: float) -> None:
    """Strictly below and strictly above; where a side is empty, the closest of the other."""
    low, high = (float(scores[f(scores, np.array([target]))[0]]) for f in (below, above))
    lower, higher = scores[scores < target], scores[scores > target]

    assert low == (lower.max() if len(lower) else scores.min())
    assert high == (higher.min() if len(higher) else scores.max())


@given(levels, unit)
def test_the_closest_is_the_lower_of_two(scores: np.ndarray, target: float) -> None:
    """As in the authors' code."""
    found = float(scores[closest(scores, np.array([target]))[0]])
    distance = np.abs(scores - target)

    assert abs(found - target) <= distance.min() + 1e-12
    assert Closest(np.array([target])).next(scores, np.array([0])) == closest(
        scores, np.array([target])
    )


def test_workers_do_not_touch_each_other() -> None:
    """A worker who is not asked keeps the mean they have."""
    choice = RunningMean(np.array([0.4, 0.4]))
    scores = np.array([0.0, 1.0])
    both, first = np.array([0, 1]), np.array([0])
    steps = [choice.next(scores, workers).tolist() for workers in (both, first, first, both)]

    assert steps == [[0, 0], [1], [0], [1, 1]]
