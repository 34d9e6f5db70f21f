"""Draw many audits of a data set with gold, and see how often certificates have the truth.

Run ``python -m benchmarks.audits DATA --experts 0.2``. Every sentence needs gold. Experts label
the share of sentences that the consensus is least sure of; audits are drawn of the others.
"""

import argparse
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from spancrew.certificates import BY_CROWD, BY_EXPERT, AuditedLabels, certificate_of
from spancrew.certificates._part import delivered_part
from spancrew.certificates._quantile import t_quantile
from spancrew.certificates._ratio import F1
from spancrew.certificates._strict import strict_low
from spancrew.consensus import aggregate
from spancrew.core import BoolArray, Dataset, IntArray, Ragged, offsets_of
from spancrew.formats import read


def audited_labels(dataset: Dataset, method: str = "auto", experts: float = 0.0) -> AuditedLabels:
    """Return the labels of a data set, with every sentence of the crowd audited."""
    doubt = aggregate(dataset, method).beliefs.errors
    is_expert = np.zeros(len(dataset), bool)
    is_expert[np.argsort(-doubt)[: round(experts * len(dataset))]] = True
    taught = replace(dataset, gold=_kept(dataset.gold, is_expert))
    joined = aggregate(taught, method, trust_gold=bool(is_expert.any()))
    made = AuditedLabels.of(
        dataset.labels,
        joined.finals.codes,
        joined.beliefs.spans,
        joined.beliefs.expected,
        _kept(dataset.gold, ~is_expert),
        np.where(is_expert, BY_EXPERT, BY_CROWD),
    )
    return replace(made.audited_at(np.flatnonzero(~is_expert)), replaces=False)


def _kept(rows: Ragged, is_kept: BoolArray) -> Ragged:
    """Return the rows with those emptied that are not kept."""
    tokens = np.repeat(is_kept, rows.lengths)
    return Ragged(rows.values[tokens], offsets_of(np.where(is_kept, rows.lengths, 0)))


def samples(labels: AuditedLabels, size: int, count: int, seed: int) -> Iterator[AuditedLabels]:
    """Yield plain random samples of the audits."""
    rng = np.random.default_rng(seed)
    crowd: IntArray = np.flatnonzero(labels.is_by_crowd)
    for _ in range(count):
        yield labels.audited_at(rng.choice(crowd, size, replace=False))


def plain_half_width(labels: AuditedLabels) -> float:
    """Return the half-width of delivered F1 by the counts of the sample alone."""
    rows, crowd = labels.audited, int(labels.is_by_crowd.sum())
    right, true = (column[rows].sum(axis=1) for column in (labels.right, labels.true))
    sure = labels.delivered[~labels.is_by_crowd].sum()
    below = labels.delivered.sum() + sure + crowd * true.mean()
    value = 2 * (sure + crowd * right.mean()) / below
    off = (2 * right - value * true).std(ddof=1)
    spread = off * math.sqrt(1 / len(rows) - 1 / crowd)
    return float(t_quantile(0.975, len(rows) - 1) * crowd * spread / below)


class Found(NamedTuple):
    """What many audits of one size showed of the delivered F1."""

    audits: int
    share: float
    bias: float
    half_width: float
    plain: float
    strict: float


def measured(labels: AuditedLabels, size: int, count: int, seed: int, strict: int) -> Found:
    """Return how often intervals have the truth, and how wide they are."""
    truth = certificate_of(labels).delivered.f1.estimate
    drawn = list(samples(labels, size, count, seed))
    found = [certificate_of(sample).delivered.f1 for sample in drawn]
    every = np.arange(len(labels.labels))
    parts = (delivered_part(sample, every) for sample in drawn[:strict])
    bounds = [strict_low(part, F1, 0.95) for part in parts]
    estimate, low, high = np.array(found, float).T
    return Found(
        size,
        float(((low <= truth) & (truth <= high)).mean()),
        float(estimate.mean() - truth),
        float((high - low).mean() / 2),
        float(np.mean([plain_half_width(sample) for sample in drawn])),
        float(truth - np.mean(bounds)) if bounds else math.nan,
    )


def main() -> None:
    """Print a table for the documentation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--experts", type=float, default=0.0)
    parser.add_argument("--audits", type=int, nargs="+", default=[50, 100, 200, 400])
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--strict", type=int, default=10, help="runs with a strict bound")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    labels = audited_labels(read(given.data).dataset, given.method, given.experts)
    truth = certificate_of(labels).delivered.f1.estimate
    crowd = int(labels.is_by_crowd.sum())
    print(f"F1 {truth:.4f}, {crowd:,} sentences of the crowd, {given.runs} audits of each size")
    print("| audits | without the model | half-width | of it | coverage | bias | strict below |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for size in (each for each in given.audits if each < crowd):
        found = measured(labels, size, given.runs, given.seed, given.strict)
        print(
            f"| {size} | {found.plain:.4f} | {found.half_width:.4f} | "
            f"{found.half_width / found.plain:.2f} | {found.share:.3f} | {found.bias:+.4f} | "
            f"{found.strict:.3f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
