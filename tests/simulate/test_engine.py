"""The engine takes the decisions of Algorithm 1, in every run, alone or with others."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Ragged
from spancrew.feedback import AgreementGate, CrowdOnly, ExpertOnly, FeedbackRule
from spancrew.metrics import Metric
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
from spancrew.simulate import METRICS, Outcome, Prices, Scene, Setting, rehearse
from tests.simulate.algorithm_1 import Diary, Slow
from tests.simulate.plain import Codes
from tests.simulate.small import small_scene
from tests.simulate.watched import Overheard, Watched

EXACT = Metric("exact")

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
}
PLAIN = Setting(crew=6, answers=3, runs=3, seed=4)
NUMBERS: dict[str, Setting] = {
    "plain": PLAIN,
    "cap": replace(PLAIN, cap=9),
    "attendance": replace(PLAIN, attendance=0.6),
    "delay": replace(PLAIN, delay=2),
    "delay and attendance": replace(PLAIN, delay=2, attendance=0.4, answers=4),
    "prices": replace(PLAIN, worker_prices=tuple(0.1 + 0.05 * k for k in range(9))),
    "other prices": replace(PLAIN, prices=Prices(0.25, 3.0)),
    "a crew that leaves two idle": replace(PLAIN, crew=8),
    "everybody, two groups and one idle": replace(PLAIN, crew=9, answers=4),
    "single answers": replace(PLAIN, answers=1),
    "everybody on every sentence": replace(PLAIN, crew=9, answers=9),
}


def assert_same_decisions(scene: Scene, setting: Setting) -> None:
    """Compare every run with Algorithm 1 in plain loops."""
    policy, source = Watched(setting.policy), Overheard(scene.source)
    outcome = rehearse(replace(scene, source=source), replace(setting, policy=policy))
    slow = [Slow(scene, setting, run) for run in range(setting.runs)]
    diaries = [each.run() for each in slow]

    for run, diary in enumerate(diaries):
        assert_same_crews(policy, diary, run)
        assert_same_outcome(outcome, scene, diary, run)
        assert outcome.count[run] == pytest.approx(slow[run].count, abs=1e-12)
        assert outcome.mean[run] == pytest.approx(slow[run].mean, abs=1e-12)
    assert source.asked[: steps_with_work(diaries)] == asked_together(diaries)


def assert_same_crews(policy: Watched, diary: Diary, run: int) -> None:
    """Step by step: the same crew, from the same mean rewards."""
    assert [crew[run].tolist() for crew in policy.crews[: len(diary.crews)]] == diary.crews
    for ours, theirs in zip(policy.means, diary.means, strict=False):
        assert ours[run] == pytest.approx(theirs, abs=1e-12)


def assert_same_outcome(outcome: Outcome, scene: Scene, diary: Diary, run: int) -> None:
    """Money, experts, regret, labels."""
    upto = np.minimum(outcome.steps, len(diary.regret) - 1)
    expert_money = len(diary.by_expert) * outcome.setting.prices.expert

    assert outcome.settled[run] == len(diary.final)
    assert outcome.asked[run] == len(diary.paid)
    assert outcome.expert_labels[run] == len(diary.by_expert)
    assert outcome.crowd_money[run] == pytest.approx(diary.crowd_money, abs=1e-9)
    assert outcome.money[run] == pytest.approx(diary.crowd_money + expert_money, abs=1e-9)
    assert outcome.regret[run] == pytest.approx(np.cumsum(diary.regret)[upto], abs=1e-9)
    assert outcome.experts[run].tolist() == np.cumsum(diary.experts)[upto].tolist()
    assert outcome.agreement[run].tolist() == histogram(diary.agreements)
    assert_same_scores(outcome, scene, diary, run)


def assert_same_scores(outcome: Outcome, scene: Scene, diary: Diary, run: int) -> None:
    """P, R and F1 of the collected answers and of the final labels, at the end."""
    gold = {s: tuple(scene.dataset.gold[s].tolist()) for s in range(len(scene.dataset))}
    answers = scene.source.answers(*np.array(diary.paid).T)
    collected = [tuple(row.tolist()) for row in answers]
    for metric in METRICS:
        final = pooled(metric, list(diary.final.values()), [gold[s] for s in diary.final])
        given = pooled(metric, collected, [gold[s] for s, _ in diary.paid])

        assert outcome.final[metric][run, -1] == pytest.approx(final)
        assert outcome.answers[metric][run, -1] == pytest.approx(given)


def pooled(metric: Metric, rows: list[Codes], gold: list[Codes]) -> tuple[float, float, float]:
    """Score all rows as one pool."""
    return metric.pool(Ragged.of(rows), Ragged.of(gold))


def histogram(agreements: list[float]) -> list[int]:
    """Count agreements in 40 bins from -1 to 1, the last closed; rounding does not count."""
    bins = [0] * 40
    for each in agreements:
        bins[min(int((each + 1 + 1e-9) * 20), 39)] += 1
    return bins


def steps_with_work(diaries: list[Diary]) -> int:
    """Return in how many steps anybody worked in any run."""
    return len(asked_together(diaries))


def asked_together(diaries: list[Diary]) -> list[list[tuple[int, int]]]:
    """Return the answers asked for in each step, one run after the other."""
    together = []
    for step in range(max(len(diary.groups) for diary in diaries)):
        groups = [diary.groups[step] for diary in diaries if step < len(diary.groups)]
        if any(groups):
            together.append([(s, w) for each in groups for s, crew in each for w in crew])
    return together


@pytest.fixture(scope="module")
def scene() -> Scene:
    """Return a scene of 23 sentences and 9 workers."""
    return small_scene()


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("rule", RULES)
def test_every_policy_and_rule_decides_as_algorithm_1(
    scene: Scene, policy: str, rule: str
) -> None:
    """Crews, sentences, rewards, experts, regret, labels and money, run by run."""
    setting = replace(PLAIN, policy=POLICIES[policy], feedback=RULES[rule])

    assert_same_decisions(scene, setting)


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("policy", ["cucb", "thompson", "difficulty-thompson", "discounted"])
@pytest.mark.parametrize("rule", ["crowd, leave one out", "gate"])
def test_all_numbers_of_a_setting_mean_what_they_say(
    scene: Scene, numbers: str, policy: str, rule: str
) -> None:
    """Caps, attendance, delay, prices, crews that do not divide, single answers."""
    setting = replace(NUMBERS[numbers], policy=POLICIES[policy], feedback=RULES[rule])

    assert_same_decisions(scene, setting)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("rule", ["crowd", "crowd, leave one out", "gate"])
def test_real_answers_are_asked_for_sentence_by_sentence(policy: str, rule: str) -> None:
    """Where not everybody can answer everything."""
    scene = small_scene(share=0.3)
    setting = replace(PLAIN, policy=POLICIES[policy], feedback=RULES[rule], attendance=0.9)

    assert scene.can is not None
    assert_same_decisions(scene, setting)


@pytest.mark.parametrize("policy", ["cucb", "discounted"])
def test_a_run_ends_when_nobody_can_work_any_more(scene: Scene, policy: str) -> None:
    """The warm-up counts for the cap, which leaves too few answers for the last sentences."""
    setting = replace(PLAIN, cap=8, policy=POLICIES[policy])

    assert (rehearse(scene, setting).settled < len(scene.dataset)).all()
    assert_same_decisions(scene, setting)


@pytest.mark.parametrize("sentences", [1, 2])
@pytest.mark.parametrize("rule", ["expert", "crowd", "gate"])
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
    )

    assert_same_decisions(scene, setting)
