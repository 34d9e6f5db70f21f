"""The figures of a crowd that the calibration compares, real against drawn."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from spancrew.core import Answers, BoolArray, FloatArray, IntArray, Ragged, kernel
from spancrew.crowds._evidence import MistakeEvidence, sorts_of, take_apart
from spancrew.crowds._features import COMPANIES, SIZES, Features
from spancrew.crowds._tables import BARE, CORRECT, RIGHT, SORTS, STATES, WRONG, part, sum_by
from spancrew.crowds._vote import ranks, vote_by_agreement
from spancrew.metrics import Metric, agreement

SAME, OTHER, OWN, ALIKE, SHARED, FAITHFUL, TEMPTED, KAPPA, LOST, LOST_EASY = range(10)
FIGURES = 10


class Moments(NamedTuple):
    """Sums and counts, so that several draws of the same crowd add up.

    ``pairs`` and ``pair_counts`` are by class of company. SAME: covariance of correctness between
    two workers on the same span; OTHER: on different spans of a sentence; OWN: of one worker on
    different spans; ALIKE: share of pairs of wrong answers that are alike; SHARED: equal spurious
    spans per pair of answers; FAITHFUL: share of pairs of wrong spans of one label in one answer
    that are wrong in the same way; TEMPTED: covariance of the number of spurious spans; KAPPA:
    rank of the agreement among the real ones; LOST: share of wrong spans that were missed;
    LOST_EASY: the same on spans that at least half of the answers have right. The others are sums
    per class of spans, size of sentence and worker. ``vote`` has a row for each band of kappa: the
    right spans of the majority vote, all of its spans, and those of gold.
    """

    pairs: FloatArray
    pair_counts: FloatArray
    right: FloatArray
    right_counts: FloatArray
    extra_by_size: FloatArray
    answers_by_size: FloatArray
    extra_by_worker: FloatArray
    f1: FloatArray
    answers: FloatArray
    sorts: FloatArray
    extra_by_state: FloatArray
    answers_by_state: FloatArray
    empty: float
    answerable: float
    vote: FloatArray

    def plus(self, other: "Moments") -> "Moments":
        """Add the sums and counts of another draw."""
        both: Iterable[tuple[Any, Any]] = zip(self, other, strict=True)
        return Moments(*(mine + theirs for mine, theirs in both))


def moments_of(
    codes: Ragged,
    gold: Ragged,
    sentence: IntArray,
    worker: IntArray,
    workers: int,
    features: Features,
    scale: FloatArray,
) -> Moments:
    """Measure a crowd's answers; answers are grouped by sentence.

    ``scale`` are the sorted kappas of the real answers, by which others are ranked.
    """
    evidence = take_apart(codes, gold, sentence, worker)
    right = (evidence.key == CORRECT).astype(float)
    scores = Metric("exact").pairs(codes, gold, gold_rows=sentence)[:, 2]
    pairs, pair_counts = _pair_figures(evidence, right, workers, features.company)
    owner = evidence.pairing.given.row[evidence.extra]
    extra = sum_by(owner, None, len(sentence))
    _add_tempted(extra, sentence, worker, features.company, pairs, pair_counts)
    answers = Answers(
        sentence.astype(np.int32), worker.astype(np.int32), codes, len(features.company)
    )
    kappa = agreement(answers, "fleiss")
    _add_kappa(ranks(kappa, scale), features.company, pairs, pair_counts)
    size = features.size[sentence]
    has_gold = np.diff(features.first)[sentence] > 0
    marked = np.diff(evidence.pairing.given_first) > 0
    wrong = sum_by(evidence.answer, 1 - right, len(sentence)) > 0
    state = np.where(~has_gold, BARE, np.where(wrong, WRONG, RIGHT))
    sort = sorts_of(evidence.key, evidence.left, evidence.right, evidence.label)
    return Moments(
        pairs=pairs,
        pair_counts=pair_counts,
        right=_by_class(features, sum_by(evidence.span, right, len(features.span))),
        right_counts=_by_class(features, sum_by(evidence.span, None, len(features.span))),
        extra_by_size=sum_by(size, extra, SIZES),
        answers_by_size=sum_by(size, None, SIZES),
        extra_by_worker=sum_by(worker, extra, workers),
        f1=sum_by(worker, scores, workers),
        answers=sum_by(worker, None, workers),
        sorts=sum_by(sort, None, SORTS + 1)[:SORTS],
        extra_by_state=sum_by(state, extra, STATES),
        answers_by_state=sum_by(state, None, STATES),
        empty=float((has_gold & ~marked).sum()),
        answerable=float(has_gold.sum()),
        vote=vote_by_agreement(answers, gold, kappa),
    )


def _by_class(features: Features, by_span: FloatArray) -> FloatArray:
    """Return the sums of the classes that spans belong to; each belongs to several."""
    repeated = np.repeat(by_span, features.span.shape[1])
    return sum_by(features.span.ravel(), repeated, features.classes)


def _add_tempted(
    extra: FloatArray,
    sentence: IntArray,
    worker: IntArray,
    company: IntArray,
    pairs: FloatArray,
    pair_counts: FloatArray,
) -> None:
    """Add the covariance between two workers in the number of spurious spans."""
    workers = int(worker.max(initial=0)) + 1
    mean = sum_by(worker, extra, workers) / np.maximum(sum_by(worker, None, workers), 1)
    residual = extra - mean[worker]
    total = sum_by(sentence, residual, len(company))
    squares = sum_by(sentence, residual**2, len(company))
    count = sum_by(sentence, None, len(company))
    pairs[:, TEMPTED] = sum_by(company, (total**2 - squares) / 2, COMPANIES)
    pair_counts[:, TEMPTED] = sum_by(company, count * (count - 1) / 2, COMPANIES)


def _add_kappa(
    rank: FloatArray, company: IntArray, pairs: FloatArray, pair_counts: FloatArray
) -> None:
    """Add the rank of the agreement on every sentence with at least two answers."""
    known = np.flatnonzero(~np.isnan(rank))
    pairs[:, KAPPA] = sum_by(company[known], rank[known], COMPANIES)
    pair_counts[:, KAPPA] = sum_by(company[known], None, COMPANIES)


def _pair_figures(
    evidence: MistakeEvidence, right: FloatArray, workers: int, company: IntArray
) -> tuple[FloatArray, FloatArray]:
    own = evidence.worker[evidence.answer]
    counts = np.maximum(sum_by(own, None, workers), 1)
    residual = right - (sum_by(own, right, workers) / counts)[own]
    given = evidence.pairing.given
    extra = evidence.extra
    width = int(given.label.max(initial=0)) + 1
    places = (given.start[extra] * (1 << 20) + given.end[extra]) * width + given.label[extra]
    rows = np.arange(len(evidence.worker) + 1)
    first = np.searchsorted(evidence.sentence, np.arange(len(company) + 1)).astype(np.int64)
    extra_first = np.searchsorted(given.row[extra], rows).astype(np.int64)
    label = evidence.pairing.gold.label[evidence.span]
    found_first = evidence.pairing.found_first
    sums, counts = np.zeros((COMPANIES, FIGURES)), np.zeros((COMPANIES, FIGURES))
    _sum_pairs(
        first,
        company,
        found_first,
        residual,
        evidence.key,
        label,
        extra_first,
        places,
        np.empty(int(np.diff(found_first).max(initial=0)), bool),
        sums,
        counts,
    )
    return sums, counts


@kernel
def _sum_pairs(  # noqa: PLR0913, PLR0917  a kernel gets its columns one by one
    first: IntArray,
    company: IntArray,
    outcome_first: IntArray,
    residual: FloatArray,
    key: IntArray,
    label: IntArray,
    extra_first: IntArray,
    extra: IntArray,
    easy: BoolArray,
    sums: FloatArray,
    counts: FloatArray,
) -> None:
    for s in range(len(first) - 1):
        if first[s] == first[s + 1]:
            continue
        c = company[s]
        spans = outcome_first[first[s] + 1] - outcome_first[first[s]]
        _find_easy(key, outcome_first, first[s], first[s + 1], spans, easy)
        for a in range(first[s], first[s + 1]):
            mine = outcome_first[a]
            _add_own(residual, key, label, mine, spans, sums, counts, c)
            _add_lost(key, mine, spans, easy, sums, counts, c)
            for b in range(first[s], a):
                _add_pair(residual, mine, outcome_first[b], spans, sums, counts, c)
                _add_alike(key, mine, outcome_first[b], spans, sums, counts, c)
                counts[c, SHARED] += 1
                for x in range(extra_first[a], extra_first[a + 1]):
                    for y in range(extra_first[b], extra_first[b + 1]):
                        sums[c, SHARED] += extra[x] == extra[y]


@part
def _find_easy(
    key: IntArray, outcome_first: IntArray, first: int, last: int, spans: int, easy: BoolArray
) -> None:
    """Tell for every span of a sentence whether at least half of the answers have it right."""
    for g in range(spans):
        right = 0
        for a in range(first, last):
            right += key[outcome_first[a] + g] == CORRECT
        easy[g] = 2 * right >= last - first


@part
def _add_own(  # noqa: PLR0913, PLR0917
    residual: FloatArray,
    key: IntArray,
    label: IntArray,
    at: int,
    spans: int,
    sums: FloatArray,
    counts: FloatArray,
    c: int,
) -> None:
    """Add what the spans of one answer have in common."""
    total = squares = 0.0
    for g in range(at, at + spans):
        total += residual[g]
        squares += residual[g] * residual[g]
        for h in range(at, g):
            if label[g] == label[h] and min(key[g], key[h]) > CORRECT:
                counts[c, FAITHFUL] += 1 / spans
                sums[c, FAITHFUL] += (key[g] == key[h]) / spans
    if spans > 1:
        sums[c, OWN] += (total * total - squares) / (spans * (spans - 1))
        counts[c, OWN] += 1


@part
def _add_lost(
    key: IntArray,
    at: int,
    spans: int,
    easy: BoolArray,
    sums: FloatArray,
    counts: FloatArray,
    c: int,
) -> None:
    """Add the wrong spans of an answer, and which of them were missed."""
    for g in range(spans):
        if key[at + g] > CORRECT:
            counts[c, LOST] += 1
            sums[c, LOST] += key[at + g] == 0
            if easy[g]:
                counts[c, LOST_EASY] += 1
                sums[c, LOST_EASY] += key[at + g] == 0


@part
def _add_pair(
    residual: FloatArray,
    mine: int,
    theirs: int,
    spans: int,
    sums: FloatArray,
    counts: FloatArray,
    c: int,
) -> None:
    """Add what two answers have in common in being right."""
    same = my_total = their_total = 0.0
    for g in range(spans):
        same += residual[mine + g] * residual[theirs + g]
        my_total += residual[mine + g]
        their_total += residual[theirs + g]
    if spans > 0:
        sums[c, SAME] += same / spans
        counts[c, SAME] += 1
    if spans > 1:
        sums[c, OTHER] += (my_total * their_total - same) / (spans * (spans - 1))
        counts[c, OTHER] += 1


@part
def _add_alike(
    key: IntArray,
    mine: int,
    theirs: int,
    spans: int,
    sums: FloatArray,
    counts: FloatArray,
    c: int,
) -> None:
    """Add what two answers have in common in being wrong."""
    for g in range(spans):
        one, other = key[mine + g], key[theirs + g]
        if min(one, other) > CORRECT:
            counts[c, ALIKE] += 1 / spans
            sums[c, ALIKE] += (one == other) / spans
