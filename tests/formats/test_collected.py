"""The collected format: a JSON list of sentences with parallel lists of tags."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from spancrew.core import Answer, Dataset, LabelSet, Sentence, Span
from spancrew.errors import FormatError
from spancrew.formats._base import ReadOptions
from spancrew.formats._collected import Collected
from tests.strategies import datasets


def record(**changes: Any) -> dict[str, Any]:
    """Return a sound record with some fields changed."""
    sound = {
        "id": 11,
        "filename": "one.txt",
        "idx_in_file": 3,
        "words": ["Ana", "left", "Rome"],
        "expert_annotation": ["B-PER", "O", "B-LOC"],
        "worker_ids": [4, 30],
        "worker_annotations": [["B-PER", "O", "O"], ["O", "O", "O"]],
    }
    return sound | changes


def saved(folder: Path, records: list[Any] | str) -> Path:
    """Write records, one per line, or a text as it is."""
    path = folder / "collected.json"
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in records)
    path.write_text(records if isinstance(records, str) else f"[\n{lines}\n]", encoding="utf-8")
    return path


def refusal(path: Path) -> FormatError:
    """Return the error that reading the file raises."""
    with pytest.raises(FormatError) as caught:
        Collected().read(path, ReadOptions())
    return caught.value


def test_a_record_becomes_a_sentence_with_gold_and_answers(tmp_path: Path) -> None:
    """Ids become text and every field that is not ours goes to meta."""
    dataset, repairs = Collected().read(saved(tmp_path, [record()]), ReadOptions())

    sentence = dataset.sentences[0]
    assert (sentence.id, sentence.tokens) == ("11", ("Ana", "left", "Rome"))
    assert sentence.meta == {"filename": "one.txt", "idx_in_file": 3}
    assert dataset.gold_spans(0) == (Span(0, 1, "PER"), Span(2, 3, "LOC"))
    assert list(dataset.answers_on(0)) == [
        Answer("11", "4", (Span(0, 1, "PER"),)),
        Answer("11", "30", ()),
    ]
    assert repairs == ()


def test_gold_and_answers_may_be_absent(tmp_path: Path) -> None:
    """Without expert_annotation the gold is not known."""
    path = saved(tmp_path, [record(), {"id": "x", "words": ["Hm"], "expert_annotation": None}])

    dataset, _ = Collected().read(path, ReadOptions())

    assert dataset.gold_spans(1) is None
    assert list(dataset.answers_on(1)) == []


def test_a_stray_tag_is_mended_and_noted(tmp_path: Path) -> None:
    """The note names record, sentence, worker and token."""
    odd = record(worker_ids=[4], worker_annotations=[["O", "I-PER", "O"]])

    dataset, repairs = Collected().read(saved(tmp_path, [odd]), ReadOptions())

    assert dataset.answer(0).spans == (Span(1, 2, "PER"),)
    assert [(r.kind, r.place.line, r.what) for r in repairs] == [
        ("tag", 2, "record 1 (sentence '11'), worker '4', token 1: I-PER read as B-PER")
    ]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"expert_annotation": ["O"]},
            "record 2 (sentence '11'), gold: 1 tag for 3 words; expected one tag per word",
        ),
        (
            {"worker_annotations": [["O", "O", "O"], ["O", "O"]]},
            "record 2 (sentence '11'), worker '30': 2 tags for 3 words; expected one tag per word",
        ),
        (
            {"worker_ids": [4]},
            "record 2 (sentence '11'): 1 worker_id and 2 lists in worker_annotations; expected",
        ),
        ({"worker_ids": [4, "4"]}, "record 2 (sentence '11'): worker '4' twice; expected each"),
        ({"worker_ids": [4, None]}, "record 2 (sentence '11'), a worker_id: None; expected a"),
        (
            {"worker_annotations": [["O", "LOC", "O"], ["O"] * 3]},
            "record 2 (sentence '11'), worker '4', tag 'LOC'; expected O, or a position",
        ),
        ({"worker_annotations": [None, ["O"] * 3]}, "worker '4': None for 3 words"),
        ({"expert_annotation": ["O", 7, "O"]}, "gold, a tag: 7; expected text"),
        ({"words": ["Ana", 5, "Rome"]}, "a word: 5; expected text"),
        ({"words": ["Ana", " ", "Rome"]}, "sentence '11': token 1 is blank"),
        ({"words": []}, "sentence '11' has no tokens"),
        ({"id": None}, "record 2: field 'id': None; expected a whole number or text"),
        ({"id": 10}, "sentence '10' is there twice"),
    ],
)
def test_records_that_do_not_fit_are_refused_by_name(
    tmp_path: Path, changes: dict[str, Any], problem: str
) -> None:
    """The message names line, record, sentence and worker."""
    path = saved(tmp_path, [record(id=10), record(**changes)])

    error = refusal(path)

    assert (error.place.path, error.place.line) == (str(path), 3)
    assert problem in str(error)


def test_bad_json_is_refused_at_its_line(tmp_path: Path) -> None:
    """A slip on line 731 is found there."""
    lines = [json.dumps(record(id=k)) for k in range(900)]
    lines[729] = lines[729].replace('"words": [', '"words": ')
    path = saved(tmp_path, "[\n" + ",\n".join(lines) + "\n]")

    error = refusal(path)

    assert error.place.line == 731
    assert "text that is not JSON at column" in str(error)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the file is empty"),
        ("[]", "there are no sentences in it"),
        ("{}", "found JSON that is not a list; expected a list of records"),
        ('[{"words": ["a"], "id": 1},]', "found text that is not JSON at column 2"),
        ('[{"words": ["a"], "id": 1} {}]', "found text that is not JSON at column 28"),
        ('[{"words": ["a"], "id": 1}', "found text that is not JSON at column 27"),
        ('[{"words": ["a"], "id": 1}] x', "found text that is not JSON at column 29"),
        ("[3]", "found 3; expected an object with the field 'words'"),
        ("[{}]", "found no field 'words' (fields: none)"),
    ],
)
def test_what_is_not_a_list_of_records_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    """Broken lists are found wherever they break."""
    assert problem in str(refusal(saved(tmp_path, text)))


def test_a_label_that_looks_like_a_slip_is_refused(tmp_path: Path) -> None:
    """One PRE among many PER is a slip."""
    many = [record(id=k) for k in range(30)]

    error = refusal(saved(tmp_path, [*many, record(id=99, expert_annotation=["B-PRE", "O", "O"])]))

    assert error.place.line == 32
    assert "found label 'PRE' (once), which looks like a slip for 'PER'" in str(error)


def comparable(dataset: Dataset) -> list[Any]:
    """Return everything that the format holds, whatever the order of workers."""
    return [
        (sentence, dataset.gold_spans(position), list(dataset.answers_on(position)))
        for position, sentence in enumerate(dataset.sentences)
    ]


@given(datasets())
def test_everything_held_survives_the_round_trip(dataset: Dataset) -> None:
    """Sentences, meta, gold and answers come back as they were, in order."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "collected.json")
        Collected().write(dataset, path)
        back, repairs = Collected().read(path, ReadOptions(labels=dataset.labels))

    assert comparable(back) == comparable(dataset)
    assert repairs == ()


