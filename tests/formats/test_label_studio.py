"""Label Studio's JSON: annotations of several workers, in either way of counting characters."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from spancrew.core import Answer, Dataset, LabelSet, Sentence, Span
from spancrew.errors import FormatError
from spancrew.formats import Reading, ReadOptions
from spancrew.formats._label_studio import LabelStudio
from tests.formats.drawn import answers_of, full_datasets, gold_of

TEXT = "Ana left Rome."
ANA = {"start": 0, "end": 3, "text": "Ana", "labels": ["PER"]}
ROME = {"start": 9, "end": 13, "text": "Rome", "labels": ["LOC"]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a path for a file to read."""
    return tmp_path / "export.json"


def annotation(*values: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return an annotation of worker 1 with these regions."""
    results = [{"type": "labels", "to_name": "text", "value": value} for value in values]
    return {"id": 5, "completed_by": 1, "result": results} | fields


def task(*annotations: dict[str, Any], text: str = TEXT, **fields: Any) -> dict[str, Any]:
    """Return a task with the given annotations."""
    return {"id": 42, "data": {"text": text}, "annotations": list(annotations)} | fields


def read_tasks(file: Path, *tasks: Any, **options: Any) -> Reading:
    """Write a list of tasks and read it."""
    file.write_text(json.dumps(tasks), encoding="utf-8")
    return LabelStudio().read(file, ReadOptions(**options))


@given(dataset=full_datasets())
def test_sentences_gold_and_answers_come_back_exactly(
    dataset: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Tokens, meta, names of workers, times and sources survive, too."""
    path = tmp_path_factory.mktemp("studio") / "tasks.json"
    lost = LabelStudio().write(dataset, path)
    back, repairs = LabelStudio().read(path, ReadOptions())

    assert back.sentences == dataset.sentences
    assert gold_of(back) == gold_of(dataset)
    assert answers_of(back) == answers_of(dataset)
    assert repairs == ()
    assert len(back.workers) == len(dataset.workers) or any("worker" in r.what for r in lost)


def test_written_tasks_have_the_fields_that_imports_want(file: Path) -> None:
    """Workers are numbers, gold is ground truth, regions quote their text."""
    sentence = Sentence.from_text("s1", "👍 Rome")
    spans = (Span(1, 2, "LOC"),)
    answer = Answer("s1", "ada", spans, seconds=2.5, at=1.5)
    LabelStudio().write(Dataset.of([sentence], {"s1": spans}, [answer]), file)
    (written,) = json.loads(file.read_text(encoding="utf-8"))
    gold, given = written["annotations"]

    assert written["id"] == 1
    assert written["data"] == {"id": "s1", "text": "👍 Rome"}
    assert gold["ground_truth"] is True
    assert gold["result"][0]["value"] == {"start": 2, "end": 6, "text": "Rome", "labels": ["LOC"]}
    assert gold["result"][0]["type"] == "labels"
    assert given["completed_by"] == 1
    assert given["lead_time"] == 2.5
    assert given["created_at"] == "1970-01-01T00:00:01.500000+00:00"
    assert given["meta"] == {"worker": "ada"}


def test_labels_and_workers_without_spans_are_reported_as_not_written(file: Path) -> None:
    """Nothing in the file declares them."""
    dataset = Dataset.of([Sentence.from_text("s1", TEXT)], labels=LabelSet(("LOC", "PER")))
    lost = LabelStudio().write(dataset, file)

    assert [repair.kind for repair in lost] == ["not-written"]
    assert "2 labels without spans" in lost[0].what


@pytest.mark.parametrize(
    ("by", "worker"),
    [
        (7, "7"),
        ({"id": 7, "email": "ana@example.org"}, "ana@example.org"),
        ({"id": 7, "email": ""}, "7"),
        ("ana", "ana"),
    ],
)
def test_a_worker_is_known_by_email_or_else_by_number(file: Path, by: Any, worker: str) -> None:
    """Exports name workers in several ways."""
    dataset, _ = read_tasks(file, task(annotation(ANA, completed_by=by)))

    assert dataset.workers == (worker,)


def test_an_annotation_without_a_worker_is_reported(file: Path) -> None:
    """Old versions had one user only and did not name them."""
    dataset, repairs = read_tasks(file, task(annotation(ANA, completed_by=None)))

    assert dataset.workers == ("unknown",)
    assert [repair.kind for repair in repairs] == ["worker"]


def test_time_and_duration_become_part_of_the_answer(file: Path) -> None:
    """Times are read as UTC, with or without a zone."""
    times = {"lead_time": 4, "created_at": "1970-01-01T01:00:00Z"}
    other = {"completed_by": 2, "created_at": "1970-01-01T00:00:10"}
    dataset, _ = read_tasks(file, task(annotation(**times), annotation(**other)))

    assert [(a.seconds, a.at) for a in dataset.answers_on(0)] == [(4.0, 3600.0), (None, 10.0)]


def test_a_time_that_cannot_be_read_is_left_out_and_reported(file: Path) -> None:
    """A time is worth a note, not a refusal."""
    dataset, repairs = read_tasks(file, task(annotation(created_at="yesterday")))

    assert dataset.answer(0).at is None
    assert [repair.kind for repair in repairs] == ["time"]


def test_ground_truth_is_gold_and_nobodys_answer(file: Path) -> None:
    """The starred annotation is taken out of the answers."""
    dataset, _ = read_tasks(file, task(annotation(ANA, ground_truth=True)))

    assert dataset.gold_spans(0) == (Span(0, 1, "PER"),)
    assert len(dataset.answers) == 0


def test_cancelled_annotations_are_skipped_and_reported(file: Path) -> None:
    """A worker who skipped a sentence gave no answer."""
    dataset, repairs = read_tasks(file, task(annotation(ANA, was_cancelled=True)))

    assert len(dataset.answers) == 0
    assert [(r.kind, "annotation 5 was cancelled" in r.what) for r in repairs] == [
        ("skipped", True)
    ]


def test_other_results_are_skipped_and_counted(file: Path) -> None:
    """Choices, relations and predictions are no spans."""
    results = [{"type": "choices", "value": {}}, {"type": "relation"}, {"type": "choices"}]
    given = annotation(result=[*annotation(ROME)["result"], *results])
    _, repairs = read_tasks(file, task(given, predictions=[{}, {}]))

    assert sorted(repair.what for repair in repairs) == [
        "predictions were left out (2)",
        "results of type 'choices' were left out (2)",
        "results of type 'relation' were left out (1)",
    ]


def test_the_latest_of_several_annotations_of_a_worker_counts(file: Path) -> None:
    """The order in the file does not matter where times are known."""
    late = annotation(ROME, id=1, created_at="2024-01-02T00:00:00Z")
    early = annotation(ANA, id=2, created_at="2024-01-01T00:00:00Z")
    dataset, repairs = read_tasks(file, task(late, early))

    assert dataset.answer(0).spans == (Span(2, 3, "LOC"),)
    assert [repair.kind for repair in repairs] == ["repeated"]


@pytest.mark.parametrize("starts", [(2, 7), (3, 8)], ids=["in code points", "in UTF-16 units"])
def test_offsets_after_an_emoji_are_read_in_either_unit(
    file: Path, starts: tuple[int, int]
) -> None:
    """The quoted text tells how an export counted."""
    words = zip(starts, ("Rome", "مرحبا"), strict=True)
    regions = [{"start": k, "end": k + len(w), "text": w, "labels": ["X"]} for k, w in words]
    dataset, repairs = read_tasks(file, task(annotation(*regions), text="👍 Rome مرحبا"))

    assert dataset.answer(0).spans == (Span(1, 2, "X"), Span(2, 3, "X"))
    assert repairs == ()


def test_code_points_are_taken_where_both_units_fit(file: Path) -> None:
    """Label Studio counts code points today, and so do we."""
    region = {"start": 2, "end": 3, "text": "好", "labels": ["X"]}
    dataset, _ = read_tasks(file, task(annotation(region), text="👍好好"), unit="characters")

    assert dataset.answer(0).spans == (Span(2, 3, "X"),)


def test_one_unit_is_taken_for_a_whole_annotation(file: Path) -> None:
    """A region that fits both units follows the others."""
    both = {"start": 2, "end": 3, "text": "好", "labels": ["X"]}
    utf16 = {"start": 4, "end": 5, "text": "的", "labels": ["X"]}
    found = task(annotation(both, utf16), text="👍好好的")
    dataset, _ = read_tasks(file, found, unit="characters")

    assert dataset.answer(0).spans == (Span(1, 2, "X"), Span(3, 4, "X"))


def test_offsets_that_fit_in_no_unit_are_refused_with_both_readings(file: Path) -> None:
    """The message shows what stands there."""
    region = {"start": 4, "end": 6, "text": "Ro", "labels": ["X"]}

    with pytest.raises(FormatError, match=r"'me' in code points and 'om' in UTF-16 units.*'Ro'"):
        read_tasks(file, task(annotation(region), text="👍 Rome"))


def test_offsets_without_a_quotation_are_code_points(file: Path) -> None:
    """Without evidence the present way of counting is assumed."""
    region = {"start": 2, "end": 6, "labels": ["LOC"]}
    dataset, _ = read_tasks(file, task(annotation(region), text="👍 Rome"))

    assert dataset.answer(0).spans == (Span(1, 2, "LOC"),)


def test_line_ends_do_not_count_as_evidence(file: Path) -> None:
    """Label Studio shows CRLF as two line ends."""
    region = {"start": 0, "end": 9, "text": "Ana\n\nleft", "labels": ["X"]}
    dataset, _ = read_tasks(file, task(annotation(region), text="Ana\r\nleft"))

    assert dataset.answer(0).spans == (Span(0, 2, "X"),)


def test_a_border_inside_a_token_widens_to_the_token_and_is_reported(file: Path) -> None:
    """Sloppy selections are mended in the open."""
    region = {"start": 1, "end": 3, "text": "na", "labels": ["PER"]}
    dataset, repairs = read_tasks(file, task(annotation(region)))

    assert dataset.answer(0).spans == (Span(0, 1, "PER"),)
    assert [(r.kind, "'na'" in r.what, "'Ana'" in r.what) for r in repairs] == [
        ("border", True, True)
    ]


def test_several_labels_on_one_region_are_an_overlap(file: Path) -> None:
    """The policy for overlaps decides."""
    region = ANA | {"labels": ["PER", "LOC"]}
    dataset, repairs = read_tasks(file, task(annotation(region)), overlaps="first")

    assert dataset.answer(0).spans == (Span(0, 1, "PER"),)
    assert [repair.kind for repair in repairs] == ["overlap"]
    with pytest.raises(FormatError, match="overlaps 'first'"):
        read_tasks(file, task(annotation(region)))


def test_a_region_without_a_label_is_skipped_and_reported(file: Path) -> None:
    """A mark without a meaning is no span."""
    dataset, repairs = read_tasks(file, task(annotation(ANA | {"labels": []})))

    assert dataset.answer(0).spans == ()
    assert [repair.what for repair in repairs] == ["regions without a label were left out (1)"]


def test_ids_of_the_data_win_if_all_differ(file: Path) -> None:
    """Otherwise the ids of the tasks are taken and those of the data kept as meta."""
    tasks = [task(id=k) | {"data": {"text": TEXT, "id": f"s{k}"}} for k in (1, 2)]
    own, _ = read_tasks(file, *tasks)
    tasks[1]["data"]["id"] = "s1"
    given, _ = read_tasks(file, *tasks)

    assert own.sentences.ids == ("s1", "s2")
    assert given.sentences.ids == ("1", "2")
    assert given.sentences[1].meta == {"id": "s1"}


@pytest.mark.parametrize(
    "data", [{"body": TEXT}, {"body": TEXT, "to": "x"}, {"body": TEXT, "n": 1}]
)
def test_the_text_may_have_another_name(file: Path, data: dict[str, Any]) -> None:
    """The only text, or the one that regions point to, is the text."""
    given = annotation()
    given["result"] = [{"type": "labels", "to_name": "body", "value": ANA}]
    dataset, _ = read_tasks(file, task(given) | {"data": data})

    assert dataset.sentences[0].text == TEXT
    meta = {k: v for k, v in dataset.sentences[0].meta.items() if k != "label_studio"}
    assert meta == {k: v for k, v in data.items() if k != "body"}


@pytest.mark.parametrize(("data", "found"), [({"a": "x", "b": "y"}, "'a', 'b'"), ({}, "no field")])
def test_an_unclear_text_is_refused_with_the_candidates(
    file: Path, data: dict[str, Any], found: str
) -> None:
    """The user is told which field to rename."""
    with pytest.raises(FormatError, match=f"{found}.*expected the text in a field 'text'"):
        read_tasks(file, task() | {"data": data})


def test_completions_of_old_versions_are_read(file: Path) -> None:
    """The list had another name, times were numbers, and users names."""
    old = annotation(ANA, created_at=1609789589, created_username="eric")
    del old["completed_by"]
    dataset, _ = read_tasks(file, {"id": 1, "data": {"text": TEXT}, "completions": [old]})

    assert answers_of(dataset) == {
        ("1", "eric"): Answer("1", "eric", (Span(0, 1, "PER"),), at=1609789589.0)
    }


def test_rows_of_json_min_with_the_same_id_are_answers_to_one_sentence(file: Path) -> None:
    """The short export holds the same answers."""
    shared = {"id": 7, "text": TEXT, "page": 3, "created_at": "1970-01-01T00:00:01Z"}
    rows = [
        shared | {"label": [ANA], "annotator": 1, "annotation_id": 1, "lead_time": 2.5},
        shared | {"annotator": "bo@example.org", "annotation_id": 2},
    ]
    dataset, repairs = read_tasks(file, *rows)

    assert answers_of(dataset) == {
        ("7", "1"): Answer("7", "1", (Span(0, 1, "PER"),), seconds=2.5, at=1.0),
        ("7", "bo@example.org"): Answer("7", "bo@example.org", at=1.0),
    }
    assert dataset.sentences[0].meta == {"page": 3}
    assert repairs == ()


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('[{"id": 1, "annotations": [], "data": {}}]', True),
        ('\n [ {"data": {"text": "a}"}, "completions": [', True),
        ('[{"text": "a", "annotator": 1, "annotation_id": 2}]', True),
        ('[{"id": 1, "words": [], "annotation": []}]', False),
        ('[{"data": {"annotations": 1}}]', False),
        ('{"text": "a", "annotations": []}', False),
        ("", False),
    ],
)
def test_lists_of_annotated_tasks_are_recognised(file: Path, head: str, expected: bool) -> None:
    """Only the fields of the first task count, not what stands inside."""
    assert LabelStudio().recognises(file, head) is expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (annotation({"start": -3, "end": 3, "labels": ["X"]}), "characters -3-3.*outside"),
        (annotation({"start": 2, "end": 2, "labels": ["X"]}), "outside the text"),
        (annotation({"start": "0", "end": 2}), "found field 'start': '0'; expected a whole"),
        (annotation({"start": 3, "end": 4, "labels": ["X"]}), "hold no token"),
        (annotation(ANA | {"labels": [3]}), "a label: 3"),
        (annotation(ANA | {"labels": [""]}), "a label is needed"),
        (annotation(ANA, completed_by=[]), r"'completed_by': \[\]; expected a number"),
        (annotation(lead_time="long"), "field 'lead_time': 'long'"),
        (annotation(result=[3]), "found 3; expected an object"),
        (annotation(result={}), "field 'result'"),
        ("annotation", "a task or annotation: 'annotation'"),
    ],
)
def test_a_broken_annotation_is_refused(file: Path, given: Any, message: str) -> None:
    """Each fault has its own message."""
    with pytest.raises(FormatError, match=message):
        read_tasks(file, task(given))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"{}", "JSON that is not a list"),
        (b"[]", "there are no sentences in it"),
        (b"[3]", "a task: 3; expected an object"),
        (b'[{"id": 1}]', "no field 'data'"),
        (b'[{"id": 1},\n{"id": }]', "line 2: .*not JSON"),
        ('[{"id": "ä"}]'.encode("latin-1"), "line 1: found byte 0xe4"),
    ],
)
def test_a_broken_file_is_refused(file: Path, content: bytes, message: str) -> None:
    """Broken JSON is found on its line."""
    file.write_bytes(content)

    with pytest.raises(FormatError, match=message):
        LabelStudio().read(file, ReadOptions())


