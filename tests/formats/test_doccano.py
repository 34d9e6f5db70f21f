"""doccano's JSON lines: a file of gold, or a folder with a file for each worker."""

import json
from pathlib import Path
from typing import Any

import pytest

from spancrew.core import Answer, Dataset, LabelSet, Sentence, Span
from spancrew.errors import FormatError
from spancrew.formats import Reading, ReadOptions
from spancrew.formats._doccano import Doccano
from tests.formats.drawn import gold_of, spans_of

TEXT = "Ana left Rome."
RECORD = {"id": 1, "text": TEXT, "label": [[0, 3, "PER"], [9, 13, "LOC"]]}


def dumped(*records: Any) -> str:
    """Return records as JSON lines."""
    return "".join(json.dumps(record) + "\n" for record in records)


def read_file(path: Path, *records: Any, **options: Any) -> Reading:
    """Write a single file and read it."""
    file = path / "admin.jsonl"
    file.write_text(dumped(*records), encoding="utf-8")
    return Doccano().read(file, ReadOptions(**options))


def read_folder(path: Path, **files: list[Any]) -> Reading:
    """Write a file for each name and read the folder."""
    for name, records in files.items():
        (path / f"{name}.jsonl").write_text(dumped(*records), encoding="utf-8")
    return Doccano().read(path, ReadOptions())


def test_gold_alone_is_written_to_one_file_with_code_points(tmp_path: Path) -> None:
    """The file can be imported as it is."""
    sentence = Sentence.from_text("s1", "👍 Rome")
    Doccano().write(Dataset.of([sentence], {"s1": [Span(1, 2, "LOC")]}), tmp_path / "out")

    assert json.loads((tmp_path / "out").read_text(encoding="utf-8")) == {
        "id": "s1",
        "text": "👍 Rome",
        "label": [[2, 6, "LOC"]],
    }


def test_answers_are_written_to_a_file_for_each_worker(tmp_path: Path) -> None:
    """Names that cannot be file names are encoded and come back."""
    names = ["ada", "bo/cy", "all", ".hidden", "é%41"]
    answers = [Answer("s1", name, (Span(0, 1, "PER"),)) for name in names]
    dataset = Dataset.of([Sentence.from_text("s1", TEXT)], answers=answers)
    Doccano().write(dataset, tmp_path / "out")
    back, _ = Doccano().read(tmp_path / "out", ReadOptions())

    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == [
        "%2Ehidden.jsonl",
        "%61ll.jsonl",
        "%C3%A9%2541.jsonl",
        "ada.jsonl",
        "all.jsonl",
        "bo%2Fcy.jsonl",
    ]
    assert sorted(back.workers) == sorted(names)


def test_a_worker_without_a_name_is_refused(tmp_path: Path) -> None:
    """There is no file name for them."""
    dataset = Dataset.of([Sentence.from_text("s1", TEXT)], answers=[Answer("s1", "")])

    with pytest.raises(FormatError, match="worker without a name"):
        Doccano().write(dataset, tmp_path / "out")


def test_labels_without_spans_are_reported_as_not_written(tmp_path: Path) -> None:
    """Nothing in the file declares them."""
    dataset = Dataset.of([Sentence.from_text("s1", TEXT)], labels=LabelSet(("LOC", "PER")))
    lost = Doccano().write(dataset, tmp_path / "out")

    assert [(r.kind, "2 labels" in r.what) for r in lost] == [("not-written", True)]


@pytest.mark.parametrize(
    "record",
    [
        RECORD,
        {"text": TEXT, "labels": RECORD["label"]},
        {"data": TEXT, "label": RECORD["label"]},
        {
            "text": TEXT,
            "entities": [
                {"id": 3, "label": "PER", "start_offset": 0, "end_offset": 3},
                {"id": 4, "label": "LOC", "start_offset": 9, "end_offset": 13},
            ],
            "relations": [],
        },
    ],
)
def test_every_layout_of_doccano_is_gold(tmp_path: Path, record: dict[str, Any]) -> None:
    """Field names have changed over the versions."""
    dataset, repairs = read_file(tmp_path, record)

    assert dataset.gold_spans(0) == (Span(0, 1, "PER"), Span(2, 3, "LOC"))
    assert dataset.sentences.ids == ("1",)
    assert repairs == ()


def test_other_fields_become_meta(tmp_path: Path) -> None:
    """Provenance is kept, wherever a version of doccano puts it."""
    dataset, _ = read_file(tmp_path, RECORD | {"url": "x", "tokens": 14, "meta": {"page": 3}})

    assert dataset.sentences[0].meta == {"url": "x", "tokens": 14, "page": 3}


def test_a_record_without_labels_has_no_gold(tmp_path: Path) -> None:
    """An empty list is gold: there is nothing to mark."""
    dataset, _ = read_file(
        tmp_path, {"id": 1, "text": TEXT}, {"id": 2, "text": "No.", "label": []}
    )

    assert gold_of(dataset) == {"1": None, "2": ()}


