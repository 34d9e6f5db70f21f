"""What every rehearsal keeps to, whatever its numbers."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    Oracle,
    Policy,
    Random,
    Thompson,
)
from spancrew.simulate import EXACT, Outcome, Prices, Scene, Setting, rehearse
from tests.simulate.algorithm_1 import fixed_crew
from tests.simulate.drawn import settings
from tests.simulate.small import small_scene
from tests.simulate.watched import Overheard


class Seen(NamedTuple):
    """What was seen of one run: the warm-up (sentence, worker), then who labelled what."""

    outcome: Outcome
    warm_up: list[tuple[int, int]]
    groups: list[tuple[int, list[int]]]


def seen(scene: Scene, setting: Setting, run: int = 0) -> Seen:
    """Rehearse one run and overhear whom it asks; true scores are looked up step by step."""
    source = Overheard(scene.source)
    outcome = rehearse(replace(scene, source=source), setting, range(run, run + 1))
    warm_up, *steps = source.scored if setting.warms_up else [[], *source.scored]
    groups = [
        (sentence, [worker for other, worker in step if other == sentence])
        for step in steps
        for sentence in dict.fromkeys(each for each, _ in step)
    ]
    return Seen(outcome, warm_up, groups)


@given(st.integers(1, 20), settings())
def test_every_sentence_is_settled_once_by_distinct_workers(
    sentences: int, setting: Setting
) -> None:
    """As many as answers were asked for, or, worker by worker, no more than that."""
    outcome, warm_up, groups = seen(small_scene(sentences), setting)
    least = setting.least_answers
    settled = [sentence for sentence, _ in groups]
    if setting.warms_up and setting.warm_up == "shared":
        settled.append(warm_up[0][0])

    assert outcome.settled.tolist() == [sentences]
    assert sorted(settled) == list(range(sentences))
    assert all(len(set(crew)) == len(crew) for _, crew in groups)
    assert all(least <= len(crew) <= setting.answers for _, crew in groups)


@given(st.integers(1, 20), settings())
def test_nobody_is_asked_in_vain(sentences: int, setting: Setting) -> None:
    """Answers are asked for only of those who are paid for them."""
    scene = small_scene(sentences)
    source = Overheard(scene.source)
    rehearse(replace(scene, source=source), setting, range(1))
    asked = {pair for step in source.asked for pair in step}

    assert asked <= {pair for step in source.scored for pair in step}


@pytest.mark.parametrize("rule", [ExpectedErrorGate(expert_share=0.3), Adaptive(expert_share=0.3)])
def test_the_share_of_experts_is_met_in_every_run(rule: FeedbackRule) -> None:
    """Within two percent of 400 sentences."""
    setting = Setting(crew=8, answers=4, runs=4, feedback=rule)
    outcome = rehearse(small_scene(400), setting)

    assert outcome.expert_share == pytest.approx(0.3, abs=0.02)


def test_answers_that_do_not_pay_are_not_asked_for() -> None:
    """So that there are fewer of them, and the less the dearer they are."""
    setting = Setting(crew=8, answers=4, runs=3, feedback=Adaptive(3.0))
    counts = [
        rehearse(small_scene(100), replace(setting, prices=Prices(price))).answers_per_sentence
        for price in (0.0, 0.1, 0.3, 0.5)
    ]
    per_sentence = [float(each.mean()) for each in counts]

    assert per_sentence == sorted(per_sentence, reverse=True)
    assert 2.5 < per_sentence[0] <= 4.09
    assert 2.0 <= per_sentence[-1] <= 2.09


@given(st.integers(1, 20), settings())
def test_money_is_answers_and_expert_labels_at_their_prices(
    sentences: int, setting: Setting
) -> None:
    """Answers paid are those of the warm-up and of all groups, repeated ones but once."""
    scene = small_scene(sentences)
    outcome, warm_up, groups = seen(scene, setting)
    repeats = sum((sentence, worker) in warm_up for sentence, crew in groups for worker in crew)
    answers = sum(len(crew) for _, crew in groups) + len(warm_up) - repeats
    prices = setting.prices
    money = answers * prices.answer + outcome.expert_labels * prices.expert

    assert len(warm_up) == (len(scene.workers) if setting.warms_up else 0)
    assert outcome.asked.tolist() == [answers]
    assert outcome.money == pytest.approx(money)
    assert outcome.crowd_money + outcome.expert_money == pytest.approx(money)
    assert outcome.saved == pytest.approx(1 - money / (sentences * prices.expert))


@given(st.integers(1, 20), settings(), st.integers(0, 6))
def test_nobody_gives_more_answers_than_the_cap(
    sentences: int, setting: Setting, spare: int
) -> None:
    """Whether or not the sentences can all be settled under it."""
    least = -(-setting.answers * sentences // 9)
    capped = replace(setting, cap=max(least + spare, 1))
    outcome, warm_up, groups = seen(small_scene(sentences), capped)
    paid = {*warm_up, *((s, w) for s, crew in groups for w in crew)}
    work = Counter(worker for _, worker in paid)

    assert capped.cap is not None
    assert max(work.values()) <= capped.cap
    assert outcome.asked.tolist() == [len(paid)]


def test_a_run_ends_when_nobody_can_work_any_more() -> None:
    """What was settled until then stays; a cap that the warm-up uses up is one way there."""
    setting = Setting(crew=6, answers=3, runs=3, cap=8, feedback=ExpertOnly(), warm_up="own")
    outcome = rehearse(small_scene(24, 9), setting)

    assert (outcome.settled < 24).all()
    assert (outcome.settled >= 20).all()
    assert outcome.final[EXACT][:, -1, 2] == pytest.approx(1)
    assert outcome.steps[-1] <= 24


@given(st.integers(1, 20), settings(), st.sampled_from([0.0, 0.3, 4]))
def test_expert_labels_are_those_of_rule_warm_up_and_audits(
    sentences: int, setting: Setting, audit: float
) -> None:
    """They add up; only a sentence of one's own may be sent to experts who know it already."""
    outcome = rehearse(small_scene(sentences), replace(setting, audit=audit))
    parts = outcome.experts[:, -1] + outcome.warm_up + outcome.audited
    most = {"shared": 1, "own": min(9, sentences), "none": 0}[setting.warm_up]

    assert (outcome.warm_up <= most).all()
    assert (outcome.expert_labels <= parts).all()
    if setting.warm_up != "own":
        assert outcome.expert_labels.tolist() == parts.tolist()


