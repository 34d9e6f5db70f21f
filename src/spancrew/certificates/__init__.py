"""Certificates: how good delivered labels are, by blind audits of a random sample.

May import metrics, core and errors.
"""

from spancrew.certificates._certificate import (
    FEW,
    certificate_of,
    expert_agreement,
    guess_of,
)
from spancrew.certificates._guess import audits_needed
from spancrew.certificates._labels import BY_CROWD, BY_EXPERT, BY_GOLD, AuditedLabels
from spancrew.certificates._part import Fixed, Part, PartCounts
from spancrew.certificates._quantile import t_quantile
from spancrew.certificates._record import (
    STATISTICS,
    Certifiable,
    Provenance,
    certificate_from,
    certificate_record,
    differences,
    labels_hash,
    verify,
)
from spancrew.certificates._sampled import sampled_f1
from spancrew.certificates._values import (
    OTHER,
    Certificate,
    Estimate,
    ExpertAgreement,
    LabelQuality,
    Quality,
    WrongSentences,
)

__all__ = [
    "BY_CROWD",
    "BY_EXPERT",
    "BY_GOLD",
    "FEW",
    "OTHER",
    "STATISTICS",
    "AuditedLabels",
    "Certifiable",
    "Certificate",
    "Estimate",
    "ExpertAgreement",
    "Fixed",
    "LabelQuality",
    "Part",
    "PartCounts",
    "Provenance",
    "Quality",
    "WrongSentences",
    "audits_needed",
    "certificate_from",
    "certificate_of",
    "certificate_record",
    "differences",
    "expert_agreement",
    "guess_of",
    "labels_hash",
    "sampled_f1",
    "t_quantile",
    "verify",
]
