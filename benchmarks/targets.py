"""Rehearse campaigns: is the quality aimed at met, and do certificates have the truth?

Run ``python -m benchmarks.targets DATA --feedback expected-error:quality=0.95 --runs 10``. It
prints a row for every rule. *Hindsight* is the smallest share of experts with which the same
labels and the same order of doubts would have reached the target.
"""

import argparse
from typing import NamedTuple

import numpy as np

from spancrew.consensus import consensus_method
from spancrew.core import Dataset, FloatArray
from spancrew.feedback import feedback_rule
from spancrew.formats import read
from spancrew.metrics import Metric
from spancrew.policies import Groups, policy
from spancrew.simulate import CrowdKind, Setting, scene_of, simulated_crowd
from spancrew.simulate._audits import labelled
from spancrew.simulate._decide import Decided, StepDecider
from spancrew.simulate._engine import Engine
from spancrew.simulate._plain import PlainDecider
from spancrew.simulate._rehearse import outcome_of
from spancrew.simulate._scene import Scene

_EXACT = Metric("exact")
_POINT = 0.01


class WatchedDecider:
    """Decides as another, and keeps what was decided."""

    def __init__(self, decider: StepDecider | PlainDecider) -> None:
        self._decider = decider
        self.decisions: list[Decided] = []

    def settle(self, groups: Groups) -> Decided:
        """Decide about the sentences of a step."""
        self.decisions.append(self._decider.settle(groups))
        return self.decisions[-1]


class RehearsedTarget(NamedTuple):
    """What runs of one rule showed, by run: F1, share of experts, the least share, interval."""

    final: FloatArray
    experts: FloatArray
    hindsight: FloatArray
    certified: FloatArray

    def row(self, target: float) -> str:
        """Return a row of the table."""
        low, high = self.certified[:, 1:].T
        is_in = (low <= self.final + 1e-9) & (self.final <= high + 1e-9)
        met = np.mean(self.final >= target - _POINT)
        near = np.mean(np.abs(self.final - target) <= _POINT)
        return (
            f"{self.final.mean():.4f} ± {self.final.std():.4f} | {met:.0%} | {near:.0%} | "
            f"{self.experts.mean():.1%} | {self.hindsight.mean():.1%} | "
            f"{is_in.mean():.1%} | {(high - low).mean() / 2:.4f} |"
        )


def rehearsed(scene: Scene, setting: Setting, target: float) -> RehearsedTarget:
    """Rehearse all runs of a setting."""
    engine = Engine(scene, setting, range(setting.runs), (_EXACT,))
    watched = WatchedDecider(engine.decider)
    engine.decider = watched  # type: ignore[assignment]  # it does all that the engine asks for
    engine.run()
    outcome = outcome_of(engine)
    return RehearsedTarget(
        outcome.final[_EXACT][:, -1, 2],
        outcome.expert_labels / outcome.sentences,
        _hindsight(scene, watched.decisions, setting.runs, target),
        outcome.certified,
    )


def _hindsight(scene: Scene, decisions: list[Decided], runs: int, target: float) -> FloatArray:
    """Return by run which share of the most doubtful sentences would have been enough."""
    run = np.concatenate([each.groups.run for each in decisions])
    parts = [labelled(scene, each.beliefs, each.groups.sentence) for each in decisions]
    expected, wrong, _, true = (np.concatenate(column) for column in zip(*parts, strict=True))
    shares = np.ones(runs)
    for each in range(runs):
        rows = np.flatnonzero(run == each)
        by_doubt = wrong[rows][np.argsort(-expected[rows], kind="stable")]
        left = by_doubt.sum() - np.concatenate([[0.0], np.cumsum(by_doubt)])
        enough = left <= (1 - target) * 2 * true[rows].sum() + 1e-9
        shares[each] = np.argmax(enough) / len(rows)
    return shares


def _some(dataset: Dataset, count: int | None, seed: int) -> Dataset:
    """Return a random part of a data set, or all of it."""
    if count is None or count >= len(dataset):
        return dataset
    rows = np.random.default_rng(seed).choice(len(dataset), count, replace=False)
    return dataset.take(np.sort(rows))


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("--feedback", nargs="+", default=["expected-error:quality=0.95"])
    parser.add_argument("--consensus", default="auto")
    parser.add_argument("--crowd", default="calibrated")
    parser.add_argument("--audit", type=float, default=0.05)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sentences", type=int, help="a random part of so many")
    return parser.parse_args()


def main() -> None:
    """Print a table for the documentation."""
    given = _parsed()
    crowd: CrowdKind = given.crowd
    made = simulated_crowd(
        _some(read(given.data).dataset, given.sentences, given.seed), crowd, seed=given.seed
    )
    scene = scene_of(made.dataset, made.crowd, _EXACT)
    print(f"{given.data}, {len(made.dataset):,} sentences, {given.runs} runs, seed {given.seed}")
    print("| rule | F1 | met | within | experts | hindsight | coverage | half-width |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in given.feedback:
        rule = feedback_rule(name)
        setting = Setting(
            policy=policy("random"),
            feedback=rule,
            consensus=consensus_method(given.consensus),
            crew=min(20, len(scene.workers)),
            answers=min(4, len(scene.workers)),
            runs=given.runs,
            seed=given.seed,
            audit=given.audit,
            warm_up="own",
        )
        target = getattr(rule, "quality", None) or 0.0
        print(f"| `{name}` | {rehearsed(scene, setting, target).row(target)}", flush=True)


if __name__ == "__main__":
    main()
