"""Everything `spancrew inspect` says about a data set, as values."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from spancrew.core import Dataset, FloatArray, span_table
from spancrew.metrics import (
    AGREEMENTS,
    Metric,
    MetricName,
    Scores,
    Spread,
    agreement,
    answers_per_worker,
    overall_agreement,
    spread,
    worker_scores,
)
from spancrew.report._errors import ErrorSummary, summarise_errors

METRICS: tuple[MetricName, ...] = ("token", "exact", "proportional")
THRESHOLDS = (0.4, 0.65)
"""The thresholds of the paper: Chinese OEI and CoNLL 2003."""


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """One worker: how much they did and how well; None where nothing could be scored."""

    worker: str
    answers: int
    scores: dict[str, Scores | None]


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """One measure of agreement over the sentences with at least two answers."""

    overall: float
    mean: float
    median: float
    share_above: dict[str, float]
    histogram: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class RepairRow:
    """One kind of repair: how often, and the first of them."""

    kind: str
    count: int
    first: str


@dataclass(frozen=True, slots=True)
class Inspection:
    """What there is, who did it, how well, how much they agree, what went wrong."""

    name: str
    sentences: int
    sentences_with_gold: int
    tokens: int
    workers: int
    answers: int
    labels: dict[str, int]
    span_length: float | None
    answers_per_worker: Spread | None
    answers_per_sentence: Spread | None
    scores: dict[str, Scores | None]
    worker_rows: list[WorkerRow]
    agreement: dict[str, AgreementRow] | None
    errors: ErrorSummary | None
    repairs: list[RepairRow]

    def as_json(self) -> dict[str, Any]:
        """Return plain values; scores and spreads become objects with named fields."""
        record = asdict(self)
        del record["worker_rows"]
        record["scores"] = _named(self.scores)
        record["answers_per_worker"] = _spread_json(self.answers_per_worker)
        record["answers_per_sentence"] = _spread_json(self.answers_per_sentence)
        record["worker_scores"] = [
            {"worker": row.worker, "answers": row.answers, **_named(row.scores)}
            for row in self.worker_rows
        ]
        record["overlapping_spans_left_out"] = sum(
            row.count for row in self.repairs if row.kind == "overlap"
        )
        return record


def inspect(name: str, dataset: Dataset, repairs: Iterable[tuple[str, str]] = ()) -> Inspection:
    """Look at a data set; ``repairs`` are pairs of a kind and a sentence about it."""
    gold = span_table(dataset.gold)
    lengths = gold.end - gold.start
    return Inspection(
        name=name,
        sentences=len(dataset),
        sentences_with_gold=int(dataset.has_gold.sum()),
        tokens=len(dataset.sentences.starts.values),
        workers=len(dataset.workers),
        answers=len(dataset.answers),
        labels=_label_counts(dataset, gold.label.tolist()),
        span_length=float(lengths.mean()) if len(lengths) else None,
        answers_per_worker=spread(answers_per_worker(dataset)),
        answers_per_sentence=spread(dataset.answers.per_sentence),
        scores={metric: _pooled(dataset, metric) for metric in METRICS},
        worker_rows=_worker_rows(dataset),
        agreement=_agreement_rows(dataset),
        errors=summarise_errors(dataset),
        repairs=repair_rows(repairs),
    )


def _label_counts(dataset: Dataset, labels: Sequence[int]) -> dict[str, int]:
    """Count the gold spans of each label."""
    counts = Counter(labels)
    return {name: counts[k] for k, name in enumerate(dataset.labels)}


def _pooled(dataset: Dataset, name: MetricName) -> Scores | None:
    """Score all answers as one pool."""
    rows = np.flatnonzero(dataset.has_gold[dataset.answers.sentence])
    if len(rows) == 0:
        return None
    group = np.zeros(len(rows), np.int64)
    sentence = dataset.answers.sentence[rows]
    got = Metric(name).groups(dataset.answers.codes, dataset.gold, group, 1, rows, sentence)
    return Scores(*got[0].tolist())


def _worker_rows(dataset: Dataset) -> list[WorkerRow]:
    """Return the workers, the best first; those without a score last."""
    counts = answers_per_worker(dataset)
    scores = {name: worker_scores(dataset, Metric(name)) for name in METRICS}
    rows = [
        WorkerRow(
            worker=worker,
            answers=int(counts[k]),
            scores={name: _known(table[k]) for name, table in scores.items()},
        )
        for k, worker in enumerate(dataset.workers)
    ]
    return sorted(rows, key=lambda row: -_f1(row.scores["exact"]))


def _agreement_rows(dataset: Dataset) -> dict[str, AgreementRow] | None:
    """Return how much people agree; models are not counted."""
    rows: dict[str, AgreementRow] = {}
    answers = dataset.by_people
    for method in AGREEMENTS:
        overall = overall_agreement(answers, method)
        if overall is None:
            return None
        values = agreement(answers, method)
        known = values[~np.isnan(values)]
        rows[method] = AgreementRow(
            overall=overall,
            mean=float(known.mean()),
            median=float(np.median(known)),
            share_above={str(t): float((known > t + 1e-9).mean()) for t in THRESHOLDS},
            histogram=_histogram(known),
        )
    return rows


def _histogram(values: FloatArray) -> list[tuple[str, int]]:
    """Count values below 0, in tenths, and exactly 1 (where the mass is)."""
    tenths = np.clip(np.floor(values * 10 + 1e-9), -1, 9).astype(int)
    tenths[values >= 1 - 1e-9] = 10
    names = ["below 0", *(f"{k / 10:.1f} to {(k + 1) / 10:.1f}" for k in range(10)), "1"]
    counts = np.bincount(tenths + 1, minlength=12)
    return list(zip(names, counts.tolist(), strict=True))


def repair_rows(repairs: Iterable[tuple[str, str]]) -> list[RepairRow]:
    """Count repairs by kind, the most frequent first."""
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for kind, what in repairs:
        first.setdefault(kind, what)
        counts[kind] += 1
    return [RepairRow(kind, count, first[kind]) for kind, count in counts.most_common()]


def _known(row: FloatArray) -> Scores | None:
    return None if np.isnan(row[2]) else Scores(*row.tolist())


def _f1(scores: Scores | None) -> float:
    return -1.0 if scores is None else scores.f1


def _named(scores: dict[str, Scores | None]) -> dict[str, dict[str, float] | None]:
    return {name: None if row is None else row._asdict() for name, row in scores.items()}


def _spread_json(value: Spread | None) -> dict[str, Any] | None:
    return (
        None if value is None else {**value._asdict(), "sd_is": "sample standard deviation, n - 1"}
    )
