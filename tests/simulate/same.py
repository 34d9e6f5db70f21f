"""Does the engine take the decisions of Algorithm 1?"""

from dataclasses import replace

import numpy as np
import pytest

from spancrew.core import Ragged
from spancrew.metrics import Metric
from spancrew.simulate import METRICS, Outcome, Scene, Setting, rehearse
from tests.simulate.algorithm_1 import Slow
from tests.simulate.diary import Diary
from tests.simulate.plain import Codes
from tests.simulate.watched import Overheard, Watched


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
    warmed_up = any(each.warm for each in slow)
    assert source.scored[int(warmed_up) :] == asked_together(diaries)


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


def asked_together(diaries: list[Diary]) -> list[list[tuple[int, int]]]:
    """Return the answers asked for in each step, one run after the other."""
    together = []
    for step in range(max(len(diary.groups) for diary in diaries)):
        groups = [diary.groups[step] for diary in diaries if step < len(diary.groups)]
        if any(groups):
            together.append([(s, w) for each in groups for s, crew in each for w in crew])
    return together
