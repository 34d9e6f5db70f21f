"""Argilla's records: nested or flat, responses of users, suggestions of models."""

import json
from pathlib import Path
from typing import Any

import pytest

from spancrew.core import Span
from spancrew.errors import FormatError
from spancrew.formats import Reading, read, recognise
from tests.formats.drawn import spans_of

TEXT = "Ana left Rome."
SPANS = [{"start": 0, "end": 3, "label": "PER"}, {"start": 9, "end": 13, "label": "LOC"}]
NESTED: dict[str, Any] = {
    "id": "r1",
    "fields": {"text": TEXT, "title": "News"},
    "metadata": {"page": 3},
    "suggestions": {"ner": {"value": SPANS, "score": 0.9, "agent": "model"}},
    "responses": {
        "ner": [
            {"value": SPANS, "user_id": "u-1"},
            {"value": [], "user_id": "u-2", "status": "submitted"},
            {"value": SPANS[:1], "user_id": "u-3", "status": "draft"},
        ],
        "topic": [{"value": "travel", "user_id": "u-1"}],
    },
    "vectors": {},
    "status": "pending",
    "_server_id": "5f",
}
FLAT: dict[str, Any] = {
    "id": "r1",
    "status": "pending",
    "text": TEXT,
    "page": 3,
    "ner.responses": [SPANS, []],
    "ner.responses.users": ["u-1", "u-2"],
    "ner.responses.status": ["submitted", "submitted"],
    "ner.suggestion": None,
    "ner.suggestion.agent": None,
    "ner.suggestion.score": None,
}
BOTH = (Span(0, 1, "PER"), Span(2, 3, "LOC"))


def read_records(path: Path, *records: Any, **options: Any) -> Reading:
    """Write a list of records and read it."""
    (path / "data.json").write_text(json.dumps(records), encoding="utf-8")
    return read(path / "data.json", **options)


def test_submitted_responses_are_answers(tmp_path: Path) -> None:
    """Drafts, other questions and suggestions of models are counted."""
    dataset, repairs = read_records(tmp_path, NESTED)

    assert recognise(tmp_path / "data.json").name == "argilla"
    assert spans_of(dataset) == {("r1", "u-1"): BOTH, ("r1", "u-2"): ()}
    assert dataset.sentences[0].meta == {
        "title": "News",
        "page": 3,
        "status": "pending",
        "_server_id": "5f",
    }
    assert sorted(repair.what for repair in repairs) == [
        "responses that are draft were left out (1)",
        "responses to 'topic', a question without spans, were left out (1)",
        "suggestions were left out (1)",
    ]


@pytest.mark.parametrize("as_lines", [True, False])
def test_flat_records_hold_the_same(tmp_path: Path, as_lines: bool) -> None:
    """As data sets on the Hub have them, in a list or in lines."""
    text = json.dumps(FLAT) if as_lines else json.dumps([FLAT])
    (tmp_path / "data.jsonl").write_text(text + "\n")
    dataset, repairs = read(tmp_path / "data.jsonl")

    assert recognise(tmp_path / "data.jsonl").name == "argilla"
    assert spans_of(dataset) == {("r1", "u-1"): BOTH, ("r1", "u-2"): ()}
    assert dataset.sentences[0].meta == {"page": 3, "status": "pending"}
    assert repairs == ()


def test_the_field_with_the_text_can_be_named(tmp_path: Path) -> None:
    """Where there are several."""
    record = NESTED | {"fields": {"a": "No.", "b": TEXT}}
    dataset, _ = read_records(tmp_path, record, columns={"text": "b"})

    assert dataset.sentences.texts == (TEXT,)
    with pytest.raises(FormatError, match=r"no text 'x' in the fields .*\(a, b\)"):
        read_records(tmp_path, record, columns={"text": "x"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fields": {}}, "no text '' in the fields of record 'r1'"),
        ({"responses": {"ner": 3}}, "responses to 'ner': 3"),
        ({"responses": {"ner": [{"user_id": "u"}]}}, "no field 'value'"),
        ({"responses": {"ner": [{"value": [[0, 99, "X"]], "user_id": "u"}]}}, "characters 0-99"),
        ({"suggestions": {"ner": []}}, "the suggestion for 'ner'"),
    ],
)
def test_what_is_wrong_in_a_record_is_refused(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    """With its place."""
    with pytest.raises(FormatError, match=rf"line 1: .*{message}"):
        read_records(tmp_path, NESTED | change)