@given(st.integers(1, 20), settings())
def test_experts_alone_label_everything_right(sentences: int, setting: Setting) -> None:
    """And the crowd alone costs the experts of the warm-up only."""
    scene = small_scene(sentences)
    by_expert = rehearse(scene, replace(setting, feedback=ExpertOnly()))
    by_crowd = rehearse(scene, replace(setting, feedback=CrowdOnly()))

    shared = int(setting.warm_up == "shared")

    assert by_expert.expert_labels.tolist() == [sentences] * setting.runs
    assert by_expert.expert_share.tolist() == [(sentences - shared) / sentences] * setting.runs
    assert all((scores[:, -1] == 1).all() for scores in by_expert.final.values())
    assert by_crowd.expert_labels.tolist() == by_crowd.warm_up.tolist()
    assert by_crowd.expert_share.tolist() == [0.0] * setting.runs


def test_a_higher_threshold_never_asks_the_expert_less() -> None:
    """With crews by chance, which no reward changes; -1 trusts all but total disagreement."""
    scene = small_scene(60)
    thresholds = [-1.0, -0.2, 0.0, 0.2, 0.4, 0.65, 0.8, 0.95, 1.0]
    plain = Setting(policy=Random(), crew=8, answers=4, runs=5)
    outcomes = [
        rehearse(scene, replace(plain, feedback=AgreementGate(each, ties="paper")))
        for each in thresholds
    ]
    shares = [outcome.expert_share for outcome in outcomes]

    assert all((one <= other).all() for one, other in pairwise(shares))
    assert (shares[0] < 0.1).all()
    assert (shares[-1] == 59 / 60).all()


