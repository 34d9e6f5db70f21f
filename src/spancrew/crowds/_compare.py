"""Real answers against stand-ins for the same workers and sentences, figure by figure."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from spancrew.consensus import ChoiceVote, majority_vote
from spancrew.core import (
    Answers,
    BoolArray,
    Dataset,
    FloatArray,
    IntArray,
    Kind,
    Ragged,
    normal_quantile,
)
from spancrew.crowds._figures import BANDS, UNANIMOUS, Comparison, VoteBand
from spancrew.crowds._tables import sum_by
from spancrew.crowds._verdict import FidelityVerdict, verdict_on
from spancrew.metrics import ERROR_KINDS, AgreementName, Metric, agreement, error_table

THRESHOLDS = (0.4, 0.65)

AGREEMENT: dict[Kind, AgreementName] = {"spans": "fleiss", "choices": "pairwise_f1"}
"""What is called kappa by kind: for choices it is the share of pairs of answers that agree.

On one question, kappa only tells whether all answers are the same.
"""

_TWO = 2
"""Sentences without which chance cannot be told."""

Draw = Callable[[int], Ragged]
"""Returns stand-ins for all real answers, drawn with a seed."""


@dataclass(frozen=True, slots=True)
class Fidelity:
    """Real answers against stand-ins for exactly the same workers and sentences.

    ``ks`` is the largest difference between the two distributions of kappa (Kolmogorov and
    Smirnov). Figures of the stand-ins are means over ``repeats`` draws. ``mv_exact_f1_above`` is
    the exact F1 of the majority vote on the sentences above a threshold, ``vote_by_agreement``
    the same by bands of kappa. ``verdict`` says whether to plan with such a crowd; ``reasons``,
    what speaks against it.
    """

    sentences: int
    answers: int
    repeats: int
    ks: float
    kappa: Comparison
    share_above: dict[str, Comparison]
    mv_exact_f1: Comparison
    mv_exact_f1_above: dict[str, Comparison]
    vote_by_agreement: list[VoteBand]
    pairwise_f1: Comparison
    exactly_right: Comparison
    exactly_wrong: Comparison
    error_kinds: dict[str, Comparison]
    worker_f1_mean_abs_error: float
    kappa_histogram: list[tuple[float, float, float]]
    verdict: FidelityVerdict
    reasons: list[str]

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        bands = [band.as_json() for band in self.vote_by_agreement]
        return asdict(self) | {"vote_by_agreement": bands}


@dataclass(frozen=True, slots=True)
class _Look:
    """What is compared, of one set of answers."""

    kappa: FloatArray
    figures: dict[str, float]
    worker_f1: FloatArray


def compare(dataset: Dataset, draw: Draw, repeats: int) -> Fidelity:
    """Compare the answers of a data set with stand-ins drawn several times."""
    real = _look(dataset, dataset.answers.codes)
    looks = [_look(dataset, draw(1_000_003 + k)) for k in range(repeats)]
    drawn = np.concatenate([look.kappa for look in looks])
    mean_f1 = np.mean([look.worker_f1 for look in looks], axis=0)
    pairs = {
        name: Comparison(_mean([value]), _mean([look.figures[name] for look in looks]))
        for name, value in real.figures.items()
    }
    thresholds = [str(t) for t in THRESHOLDS]
    ks = kolmogorov_smirnov(real.kappa, drawn)
    bands = _bands(dataset, real.kappa, pairs)
    verdict, reasons = verdict_on(len(dataset), ks, pairs["mv"], bands)
    return Fidelity(
        sentences=len(dataset),
        answers=len(dataset.answers),
        repeats=repeats,
        ks=ks,
        kappa=pairs["kappa"],
        share_above={t: pairs[f"above {t}"] for t in thresholds},
        mv_exact_f1=pairs["mv"],
        mv_exact_f1_above={t: pairs[f"mv above {t}"] for t in thresholds},
        vote_by_agreement=bands,
        pairwise_f1=pairs["pairwise"],
        exactly_right=pairs["right"],
        exactly_wrong=pairs["wrong"],
        error_kinds={kind: pairs[kind] for kind in ERROR_KINDS},
        worker_f1_mean_abs_error=float(np.nanmean(np.abs(mean_f1 - real.worker_f1))),
        kappa_histogram=_histogram(real.kappa, drawn),
        verdict=verdict,
        reasons=reasons,
    )


def _bands(dataset: Dataset, kappa: FloatArray, pairs: dict[str, Comparison]) -> list[VoteBand]:
    """Return the vote's F1 by agreement, real and drawn, and what there is of the real."""
    voted = _vote(dataset, dataset.answers)
    rows = np.arange(len(dataset))
    tallies = Metric("exact").tallies(voted, dataset.gold, dataset.labels, rows).sum(axis=1)
    right, _, given, true = tallies.T
    places = [_within(kappa, *band) for band in BANDS]
    return [
        VoteBand(
            *band,
            int(here.sum()),
            int(true[here].sum()),
            pairs[f"mv {band}"],
            ratio_margin(2 * right[here], (given + true)[here]),
        )
        for band, here in zip(BANDS, places, strict=True)
    ]


