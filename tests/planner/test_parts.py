"""What two parts of a pilot say of how the whole varies, against pilots that are drawn anew."""

import numpy as np

from spancrew.planner._look import _covariances
from spancrew.planner._parts import covariances

SIZE, SENTENCES, PILOTS = 30, 120, 4_000


def test_parts_say_how_much_the_whole_varies() -> None:
    """The figures are two means over sentences, which go together."""
    rng = np.random.default_rng(0)
    rows = rng.multivariate_normal([0.9, 0.2], [[0.3, -0.1], [-0.1, 0.2]], (PILOTS, SENTENCES))
    whole = np.cov(rows.mean(axis=1).T)
    gaps = rows[:, :SIZE].mean(axis=1) - rows[:, SIZE : 2 * SIZE].mean(axis=1)
    found = covariances(gaps[:, None, :], SIZE, SENTENCES)

    assert found.shape == (1, 2, 2)
    assert np.allclose(found[0], whole, rtol=0.1)


def test_crowds_say_how_much_a_campaign_varies() -> None:
    """By the sample covariance between them; a single crowd says nothing."""
    rows = np.random.default_rng(1).normal(size=(5, 3, 4))
    found = _covariances(rows)

    for candidate in range(3):
        assert np.allclose(found[candidate], np.cov(rows[:, candidate].T))
    assert not _covariances(rows[:1]).any()
