"""Which spans of the answers are in the final labels, and how reliable each worker is."""

from typing import NamedTuple

import numpy as np

from spancrew.consensus._base import Beliefs, Evidence
from spancrew.consensus._beliefs import clamped, taken
from spancrew.core import (
    Answers,
    BoolArray,
    FloatArray,
    IntArray,
    Ragged,
    normal_quantile,
    span_table,
)
from spancrew.errors import SpancrewError


class Reliability(NamedTuple):
    """By worker: how many ``spans`` they marked, their expected exact F1, and its interval.

    A worker of whom nothing is known has the score 0.5 and the interval from 0 to 1.
    """

    spans: IntArray
    score: FloatArray
    low: FloatArray
    high: FloatArray

    def __repr__(self) -> str:
        """Return how many workers there are."""
        return f"Reliability(of {len(self.score):,} workers)"


def reliability(evidence: Evidence, beliefs: Beliefs, confidence: float = 0.95) -> Reliability:
    """Return the exact F1 that each worker's answers have if the beliefs are right.

    A span counts with its probability of being true if it is in the labels, else not at all;
    where an expert has labelled the sentence, exactly the expert's spans are true. The interval is
    Wilson's (doi:10.1080/01621459.1927.10502953); the mean of the spans given and the spans that
    should have been given stands for the number of trials. A worker's own answers are among those
    that the beliefs rest on, so that the score flatters where a sentence has few of them. Audits
    do not count: their answers are there already.
    """
    if not 0 < confidence < 1:
        raise SpancrewError(f"confidence {confidence} of an interval is not between 0 and 1")
    if evidence.is_audit.any():
        beliefs = taken(beliefs, np.flatnonzero(~evidence.is_audit))
        evidence = evidence.for_fit()
    believed = clamped(beliefs, evidence.known)
    answers, workers = evidence.answers, evidence.workers
    found = shared_spans(answers, believed.labels)
    who = answers.worker[found.answer]
    right = believed.spans[found.token] * found.is_shared
    hits = np.bincount(who, right, minlength=workers).astype(np.float64)
    spans = np.bincount(who, minlength=workers)
    due = np.bincount(answers.worker, believed.expected[answers.sentence], minlength=workers)
    return Reliability(spans, *_wilson(hits, (spans + due) / 2, confidence))


def _wilson(
    hits: FloatArray, trials: FloatArray, confidence: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the share of hits and its interval; 0.5 and everything where nothing was tried."""
    share = np.full(len(hits), 0.5)
    np.divide(hits, trials, out=share, where=trials > 0)
    share = np.clip(share, 0.0, 1.0)
    z = normal_quantile((1 + confidence) / 2)
    middle = (trials * share + z * z / 2) / (trials + z * z)
    half = z * np.sqrt(trials * share * (1 - share) + z * z / 4) / (trials + z * z)
    return share, np.clip(middle - half, 0.0, 1.0), np.clip(middle + half, 0.0, 1.0)


class SharedSpans(NamedTuple):
    """Every span of every answer: the answer, the token of the labels it begins at, ``is_shared``.

    Shared is a span that the labels of its sentence have with both borders and the label.
    """

    answer: IntArray
    token: IntArray
    is_shared: BoolArray

    def votes(self, tokens: int) -> IntArray:
        """Count for every token of the labels the answers that have the span beginning there."""
        return np.bincount(self.token[self.is_shared], minlength=tokens)


def shared_spans(answers: Answers, labels: Ragged) -> SharedSpans:
    """Compare the spans of all answers with those of the labels, a row for every sentence."""
    ends = np.zeros(len(labels.values), np.int64)
    joint = span_table(labels)
    ends[labels.offsets[joint.row] + joint.start] = joint.end
    given = span_table(answers.codes)
    token = labels.offsets[answers.sentence[given.row]] + given.start
    is_shared = (ends[token] == given.end) & (labels.values[token] == 2 * given.label + 1)
    return SharedSpans(given.row, token, is_shared)
