"""Settings for nine workers, drawn by hypothesis."""

from typing import get_args

from hypothesis import strategies as st

from spancrew.campaign import WarmUp
from spancrew.feedback import (
    Adaptive,
    AgreementGate,
    CrowdOnly,
    ExpectedErrorGate,
    ExpertOnly,
    FeedbackRule,
)
from spancrew.policies import (
    Cucb,
    DifficultyThompson,
    Discounted,
    Oracle,
    Policy,
    Random,
    Thompson,
)
from spancrew.simulate import Prices, Setting

RULES: tuple[FeedbackRule, ...] = (
    ExpertOnly(),
    CrowdOnly(),
    AgreementGate(0.4),
    CrowdOnly(leave_one_out=True),
    ExpectedErrorGate(1.0),
    ExpectedErrorGate(quality=0.8),
    Adaptive(1.0),
    Adaptive(expert_share=0.3),
)
POLICIES: tuple[Policy, ...] = (
    Random(),
    Cucb(),
    Thompson(),
    DifficultyThompson(),
    Discounted(0.8),
    Oracle(),
)


@st.composite
def settings(draw: st.DrawFn, workers: int = 9) -> Setting:
    """Draw a setting for nine workers in which everybody can go on to the end."""
    crew = draw(st.integers(1, workers))
    return Setting(
        policy=draw(st.sampled_from(POLICIES)),
        feedback=draw(st.sampled_from(RULES)),
        crew=crew,
        answers=draw(st.integers(1, crew)),
        runs=draw(st.integers(1, 4)),
        seed=draw(st.integers(0, 10_000)),
        prices=draw(st.sampled_from([Prices(), Prices(0.0, 2.5)])),
        attendance=draw(st.sampled_from([1.0, 0.7])),
        delay=draw(st.sampled_from([0, 0, 2])),
        warm_up=draw(st.sampled_from(get_args(WarmUp))),
    )
