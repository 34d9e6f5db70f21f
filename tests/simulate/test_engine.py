"""The engine takes the decisions of Algorithm 1, in every run, alone or with others."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
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
    BayesUcb,
    Cucb,
    DifficultyThompson,
    Discounted,
    EpsilonGreedy,
    KlUcb,
    Oracle,
    Policy,
    Random,
    Thompson,
)
from spancrew.simulate import Prices, Scene, Setting, rehearse
from tests.simulate.same import assert_same_decisions
from tests.simulate.small import small_scene
from tests.spread import spread

POLICIES: dict[str, Policy] = {
    "random": Random(),
    "cucb": Cucb(0.3),
    "epsilon-greedy": EpsilonGreedy(0.3),
    "thompson": Thompson(),
    "thompson:gaussian": Thompson("gaussian"),
    "difficulty-thompson": DifficultyThompson(),
    "difficulty-thompson:memory": DifficultyThompson(0.9),
    "kl-ucb": KlUcb(),
    "bayes-ucb": BayesUcb(),
    "discounted": Discounted(0.9),
    "oracle": Oracle(),
}
RULES: dict[str, FeedbackRule] = {
    "expert": ExpertOnly(),
    "crowd": CrowdOnly(),
    "crowd, leave one out": CrowdOnly(leave_one_out=True),
    "gate": AgreementGate(0.4),
    "gate, leave one out": AgreementGate(0.4, leave_one_out=True),
    "gate, paper": AgreementGate(0.4, ties="paper"),
    "gate, paper, leave one out": AgreementGate(0.4, ties="paper", leave_one_out=True),
    "expected error": ExpectedErrorGate(0.8),
    "expected error, quality": ExpectedErrorGate(quality=0.8),
    "expected error, share": ExpectedErrorGate(expert_share=0.3),
    "adaptive": Adaptive(0.8),
    "adaptive, quality": Adaptive(quality=0.8, first=1),
    "adaptive, share": Adaptive(expert_share=0.3),
}
PLAIN = Setting(crew=6, answers=3, runs=3, seed=4, warm_up="own")
NUMBERS: dict[str, Setting] = {
    "plain": PLAIN,
    "a shared warm-up": replace(PLAIN, warm_up="shared"),
    "no warm-up": replace(PLAIN, warm_up="none"),
    "cap": replace(PLAIN, cap=9),
    "attendance": replace(PLAIN, attendance=0.6),
    "attendance as in the pilot": replace(PLAIN, attendance="pilot"),
    "nearly everybody is needed": replace(PLAIN, attendance="pilot", answers=4),
    "delay": replace(PLAIN, delay=2),
    "delay and attendance": replace(PLAIN, delay=2, attendance=0.4, answers=4),
    "prices": replace(PLAIN, worker_prices=tuple(0.1 + 0.05 * k for k in range(9))),
    "other prices": replace(PLAIN, prices=Prices(0.25, 3.0)),
    "a crew that leaves two idle": replace(PLAIN, crew=8),
    "everybody, two groups and one idle": replace(PLAIN, crew=9, answers=4),
    "single answers": replace(PLAIN, answers=1),
    "everybody on every sentence": replace(PLAIN, crew=9, answers=9),
}


@pytest.fixture(scope="module")
def scene() -> Scene:
    """Return a scene of 23 sentences and 9 workers, of whom some do more than others."""
    return replace(small_scene(), activity=np.linspace(0.2, 1.0, 9))


@pytest.mark.parametrize(("rule", "policy"), spread(RULES, POLICIES, each=3))
def test_every_policy_and_rule_decides_as_algorithm_1(
    scene: Scene, policy: str, rule: str
) -> None:
    """Crews, sentences, rewards, experts, regret, labels and money, run by run."""
    setting = replace(PLAIN, policy=POLICIES[policy], feedback=RULES[rule])

    assert_same_decisions(scene, setting)


@pytest.mark.parametrize(
    ("numbers", "policy"),
    spread(NUMBERS, ["cucb", "thompson", "difficulty-thompson", "discounted"]),
)
@pytest.mark.parametrize("rule", ["crowd, leave one out", "gate", "adaptive, share"])
def test_all_numbers_of_a_setting_mean_what_they_say(
    scene: Scene, numbers: str, policy: str, rule: str
) -> None:
    """Caps, attendance, delay, prices, crews that do not divide, single answers."""
    setting = replace(NUMBERS[numbers], policy=POLICIES[policy], feedback=RULES[rule])

    assert_same_decisions(scene, setting)


@pytest.mark.parametrize("share", [1.0, 0.3])
@pytest.mark.parametrize("rule", ["expert", "crowd", "gate", "expected error, share", "adaptive"])
@pytest.mark.parametrize("warm_up", ["shared", "none"])
def test_a_warm_up_that_is_shared_or_left_out_decides_as_algorithm_1(
    rule: str, warm_up: WarmUp, share: float
) -> None:
    """Whether everybody can answer the shared sentence or not."""
    setting = replace(PLAIN, policy=Cucb(0.3), feedback=RULES[rule], warm_up=warm_up, runs=2)

    assert_same_decisions(small_scene(share=share), setting)


@pytest.mark.parametrize(
    ("policy", "rule"),
    spread(POLICIES, ["crowd, leave one out", "gate", "adaptive", "adaptive, share"]),
)
def test_real_answers_are_asked_for_sentence_by_sentence(policy: str, rule: str) -> None:
    """Where not everybody can answer everything."""
    scene = small_scene(share=0.3)
    setting = replace(PLAIN, policy=POLICIES[policy], feedback=RULES[rule], attendance=0.9)

    assert scene.can is not None
    for at_once in (1, 4):
        assert_same_decisions(scene, replace(setting, at_once=at_once))


@pytest.mark.parametrize("policy", ["cucb", "discounted"])
def test_a_run_ends_when_nobody_can_work_any_more(scene: Scene, policy: str) -> None:
    """The warm-up counts for the cap, which leaves too few answers for the last sentences."""
    setting = replace(PLAIN, cap=8, policy=POLICIES[policy])

    assert (rehearse(scene, setting).settled < len(scene.dataset)).all()
    assert_same_decisions(scene, setting)


@pytest.mark.parametrize("sentences", [1, 2])
@pytest.mark.parametrize("rule", ["expert", "gate", "adaptive, quality"])
def test_groups_without_a_sentence_stay_idle(sentences: int, rule: str) -> None:
    """Three groups could work; the first ones do."""
    setting = replace(PLAIN, crew=9, feedback=RULES[rule], policy=EpsilonGreedy(0.3))

    assert_same_decisions(small_scene(sentences), setting)


@given(
    st.integers(1, 30),
    st.integers(1, 9),
    st.integers(0, 10_000),
    st.sampled_from(sorted(POLICIES)),
    st.sampled_from(sorted(RULES)),
    st.data(),
)
def test_any_small_campaign_decides_as_algorithm_1(
    sentences: int, workers: int, seed: int, policy: str, rule: str, data: st.DataObject
) -> None:
    """Fewer sentences than groups, as many answers as workers, and whatever else comes."""
    scene = small_scene(sentences, workers, seed, data.draw(st.sampled_from([1.0, 0.5])))
    crew = data.draw(st.integers(1, len(scene.workers)))
    setting = Setting(
        policy=POLICIES[policy],
        feedback=RULES[rule],
        crew=crew,
        answers=data.draw(st.integers(1, crew)),
        runs=data.draw(st.integers(1, 3)),
        seed=seed,
        attendance=data.draw(st.sampled_from([1.0, 0.7])),
        delay=data.draw(st.sampled_from([0, 0, 3])),
        warm_up=data.draw(st.sampled_from(get_args(WarmUp))),
    )

    assert_same_decisions(scene, setting)
