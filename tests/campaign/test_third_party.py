"""Policies, rules and methods of other packages in a plan."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from spancrew.campaign import Plan, Settled
from spancrew.consensus import Evidence, MajorityVote, Model
from spancrew.crowds import Replay
from spancrew.errors import PlanError, SpancrewError
from spancrew.feedback import CrowdOnly, feedback_rule
from spancrew.formats import read
from spancrew.policies import Policy
from spancrew.simulate import Setting, rehearse, scene_of
from tests.campaign.stage import PLAN, Stage
from tests.third_party import Alphabet, Loner, Optimist, registering


@dataclass(frozen=True)
class Borrowed:
    """A consensus method that nobody registered."""

    @property
    def learns(self) -> bool:
        """Return that nothing is learned."""
        return False

    def fit(self, evidence: Evidence, before: Model | None = None) -> Model:
        """Return the vote."""
        return MajorityVote().fit(evidence, before)


@dataclass(frozen=True)
class Picky(Policy):
    """A policy with an option that no text can say."""

    favourites: tuple[int, ...] = ()

    def select(self, standings: Any, size: int, chance: Any) -> Any:
        """Select as others do."""
        return Alphabet().select(standings, size, chance)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"policy": Alphabet()}, "policy Alphabet is not registered"),
        ({"feedback": Optimist()}, "feedback Optimist is not registered"),
        ({"consensus": Borrowed()}, "consensus Borrowed is not registered"),
        ({"feedback": Loner()}, "Loner has no leave_one_out, first, asks_experts"),
        ({"feedback": object()}, "let the class inherit spancrew.feedback.FeedbackRule"),
        ({"policy": CrowdOnly()}, "CrowdOnly has no select, learning, needs_truth"),
        ({"consensus": CrowdOnly()}, "CrowdOnly has no learns, fit"),
    ],
)
def test_strangers_are_refused_when_the_plan_is_built(
    change: dict[str, Any], message: str
) -> None:
    """Not when the campaign opens, or when its journal is read again."""
    with pytest.raises(PlanError, match=message):
        replace(PLAN, **change)


def test_what_cannot_be_named_is_refused_when_the_plan_is_built() -> None:
    """Even where it is registered."""
    with registering("spancrew.policies", picky=Picky):
        assert replace(PLAN, policy=Picky()).policy == Picky()
        with pytest.raises(PlanError, match=r"Picky goes by .* which cannot be read"):
            replace(PLAN, policy=Picky((1,)))


def test_a_rule_of_others_that_asks_no_expert_puts_no_money_aside_for_one() -> None:
    """As much is begun with a budget as under our own rule."""
    with registering("spancrew.feedback", optimist=Optimist):
        ours = Stage(feedback=CrowdOnly(), budget=0.4)
        theirs = Stage(feedback=Optimist(), budget=0.4)
        for stage in (ours, theirs):
            stage.run([0], turns=10)

        assert feedback_rule("optimist") == Optimist()
        assert not theirs.campaign.plan.has_experts
        assert theirs.campaign.ledger() == ours.campaign.ledger()
        assert len(theirs.of(Settled)) == len(ours.of(Settled)) == 2
        assert Plan.from_json(theirs.campaign.plan.to_json()) == theirs.campaign.plan


def test_a_policy_needs_no_more_than_select() -> None:
    """What it wants to be kept of the past has a default."""
    with registering("spancrew.policies", alphabet=Alphabet):
        stage = Stage(policy=Alphabet())
        stage.run([0], turns=10)

        assert stage.of(Settled)


def test_a_rehearsal_takes_what_is_not_registered_and_refuses_what_is_incomplete() -> None:
    """No journal has to name it."""
    data = read("demo").dataset.take(np.arange(12))
    scene = scene_of(data, Replay(data))
    setting = Setting(Alphabet(), Optimist(), crew=6, answers=3, runs=1)

    assert rehearse(scene, setting).expert_share.tolist() == [0.0]
    with pytest.raises(SpancrewError, match="Loner has no leave_one_out"):
        replace(setting, feedback=Loner())  # type: ignore[arg-type]
