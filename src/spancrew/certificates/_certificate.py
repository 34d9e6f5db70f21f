"""The certificate: how good delivered labels are, by what experts said of a random sample."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from spancrew.certificates._guess import audits_needed, stated
from spancrew.certificates._interval import estimated
from spancrew.certificates._labels import AuditedLabels
from spancrew.certificates._part import Part, crowd_part, delivered_part
from spancrew.certificates._prediction import AS_STATED, learned
from spancrew.certificates._quantile import most_wrong
from spancrew.certificates._ratio import F1, PRECISION, RECALL, Ratio
from spancrew.certificates._strict import strict_low
from spancrew.certificates._values import (
    OTHER,
    Certificate,
    Estimate,
    ExpertAgreement,
    LabelQuality,
    Quality,
    WrongSentences,
)
from spancrew.core import IntArray, Ragged
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric

FEW = 10
"""Audited true spans below which labels are pooled as OTHER."""

HALF_WIDTH = 0.03
"""Of the interval that an error about missing audits has in mind."""

Figure = Callable[[Part, Ratio], Estimate]


def certificate_of(
    labels: AuditedLabels,
    level: float = 0.95,
    *,
    strict: bool = False,
    agreement: ExpertAgreement | None = None,
) -> Certificate:
    """Return what the audits say of delivered labels, with intervals of this level.

    The audited sentences must be a plain random sample of those that the crowd decided. With
    ``strict``, lower bounds hold at every look at a growing sample, if no sentence has more true
    spans than ``labels.most`` says.
    """
    if not 0 < level < 1:
        raise SpancrewError(f"level {level:g} is not between 0 and 1; 0.95 is usual")
    if labels.is_by_crowd.any() and not labels.is_audited.any():
        raise SpancrewError(_nothing_audited(labels, level))
    if strict:
        _refuse_not_strict(labels)
    part = crowd_part(labels, _every(labels))
    prediction = AS_STATED if strict or not len(part.drawn) else learned(part)

    def figure(part: Part, ratio: Ratio) -> Estimate:
        if strict:
            return _cautious(part, ratio, level)
        return estimated(part, ratio, prediction, level)

    return replace(
        _assembled(labels, _groups(labels), figure),
        kind="audited",
        level=level,
        audited=len(part.drawn),
        wrong_sentences=_wrong_sentences(labels, level),
        expert_agreement=agreement,
        strict=strict,
    )


def guess_of(labels: AuditedLabels) -> Certificate:
    """Return what the consensus states of its labels: a guess, without an interval."""
    alone = (_Group(name, (), np.array([k])) for k, name in enumerate(labels.labels))
    return _assembled(labels, alone, lambda part, ratio: Estimate(stated(part, ratio), None, None))


def _assembled(labels: AuditedLabels, groups: "Iterator[_Group]", figure: Figure) -> Certificate:
    """Return a guess in which a function says every figure."""
    return Certificate(
        kind="guess",
        delivered=_quality(delivered_part(labels, _every(labels)), figure),
        level=None,
        audited=0,
        experts=int((~labels.is_by_crowd).sum()),
        sentences=len(labels),
        crowd=_quality(crowd_part(labels, _every(labels)), figure),
        crowd_sentences=int(labels.is_by_crowd.sum()),
        labels=_by_label(labels, groups, figure),
        wrong_sentences=None,
        expert_agreement=None,
        strict=False,
        replaces=labels.replaces,
    )


def expert_agreement(first: Ragged, second: Ragged) -> ExpertAgreement | None:
    """Compare two experts where both rows have codes; None where there is no such sentence."""
    rows = np.flatnonzero((first.lengths > 0) & (second.lengths > 0))
    if not len(rows):
        return None
    return ExpertAgreement(len(rows), Metric("exact").pool(first.take(rows), second.take(rows)).f1)


def _every(labels: AuditedLabels) -> IntArray:
    return np.arange(len(labels.labels))


def _nothing_audited(labels: AuditedLabels, level: float) -> str:
    crowd = int(labels.is_by_crowd.sum())
    needed = audits_needed(labels, HALF_WIDTH, level)
    return (
        "no sentence that the crowd decided has been audited, so there is nothing to certify: an "
        f"expert would have to label about {needed:,} of {crowd:,}, drawn at random, for an "
        f"interval of ±{HALF_WIDTH:g} (in a plan, audit={needed} draws them; in a file, give them "
        "gold)"
    )


def _refuse_not_strict(labels: AuditedLabels) -> None:
    if labels.most is None or labels.rank is None:
        raise SpancrewError(
            "a strict bound needs the order in which audits were drawn (rank) and the highest "
            "possible number of true spans of every sentence (most)"
        )
    is_beyond = labels.true.sum(axis=1) > labels.most
    if is_beyond.any():
        k = int(np.argmax(is_beyond))
        raise SpancrewError(
            f"sentence {k} has {labels.true[k].sum():g} true spans, but strict bounds assumed at "
            f"most {labels.most[k]:g}; certify without strict"
        )


def _quality(part: Part, figure: Figure) -> Quality:
    return Quality(figure(part, F1), figure(part, PRECISION), figure(part, RECALL))


def _cautious(part: Part, ratio: Ratio, level: float) -> Estimate:
    """Return an estimate whose lower bound holds at any look; what was stated counts in full.

    A prediction that is learned from the audits would be known too late for the bets.
    """
    found = estimated(part, ratio, AS_STATED, level)
    if found.low == found.high:
        return found
    return Estimate(found.estimate, min(strict_low(part, ratio, level), found.estimate), 1.0)


class _Group(NamedTuple):
    name: str
    pooled: tuple[str, ...]
    columns: IntArray


def _groups(labels: AuditedLabels) -> Iterator[_Group]:
    """Yield every label with its column, and last those with few audited spans together."""
    is_few = labels.true.sum(axis=0) < FEW
    for k in np.flatnonzero(~is_few).tolist():
        yield _Group(labels.labels[k], (), np.array([k]))
    if is_few.any():
        few = np.flatnonzero(is_few)
        yield _Group(OTHER, tuple(labels.labels[k] for k in few), few)


def _by_label(
    labels: AuditedLabels, groups: Iterator[_Group], figure: Figure
) -> tuple[LabelQuality, ...]:
    return tuple(
        LabelQuality(
            name,
            pooled,
            int(labels.delivered[:, columns].sum()),
            int(labels.true[:, columns].sum()),
            _quality(delivered_part(labels, columns), figure),
        )
        for name, pooled, columns in groups
    )


def _wrong_sentences(labels: AuditedLabels, level: float) -> WrongSentences | None:
    rows = labels.audited
    if not len(rows):
        return None
    right = labels.right[rows]
    is_wrong = (right != labels.delivered[rows]) | (right != labels.true[rows])
    seen, crowd = int(is_wrong.any(axis=1).sum()), int(labels.is_by_crowd.sum())
    high = most_wrong(seen, len(rows), crowd, level) / crowd
    return WrongSentences(seen, seen / len(rows), high)