def test_numbers_stay_numbers_and_names_stay_names(tmp_path: Path) -> None:
    """Ids are written as numbers only if all of them are."""
    path = tmp_path / "collected.json"
    sentences = [Sentence.from_tokens(id_, ["a"], {"page": 2}) for id_ in ("1", "20")]
    answers = [Answer("1", "7"), Answer("1", "07")]

    Collected().write(Dataset.of(sentences, None, answers), path)

    assert json.loads(path.read_text()) == [
        {
            "id": 1,
            "page": 2,
            "words": ["a"],
            "worker_ids": ["7", "07"],
            "worker_annotations": [["O"], ["O"]],
        },
        {"id": 20, "page": 2, "words": ["a"], "worker_ids": [], "worker_annotations": []},
    ]


def test_what_it_cannot_hold_is_counted(tmp_path: Path) -> None:
    """Times, clashing meta, other texts and unused labels are left out with a word."""
    sentence = Sentence("1", "ab", ((0, 1), (1, 2)), {"words": 2})
    answer = Answer("1", "w", (), at=5.0)
    dataset = Dataset.of([sentence], None, [answer], LabelSet(("X",)))

    lost = Collected().write(dataset, tmp_path / "collected.json")

    assert [repair.what.split(":")[0] for repair in lost] == [
        "1 sentence with meta",
        "1 original text",
        "1 answer with seconds, time or source",
        "1 label without spans",
    ]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (json.dumps([record()]), True),
        ('[{"id": 1, "words": ["a"], "expert_annotation": ["O"]}]', True),
        ('[{"id": 1, "data": {"text": "a"}, "annotations": [{"result": []}]}]', False),
        (json.dumps(record()), False),
        ("Ana B-PER\n", False),
    ],
)
def test_a_list_with_words_and_tags_is_recognised(
    tmp_path: Path, head: str, expected: bool
) -> None:
    """Other lists and other JSON are not."""
    assert Collected().recognises(saved(tmp_path, head), head) is expected


@pytest.mark.realdata
def test_the_conll_crowd_is_read_whole(real_data: Path) -> None:
    """Counts are those of the paper; 38 stray tags of workers are mended."""
    path = real_data / "conll-crowd" / "collected.json"

    dataset, repairs = Collected().read(path, ReadOptions())

    assert len(dataset) == 4580
    assert len(dataset.workers) == 47
    assert len(dataset.answers) == 16475
    assert dataset.has_gold.all()
    assert [repair.kind for repair in repairs] == ["tag"] * 38


@pytest.mark.realdata
def test_the_conll_crowd_survives_the_round_trip(real_data: Path, tmp_path: Path) -> None:
    """Nothing of the real data is lost on the way out and in again."""
    dataset, _ = Collected().read(real_data / "conll-crowd" / "collected.json", ReadOptions())

    lost = Collected().write(dataset, tmp_path / "collected.json")
    back, repairs = Collected().read(tmp_path / "collected.json", ReadOptions())

    assert back == dataset
    assert (lost, repairs) == ((), ())