def test_the_oracle_has_no_regret_and_chance_the_most() -> None:
    """Per answer, over ten runs on 400 sentences."""
    scene = small_scene(400, 12)
    setting = Setting(crew=4, answers=2, runs=10, feedback=ExpertOnly())
    policies: tuple[Policy, ...] = (
        Oracle(),
        DifficultyThompson(),
        Thompson(),
        Cucb(0.2),
        Random(),
    )
    lost = [
        rehearse(scene, replace(setting, policy=policy)).regret[:, -1].mean() / 800
        for policy in policies
    ]

    assert abs(lost[0]) < 0.01
    assert all(lost[0] < each < lost[-1] - 0.1 for each in lost[1:-1])


@given(st.integers(1, 20), settings(), st.floats(0.1, 0.9))
def test_a_replayed_crowd_gives_real_answers_only(
    sentences: int, setting: Setting, share: float
) -> None:
    """Each sentence gets as many as were asked for, or as many as there are."""
    scene = small_scene(sentences, 9, 3, share)
    if scene.can is None or fixed_crew(setting) > len(scene.workers):
        return
    outcome, _, groups = seen(scene, replace(setting, attendance=1.0, warm_up="own"))
    given_answers = {
        (int(s), int(w))
        for s, w in zip(scene.dataset.answers.sentence, scene.dataset.answers.worker, strict=True)
    }

    for sentence, crew in groups:
        real = int(scene.can[sentence].sum())
        least, most = min(setting.least_answers, real), min(setting.answers, real)
        assert len(set(crew)) == len(crew)
        assert least <= len(crew) <= most
        assert all((sentence, worker) in given_answers for worker in crew)
    assert outcome.settled.tolist() == [sentences]
    assert len(groups) == int(scene.can.any(axis=1).sum())


def test_points_and_steps_are_running_totals() -> None:
    """The last point is the whole; regret and experts begin at 0, one sentence is warm-up."""
    setting = Setting(crew=6, answers=3, runs=3, feedback=AgreementGate(0.5))
    outcome = rehearse(small_scene(100), setting)

    assert outcome.final[EXACT].shape == outcome.answers[EXACT].shape == (3, 20, 3)
    assert outcome.steps.tolist() == list(range(51))
    assert (outcome.regret[:, 0] == 0).all()
    assert (outcome.experts[:, 0] == 0).all()
    assert (np.diff(outcome.experts, axis=1) >= 0).all()
    assert outcome.agreement.sum(axis=1).tolist() == [99, 99, 99]


def test_the_shared_sentence_is_the_first_that_is_settled() -> None:
    """Of 20 sentences it is all that there is at the first of 20 points, and it is right."""
    setting = Setting(Random(), CrowdOnly(), crew=2, answers=2, runs=10, audit=1)
    final = rehearse(small_scene(20), setting).final[EXACT][:, :, 2]

    assert (final[:, 0] == 1).all()
    assert (final[:, 1] < 1).any()


def test_long_curves_are_thinned_evenly() -> None:
    """To 200 points from the first step to the last."""
    setting = Setting(crew=1, answers=1, runs=2, feedback=CrowdOnly())
    outcome = rehearse(small_scene(1000, 3), setting)
    gaps = np.diff(outcome.steps)

    assert len(outcome.steps) == 200
    assert outcome.steps[0] == 0
    assert outcome.steps[-1] == 1000
    assert set(gaps.tolist()) == {5, 6}
    assert outcome.regret.shape == outcome.experts.shape == (2, 200)


def test_standings_at_the_end_are_those_of_all_rewards() -> None:
    """Every paid answer was rewarded, late ones as well."""
    setting = Setting(crew=6, answers=3, runs=2, delay=3)
    outcome = rehearse(small_scene(), setting)

    assert outcome.count.sum(axis=1).tolist() == outcome.asked.tolist()
    assert ((outcome.mean >= 0) & (outcome.mean <= 1)).all()
