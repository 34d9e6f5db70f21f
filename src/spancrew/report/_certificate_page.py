"""A certificate as a page: the headline, the figures, how it was audited, how to check it."""

from collections.abc import Iterator, Mapping
from typing import Any

from spancrew.certificates import FEW, Certificate, Provenance, certificate_record
from spancrew.report._certification import (
    LABEL_HEAD,
    QUALITY_HEAD,
    certificate_headline,
    certificate_sentences,
    label_rows,
    quality_rows,
)
from spancrew.report._html import document, note, section, table, tag, text
from spancrew.report.live import Axis, Interval, interval_figure

_HOW = (
    "The audit is meant to be a random sample of the sentences that the crowd had decided, "
    "labelled by an expert who did not see the answers. What the consensus stated of all "
    "sentences is corrected by how wrong it was on the sample, so that the estimate is right on "
    "average whatever the consensus believes. A span counts as right if its label and both "
    "borders are the expert's."
)
_STRICT = (
    "Lower bounds are strict: they hold at any number of audits and at every look in between, if "
    "no sentence misses more spans than any has delivered."
)


def certificate_page(certificate: Certificate, provenance: Provenance) -> str:
    """Return everything as one HTML page with no request to the outside."""
    return document(
        f"{provenance.source}: certificate of quality",
        tag("h1", text(f"{provenance.source}: certificate of quality")),
        tag("p", text(certificate_headline(certificate)), class_="lead"),
        *(note(said) for said in certificate_sentences(certificate)),
        section("Precision, recall and F1", table(QUALITY_HEAD, quality_rows(certificate))),
        _labels(certificate),
        section("How it was audited", *map(note, _methods(certificate))),
        _check(certificate_record(certificate, provenance)),
        live=True,
    )


def certificate_figure(certificate: Certificate) -> str:
    """Draw the F1 of every label with its interval; nothing for a guess."""
    rows = [
        Interval(each.label, *(0.0 if value is None else value for value in each.quality.f1))
        for each in certificate.labels
    ]
    if certificate.kind == "guess" or not rows:
        return ""
    return interval_figure(
        "Exact F1 by label",
        "Each with its interval.",
        rows,
        x=Axis("exact F1", low=0.0, high=1.0),
        value_name="estimate",
        truth_name="",
    )


def _labels(certificate: Certificate) -> str:
    rows = table(LABEL_HEAD, label_rows(certificate))
    figure = certificate_figure(certificate)
    if not figure:
        return section("By label", rows)
    said = f"Labels with fewer than {FEW} audited true spans are pooled."
    return section("By label", figure, note(said), rows)


def _methods(certificate: Certificate) -> list[str]:
    if certificate.kind == "guess":
        return ["Nothing was audited: all figures are what the consensus states of itself."]
    return [_HOW, _STRICT] if certificate.strict else [_HOW]


def _check(record: Mapping[str, Any]) -> str:
    return section(
        "How to check it",
        note("Anybody who has the data and the certificate as JSON can compute it again:"),
        tag("p", tag("code", text("spancrew certify DATA --verify certificate.json"))),
        table(("what", "value"), [*_facts(record)], words=2),
    )


def _facts(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    parts = {"design": "", "hashes": "SHA-256 of the ", "versions": "version of "}
    for part, before in parts.items():
        for name, value in record[part].items():
            if value is not None:
                shown = f"{value:.4g}" if isinstance(value, float) else str(value)
                yield f"{before}{name}", shown
