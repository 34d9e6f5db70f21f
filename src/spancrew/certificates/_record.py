"""A certificate as a record that others can keep, and check against the labels."""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from spancrew.certificates._certificate import certificate_of
from spancrew.certificates._labels import AuditedLabels
from spancrew.certificates._values import (
    Certificate,
    Estimate,
    ExpertAgreement,
    LabelQuality,
    Quality,
    WrongSentences,
)
from spancrew.core import Ragged
from spancrew.errors import SpancrewError

STATISTICS = 1
"""The version of the statistics; it rises when the same audits would give other numbers."""

_ROUNDING = 1e-6
"""What two computers may differ by."""

_CHECKED = ("f1", "precision", "recall", "crowd", "labels", "wrong_sentences")


class Provenance(NamedTuple):
    """Where the labels of a certificate come from.

    ``drawn`` says in words how the audits were chosen, ``probability`` with which share of the
    crowd's sentences and ``seed`` by which draw; None where it is not known. ``labels_hash`` comes
    from the function of that name, ``journal_hash`` is the SHA-256 of the journal of a campaign;
    ``versions`` are those of spancrew and of the methods.
    """

    source: str
    drawn: str
    probability: float | None
    seed: int | None
    labels_hash: str
    journal_hash: str | None
    versions: Mapping[str, str]


class Certifiable(NamedTuple):
    """What is to be certified: labels with their audits, and where they come from."""

    labels: AuditedLabels
    provenance: Provenance
    agreement: ExpertAgreement | None = None


def labels_hash(
    ids: Sequence[str], names: Sequence[str], delivered: Ragged, audits: Ragged
) -> str:
    """Return the SHA-256 of labels and audits.

    Hashed are lines of JSON in UTF-8 without spaces: the names of the labels, then for every
    sentence its id, its codes as settled, and those of its audit, none if there was none.
    """
    digest = hashlib.sha256(_line(list(names)))
    for id_, codes, audit in zip(ids, delivered, audits, strict=True):
        digest.update(_line([id_, codes.tolist(), audit.tolist()]))
    return digest.hexdigest()


def _line(values: list[Any]) -> bytes:
    return (json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def certificate_record(certificate: Certificate, provenance: Provenance) -> dict[str, Any]:
    """Return a certificate as plain values for JSON."""
    wrong, agreement = certificate.wrong_sentences, certificate.expert_agreement
    return {
        "kind": certificate.kind,
        **_quality(certificate.delivered),
        "level": certificate.level,
        "audited": certificate.audited,
        "experts": certificate.experts,
        "sentences": certificate.sentences,
        "strict": certificate.strict,
        "replaces": certificate.replaces,
        "crowd": {"sentences": certificate.crowd_sentences, **_quality(certificate.crowd)},
        "labels": [
            {
                "label": each.label,
                "pooled": list(each.pooled),
                "delivered": each.delivered,
                "true": each.true,
                **_quality(each.quality),
            }
            for each in certificate.labels
        ],
        "wrong_sentences": wrong and wrong._asdict(),
        "expert_agreement": agreement and agreement._asdict(),
        **_provenance(provenance),
    }


def _quality(quality: Quality) -> dict[str, dict[str, float | None]]:
    return {name: _estimate(each) for name, each in quality._asdict().items()}


def _estimate(given: Estimate) -> dict[str, float | None]:
    return given._asdict()


def _provenance(given: Provenance) -> dict[str, Any]:
    return {
        "design": {
            "source": given.source,
            "drawn": given.drawn,
            "probability": given.probability,
            "seed": given.seed,
        },
        "hashes": {"labels": given.labels_hash, "journal": given.journal_hash},
        "versions": {**given.versions, "statistics": str(STATISTICS)},
    }


def certificate_from(record: Mapping[str, Any]) -> tuple[Certificate, Provenance]:
    """Return the certificate of a record, and where its labels come from; refuse other records."""
    try:
        return _certificate_from(record), _provenance_from(record)
    except (KeyError, TypeError, ValueError) as error:
        raise SpancrewError(f"this is no certificate of spancrew ({error!r})") from None


def _certificate_from(record: Mapping[str, Any]) -> Certificate:
    same = ("kind", "level", "audited", "experts", "sentences", "strict", "replaces")
    wrong, agreement = record["wrong_sentences"], record["expert_agreement"]
    return Certificate(
        **{name: record[name] for name in same},
        delivered=_quality_from(record),
        crowd=_quality_from(record["crowd"]),
        crowd_sentences=record["crowd"]["sentences"],
        labels=tuple(
            LabelQuality(
                each["label"],
                tuple(each["pooled"]),
                each["delivered"],
                each["true"],
                _quality_from(each),
            )
            for each in record["labels"]
        ),
        wrong_sentences=wrong and WrongSentences(**wrong),
        expert_agreement=agreement and ExpertAgreement(**agreement),
    )


def _quality_from(record: Mapping[str, Any]) -> Quality:
    return Quality(*(Estimate(**record[name]) for name in Quality._fields))


def _provenance_from(record: Mapping[str, Any]) -> Provenance:
    hashes, versions = record["hashes"], dict(record["versions"])
    versions.pop("statistics", None)
    return Provenance(
        **record["design"],
        labels_hash=hashes["labels"],
        journal_hash=hashes["journal"],
        versions=versions,
    )


def verify(record: Mapping[str, Any], certified: Certifiable) -> list[str]:
    """Compute a certificate again, and return where its record says something else.

    The level and whether it is strict are those of the record.
    """
    try:
        level, strict = float(record["level"]), bool(record["strict"])
        dict(record["hashes"]), dict(record["versions"])
    except (KeyError, TypeError, ValueError) as error:
        raise SpancrewError(
            f"this is no certificate: level, strict, hashes and versions are needed ({error})"
        ) from None
    labels, provenance, agreement = certified
    made = certificate_of(labels, level, strict=strict, agreement=agreement)
    return differences(record, certificate_record(made, provenance))


def differences(record: Mapping[str, Any], again: Mapping[str, Any]) -> list[str]:
    """Return where a record says something else than one that was computed again."""
    wrong = list(_differing(record.get("hashes"), again["hashes"], "hashes"))
    ours = {"statistics": again["versions"]["statistics"]}
    wrong += _differing(record.get("versions"), ours, "versions")
    for name in ("kind", "audited", "experts", "sentences", "replaces", *_CHECKED):
        wrong += _differing(record.get(name), again[name], name)
    return wrong


def _differing(given: Any, wanted: Any, place: str) -> Iterator[str]:
    """Yield the places at which two records differ."""
    if isinstance(wanted, Mapping) and isinstance(given, Mapping):
        for name in wanted:
            yield from _differing(given.get(name), wanted[name], f"{place}.{name}")
    elif isinstance(wanted, list) and isinstance(given, list) and len(given) == len(wanted):
        for k, (one, other) in enumerate(zip(given, wanted, strict=True)):
            yield from _differing(one, other, f"{place}.{k}")
    elif not _is_same(given, wanted):
        yield f"{place}: the certificate says {given!r}, the data says {wanted!r}"


def _is_same(given: Any, wanted: Any) -> bool:
    if isinstance(given, float) and isinstance(wanted, float):
        return math.isclose(given, wanted, abs_tol=_ROUNDING)
    return bool(given == wanted)
