"""Whether to judge once more in the end, with all that was learned."""

from typing import NamedTuple

import numpy as np

from spancrew.consensus._base import Consensus, Evidence, Model
from spancrew.core import FloatArray, Ragged, normal_quantile, span_table

_LEVEL = 0.95
"""How sure audits must be that a revision makes labels worse before it is dropped."""


class RevisedLabels(NamedTuple):
    """Labels in the end, a row for every row of the evidence, and whether they were revised.

    ``model`` is what was learned anew; None if the method learns nothing.
    """

    labels: Ragged
    is_taken: bool
    model: Model | None = None


def revision(method: Consensus, evidence: Evidence, settled: Ragged) -> RevisedLabels:
    """Return the labels of a method that learned anew from everything, or the settled ones.

    ``settled`` has the labels as they were decided, a row for every row of the evidence. Labels
    of a fit that begins anew do not depend on the order in which answers came in, so they are
    taken, unless audits show at 95 % that they are worse. The fit never sees the audits' labels.
    A method that learns nothing has nothing to add.
    """
    if not method.learns:
        return RevisedLabels(settled, is_taken=False)
    model = method.fit(evidence.for_fit())
    revised = model.judge(evidence.answers, evidence.lengths, evidence.words).labels
    audits = np.flatnonzero(evidence.is_audit)
    is_dropped = evidence.known is not None and is_worse(
        evidence.known.take(audits), settled.take(audits), revised.take(audits)
    )
    return RevisedLabels(settled if is_dropped else revised, not is_dropped, model)


def is_worse(truth: Ragged, settled: Ragged, revised: Ragged) -> bool:
    """Tell whether the exact F1 of audited sentences falls by more than chance.

    They are a plain random sample, labelled ``truth`` by experts. F1 is a ratio; its differences
    are those of its linear part, sentence by sentence.
    """
    before, after = span_counts(settled, truth), span_counts(revised, truth)
    spans = (before[:, 1] + before[:, 2]).sum()
    f1 = 2 * before[:, 0].sum() / spans if spans > 0 else 0.0
    gain = (after - before) @ np.array([2.0, -f1, -f1])
    return bool(gain.sum() < -normal_quantile(_LEVEL) * np.sqrt(gain @ gain))


def span_counts(labels: Ragged, truth: Ragged) -> FloatArray:
    """Return by row the spans in both, in the labels and in truth."""
    found, true = span_table(labels), span_table(truth)
    ends = np.full(len(truth.values), -1)
    ends[truth.offsets[true.row] + true.start] = true.end
    token = truth.offsets[found.row] + found.start
    is_true = (ends[token] == found.end) & (truth.values[token] == 2 * found.label + 1)
    rows = (found.row[is_true], found.row, true.row)
    counts = [np.bincount(row, minlength=len(truth)) for row in rows]
    return np.stack(counts, axis=1).astype(np.float64)
