"""How much workers do, and how often they are there."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Answer, Dataset, FloatArray, Sentence
from spancrew.crowds import activity_of, attendance

ACTIVITIES = st.lists(st.floats(0.01, 1.0), min_size=1, max_size=30).map(np.array)


def pilot(*counts: int) -> Dataset:
    """Return a data set in which worker ``k`` has answered the first ``counts[k]`` sentences."""
    sentences = [Sentence.from_tokens(f"s{k}", ["a"]) for k in range(max(counts))]
    answers = [
        Answer(f"s{k}", f"w{worker}") for worker, count in enumerate(counts) for k in range(count)
    ]
    return Dataset.of(sentences, answers=answers)


def active(dataset: Dataset, *more: str) -> FloatArray:
    """Return the activity of all workers of a pilot, and of others."""
    return activity_of(dataset, (*dataset.workers, *more), np.random.default_rng(0))


@given(ACTIVITIES, st.floats(0, 40))
def test_enough_workers_are_there_and_no_more_than_needed(
    activity: FloatArray, least: float
) -> None:
    """Whoever is not always there comes in proportion to what they do."""
    often = attendance(activity, least)
    enough = min(least, len(activity))
    part_time = often < 1 - 1e-12
    factors = often[part_time] / activity[part_time]

    assert often.max() > 1 - 1e-12
    assert ((often > 0) & (often <= 1)).all()
    assert often.sum() > enough - 1e-9
    assert len(factors) == 0 or np.ptp(factors) < 1e-9 * factors.max()
    if often.sum() > enough + 1e-9:
        np.testing.assert_allclose(often, activity / activity.max())


def test_counts_that_chance_explains_tell_nothing() -> None:
    """Everybody is always there."""
    np.testing.assert_allclose(active(pilot(50, 50, 50)), 1.0)
    np.testing.assert_allclose(active(pilot(46, 50, 54)), 1.0)


def test_activity_is_nearly_in_proportion_where_counts_differ_much() -> None:
    """And a little nearer to the mean than the counts."""
    found = active(pilot(10, 100, 400))

    np.testing.assert_allclose(found, [10 / 400, 100 / 400, 1.0], atol=0.01)
    assert found[0] > 10 / 400


def test_rates_are_found_again() -> None:
    """Of many workers whose counts are drawn: nearer than by the counts themselves."""
    rng = np.random.default_rng(3)
    rates = rng.gamma(4.0, 1.25, 200)
    counts = np.maximum(rng.poisson(rates), 1)
    found = active(pilot(*counts.tolist()))

    def error(values: FloatArray) -> float:
        return float(np.square(values / values.mean() - rates / rates.mean()).mean())

    assert error(found) < 0.8 * error(counts.astype(float))


def test_new_workers_are_like_known_ones_and_models_are_always_there() -> None:
    """So a model never holds up a rehearsal."""
    found = active(pilot(5, 300), "new worker", "another", "model:m")

    assert set(found[2:4]) <= set(found[:2])
    assert found[4] == 1.0
