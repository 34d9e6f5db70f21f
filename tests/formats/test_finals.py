"""Final labels in every format: apart from gold, in its place, and never lost without a word."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from spancrew.core import Dataset, Final, Finals, FinalSpan, Span
from spancrew.errors import FormatError
from spancrew.formats import Reading, ReadOptions, Repair, formats, write
from spancrew.formats._label_studio import LabelStudio
from spancrew.formats._spancrew import SpancrewLines
from tests.formats.drawn import finals_of, full_datasets
from tests.formats.test_contract import every_format, read_as, reported, sample

OWN = {"spancrew", "huggingface", "label-studio", "csv", "json", "xlsx", "parquet"}
META = {"doccano", "spacy", "oei", "collected", "prodigy", "argilla"}


def settled() -> Dataset:
    """Return the sample with final labels, which differ from gold on the first sentence."""
    dataset = sample("words")
    rows = [row.copy() for row in dataset.gold]
    rows[0][0] = 0
    finals: list[Final | None] = [
        Final((FinalSpan(Span(2, 3, "LOC"), 0.75, 2),), 0.5, 2, "mv"),
        Final((FinalSpan(Span(1, 3, "LOC"), 1.0, 0),), 1.0, 1, "expert"),
        Final((), 0.25, 1, "mv"),
    ]
    return replace(dataset, finals=_columns(rows, finals, dataset))


def _columns(rows: list[Any], finals: list[Final | None], dataset: Dataset) -> Finals:
    return Finals.of(rows, finals, dataset.labels.dtype)


@every_format
def test_final_labels_read_back_as_such_or_as_gold(tmp_path: Path, name: str, file: str) -> None:
    """Unless the file holds answers only, which is said."""
    dataset = settled()
    lost = write(dataset, tmp_path / file, name)
    back = read_as(name, tmp_path / file).dataset
    wanted = [dataset.final(k) for k in range(len(dataset))]

    if name in OWN:
        assert [back.final(k) for k in range(len(back))] == wanted
        assert back.gold == dataset.gold
        assert not reported(lost, "final labels")
    elif file.endswith("-crowd.json"):
        assert reported(lost, "gold")
    else:
        assert [back.gold_spans(k) for k in range(3)] == [f.labels for f in wanted if f]
        assert reported(lost, "1 sentence whose gold differs from its final labels")


@every_format
def test_confidence_and_votes_are_in_meta_or_reported(
    tmp_path: Path, name: str, file: str
) -> None:
    """Where a format has no place of its own for them."""
    lost = write(settled(), tmp_path / file, name)
    metas = [s.meta.get("final") for s in read_as(name, tmp_path / file).dataset.sentences]

    assert reported(lost, "3 sentences with confidence and votes") == (name not in OWN | META)
    assert (metas != [None, None, None]) == (name in META)
    if name in META:
        assert metas[0] == {
            "by": "mv",
            "confidence": 0.5,
            "answers": 2,
            "spans": [{"start": 2, "end": 3, "label": "LOC", "confidence": 0.75, "votes": 2}],
        }


@every_format
def test_each_loss_is_reported_once(tmp_path: Path, name: str, file: str) -> None:
    """With a place and a count."""
    lost = write(settled(), tmp_path / file, name)

    assert len({repair.what for repair in lost}) == len(lost)
    assert {str(repair.place) for repair in lost} <= {str(tmp_path / file)}


def test_final_labels_written_over_meta_of_that_name_are_reported(tmp_path: Path) -> None:
    """As happens when a file is aggregated again."""
    write(settled(), tmp_path / "first", "doccano")
    again = replace(read_as("doccano", tmp_path / "first").dataset, finals=settled().finals)
    lost = write(again, tmp_path / "second", "doccano")

    assert reported(lost, "3 sentences with 'final' in their meta")
    assert not reported(lost, "whose gold differs")


def test_gold_stays_where_a_sentence_is_not_settled(tmp_path: Path) -> None:
    """Only some sentences may have final labels."""
    dataset = settled()
    finals = dataset.finals
    assert finals is not None
    rows = [finals.codes[0], finals.codes[1][:0], finals.codes[2][:0]]
    half = replace(dataset, finals=_columns(rows, [dataset.final(0), None, None], dataset))
    write(half, tmp_path / "half.conll")
    back = read_as("conll", tmp_path / "half.conll").dataset

    assert back.gold_spans(0) == (Span(2, 3, "LOC"),)
    assert back.gold_spans(1) == dataset.gold_spans(1)


def test_a_format_that_knows_nothing_of_final_labels_gets_them_as_gold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of other packages need not change."""
    seen: list[Dataset] = []

    class Other:
        name = "other"
        suffixes = (".other",)

        def recognises(self, path: Path, head: str) -> bool:
            return path.suffix == ".other" and not head

        def read(self, path: Path, options: ReadOptions) -> Reading:
            raise NotImplementedError

        def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
            seen.append(dataset)
            path.touch()
            return ()

    monkeypatch.setitem(formats(), "other", Other())
    lost = write(settled(), tmp_path / "x.other")

    assert seen[0].gold_spans(0) == (Span(2, 3, "LOC"),)
    assert seen[0].finals is None
    assert reported(lost, "confidence and votes")