def test_two_ground_truths_on_a_sentence_are_refused(file: Path) -> None:
    """Gold is what is true, so there is one."""
    gold = annotation(ANA, ground_truth=True)

    with pytest.raises(FormatError, match="sentence '42' has gold twice"):
        read_tasks(file, task(gold, gold))


def test_a_slip_in_a_rare_label_is_refused(file: Path) -> None:
    """PRE once among many PER is a typing error."""
    tasks = [task(annotation(ANA), id=k) for k in range(20)]
    slip = task(annotation(ANA | {"labels": ["PRE"]}), id=99)

    with pytest.raises(
        FormatError, match=r"label 'PRE' .once., which looks like a slip for 'PER'"
    ):
        read_tasks(file, *tasks, slip)


EXPORT: list[dict[str, Any]] = [
    {
        "id": 311,
        "annotations": [
            {
                "id": 9001,
                "completed_by": {"id": 4, "email": "ana@example.org", "first_name": "Ana"},
                "result": [
                    {
                        "value": ANA,
                        "id": "Xy_9",
                        "from_name": "ner",
                        "to_name": "doc",
                        "type": "labels",
                        "origin": "manual",
                    },
                    {"type": "choices", "value": {"choices": ["sure"]}, "from_name": "c"},
                ],
                "was_cancelled": False,
                "ground_truth": False,
                "created_at": "2026-03-01T10:00:00.123456Z",
                "updated_at": "2026-03-01T10:00:01.000000Z",
                "draft_created_at": None,
                "lead_time": 7.25,
                "prediction": {},
                "result_count": 2,
                "unique_id": "5f-7",
                "parent_prediction": None,
            },
            {"id": 9002, "completed_by": 5, "result": [], "was_cancelled": True},
            {"id": 9003, "completed_by": 6, "result": [], "ground_truth": True},
        ],
        "drafts": [{"id": 1, "result": []}],
        "predictions": [{"id": 2, "model_version": "m1", "result": []}],
        "data": {"doc": TEXT, "url": "https://example.org/1", "n": 3},
        "meta": {"batch": 1},
        "inner_id": 1,
        "total_annotations": 3,
        "project": 12,
        "file_upload": "a.csv",
        "comment_authors": [],
    },
    {"id": 312, "annotations": [], "data": {"doc": "Yes."}, "meta": {}, "project": 12},
]


