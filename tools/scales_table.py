"""Compare methods on drawn ratings, whose errors are small steps or anything, for the docs.

Run as ``python tools/scales_table.py``. Nothing was chosen on these seeds.
"""

import numpy as np

from spancrew.consensus import (
    ChoiceAuto,
    ChoiceVote,
    Consensus,
    DawidSkene,
    Evidence,
    Ordinal,
    TwoCoin,
)
from spancrew.core import Answers, IntArray, Ragged

SEEDS = range(100, 120)
SHEETS, WORKERS, ANSWERS, LABELS = 300, 15, 4, 5
METHODS: dict[str, Consensus] = {
    "auto": ChoiceAuto(),
    "vote": ChoiceVote(),
    "ordinal": Ordinal(),
    "ds": DawidSkene(),
    "two-coin": TwoCoin(),
}


def drawn(seed: int, near: float | None) -> tuple[Evidence, IntArray]:
    """Draw ratings; of the errors so many are ``near``, or all are by leaning and spread."""
    rng = np.random.default_rng(seed)
    who = np.concatenate([rng.permutation(WORKERS)[:ANSWERS] for _ in range(SHEETS)])
    sheet = np.repeat(np.arange(SHEETS), ANSWERS)
    if near is None:
        truth = np.clip(np.round(rng.normal(2, LABELS / 4, SHEETS)), 0, LABELS - 1)
        leaning, spread = rng.normal(0, 0.6, WORKERS), np.exp(rng.normal(-0.1, 0.5, WORKERS))
        given = np.round(truth[sheet] + leaning[who] + spread[who] * rng.normal(size=len(who)))
    else:
        truth = rng.integers(0, LABELS, SHEETS).astype(np.float64)
        skill = 1 / (1 + np.exp(-rng.normal(0.6, 0.8, WORKERS)))
        far = (truth[sheet] + rng.integers(1, LABELS, len(who))) % LABELS
        step = truth[sheet] + rng.choice([-1, 1], len(who))
        wrong = np.where(rng.random(len(who)) < near, step, far)
        given = np.where(rng.random(len(who)) < skill[who], truth[sheet], wrong)
    codes = (2 * np.clip(given, 0, LABELS - 1) + 1).astype(np.uint8)
    rows = Ragged(codes, np.arange(len(codes) + 1))
    answers = Answers(sheet.astype(np.int32), who.astype(np.int32), rows, SHEETS)
    ones = np.ones(SHEETS, np.int64)
    evidence = Evidence(answers, ones, LABELS, WORKERS, kind="choices", scale=True)
    return evidence, truth.astype(np.int64)


def accuracy(method: Consensus, evidence: Evidence, truth: IntArray) -> float:
    """Return the share of ratings that a method gets right, without any expert."""
    found = method.fit(evidence).judge(evidence.answers, evidence.lengths)
    return float((found.labels.values == 2 * truth + 1).mean())


def main() -> None:
    """Print a row for every crowd."""
    print("| errors |", " | ".join(METHODS), "|")
    crowds = {"by leaning and spread": None, "anything": 0.0, "half near": 0.5, "near": 0.9}
    for name, near in crowds.items():
        made = [drawn(seed, near) for seed in SEEDS]
        means = (np.mean([accuracy(each, *one) for one in made]) for each in METHODS.values())
        print(f"| {name} |", " | ".join(f"{mean:.3f}" for mean in means), "|", flush=True)


if __name__ == "__main__":
    main()
