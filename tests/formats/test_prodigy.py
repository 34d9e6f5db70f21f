"""Prodigy's JSON lines: decisions of annotators, and of the review recipe."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.errors import FormatError
from spancrew.formats import Reading, ReadOptions, read, recognise
from spancrew.formats._prodigy import Prodigy
from tests.formats.drawn import answers_of, full_datasets, gold_of, spans_of

TEXT = "Ana left Rome."
LINE: dict[str, Any] = {
    "text": TEXT,
    "tokens": [
        {"text": "Ana", "start": 0, "end": 3, "id": 0, "ws": True},
        {"text": "left", "start": 4, "end": 8, "id": 1, "ws": True},
        {"text": "Rome", "start": 9, "end": 13, "id": 2, "ws": False},
        {"text": ".", "start": 13, "end": 14, "id": 3, "ws": False},
    ],
    "spans": [{"start": 9, "end": 13, "token_start": 2, "token_end": 2, "label": "LOC"}],
    "meta": {"source": "news"},
    "_input_hash": 17,
    "_task_hash": -4,
    "_view_id": "ner_manual",
    "answer": "accept",
    "_timestamp": 1772359200,
    "_annotator_id": "ner-ana",
    "_session_id": "ner-ana",
}
LOC = Span(2, 3, "LOC")


def read_lines(path: Path, *records: Any, **options: Any) -> Reading:
    """Write a file and read it."""
    file = path / "out.jsonl"
    file.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return read(file, **options)


@given(dataset=full_datasets())
def test_everything_but_names_without_use_comes_back_exactly(
    dataset: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Prodigy keeps fields that it does not know, so that ids and details have a place."""
    path = tmp_path_factory.mktemp("prodigy") / "data.jsonl"
    Prodigy().write(dataset, path)
    back, repairs = Prodigy().read(path, ReadOptions())

    assert back.sentences == dataset.sentences
    assert gold_of(back) == gold_of(dataset)
    assert answers_of(back) == answers_of(dataset)
    assert repairs == ()


def test_lines_of_several_annotators_are_answers_on_one_sentence(tmp_path: Path) -> None:
    """They share the hash of their input."""
    other = LINE | {"spans": [], "_annotator_id": None, "_session_id": "ner-bo"}
    dataset, repairs = read_lines(tmp_path, LINE, other)

    assert recognise(tmp_path / "out.jsonl").name == "prodigy"
    assert spans_of(dataset) == {("1", "ner-ana"): (LOC,), ("1", "ner-bo"): ()}
    assert answers_of(dataset)["1", "ner-ana"].at == 1772359200.0
    assert dataset.sentences[0].meta == {"source": "news", "_input_hash": 17}
    assert repairs == ()


def test_lines_without_an_annotator_are_gold(tmp_path: Path) -> None:
    """As spaCy people exchange them; a bare text is a sentence to be labelled."""
    dataset, _ = read_lines(
        tmp_path,
        {"text": TEXT, "spans": LINE["spans"], "answer": "accept"},
        {"text": "No.", "_view_id": "ner_manual"},
    )

    assert gold_of(dataset) == {"1": (LOC,), "2": None}


def test_rejected_and_ignored_lines_are_counted(tmp_path: Path) -> None:
    """They are no answers."""
    lines = [LINE | {"answer": answer} for answer in ("reject", "ignore")]
    dataset, repairs = read_lines(tmp_path, *lines)

    assert len(dataset.answers) == 0
    assert [r.what for r in repairs] == ["lines that were rejected or ignored were left out (2)"]


def test_the_latest_line_of_an_annotator_counts(tmp_path: Path) -> None:
    """Whatever its place in the file."""
    early = LINE | {"spans": [], "_timestamp": 5}
    dataset, repairs = read_lines(tmp_path, LINE, early)

    assert spans_of(dataset) == {("1", "ner-ana"): (LOC,)}
    assert [r.kind for r in repairs] == ["repeated"]


def test_a_review_is_gold_and_its_versions_are_answers(tmp_path: Path) -> None:
    """Each version names the sessions that gave it."""
    versions = [
        {"spans": LINE["spans"], "answer": "accept", "sessions": ["ner-ana", "ner-bo"]},
        {"spans": [], "answer": "reject", "sessions": ["ner-cy"]},
    ]
    dataset, repairs = read_lines(tmp_path, LINE | {"versions": versions, "_view_id": "review"})

    assert gold_of(dataset) == {"1": (LOC,)}
    assert spans_of(dataset) == {("1", "ner-ana"): (LOC,), ("1", "ner-bo"): (LOC,)}
    assert [r.kind for r in repairs] == ["skipped"]


def test_tokens_of_white_space_are_no_tokens(tmp_path: Path) -> None:
    """Line ends become tokens in spaCy."""
    tokens = [{"text": t, "start": k, "end": k + 1, "id": k} for k, t in enumerate("a\nb")]
    dataset, _ = read_lines(tmp_path, {"text": "a\nb", "tokens": tokens, "spans": []})

    assert dataset.sentences[0].tokens == ("a", "b")


def test_the_end_of_a_span_in_tokens_is_inclusive_when_written(tmp_path: Path) -> None:
    """Prodigy counts so, other than in characters."""
    sentence = Sentence.from_text("s1", TEXT)
    Prodigy().write(Dataset.of([sentence], {"s1": [Span(0, 2, "X")]}), tmp_path / "out")
    line = json.loads((tmp_path / "out").read_text())

    assert line["spans"] == [
        {"start": 0, "end": 8, "token_start": 0, "token_end": 1, "label": "X"}
    ]
    assert line["tokens"][0] == LINE["tokens"][0]


def test_two_texts_under_one_hash_are_refused_or_left_out(tmp_path: Path) -> None:
    """Both are shown."""
    other = {"text": "No.", "_input_hash": 17, "_annotator_id": "bo", "answer": "accept"}

    with pytest.raises(
        FormatError, match=r"line 2: 'No.' has the id of 'Ana left Rome.'.*skip_unequal"
    ):
        read_lines(tmp_path, LINE, other)
    dataset, repairs = read_lines(tmp_path, LINE, other, skip_unequal=True)

    assert len(dataset.answers) == 1
    assert [r.kind for r in repairs] == ["unequal"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": None}, "field 'text': None"),
        ({"spans": [{"start": 0, "label": "X"}]}, "no field 'end'"),
        ({"spans": [{"start": 0, "end": 99, "label": "X"}]}, "characters 0-99"),
        ({"tokens": [{"text": "Ana"}]}, "no field 'start'"),
        ({"_annotator_id": 7}, "field '_annotator_id': 7"),
        ({"versions": [3]}, "a version: 3"),
    ],
)
def test_what_is_wrong_in_a_line_is_refused(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    """With the line."""
    with pytest.raises(FormatError, match=f"line 1: .*{message}"):
        read_lines(tmp_path, LINE | change)


def test_a_worker_without_a_name_is_refused(tmp_path: Path) -> None:
    """The line would be gold."""
    dataset = Dataset.of([Sentence.from_text("s1", TEXT)], answers=[Answer("s1", "")])

    with pytest.raises(FormatError, match="worker without a name"):
        Prodigy().write(dataset, tmp_path / "out")
