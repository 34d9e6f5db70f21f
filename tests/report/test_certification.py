"""A certificate in words, and as a page."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.audits import samples

from spancrew.certificates import (
    AuditedLabels,
    ExpertAgreement,
    Provenance,
    certificate_of,
    guess_of,
)
from spancrew.core import Ragged
from spancrew.formats import read
from spancrew.report import (
    certifiable,
    certificate_headline,
    certificate_page,
    certificate_sentences,
    quality_rows,
)
from tests.certificates.populations import drawn_labels

ORIGIN = Provenance("here", "at random", 0.125, 3, "abc", None, {"spancrew": "1"})


@pytest.fixture
def labels() -> AuditedLabels:
    """Return labels of which 80 sentences were audited."""
    return next(samples(replace(drawn_labels(400), replaces=True), 80, 1, 1))


def test_the_headline_names_estimate_level_and_interval(labels: AuditedLabels) -> None:
    """Or the bound alone, or that it is a guess, or that everything was checked."""
    made = certificate_of(labels, 0.9)
    value, low, high = made.delivered.f1
    whole = labels.audited_at(np.flatnonzero(labels.is_by_crowd))

    assert certificate_headline(made) == (
        f"Exact F1 of the delivered labels is {value:.3f}, with 90 % confidence from {low:.3f} to "
        f"{high:.3f}."
    )
    assert " is at least " in certificate_headline(certificate_of(labels, strict=True))
    assert "The model's guess" in certificate_headline(guess_of(labels))
    assert "every sentence has been checked" in certificate_headline(certificate_of(whole))


def test_sentences_say_what_was_audited(labels: AuditedLabels) -> None:
    """How many by whom, how many wrong, and how far experts agree."""
    made = certificate_of(labels, agreement=ExpertAgreement(50, 0.912))
    said = " ".join(certificate_sentences(made))

    assert f" and experts {made.experts}; audited: 80." in said
    assert "of all that the crowd decided, at most" in said
    assert "F1 of 0.912 on 50 sentences" in said
    assert [row[0] for row in quality_rows(made)] == ["delivered", "by the crowd"]


def test_rare_labels_are_named(labels: AuditedLabels) -> None:
    """Where they are pooled."""
    few = labels.audited_at(labels.audited[:3])

    assert "pooled as other: L0, L1." in " ".join(certificate_sentences(certificate_of(few)))


@pytest.mark.parametrize("kind", ["audited", "strict", "guess"])
def test_the_page_stands_alone(labels: AuditedLabels, kind: str) -> None:
    """With the design and the hash; what is not known is left out."""
    made = guess_of(labels) if kind == "guess" else certificate_of(labels, strict=kind == "strict")
    page = certificate_page(made, ORIGIN)

    assert certificate_headline(made) in page
    assert "0.125" in page
    assert "SHA-256 of the labels" in page
    assert "SHA-256 of the journal" not in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org", "")


def test_gold_is_the_audit_and_nothing_else() -> None:
    """The labels are the same with other gold, and so is what was stated."""
    dataset = read("demo-zh").dataset
    empty = Ragged(np.zeros_like(dataset.gold.values), dataset.gold.offsets)
    labels, provenance, agreement = certifiable("zh", dataset, "mv")
    other = certifiable("zh", replace(dataset, gold=empty), "mv").labels

    assert labels.is_audited.all()
    assert not labels.replaces
    assert agreement is None
    assert provenance.versions["consensus"] == "mv"
    assert np.array_equal(labels.stated_right, other.stated_right)
    assert np.array_equal(labels.delivered, other.delivered)
    assert not other.true.any()
