"""Plain steps, which read answers where they lie, decide as steps that take them out."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spancrew.consensus import Auto, MajorityVote
from spancrew.feedback import AgreementGate, CrowdOnly, ExpectedErrorGate, ExpertOnly, FeedbackRule
from spancrew.metrics import AGREEMENTS, Metric
from spancrew.policies import Cucb, DifficultyThompson, Random
from spancrew.simulate import Outcome, Scene, Setting, rehearse
from spancrew.simulate._plain import PlainDecider
from tests.simulate.small import small_scene
from tests.simulate.watched import Overheard
from tests.spread import often

RULES = st.one_of(
    st.builds(
        AgreementGate,
        st.sampled_from([-0.2, 0.0, 0.4, 0.65, 1.0]),
        kappa=st.sampled_from(AGREEMENTS),
        ties=st.sampled_from(["expert", "paper"]),
        equal=st.sampled_from(["expert", "crowd"]),
    ),
    st.sampled_from([ExpertOnly(), CrowdOnly()]),
)
SETTINGS = st.builds(
    Setting,
    policy=st.sampled_from([Cucb(0.2), Random(), DifficultyThompson()]),
    feedback=RULES,
    consensus=st.sampled_from([MajorityVote(), MajorityVote("first")]),
    crew=st.integers(4, 8),
    answers=st.integers(1, 4),
    runs=st.just(3),
    seed=st.integers(0, 99),
    delay=st.integers(0, 2),
    attendance=st.sampled_from([0.6, 1.0]),
    warm_up=st.sampled_from(["own", "shared", "none"]),
)
SCENES = [
    small_scene(metric=metric)
    for metric in (Metric(), Metric("proportional", "macro"), Metric("token", "macro", 0.0))
]


TIED = Setting(feedback=AgreementGate(-0.2, ties="expert"), crew=4, answers=2, runs=3, seed=1)


@example(SCENES[0], TIED)
@given(st.sampled_from(SCENES), SETTINGS)
@settings(deadline=None, max_examples=often(25, 60))
def test_plain_steps_decide_as_others(scene: Scene, setting: Setting) -> None:
    """To the last bit: a source that is no table makes the engine take answers out."""
    plain = rehearse(scene, setting)
    usual = rehearse(taken_out(scene), setting)

    assert_equal(plain, usual)


@pytest.mark.parametrize(
    ("setting", "is_plain"),
    [
        (Setting(feedback=AgreementGate(0.4)), True),
        (Setting(feedback=ExpertOnly()), True),
        (Setting(feedback=CrowdOnly()), True),
        (Setting(feedback=AgreementGate(0.4, kappa="pairwise_f1")), False),
        (Setting(feedback=AgreementGate(0.4, leave_one_out=True)), False),
        (Setting(feedback=ExpectedErrorGate(0.8)), False),
        (Setting(feedback=AgreementGate(0.4), consensus=Auto()), False),
        (Setting(feedback=AgreementGate(0.4), audit=0.1), False),
    ],
)
def test_steps_are_plain_where_nothing_else_is_looked_at(
    setting: Setting, *, is_plain: bool
) -> None:
    """Votes by token, and a rule that looks at kappa or at nothing, without audits."""
    scene = SCENES[0]

    assert (PlainDecider.fitting(scene, setting) is not None) == is_plain
    assert PlainDecider.fitting(taken_out(scene), setting) is None


def test_a_rule_by_others_is_asked_itself() -> None:
    """It may look at anything, though it inherits from one of ours."""

    class Moody(AgreementGate):
        """A gate that others have changed."""

    rule: FeedbackRule = Moody(0.4)

    assert PlainDecider.fitting(SCENES[0], Setting(feedback=rule)) is None


def taken_out(scene: Scene) -> Scene:
    """Return the scene with a source of which nothing is known."""
    return replace(scene, source=Overheard(scene.source))


def assert_equal(one: Outcome, other: Outcome) -> None:
    """Compare everything that outcomes hold."""
    for field in fields(Outcome):
        assert same(getattr(one, field.name), getattr(other, field.name)), field.name


def same(one: Any, other: Any) -> bool:
    """Tell whether two fields are equal; NaN equals NaN."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return bool(one == other)
