"""Certificates as records that can be checked."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from benchmarks.audits import samples

from spancrew.certificates import (
    STATISTICS,
    Certifiable,
    Provenance,
    certificate_of,
    certificate_record,
    expert_agreement,
    guess_of,
    labels_hash,
    verify,
)
from spancrew.core import Ragged
from spancrew.errors import SpancrewError
from tests.certificates.populations import drawn_labels

ORIGIN = Provenance(
    "demo", "at random", 0.1, 7, "abc", "def", {"spancrew": "1", "consensus": "mv"}
)


@pytest.fixture
def case() -> Certifiable:
    """Return labels with 80 audits, and two sentences that two experts labelled."""
    both = Ragged.of([[1, 0], [1, 2]]), Ragged.of([[1, 0], [1, 0]])
    return Certifiable(next(samples(drawn_labels(400), 80, 1, 1)), ORIGIN, expert_agreement(*both))


def written(case: Certifiable) -> Any:
    """Return the record as it comes back from a file."""
    made = certificate_of(case.labels, 0.9, agreement=case.agreement)
    return json.loads(json.dumps(certificate_record(made, case.provenance), allow_nan=False))


def test_a_record_has_what_a_reader_needs(case: Certifiable) -> None:
    """Figures first, then counts, parts, design, hashes and versions."""
    record = written(case)

    assert record["f1"].keys() == {"estimate", "low", "high"}
    assert record["f1"]["low"] < record["f1"]["estimate"] < record["f1"]["high"]
    assert (record["kind"], record["level"], record["audited"]) == ("audited", 0.9, 80)
    assert record["experts"] + record["crowd"]["sentences"] == record["sentences"] == 400
    assert record["expert_agreement"] == {"sentences": 2, "f1": 0.5}
    assert record["design"] == {
        "source": "demo",
        "drawn": "at random",
        "probability": 0.1,
        "seed": 7,
    }
    assert record["hashes"] == {"labels": "abc", "journal": "def"}
    assert record["versions"]["statistics"] == str(STATISTICS)


def test_a_guess_is_a_record_without_intervals(case: Certifiable) -> None:
    """Of the same shape."""
    record = certificate_record(guess_of(case.labels), ORIGIN)

    assert record.keys() == written(case).keys()
    assert record["kind"] == "guess"
    assert record["f1"]["low"] is record["f1"]["high"] is None


def test_a_true_certificate_is_verified(case: Certifiable) -> None:
    """Nothing differs."""
    assert verify(written(case), case) == []


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda record: record["f1"].update(low=0.99), "f1.low"),
        (lambda record: record["labels"][0]["recall"].update(estimate=1.0), "labels.0.recall"),
        (lambda record: record.update(audited=400), "audited"),
        (lambda record: record.update(level=0.99), "f1.low"),
        (lambda record: record["hashes"].update(labels="other"), "hashes.labels"),
        (lambda record: record["versions"].update(statistics="0"), "versions.statistics"),
        (lambda record: record.pop("crowd"), "crowd"),
    ],
)
def test_whatever_was_changed_is_found(case: Certifiable, change: Any, place: str) -> None:
    """With the place and both values."""
    record = written(case)
    change(record)

    assert any(each.startswith(f"{place}") for each in verify(record, case))


def test_changed_labels_are_found(case: Certifiable) -> None:
    """Even if nobody changed the hash."""
    fewer = replace(case.labels, delivered=case.labels.delivered + 1)

    assert verify(written(case), case._replace(labels=fewer))


def test_something_else_is_no_certificate(case: Certifiable) -> None:
    """With what is missing."""
    with pytest.raises(SpancrewError, match="no certificate: level, strict"):
        verify({"f1": 0.9}, case)


def test_the_hash_is_that_of_lines_of_json() -> None:
    """So that anybody can compute it."""
    found = labels_hash(("s1", "é"), ("A",), Ragged.of([[1, 2], [0]]), Ragged.of([[1, 0], []]))
    text = '["A"]\n["s1",[1,2],[1,0]]\n["é",[0],[]]\n'

    assert found == hashlib.sha256(text.encode()).hexdigest()
