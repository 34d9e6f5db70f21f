"""What is known of delivered labels: counts of spans by sentence and label, stated and audited."""

from dataclasses import dataclass, fields, replace
from typing import Self

import numpy as np

from spancrew.core import (
    BoolArray,
    FloatArray,
    IntArray,
    LabelSet,
    Ragged,
    checked_numbers,
    frozen,
    refuse_wrong_gold,
    span_table,
)
from spancrew.errors import InvalidArrayError
from spancrew.metrics import Metric

BY_CROWD = 0
"""The crowd decided the labels of a sentence; it may have been audited since."""

BY_EXPERT = 1
"""An expert decided."""

BY_GOLD = 2
"""The labels were known before."""


@dataclass(frozen=True, slots=True, eq=False)
class AuditedLabels:
    """Delivered labels with what was stated about them, and what experts said of a sample.

    By sentence: ``decided`` is BY_CROWD, BY_EXPERT or BY_GOLD; ``is_audited`` tells whether an
    expert has labelled it blind; ``most`` is the highest number of true spans that is taken as
    possible. By sentence and label, as numbers of spans: ``delivered``; ``stated_right`` and
    ``stated_true``, which the consensus expected to be right, and to be true, before it knew of
    any audit; ``right`` and ``true``, which the audit found, 0 elsewhere. ``rank`` orders the
    audits as they were drawn. ``replaces`` tells whether audited sentences are delivered with the
    labels of the expert. ``most`` and ``rank`` are needed for strict bounds alone.
    """

    labels: tuple[str, ...]
    decided: IntArray
    is_audited: BoolArray
    delivered: FloatArray
    stated_right: FloatArray
    stated_true: FloatArray
    right: FloatArray
    true: FloatArray
    most: FloatArray | None = None
    rank: FloatArray | None = None
    replaces: bool = True

    def __post_init__(self) -> None:
        """Refuse arrays of other shapes, and counts that cannot be."""
        checked_numbers("who decided", self.decided, count=len(self.is_audited), below=3)
        shape = (len(self.decided), len(self.labels))
        for name in ("delivered", "stated_right", "stated_true", "right", "true"):
            _refuse_wrong(name, getattr(self, name), shape)
        for name in ("most", "rank"):
            if getattr(self, name) is not None:
                _refuse_wrong(name, getattr(self, name), shape[:1])
        self._refuse_impossible()
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                object.__setattr__(self, field.name, frozen(value))

    def _refuse_impossible(self) -> None:
        if np.any(self.is_audited & (self.decided != BY_CROWD)):
            k = int(np.argmax(self.is_audited & (self.decided != BY_CROWD)))
            raise InvalidArrayError(
                f"audits: sentence {k} was not decided by the crowd, so it cannot be audited"
            )
        too_many = self.right > np.minimum(self.delivered, self.true)
        if np.any(too_many[self.is_audited]):
            k = int(np.argmax((too_many & self.is_audited[:, None]).any(axis=1)))
            raise InvalidArrayError(
                f"audits: sentence {k} has more right spans ({self.right[k].sum():g}) than were "
                f"delivered ({self.delivered[k].sum():g}) or are true ({self.true[k].sum():g})"
            )

    @classmethod
    def of(
        cls,
        labels: LabelSet,
        delivered: Ragged,
        spans: FloatArray,
        expected: FloatArray,
        expert: Ragged,
        decided: IntArray | None = None,
    ) -> Self:
        """Count spans of codes.

        ``delivered`` are the final codes before any audit, with the probability ``spans`` by token
        and the ``expected`` number of true spans by sentence, as in Beliefs. ``expert`` has the
        codes of audited sentences and empty rows elsewhere. No sentence is taken to have more true
        spans than tokens, or more that were not delivered than the most that any has delivered.
        """
        lengths = delivered.lengths
        refuse_wrong_gold("audits", expert, lengths, len(labels))
        _refuse_wrong("probabilities of spans", spans, (len(delivered.values),))
        _refuse_wrong("expected spans", expected, (len(delivered),))
        counts = _by_label(delivered, np.ones(len(delivered.values)), len(labels))
        stated = _by_label(delivered, spans, len(labels))
        rows = np.flatnonzero(expert.lengths > 0)
        right, true = np.zeros_like(counts), np.zeros_like(counts)
        tallies = Metric("exact", "macro").tallies(delivered.take(rows), expert.take(rows), labels)
        right[rows], true[rows] = tallies[:, : len(labels), 0], tallies[:, : len(labels), 3]
        return cls(
            labels.names,
            np.zeros(len(delivered), np.int64) if decided is None else decided,
            expert.lengths > 0,
            counts,
            stated,
            stated + _spread(expected - stated.sum(axis=1), counts),
            right,
            true,
            np.minimum(lengths, counts.sum(axis=1) + counts.sum(axis=1).max(initial=0.0)),
        )

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.decided)

    @property
    def is_by_crowd(self) -> BoolArray:
        """Tell for every sentence whether the crowd decided it."""
        is_by_crowd: BoolArray = self.decided == BY_CROWD
        return is_by_crowd

    @property
    def audited(self) -> IntArray:
        """Return the positions of audited sentences in the order in which they were drawn."""
        rows = np.flatnonzero(self.is_audited)
        return rows if self.rank is None else rows[np.argsort(self.rank[rows], kind="stable")]

    def audited_at(self, rows: IntArray) -> "AuditedLabels":
        """Return the same labels with these audits alone, in this order, as at an earlier look."""
        is_audited = np.zeros(len(self), bool)
        is_audited[rows] = True
        rank = np.zeros(len(self))
        rank[rows] = np.arange(len(rows))
        return replace(
            self,
            is_audited=is_audited,
            right=np.where(is_audited[:, None], self.right, 0.0),
            true=np.where(is_audited[:, None], self.true, 0.0),
            rank=rank,
        )


def _refuse_wrong(what: str, given: FloatArray, shape: tuple[int, ...]) -> None:
    if np.shape(given) != shape:
        raise InvalidArrayError(f"{what}: {np.shape(given)} is the shape, but {shape} is needed")
    if not np.all(np.isfinite(given)):
        raise InvalidArrayError(f"{what}: there is a number that is not finite")


def _by_label(codes: Ragged, weight: FloatArray, labels: int) -> FloatArray:
    """Return the sum of the weights of spans by sentence and label."""
    found = span_table(codes)
    cell = found.row * labels + found.label
    begin = codes.offsets[found.row] + found.start
    sums = np.bincount(cell, weight[begin], minlength=len(codes) * labels)
    return sums.reshape(len(codes), labels).astype(np.float64)


def _spread(missing: FloatArray, counts: FloatArray) -> FloatArray:
    """Return missing spans by sentence and label: labels miss as much as they are frequent.

    The consensus does not say of which label the missing spans are. Any division is allowed, as an
    audit corrects it; a good one makes intervals narrower.
    """
    total = counts.sum(axis=0) + 1.0
    return np.outer(missing, total / total.sum()) if len(total) else counts