@given(dataset=full_datasets())
def test_label_studio_gives_final_labels_back_exactly(
    dataset: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """As predictions with a score."""
    path = tmp_path_factory.mktemp("studio") / "tasks.json"
    LabelStudio().write(dataset, path)
    back, repairs = LabelStudio().read(path, ReadOptions())

    assert finals_of(back) == finals_of(dataset)
    assert repairs == ()


def test_label_studio_shows_scores_and_votes(tmp_path: Path) -> None:
    """People see them beside the text; sorting by the score finds the least sure."""
    write(settled(), tmp_path / "x.label-studio.json")
    prediction = json.loads((tmp_path / "x.label-studio.json").read_text("utf-8"))[0][
        "predictions"
    ]

    assert prediction[0]["model_version"] == "spancrew mv"
    assert prediction[0]["score"] == 0.5
    assert prediction[0]["result"][0]["score"] == 0.75
    assert prediction[0]["result"][0]["meta"]["text"] == ["2 of 2 answers"]


def change_prediction(path: Path, change: Callable[[dict[str, Any]], Any]) -> Reading:
    """Write Label Studio's file, change the first prediction and read it."""
    write(settled(), path)
    tasks = json.loads(path.read_text("utf-8"))
    change(tasks[0]["predictions"][0])
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return LabelStudio().read(path, ReadOptions())


def test_predictions_of_models_are_still_left_out(tmp_path: Path) -> None:
    """Also ours, if Label Studio has forgotten what they rest on."""
    path = tmp_path / "x.label-studio.json"
    other = change_prediction(path, lambda each: each.update(model_version="bert"))
    forgotten = change_prediction(path, lambda each: each.pop("meta"))

    for back, repairs in (other, forgotten):
        assert back.final(0) is None
        assert back.final(1) is not None
        assert [(r.kind, r.what) for r in repairs] == [
            ("skipped", "predictions were left out (1)")
        ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p.update(score=None), "'score': None; expected a number"),
        (lambda p: p.update(score=3), "confidence 3.0 is not between 0 and 1"),
        (lambda p: p["meta"].update(answers=1), "has 2 votes"),
        (lambda p: p["result"][0].pop("meta"), "no field 'meta'"),
        (lambda p: p["result"][0]["value"]["labels"].append("PER"), "1 regions with 2 labels"),
    ],
)
def test_broken_predictions_of_ours_are_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], Any], message: str
) -> None:
    """With the place and the fault."""
    with pytest.raises(FormatError, match=message):
        change_prediction(tmp_path / "x.label-studio.json", change)


FINAL: dict[str, Any] = {
    "by": "mv",
    "confidence": 0.5,
    "answers": 2,
    "spans": [{"start": 0, "end": 1, "label": "PER", "confidence": 0.7, "votes": 2}],
}


def read_final(path: Path, final: Any) -> Reading:
    """Read a file of ours with these final labels."""
    records = [
        {"spancrew": 1, "labels": ["LOC", "PER"]},
        {"id": "s1", "tokens": ["Ana", "left"], "final": final},
    ]
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return SpancrewLines().read(path, ReadOptions())


