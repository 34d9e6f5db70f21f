"""Plans without a pilot rest on a crowd that is as good as was assumed."""

import numpy as np

from spancrew.augment import mean_scores
from spancrew.formats import read
from spancrew.metrics import Metric
from spancrew.planner import PRIORS, assumed_pilot, pilot_of
from spancrew.planner._assumed import PILOT


def test_an_assumed_crowd_is_as_good_as_was_assumed() -> None:
    """Its workers differ as much as was said, and all sentences have four answers."""
    assumed = PRIORS["opinions"]
    pilot = assumed_pilot(read(assumed.like).dataset, assumed, 40)
    scores = mean_scores(pilot, Metric("exact"))

    assert (pilot.answers.per_sentence == 4).all()
    assert len(pilot_of(pilot)) == PILOT
    assert abs(scores.mean() - assumed.worker_f1) < 0.06
    assert abs(scores.std() - np.hypot(assumed.spread, 0.09)) < 0.06