def ratio_margin(above: FloatArray, below: FloatArray) -> float:
    """Return by how much chance moves a ratio of sums over sentences, at 95 %.

    By the linear part of the ratio; 1 if there are fewer than two sentences, or nothing in them.

    >>> ratio_margin(np.array([2.0, 2.0, 0.0, 2.0]), np.array([2.0, 2.0, 2.0, 2.0])).__round__(3)
    0.49
    """
    sentences, total = len(below), float(below.sum())
    if sentences < _TWO or total <= 0:
        return 1.0
    off = above - above.sum() / total * below
    spread = np.sqrt(sentences / (sentences - 1) * float(off @ off)) / total
    return min(float(normal_quantile(0.975) * spread), 1.0)


def kolmogorov_smirnov(one: FloatArray, other: FloatArray) -> float:
    """Return the largest difference between two distributions; rounding makes no difference.

    >>> kolmogorov_smirnov(np.array([0.0, 1.0]), np.array([1.0, 1.0 + 1e-12]))
    0.5
    """
    values = np.sort(np.concatenate([one, other])) + 1e-9
    shares = [np.searchsorted(np.sort(v), values, side="right") / len(v) for v in (one, other)]
    return float(np.abs(shares[0] - shares[1]).max())


def _mean(values: list[float]) -> float | None:
    """Return the mean of the values that there are."""
    known = [value for value in values if not np.isnan(value)]
    return sum(known) / len(known) if known else None


def _look(dataset: Dataset, codes: Ragged) -> _Look:
    answers = replace(dataset.answers, codes=codes)
    kappa = agreement(answers, AGREEMENT[dataset.kind])
    score = Metric("exact").pairs(codes, dataset.gold, gold_rows=answers.sentence)[:, 2]
    voted = _vote(dataset, answers)
    figures = {
        "kappa": float(kappa.mean()),
        "mv": _f1(voted, dataset.gold, np.ones(len(dataset), bool)),
        "pairwise": float(agreement(answers, "pairwise_f1").mean()),
        "right": float((score == 1).mean()),
        "wrong": float((score == 0).mean()),
    }
    for threshold in THRESHOLDS:
        above = kappa > threshold + 1e-9
        figures[f"above {threshold}"] = float(above.mean())
        figures[f"mv above {threshold}"] = _f1(voted, dataset.gold, above)
    for band in BANDS:
        figures[f"mv {band}"] = _f1(voted, dataset.gold, _within(kappa, *band))
    worker = answers.worker.astype(np.int64)
    return _Look(kappa, figures | _kinds(dataset, answers), _means(worker, score, dataset))


def _vote(dataset: Dataset, answers: Answers) -> Ragged:
    """Return the majority's labels."""
    lengths = dataset.sentences.starts.lengths
    if dataset.kind == "choices":
        return ChoiceVote().judge(answers, lengths).labels
    return majority_vote(answers, lengths)


def _within(kappa: FloatArray, low: float, high: float) -> BoolArray:
    """Tell which sentences lie above ``low`` up to ``high``; unanimous ones reach both."""
    above = kappa > low + 1e-9 if low < UNANIMOUS else kappa > UNANIMOUS - 1e-9
    return above & (kappa <= high + 1e-9)


def _f1(voted: Ragged, gold: Ragged, chosen: BoolArray) -> float:
    rows = np.flatnonzero(chosen)
    if len(rows) == 0:
        return float("nan")
    return Metric("exact").pool(voted.take(rows), gold.take(rows)).f1


def _kinds(dataset: Dataset, answers: Answers) -> dict[str, float]:
    """Return the share of each kind among all errors."""
    table = error_table(replace(dataset, answers=answers))
    errors = max(len(table.kinds), 1)
    return {kind: float(table.has(kind).sum()) / errors for kind in ERROR_KINDS}


def _means(worker: IntArray, score: FloatArray, dataset: Dataset) -> FloatArray:
    """Return the mean F1 of every worker; NaN for one without answers."""
    counts = sum_by(worker, None, len(dataset.workers))
    means: FloatArray = np.full(len(counts), np.nan)
    return np.divide(sum_by(worker, score, len(counts)), counts, out=means, where=counts > 0)


def _histogram(real: FloatArray, drawn: FloatArray) -> list[tuple[float, float, float]]:
    """Return the share of sentences, real and drawn, below each of some values of kappa."""
    steps = np.round(np.linspace(-0.4, 1.0, 57), 3)
    return [
        (float(k), float((real <= k + 1e-9).mean()), float((drawn <= k + 1e-9).mean()))
        for k in steps
    ]