def test_relations_and_comments_are_skipped_and_counted(tmp_path: Path) -> None:
    """They are no spans."""
    _, repairs = read_file(tmp_path, RECORD | {"relations": [{}, {}], "Comments": ["why?"]})

    assert [(r.kind, r.what) for r in repairs] == [
        ("skipped", "relations were left out (2)"),
        ("skipped", "Comments were left out (1)"),
    ]


def test_each_file_of_a_folder_holds_the_answers_of_a_worker(tmp_path: Path) -> None:
    """Workers are named by their files; sentences are matched by id."""
    dataset, repairs = read_folder(
        tmp_path,
        bo=[RECORD | {"label": []}, {"id": 2, "text": "Bo slept.", "label": [[0, 2, "PER"]]}],
        ana=[RECORD],
    )

    assert spans_of(dataset) == {
        ("1", "ana"): (Span(0, 1, "PER"), Span(2, 3, "LOC")),
        ("1", "bo"): (),
        ("2", "bo"): (Span(0, 1, "PER"),),
    }
    assert gold_of(dataset) == {"1": None, "2": None}
    assert repairs == ()


@pytest.mark.parametrize("name", ["all", "gold"])
def test_the_gold_of_a_folder_has_its_own_file(tmp_path: Path, name: str) -> None:
    """The joint export is gold, whatever the order of the names."""
    dataset, _ = read_folder(tmp_path, **{"aa": [RECORD | {"label": []}], name: [RECORD]})

    assert gold_of(dataset) == {"1": (Span(0, 1, "PER"), Span(2, 3, "LOC"))}
    assert dataset.workers == ("aa",)


def test_two_files_of_gold_are_refused(tmp_path: Path) -> None:
    """Gold is what is true, so there is one."""
    with pytest.raises(FormatError, match=r"both all.jsonl and gold.jsonl"):
        read_folder(tmp_path, all=[RECORD], gold=[RECORD])


def test_sentences_without_ids_are_matched_by_text(tmp_path: Path) -> None:
    """The same text in two files is the same sentence."""
    record = {"text": TEXT, "label": []}
    dataset, repairs = read_folder(tmp_path, ana=[record, {"text": "Bo slept."}], bo=[record])

    assert set(spans_of(dataset)) == {("1", "ana"), ("1", "bo")}
    assert dataset.sentences.ids == ("1", "2")
    assert repairs == ()


def test_another_id_for_the_same_text_is_matched_and_reported(tmp_path: Path) -> None:
    """Projects that were set up one by one number the same sentences differently."""
    dataset, repairs = read_folder(tmp_path, ana=[RECORD], bo=[RECORD | {"id": 101}])

    assert dataset.sentences.ids == ("1",)
    assert [(r.kind, r.place.line) for r in repairs] == [("id", 1)]


def test_the_same_text_twice_in_one_file_is_two_sentences(tmp_path: Path) -> None:
    """Short sentences repeat."""
    records: list[Any] = [{"id": k, "text": "Yes.", "label": []} for k in (1, 2)]
    dataset, _ = read_folder(tmp_path, ana=records, bo=records)

    assert sorted(spans_of(dataset)) == [("1", "ana"), ("1", "bo"), ("2", "ana"), ("2", "bo")]


def test_an_id_with_another_text_is_refused_with_the_remedy(tmp_path: Path) -> None:
    """Ids of different projects must not be mixed up."""
    with pytest.raises(FormatError, match=r"bo\.jsonl, line 1: .* sentence '1' .* remove the ids"):
        read_folder(tmp_path, ana=[RECORD], bo=[RECORD | {"text": "Bo slept."}])


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    """There is nothing to read."""
    with pytest.raises(FormatError, match=r"no file \*\.jsonl"):
        read_folder(tmp_path)


def test_progress_goes_over_all_files(tmp_path: Path) -> None:
    """Bytes are counted across the folder."""
    for name in ("ana", "bo"):
        records = [{"id": k, "text": f"{k} " + "long " * 250, "label": []} for k in range(1000)]
        (tmp_path / f"{name}.jsonl").write_text(dumped(*records))
    seen: list[tuple[int, int]] = []
    Doccano().read(tmp_path, ReadOptions(progress=lambda done, total: seen.append((done, total))))

    assert seen == sorted(seen)
    assert len({total for _, total in seen}) == 1
    assert len(seen) > 1


def test_offsets_are_code_points(tmp_path: Path) -> None:
    """An emoji is one character."""
    dataset, _ = read_file(
        tmp_path, {"text": "👍 Rome مرحبا", "label": [[2, 6, "A"], [7, 12, "B"]]}
    )

    assert dataset.gold_spans(0) == (Span(1, 2, "A"), Span(2, 3, "B"))


