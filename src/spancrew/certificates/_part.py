"""A part of the delivered labels: what the crowd decided, and what is certain beside it."""

from typing import NamedTuple

import numpy as np

from spancrew.certificates._labels import AuditedLabels
from spancrew.core import FloatArray, IntArray


class PartCounts(NamedTuple):
    """Numbers of spans: delivered, right and true; or what was stated in place of the last two."""

    delivered: FloatArray
    right: FloatArray
    true: FloatArray


class Fixed(NamedTuple):
    """Sums of spans that are known beside those of the crowd."""

    delivered: float = 0.0
    right: float = 0.0
    true: float = 0.0


class Part(NamedTuple):
    """The crowd's sentences: what was stated of all, what was found in the sample, in order.

    ``drawn`` are the places of the sample among the crowd's sentences. ``settled`` is what is
    certain beside them without any audit, ``fixed`` what is certain by now.
    """

    stated: PartCounts
    drawn: IntArray
    found: PartCounts
    most: FloatArray
    settled: Fixed = Fixed()
    fixed: Fixed = Fixed()

    @property
    def share(self) -> float:
        """Return the number of sentences that one of the sample stands for."""
        return len(self.stated.delivered) / max(len(self.drawn), 1)


def crowd_part(labels: AuditedLabels, columns: IntArray) -> Part:
    """Return what the crowd decided, as if nothing had been audited; some labels alone."""
    crowd = np.flatnonzero(labels.is_by_crowd)
    delivered, right, true, stated_right, stated_true = (
        column[:, columns].sum(axis=1)
        for column in (
            labels.delivered,
            labels.right,
            labels.true,
            labels.stated_right,
            labels.stated_true,
        )
    )
    stated = PartCounts(delivered[crowd], stated_right[crowd], stated_true[crowd])
    rows = labels.audited
    most = np.zeros(len(labels)) if labels.most is None else labels.most
    return Part(
        stated,
        np.searchsorted(crowd, rows),
        PartCounts(delivered[rows], right[rows], true[rows]),
        most[crowd],
    )


def delivered_part(labels: AuditedLabels, columns: IntArray) -> Part:
    """Return everything that is delivered: experts' sentences count as right."""
    part = crowd_part(labels, columns)
    sure = float(labels.delivered[~labels.is_by_crowd][:, columns].sum())
    settled = Fixed(sure, sure, sure)
    if not labels.replaces:
        return part._replace(settled=settled, fixed=settled)
    found = part.found
    more = float((found.true - found.delivered).sum()), float((found.true - found.right).sum())
    return part._replace(settled=settled, fixed=Fixed(sure + more[0], sure + more[1], sure))
