"""Stated confidence against what turned out."""

import numpy as np
import pytest

from spancrew.core import Ragged
from spancrew.simulate._calibration import are_right, calibration, pooled


def test_confidence_is_compared_by_tenths() -> None:
    """As a plain loop does it."""
    rng = np.random.default_rng(0)
    stated = np.concatenate([rng.random(500), [0.0, 0.1, 0.9, 1.0]])
    right = rng.random(len(stated)) < stated**2
    found = calibration(stated, right, rng)
    error = 0.0
    for tenth in range(10):
        high = 1.1 if tenth == 9 else (tenth + 1) / 10
        inside = [k for k in range(len(stated)) if tenth / 10 <= stated[k] < high]
        assert found.sentences[tenth] == len(inside)
        assert found.confidence[tenth] == pytest.approx(np.mean(stated[inside]))
        assert found.right[tenth] == pytest.approx(np.mean(right[inside]))
        error += len(inside) / len(stated) * abs(np.mean(stated[inside]) - np.mean(right[inside]))

    assert found.error == pytest.approx(error)
    assert found.error > 0.1


def test_chance_alone_makes_an_error() -> None:
    """A perfect method shows about as much as it is said to, and less on more sentences."""
    rng = np.random.default_rng(1)
    found = []
    for count in (200, 20_000):
        stated = rng.random(count)
        found.append([calibration(stated, rng.random(count) < stated, rng) for _ in range(30)])
    few, many = map(pooled, found)

    assert few.error == pytest.approx(few.by_chance, rel=0.15)
    assert many.error == pytest.approx(many.by_chance, rel=0.15)
    assert many.by_chance < few.by_chance / 5


def test_tenths_of_several_orders_are_counted_together() -> None:
    """Errors are means; a tenth that is empty everywhere stays without a share."""
    rng = np.random.default_rng(2)
    one = calibration(np.array([0.05, 0.95]), np.array([False, True]), rng)
    other = calibration(np.array([0.07, 0.55]), np.array([True, True]), rng)
    both = pooled([one, other])
    record = both.as_json()

    assert both.sentences.tolist() == [2, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    assert both.confidence[0] == pytest.approx(0.06)
    assert both.right[0] == pytest.approx(0.5)
    assert both.error == pytest.approx((one.error + other.error) / 2)
    assert record["right"][1] is None
    assert record["confidence"][9] == pytest.approx(0.95)


def test_a_sentence_is_right_only_as_a_whole() -> None:
    """One wrong token makes it wrong."""
    gold = Ragged.of([[1, 2], [0], [], [3]])
    labels = Ragged.of([[1, 0], [0], [], [1]])

    assert are_right(labels, gold).tolist() == [False, True, True, False]
