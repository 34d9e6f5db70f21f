"""A data set as something to certify, and a certificate in words and rows."""

from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version

import numpy as np

from spancrew.certificates import (
    AuditedLabels,
    Certifiable,
    Certificate,
    Estimate,
    LabelQuality,
    Provenance,
    Quality,
    labels_hash,
)
from spancrew.consensus import Consensus, aggregate, consensus_method, consensus_name
from spancrew.core import Dataset

QUALITY_HEAD = ("", "F1", "interval", "precision", "interval", "recall", "interval")
LABEL_HEAD = ("label", "delivered", "in audits", "F1", "interval", "precision", "recall")

_SEED = 0
"""Orders the sentences with gold of a file, which does not say in which order they were drawn."""

_AS_DRAWN = "sentences with gold, taken to be a plain random sample"


def certifiable(name: str, dataset: Dataset, method: Consensus | str = "auto") -> Certifiable:
    """Join the answers without a look at gold, and take the sentences with gold as the audits."""
    method = consensus_method(method) if isinstance(method, str) else method
    joined = aggregate(dataset, method)
    codes = joined.finals.codes
    labels = AuditedLabels.of(
        dataset.labels, codes, joined.beliefs.spans, joined.beliefs.expected, dataset.gold
    )
    rank = np.random.default_rng(_SEED).permutation(len(dataset)).astype(np.float64)
    provenance = Provenance(
        source=name,
        drawn=_AS_DRAWN,
        probability=float(dataset.has_gold.mean()) if len(dataset) else None,
        seed=None,
        labels_hash=labels_hash(dataset.sentences.ids, dataset.labels.names, codes, dataset.gold),
        journal_hash=None,
        versions={"spancrew": version("spancrew"), "consensus": consensus_name(method)},
    )
    return Certifiable(replace(labels, rank=rank, replaces=False), provenance)


def certificate_headline(certificate: Certificate) -> str:
    """Say in one plain sentence how good the delivered labels are."""
    value, low, high = certificate.delivered.f1
    if low is None or high is None or certificate.level is None:
        return f"The model's guess of exact F1 is {value:.3f}, which nobody has checked."
    said = "Exact F1 of the delivered labels is"
    if certificate.is_complete:
        return f"{said} {value:.3f}: every sentence has been checked."
    sure = f"with {100 * certificate.level:g} % confidence"
    if certificate.strict:
        return f"{said} at least {low:.3f} {sure}; the estimate is {value:.3f}."
    return f"{said} {value:.3f}, {sure} from {low:.3f} to {high:.3f}."


def certificate_sentences(certificate: Certificate) -> Iterator[str]:
    """Say what was audited, and what else is known."""
    crowd = certificate.crowd_sentences
    experts = f" and experts {certificate.experts:,}" if certificate.experts else ""
    yield (
        f"Sentences: {certificate.sentences:,}, of which the crowd decided {crowd:,}{experts}; "
        f"audited: {certificate.audited:,}."
    )
    yield from _wrong_sentences(certificate)
    agreement = certificate.expert_agreement
    if agreement is not None:
        yield (
            f"Experts agree with each other at an F1 of {agreement.f1:.3f} on "
            f"{agreement.sentences:,} sentences that two of them labelled."
        )
    for each in certificate.labels:
        if each.pooled:
            yield f"Labels with few audited spans are pooled as {each.label}: {_names(each)}."


def _wrong_sentences(certificate: Certificate) -> Iterator[str]:
    wrong = certificate.wrong_sentences
    if wrong is None or certificate.level is None:
        return
    is_ = "is" if wrong.seen == 1 else "are"
    found = f"{wrong.seen:,} of those audited ({wrong.share:.1%}) {is_} not entirely right"
    if certificate.is_complete:
        yield f"{found}."
        return
    sure = f"with {100 * certificate.level:g} % confidence"
    yield f"{found}; of all that the crowd decided, at most {wrong.high:.1%} {sure}."


def quality_rows(certificate: Certificate) -> list[list[str]]:
    """Return the quality of all labels, and of the crowd's part if there is another."""
    parts = {"delivered": certificate.delivered}
    if certificate.crowd != certificate.delivered:
        parts["by the crowd"] = certificate.crowd
    return [[name, *_cells(quality)] for name, quality in parts.items()]


def label_rows(certificate: Certificate) -> list[list[str]]:
    """Return the quality by label, under LABEL_HEAD."""
    return [
        [
            each.label,
            f"{each.delivered:,}",
            f"{each.true:,}",
            f"{each.quality.f1.estimate:.3f}",
            _shown(each.quality.f1),
            f"{each.quality.precision.estimate:.3f}",
            f"{each.quality.recall.estimate:.3f}",
        ]
        for each in certificate.labels
    ]


def _shown(given: Estimate) -> str:
    """Return an interval as text."""
    if given.low is None or given.high is None:
        return "-"
    return f"{given.low:.3f}-{given.high:.3f}"


def _cells(quality: Quality) -> Iterator[str]:
    for each in quality:
        yield f"{each.estimate:.3f}"
        yield _shown(each)


def _names(each: LabelQuality) -> str:
    return ", ".join(each.pooled)