def round_trip(file: Path, dataset: Dataset) -> list[dict[str, Any]]:
    """Write a data set and return the tasks in the file."""
    LabelStudio().write(dataset, file)
    found: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))
    return found


def test_an_export_comes_back_with_everything_that_was_in_it(file: Path) -> None:
    """Ids, people, names of tags and fields, drafts and predictions of models: nothing moves."""
    dataset, _ = read_tasks(file, *EXPORT)

    assert dataset.sentences.ids == ("311", "312")
    assert round_trip(file, dataset) == EXPORT


def test_new_work_is_put_beside_what_was_there(file: Path) -> None:
    """Changed spans get new regions under the old names; new answers are new annotations."""
    dataset, _ = read_tasks(file, *EXPORT)
    answers = [Answer("311", "ana@example.org", (Span(2, 3, "LOC"),)), Answer("312", "bo")]
    changed = Dataset.of(dataset.sentences, {"311": []}, answers, LabelSet(("LOC", "PER")))
    first, second = round_trip(file, changed)
    (region,) = first["annotations"][0]["result"]

    assert region["value"] == ROME
    assert (region["from_name"], region["to_name"]) == ("ner", "doc")
    assert first["annotations"][0]["completed_by"]["email"] == "ana@example.org"
    assert first["annotations"][1:] == EXPORT[0]["annotations"][1:]
    assert [a["meta"] for a in second["annotations"]] == [{"worker": "bo"}]


def test_an_answer_that_is_gone_is_not_written(file: Path) -> None:
    """What was kept is no answer by itself."""
    dataset, _ = read_tasks(file, *EXPORT)
    first, _ = round_trip(file, dataset.without_answers())

    assert [a["id"] for a in first["annotations"]] == [9002, 9003]


@pytest.mark.parametrize("address", ["x.png", "/data/upload/1/a.JPG", "s3://b/c.wav?x=1"])
def test_an_export_of_pictures_or_sounds_is_refused(file: Path, address: str) -> None:
    """Its address is no sentence."""
    given = {"id": 1, "data": {"image": address}, "annotations": []}

    with pytest.raises(FormatError, match=r"the address of a file.*field 'image'"):
        read_tasks(file, given)
