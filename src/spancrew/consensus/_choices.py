"""Choices: every token is a question, and has exactly one true label."""

import numpy as np

from spancrew.consensus._base import Beliefs
from spancrew.core import Answers, BoolArray, FloatArray, IntArray, Ragged, offsets_of

_EQUAL = 1e-9
"""Rounding does not make one label more likely than another."""

_STEP, _ONE = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)


def vote_counts(answers: Answers, lengths: IntArray, labels: int) -> IntArray:
    """Return how many answers have each label, question by question (tokens x labels)."""
    token, label = _votes(answers, lengths)
    count = np.bincount(token * labels + label, minlength=int(lengths.sum()) * labels)
    return count.reshape(-1, labels)


def lots(answers: Answers, lengths: IntArray, labels: int) -> FloatArray:
    """Return a number from 0 to 1 for each label of each question, to decide ties by.

    It depends on who gave the label and on nothing else: neither on its name nor on the order of
    the answers.
    """
    token, label = _votes(answers, lengths)
    who = np.repeat(answers.worker, answers.codes.lengths).astype(np.uint64)
    drawn = np.zeros((int(lengths.sum()), labels), np.uint64)
    np.add.at(drawn, (token, label), _scattered(who))
    return (_scattered(drawn) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def firsts(answers: Answers, lengths: IntArray, labels: int) -> FloatArray:
    """Return the same for ties that the label given first wins: the earlier, the higher."""
    token, label = _votes(answers, lengths)
    before = np.repeat(np.arange(len(answers)), answers.codes.lengths)
    earliest = np.full((int(lengths.sum()), labels), float(len(answers)))
    np.minimum.at(earliest, (token, label), before)
    return 1 - earliest / max(len(answers), 1)


def believed_choices(
    chance: FloatArray, answers: Answers, lengths: IntArray, lot: FloatArray | None = None
) -> Beliefs:
    """Return the likeliest label of every question; nothing where nobody answered.

    ``chance`` has a probability for every label of every question. Of labels that are equally
    likely the one with the highest ``lot`` is taken, by default the first.
    """
    answered = np.repeat(answers.per_sentence > 0, lengths)
    is_best: BoolArray = chance >= chance.max(axis=1, keepdims=True) - _EQUAL
    best = np.argmax(is_best if lot is None else np.where(is_best, 1.0 + lot, 0.0), axis=1)
    sure = np.where(answered, chance[np.arange(len(best)), best], 0.0)
    codes = np.where(answered, 2 * best + 1, 0).astype(answers.codes.values.dtype)
    offsets = offsets_of(lengths)
    tied = offsets_of(answered & (is_best.sum(axis=1) > 1))
    heard = answers.per_sentence > 0
    return Beliefs(
        Ragged(codes, offsets),
        np.diff(tied[offsets]) > 0,
        sure,
        np.where(heard, _products(sure, offsets), 0.0),
        np.where(heard, 2 * _sums(1 - sure, offsets), 0.0),
        np.where(heard, lengths, 0).astype(np.float64),
    )


def _votes(answers: Answers, lengths: IntArray) -> tuple[IntArray, IntArray]:
    """Return the question and the label of every choice of every answer."""
    offsets = answers.codes.offsets
    within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], answers.codes.lengths)
    begin = offsets_of(lengths)[answers.sentence]
    token = np.repeat(begin, answers.codes.lengths) + within
    return token, (answers.codes.values.astype(np.int64) - 1) // 2


def _scattered(numbers: np.ndarray) -> np.ndarray:
    mixed = (numbers + np.uint64(1)) * _STEP
    mixed = (mixed ^ (mixed >> np.uint64(31))) * _ONE
    return np.asarray(mixed ^ (mixed >> np.uint64(29)))


def _sums(values: FloatArray, offsets: IntArray) -> FloatArray:
    total = np.concatenate([[0.0], np.cumsum(values)])
    return np.asarray(np.diff(total[offsets]))


def _products(values: FloatArray, offsets: IntArray) -> FloatArray:
    """Return the product of the values of every sentence; none is empty."""
    if len(offsets) == 1:
        return np.zeros(0)
    return np.asarray(np.multiply.reduceat(values, offsets[:-1]))
