"""What the pilot's real answers can say of a plan."""

import numpy as np

from spancrew.formats import read
from spancrew.planner import Aim, Basis, Bench, Candidate, Looks, Meter, pilot_of
from spancrew.simulate import Silence


def test_a_policy_gains_nothing_by_who_has_answered_the_pilot() -> None:
    """The correction is the same for all policies; what they are worth, the model says."""
    pilot = pilot_of(read("demo").dataset.take(np.arange(60)))
    looks = Looks(Basis.of(pilot, 30, 0), Bench(Aim(80, audit=0.0), 0, 1, Meter(Silence(), [1.0])))
    policies = ("difficulty-thompson", "cucb:scale=0.2")
    seen = looks.second([Candidate("crowd", "mv", 3, 12, name) for name in policies])

    assert (seen.real[0] == seen.real[1]).all()
    assert (seen.same[0] == seen.same[1]).all()
    assert (seen.model[0] != seen.model[1]).any()
