"""Everything `spancrew aggregate` says about final labels, as values."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from spancrew.consensus import Aggregated, Audition
from spancrew.core import (
    BoolArray,
    Dataset,
    FloatArray,
    IntArray,
    Kind,
    Ragged,
    Span,
    span_table,
)
from spancrew.metrics import Metric, MetricName, Scores, worker_scores
from spancrew.report._preferences import Leaning, leanings

SCORED: tuple[MetricName, ...] = ("exact", "proportional", "token")
BINS = 10
LEAST_SURE = 10
"""How many of the least sure sentences are kept."""


@dataclass(frozen=True, slots=True)
class ReliabilityRow:
    """A worker of the crowd: expected exact F1 with its interval, and the F1 against gold."""

    worker: str
    answers: int
    spans: int
    reliability: float
    low: float
    high: float
    f1: float | None


@dataclass(frozen=True, slots=True)
class UnsureSentence:
    """A sentence with its final labels, and how sure they are."""

    sentence: str
    confidence: float
    expected_errors: float
    text: str
    bounds: tuple[tuple[int, int], ...]
    labels: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Certainty:
    """How sure the sentences are that the crowd decided; None where there are none.

    ``counts`` are sentences by tenths of confidence, ``right`` those of them whose labels are all
    as in gold, None where not all of them have gold. ``calibration_error`` is the mean distance
    between stated and observed confidence, tenth by tenth, on those with gold.
    """

    mean: float | None
    median: float | None
    lowest_tenth: float | None
    counts: list[int]
    right: list[int] | None
    calibration_error: float | None


@dataclass(frozen=True, slots=True)
class Aggregation:
    """Final labels: how good, how many, how sure, decided by whom.

    ``scores`` are None without gold to compare with; ``expected_f1`` is the exact F1 that the
    stated probabilities amount to, on the sentences that the crowd decided. ``auditions``
    say how models did, by name. For choices the exact F1 is the accuracy. ``tied_sentences`` have
    a question on which several labels were equally likely, so that the one that was taken is
    arbitrary. ``position_bias`` says by worker how much they prefer the first of two responses.
    """

    name: str
    method: str
    sentences: int
    answers: int
    seconds: float
    scored_sentences: int
    scores: dict[str, Scores | None]
    expected_f1: float | None
    labels: dict[str, int]
    expert_sentences: int
    sentences_without_answers: int
    confidence: Certainty
    least_sure: list[UnsureSentence]
    workers: list[ReliabilityRow]
    auditions: Mapping[str, Audition] = field(default_factory=dict)
    tied_sentences: int = 0
    kind: Kind = "spans"
    position_bias: Mapping[str, Leaning] = field(default_factory=dict)

    @property
    def accuracy(self) -> float | None:
        """Return the share of the choices that are as in gold; None without gold."""
        exact = self.scores["exact"]
        return None if exact is None else exact.f1

    def as_json(self) -> dict[str, Any]:
        """Return plain values; a score is None where there is no gold."""
        record = asdict(self)
        for name in ("name", "scores", "confidence", "least_sure", "seconds", "auditions", "kind"):
            del record[name]
        del record["position_bias"]
        is_chosen = self.kind == "choices"
        if is_chosen:
            record["expected_accuracy"] = record.pop("expected_f1")
            record["workers"] = [_chooser(row, self.position_bias) for row in self.workers]
        else:
            del record["tied_sentences"]
        return {
            "method": record.pop("method"),
            **(self._accuracy_json() if is_chosen else self._scores_json()),
            "seconds": round(self.seconds, 3),
            **record,
            "expert_share": self.expert_sentences / self.sentences,
            "confidence": asdict(self.confidence),
            "least_sure": [
                {
                    "sentence": row.sentence,
                    "confidence": row.confidence,
                    "expected_errors": row.expected_errors,
                }
                for row in self.least_sure
            ],
            **_members(self.auditions),
        }

    def _scores_json(self) -> dict[str, Any]:
        return {name: _short(scores) for name, scores in self.scores.items()}

    def _accuracy_json(self) -> dict[str, Any]:
        answered = self.sentences - self.sentences_without_answers
        return {"accuracy": self.accuracy, "answered": answered}


def _chooser(row: ReliabilityRow, leanings: Mapping[str, Leaning]) -> dict[str, Any]:
    """Return a worker of choices: as many as questions, and right or wrong."""
    record, leaning = asdict(row), leanings.get(row.worker)
    return record | {
        "choices": record.pop("spans"),
        "accuracy": record.pop("f1"),
        "position_bias": None if leaning is None else asdict(leaning),
    }


def _members(auditions: Mapping[str, Audition]) -> dict[str, Any]:
    """Return which models wanted to be heard beside the people, and with which result."""
    if not auditions:
        return {}
    return {
        "members": list(auditions),
        "hired": {name: each.is_passed for name, each in auditions.items()},
        "auditions": {name: _figures(each) for name, each in auditions.items()},
    }


def _figures(audition: Audition) -> dict[str, Any]:
    record = audition._asdict()
    del record["worker"]
    return {name: None if math.isnan(value) else value for name, value in record.items()}


def auditions_of(found: Aggregated) -> dict[str, Audition]:
    """Return how models did, by their names."""
    workers = found.dataset.workers
    return {
        "tagger" if each.worker is None else workers[each.worker]: each for each in found.auditions
    }


def summarise(
    name: str, method: str, found: Aggregated, seconds: float, *, gold_is_trusted: bool = False
) -> Aggregation:
    """Look at final labels; gold that was trusted is not there to score them."""
    dataset, finals = found.dataset, found.finals
    scored = np.zeros(len(dataset), bool) if gold_is_trusted else dataset.has_gold
    decided = ~finals.is_by_expert & ~found.is_silent
    return Aggregation(
        name=name,
        method=method,
        sentences=len(dataset),
        answers=len(found.evidence.answers),
        seconds=seconds,
        scored_sentences=int(scored.sum()),
        scores={each: _scores(finals.codes, dataset.gold, scored, each) for each in SCORED},
        expected_f1=_expected_f1(found, decided),
        labels=_label_counts(finals.codes, dataset),
        expert_sentences=int(finals.is_by_expert.sum()),
        sentences_without_answers=int(found.is_silent.sum()),
        confidence=_certainty(found, decided, scored),
        least_sure=_least_sure(found, decided),
        workers=_workers(found),
        auditions=auditions_of(found),
        tied_sentences=int((found.beliefs.contested & decided).sum()),
        kind=dataset.kind,
        position_bias=leanings(dataset) if dataset.kind == "choices" else {},
    )


def _short(scores: Scores | None) -> dict[str, float] | None:
    if scores is None:
        return None
    return {"p": scores.precision, "r": scores.recall, "f1": scores.f1}


def _scores(labels: Ragged, gold: Ragged, scored: BoolArray, name: MetricName) -> Scores | None:
    rows = np.flatnonzero(scored)
    return Metric(name).pool(labels.take(rows), gold.take(rows)) if len(rows) else None


def _expected_f1(found: Aggregated, decided: BoolArray) -> float | None:
    """Return the exact F1 that the labels have if every probability is as stated."""
    tokens = np.repeat(decided, found.beliefs.labels.lengths)
    given = found.beliefs.found[decided].sum() + found.beliefs.expected[decided].sum()
    if given <= 0:
        return None
    return float(min(2 * found.beliefs.spans[tokens].sum() / given, 1.0))


def _label_counts(labels: Ragged, dataset: Dataset) -> dict[str, int]:
    counts = Counter(span_table(labels).label.tolist())
    return {name: counts[k] for k, name in enumerate(dataset.labels)}


def _certainty(found: Aggregated, decided: BoolArray, scored: BoolArray) -> Certainty:
    values = found.finals.confidence[decided]
    tenth = _tenths(values)
    counts = np.bincount(tenth, minlength=BINS).tolist()
    if not len(values):
        return Certainty(None, None, None, counts, None, None)
    both = np.flatnonzero(decided & scored)
    labels, gold = found.finals.codes, found.dataset.gold
    is_right = np.array([np.array_equal(labels[k], gold[k]) for k in both.tolist()], bool)
    right = np.bincount(tenth[is_right], minlength=BINS) if len(both) == len(values) else None
    return Certainty(
        float(values.mean()),
        float(np.median(values)),
        float(np.quantile(values, 0.1)),
        counts,
        None if right is None else right.tolist(),
        _calibration_error(found.finals.confidence[both], is_right),
    )


def _tenths(confidence: FloatArray) -> IntArray:
    return np.minimum((confidence * BINS).astype(np.int64), BINS - 1)


def _calibration_error(confidence: FloatArray, is_right: BoolArray) -> float | None:
    if not len(confidence):
        return None
    off = np.bincount(_tenths(confidence), confidence - is_right, minlength=BINS)
    return float(np.abs(off).sum() / len(confidence))


def _least_sure(found: Aggregated, decided: BoolArray) -> list[UnsureSentence]:
    """Return the sentences with the lowest confidence; of equal ones, those with most errors."""
    confidence, errors = found.finals.confidence, found.beliefs.errors
    order = np.lexsort((-errors, confidence))
    rows = []
    for position in order[decided[order]][:LEAST_SURE].tolist():
        sentence, final = found.dataset.sentences[position], found.dataset.final(position)
        rows.append(
            UnsureSentence(
                sentence.id,
                float(confidence[position]),
                float(errors[position]),
                sentence.text,
                sentence.bounds,
                final.labels if final else (),
            )
        )
    return rows


def _workers(found: Aggregated) -> list[ReliabilityRow]:
    """Return the crowd's workers who answered, the most reliable first."""
    answers = np.bincount(found.evidence.answers.worker, minlength=found.evidence.workers)
    f1 = worker_scores(found.dataset, Metric("exact"))[:, 2]
    scored = found.reliability
    rows = [
        ReliabilityRow(
            found.dataset.workers[w],
            int(answers[w]),
            int(scored.spans[w]),
            float(scored.score[w]),
            float(scored.low[w]),
            float(scored.high[w]),
            None if np.isnan(f1[w]) else float(f1[w]),
        )
        for w in np.flatnonzero(answers).tolist()
    ]
    return sorted(rows, key=lambda row: -row.reliability)
