"""How much the answers on a sentence agree: Fleiss, Davies-Fleiss, Krippendorff, pairwise F1."""

from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import numpy as np

from spancrew.core import (
    Answers,
    FloatArray,
    LabelSet,
    Ragged,
    encode_tags,
    parse_tag,
)
from spancrew.errors import SpancrewError
from spancrew.metrics import _agreement_kernels as kernels
from spancrew.metrics._scores import Metric

AgreementName = Literal["fleiss", "davies_fleiss", "alpha", "pairwise_f1"]

_METHOD = {
    "fleiss": kernels.FLEISS,
    "davies_fleiss": kernels.DAVIES_FLEISS,
    "alpha": kernels.ALPHA,
}
AGREEMENTS: tuple[AgreementName, ...] = ("fleiss", "davies_fleiss", "alpha", "pairwise_f1")


def agreement(answers: Answers, method: AgreementName = "fleiss") -> FloatArray:
    """Return the agreement on every sentence; NaN where there are fewer than two answers.

    Unanimous answers, all-empty ones included, have agreement 1. ``fleiss`` is Fleiss (1971,
    doi:10.1037/h0031619) over the tags of the tokens, O included; ``davies_fleiss`` takes chance
    from each worker's own tags (Davies and Fleiss 1982, doi:10.2307/2529886), as the paper's code
    does; ``alpha`` is Krippendorff's nominal alpha; ``pairwise_f1`` the mean exact span F1 of all
    pairs of answers.
    """
    if method == "pairwise_f1":
        return _pairwise_by_sentence(answers)
    found = np.empty(answers.sentences)
    kernels.agreement_rows(agreement_number(method), answers.placed, found)
    return found


def overall_agreement(answers: Answers, method: AgreementName = "fleiss") -> float | None:
    """Return the agreement over all sentences with at least two answers; None if there are none.

    Where every sentence has the same workers these are the textbook values. Otherwise ``fleiss``
    gives each token the same weight, ``alpha`` weighs by answers, and ``davies_fleiss`` and
    ``pairwise_f1`` weigh every pair of answers.
    """
    if not np.any(answers.per_sentence >= 2):
        return None
    if method == "pairwise_f1":
        scores, _ = _pair_scores(answers)
        return float(scores.mean())
    if agreement_number(method) == kernels.DAVIES_FLEISS:
        return _overall_davies_fleiss(answers)
    observed, weighted, tokens, shares, counts = kernels.pooled_parts(
        answers.codes.values, answers.codes.offsets, answers.first, _classes(answers)
    )
    if agreement_number(method) == kernels.FLEISS:
        return _corrected(observed / tokens, float(((shares / tokens) ** 2).sum()))
    total = counts.sum()
    by_chance = float((counts * (counts - 1)).sum() / (total * (total - 1)))
    return _corrected(weighted / total, by_chance)


def agreement_of(
    answers: Sequence[Sequence[str]], method: AgreementName = "fleiss"
) -> float | None:
    """Return the agreement of several tag lists on one sentence; None for a single one.

    >>> agreement_of([["B-PER", "O"], ["B-PER", "O"], ["B-LOC", "O"]], "pairwise_f1")
    0.3333333333333333
    """
    labels = LabelSet.of(label for row in answers for _, label in map(parse_tag, row) if label)
    codes = Ragged.of([encode_tags(row, labels).tolist() for row in answers], labels.dtype)
    if len(set(codes.lengths.tolist())) > 1:
        raise SpancrewError("answers on one sentence must have the same number of tags")
    count = len(answers)
    table = Answers(np.zeros(count, np.int32), np.arange(count, dtype=np.int32), codes, 1)
    value = float(agreement(table, method)[0])
    return None if np.isnan(value) else value


def _corrected(observed: float, by_chance: float) -> float:
    return 1.0 if observed == 1.0 else (observed - by_chance) / (1 - by_chance)


def _overall_davies_fleiss(answers: Answers) -> float:
    codes = answers.codes
    shares = np.zeros((int(answers.worker.max()) + 1, _classes(answers)))
    kernels.worker_tag_counts(codes.values, codes.offsets, answers.first, answers.worker, shares)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1)
    chance, pairs = kernels.pair_chance(codes.offsets, answers.first, answers.worker, shares)
    agreeing = kernels.agreeing_pairs(codes.values, codes.offsets, answers.first)
    return _corrected(agreeing / pairs, chance / pairs)


def _pairs(answers: Answers) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of all pairs of answers on the same sentence."""
    sizes = answers.per_sentence
    left, right = [], []
    for size in np.unique(sizes[sizes >= 2]):
        starts = answers.first[:-1][sizes == size][:, None]
        picks = np.array(list(combinations(range(size), 2)))
        left.append((starts + picks[:, 0]).ravel())
        right.append((starts + picks[:, 1]).ravel())
    if not left:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return np.concatenate(left), np.concatenate(right)


def _pair_scores(answers: Answers) -> tuple[FloatArray, np.ndarray]:
    """Return the exact span F1 of all pairs of answers and the sentence of each pair."""
    left, right = _pairs(answers)
    scores = Metric("exact").pairs(answers.codes, answers.codes, left, right)
    return scores[:, 2], answers.sentence[left]


def _pairwise_by_sentence(answers: Answers) -> FloatArray:
    scores, sentence = _pair_scores(answers)
    sums = np.bincount(sentence, scores, minlength=answers.sentences)
    counts = np.bincount(sentence, minlength=answers.sentences)
    means: FloatArray = np.full(answers.sentences, np.nan)
    return np.divide(sums, counts, out=means, where=counts > 0)


def _classes(answers: Answers) -> int:
    return int(answers.codes.values.max()) + 1 if answers.codes.values.size else 1


def agreement_number(method: str) -> int:
    if method not in _METHOD:
        names = ", ".join(AGREEMENTS)
        raise SpancrewError(f"agreement {method!r} is not known (one of {names})")
    return _METHOD[method]