def test_our_own_format_names_every_field(tmp_path: Path) -> None:
    """As the reference says."""
    dataset, repairs = read_final(tmp_path / "x.jsonl", FINAL)

    assert dataset.final(0) == Final((FinalSpan(Span(0, 1, "PER"), 0.7, 2),), 0.5, 2, "mv")
    assert repairs == ()
    SpancrewLines().write(dataset, tmp_path / "y.jsonl")
    written = (tmp_path / "y.jsonl").read_text("utf-8").splitlines()[1]
    assert json.loads(written)["final"] == FINAL


def test_unknown_fields_of_final_labels_are_reported(tmp_path: Path) -> None:
    """Those of a span as well."""
    span = FINAL["spans"][0] | {"colour": "red"}
    _, repairs = read_final(tmp_path / "x.jsonl", FINAL | {"mood": "good", "spans": [span]})

    assert [r.what.split()[1] for r in repairs] == ["'mood'", "'colour'"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"by": 3}, r"line 2: found field 'by': 3; expected text"),
        ({"by": ""}, r"line 2: .*who decided"),
        ({"confidence": "high"}, r"line 2: found field 'confidence': 'high'; expected a number"),
        ({"confidence": 2}, r"line 2: confidence 2.0 is not between 0 and 1"),
        ({"answers": 1}, r"line 2: span 0-1 PER has 2 votes"),
        ({"spans": None}, r"line 2: found field 'spans': None; expected a list"),
        ({"spans": [[0, 1, "PER"]]}, r"line 2: found \[0, 1, 'PER'\]; expected an object"),
        ({"spans": [FINAL["spans"][0] | {"end": 9}]}, r"line 2: .*outside the sentence"),
        ({"spans": [FINAL["spans"][0] | {"end": 0}]}, r"line 2: .*end must lie after"),
        ({"spans": [FINAL["spans"][0] | {"label": "PRE"}]}, r"line 2: .*did you mean 'PER'"),
    ],
)
def test_broken_final_labels_are_refused_with_their_line(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    """Each fault has its own message."""
    with pytest.raises(FormatError, match=message):
        read_final(tmp_path / "x.jsonl", FINAL | change)


def saved(path: Path, final: Any) -> Reading:
    """Save a table with final labels as datasets does, and read it."""
    datasets = pytest.importorskip("datasets")
    write(settled(), path)
    table = datasets.load_from_disk(str(path))
    changed = [final(table[0]["final"]), *table["final"][1:]]
    columns = {name: table[name] for name in table.column_names if name != "final"}
    made = datasets.Dataset.from_dict(columns | {"final": changed}, features=table.features)
    made.save_to_disk(str(path.with_name("changed.hf")))
    return formats()["huggingface"].read(path.with_name("changed.hf"), ReadOptions())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"spans": []}, "0 entries in 'spans'; expected one for each of 1 spans"),
        ({"confidence": None}, "field 'confidence': None; expected a number"),
        ({"answers": 0}, "has 2 votes"),
        ({"tags": [0]}, r"1 tags \(final labels of sentence '1'\); expected 4"),
    ],
)
def test_broken_final_labels_of_a_table_are_refused(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    """With the sentence."""
    with pytest.raises(FormatError, match=message):
        saved(tmp_path / "x.hf", lambda final: final | change)


def test_a_column_of_that_name_with_something_else_is_left_out(tmp_path: Path) -> None:
    """And reported, or kept as meta if it is a plain value."""
    datasets = pytest.importorskip("datasets")
    table = datasets.Dataset.from_dict({"tokens": [["Ana"]], "final": [{"grade": [1, 2]}]})
    table.save_to_disk(str(tmp_path / "other.hf"))
    dataset, repairs = formats()["huggingface"].read(tmp_path / "other.hf", ReadOptions())

    assert dataset.finals is None
    assert [(r.kind, r.what) for r in repairs] == [("column", "column 'final' was left out")]
    assert np.array_equal(dataset.has_gold, [False])