def test_a_border_inside_a_token_widens_to_the_token_and_is_reported(tmp_path: Path) -> None:
    """Sloppy selections are mended in the open."""
    dataset, repairs = read_file(tmp_path, RECORD | {"label": [[10, 12, "LOC"]]})

    assert dataset.gold_spans(0) == (Span(2, 3, "LOC"),)
    assert [(r.kind, r.place.line) for r in repairs] == [("border", 1)]


def test_the_unit_of_tokens_can_be_chosen(tmp_path: Path) -> None:
    """Chinese is cut into characters, and anything on request."""
    chinese, _ = read_file(tmp_path, {"text": "我在北京", "label": [[2, 4, "LOC"]]})
    asked, _ = read_file(tmp_path, RECORD, unit="characters")

    assert chinese.gold_spans(0) == (Span(2, 4, "LOC"),)
    assert asked.gold_spans(0) == (Span(0, 3, "PER"), Span(7, 11, "LOC"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": 3}, r"line 1: found field 'text': 3; expected text"),
        ({"text": " "}, r"line 1: sentence '1' has no tokens"),
        ({"label": [[-1, 3, "PER"]]}, r"line 1: characters -1-3 are empty or outside"),
        ({"label": [[9, 99, "PER"]]}, r"line 1: characters 9-99 are empty or outside"),
        ({"label": [[3, 3, "PER"]]}, r"line 1: characters 3-3 are empty"),
        ({"label": [[3, 4, "PER"]]}, r"line 1: characters 3-4 hold no token"),
        ({"label": [[0, 3, ""]]}, r"line 1: .*a label is needed"),
        ({"label": [[0, 8, "A"], [4, 13, "B"]]}, r"line 1: .*overlap.*'first' or 'longest'"),
        ({"label": ["positive"]}, r"line 1: found 'positive' .*\[start, end, label\]"),
        ({"label": "PER"}, r"line 1: found field 'label': 'PER'; expected a list"),
        ({"tokens": [[0, 99]]}, r"line 1: .*outside the text"),
    ],
)
def test_a_broken_record_is_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    """Each fault has its own message."""
    with pytest.raises(FormatError, match=message):
        read_file(tmp_path, RECORD | change)


def test_bad_json_is_found_on_its_line(tmp_path: Path) -> None:
    """Line 731 is named when line 731 is broken."""
    lines = dumped(*(RECORD | {"id": k} for k in range(900))).splitlines()
    lines[730] = lines[730][:20]
    (tmp_path / "x.jsonl").write_text("\n".join(lines))

    with pytest.raises(FormatError, match=r"x\.jsonl, line 731: .*not JSON"):
        Doccano().read(tmp_path / "x.jsonl", ReadOptions())


def test_the_same_id_twice_in_one_file_is_refused(tmp_path: Path) -> None:
    """Ids must be unique."""
    with pytest.raises(FormatError, match=r"line 2: sentence '1' is there twice"):
        read_file(tmp_path, RECORD, RECORD)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"\n\n", "there are no sentences in it"),
        (b"[1]\n", r"line 1: found a line: \[1\]; expected an object"),
        (b'{"id": 1}\n', "line 1: found no field 'data'"),
        (b'{"text": "K\xf6ln"}\n', "line 1: found byte 0xf6"),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    """Empty and wrongly encoded files are told apart."""
    (tmp_path / "x.jsonl").write_bytes(content)

    with pytest.raises(FormatError, match=message):
        Doccano().read(tmp_path / "x.jsonl", ReadOptions())


def test_windows_files_are_read_like_others(tmp_path: Path) -> None:
    """A byte order mark and CRLF change nothing."""
    (tmp_path / "x.jsonl").write_bytes(("\ufeff" + json.dumps(RECORD) + "\r\n").encode())
    dataset, _ = Doccano().read(tmp_path / "x.jsonl", ReadOptions())

    assert dataset.sentences[0].text == TEXT


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('{"text": "a", "label": []}\n', True),
        ('{"id": 1, "data": "a", "labels": [[0', True),
        ('{"text": "a"}\n{"text": "b", "entities": []}\n', True),
        ('{"text": "a"}\n', False),
        ('{"text": "a", "annotations": [{"label": "X"}]}\n', False),
        ('{"spancrew": 1, "labels": []}\n{"text": "a"}', False),
        ('[{"text": "a", "label": []}]', False),
        ("", False),
    ],
)
def test_lines_of_texts_with_labels_are_recognised(
    tmp_path: Path, head: str, expected: bool
) -> None:
    """The fields of the first lines tell doccano from others."""
    assert Doccano().recognises(tmp_path / "x.jsonl", head) is expected


def test_a_folder_is_recognised_by_all_its_files(tmp_path: Path) -> None:
    """One file of another kind makes it another format."""
    (tmp_path / "ana.jsonl").write_text(dumped(RECORD))
    only_ours = Doccano().recognises(tmp_path, "")
    (tmp_path / "bo.jsonl").write_text('{"text": "a", "annotations": []}')

    assert only_ours
    assert not Doccano().recognises(tmp_path, "")
