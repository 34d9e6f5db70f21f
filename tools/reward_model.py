"""Train a reward model on settled preferences, and draw how good it gets for the documentation.

Run as ``python tools/reward_model.py``. The crowd is drawn and its truth is known: pairs of
responses that differ in 20 features, a reward that is linear in them, and workers who err the more
often, the less the rewards differ. Pairs to train on get five answers each.
"""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from rehearsal_figure import on_paper
from spancrew.consensus import ChoiceAuto, Evidence, clamped
from spancrew.core import Answers, BoolArray, FloatArray, IntArray, Ragged, offsets_of
from spancrew.report.live import Axis, Series, Style, line_figure

TARGET = Path(__file__).parents[1] / "docs" / "assets" / "reward-model.svg"
PAIRS, TESTS, FEATURES, WORKERS, ANSWERS = 1_500, 2_000, 20, 30, 5
EXPERTS = (50, 150, 300, 450, 750, 1_500)
SEEDS = range(100, 110)


class Preferences(NamedTuple):
    """Pairs by how their responses differ, which is better (0 or 1), and what workers said."""

    features: FloatArray
    better: IntArray
    evidence: Evidence
    test: FloatArray
    test_better: IntArray


def drawn(seed: int) -> Preferences:
    """Draw pairs, a reward and a crowd."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(PAIRS + TESTS, FEATURES))
    gap = features @ rng.normal(size=FEATURES) / np.sqrt(FEATURES)
    better = (gap > 0).astype(np.int64)
    skill, bias = rng.normal(0.3, 0.7, WORKERS), rng.normal(0.0, 0.4, WORKERS)
    who = np.concatenate([rng.permutation(WORKERS)[:ANSWERS] for _ in range(PAIRS)])
    pair = np.repeat(np.arange(PAIRS), ANSWERS)
    odds = np.exp(skill[who]) * 1.2 * gap[pair] - bias[who]
    said = (rng.random(len(who)) < 1 / (1 + np.exp(-odds))).astype(np.int64)
    codes = Ragged((2 * said + 1).astype(np.uint8), np.arange(len(said) + 1))
    answers = Answers(pair.astype(np.int32), who.astype(np.int32), codes, PAIRS)
    evidence = Evidence(answers, np.ones(PAIRS, np.int64), 2, WORKERS, kind="choices")
    parts = features[:PAIRS], better[:PAIRS], evidence, features[PAIRS:], better[PAIRS:]
    return Preferences(*parts)


def accuracy(found: Preferences, rows: IntArray, labels: IntArray) -> float:
    """Return how often a reward model, trained on labels of some pairs, prefers the better."""
    model = LogisticRegression(C=1.0, fit_intercept=False, max_iter=200)
    model.fit(found.features[rows], labels)
    return float(model.score(found.test, found.test_better))


def settled(found: Preferences, experts: int) -> IntArray:
    """Return the labels of all pairs; experts decide where the crowd is least sure."""
    evidence = found.evidence
    first = ChoiceAuto().fit(evidence).judge(evidence.answers, evidence.lengths)
    asked: BoolArray = np.zeros(PAIRS, bool)
    asked[np.argsort(-first.errors, kind="stable")[:experts]] = True
    gold = (2 * found.better[asked] + 1).astype(np.uint8)
    known = Ragged(gold, offsets_of(asked.astype(np.int64)))
    taught = ChoiceAuto().fit(replace(evidence, known=known))
    beliefs = clamped(taught.judge(evidence.answers, evidence.lengths), known)
    return (beliefs.labels.values.astype(np.int64) - 1) // 2


def main() -> None:
    """Compare three ways to spend experts, print the table, and draw it."""
    ways: dict[str, list[list[float]]] = {"crowd only": [], "experts only": [], "mixed": []}
    for seed in SEEDS:
        found, everything = drawn(seed), np.arange(PAIRS)
        order = np.random.default_rng(seed).permutation(PAIRS)
        alone = accuracy(found, everything, settled(found, 0))
        ways["crowd only"].append([alone] * len(EXPERTS))
        ways["experts only"].append(
            [accuracy(found, order[:n], found.better[order[:n]]) for n in EXPERTS]
        )
        ways["mixed"].append([accuracy(found, everything, settled(found, n)) for n in EXPERTS])
    for name, rows in ways.items():
        mean, spread = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1)
        cells = (f"{m:.3f} ± {s:.3f}" for m, s in zip(mean, spread, strict=True))
        print(name, *cells, sep=" | ")
    TARGET.write_text(_picture(ways), encoding="utf-8")


def _picture(ways: dict[str, list[list[float]]]) -> str:
    series = [
        Series(
            name,
            list(zip(EXPERTS, np.mean(rows, axis=0).tolist(), strict=True)),
            style=Style(k, k),
        )
        for k, (name, rows) in enumerate(ways.items())
    ]
    caption = "Accuracy of the reward model by the number of expert labels."
    x, y = Axis("expert labels"), Axis("accuracy of the reward model", percent=True)
    return on_paper(line_figure("Reward model", caption, series, x=x, y=y))


if __name__ == "__main__":
    main()
