"""Choices in tables and in spancrew's own format."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from spancrew.core import Answer, Dataset, LabelSet
from spancrew.errors import FormatError, KindError
from spancrew.formats import Reading, formats, formats_for, read, write
from spancrew.formats._sheets import parts_of_sheet, sheet
from spancrew.formats._text import head
from tests.formats.drawn import answers_of
from tests.formats.sheets import chosen, pair, sheets


def read_text(tmp_path: Path, text: str, name: str = "table.csv", **options: Any) -> Reading:
    """Read a table from its text."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read(path, **options)


def labels_of(dataset: Dataset) -> dict[tuple[str, str], list[str]]:
    """Return the labels of every answer by sentence and worker."""
    return {
        (a.sentence, a.worker): [s.label for s in a.spans] for a in answers_of(dataset).values()
    }


def test_a_row_for_each_answer_is_a_table_of_choices(tmp_path: Path) -> None:
    """Columns are known by their names; gold may stand on every row."""
    text = "worker\titem\tresponse\tgold\nw0\t266\t1\t1\nw1\t266\t0\t1\nw0\t7\t1\t0\n"
    dataset, repairs = read_text(tmp_path, text, "rte.tsv")

    assert (dataset.kind, dataset.labels.names, repairs) == ("choices", ("0", "1"), ())
    assert labels_of(dataset) == {("266", "w0"): ["1"], ("266", "w1"): ["0"], ("7", "w0"): ["1"]}
    assert dataset.gold_spans(1) == chosen("0")
    assert dataset.sentences[0].tokens == ("response",)


def test_questions_are_the_tokens_of_a_sheet(tmp_path: Path) -> None:
    """The text stands above them, other columns are kept, and ratings are in order."""
    text = (
        "id,prompt,response_a,response_b,question,worker,rating,topic,seconds\n"
        "p,Hi?,Hello,No,tone,ana,10,small talk,3\n"
        "p,Hi?,Hello,No,truth,ana,9,small talk,\n"
    )
    dataset, _ = read_text(tmp_path, text)
    sentence = dataset.sentences[0]

    assert parts_of_sheet(sentence) == ("Hi?\n\nA:\nHello\n\nB:\nNo", ("tone", "truth"))
    assert sentence.meta == {"topic": "small talk", "prompt": "Hi?", "responses": ["Hello", "No"]}
    assert dataset.labels.names == ("9", "10")
    assert dataset.answer(0).seconds == 3


def test_columns_can_be_named(tmp_path: Path) -> None:
    """Without a worker, a row is gold."""
    text = "key,who,said\n1,ana,yes\n1,,no\n2,ana,no\n"
    wishes = {"id": "key", "worker": "who", "choice": "said"}
    dataset, _ = read_text(tmp_path, text, columns=wishes)

    assert labels_of(dataset) == {("1", "ana"): ["yes"], ("2", "ana"): ["no"]}
    assert dataset.gold_spans(0) == chosen("no")


def test_declared_labels_are_the_order_of_the_scale(tmp_path: Path) -> None:
    """And no other is allowed."""
    text = "id,worker,rating\n1,w,good\n2,w,bad\n"
    dataset, _ = read_text(tmp_path, text, labels=("bad", "fair", "good"))

    assert dataset.labels.names == ("bad", "fair", "good")
    with pytest.raises(FormatError, match="label 'good' is not known"):
        read_text(tmp_path, text, labels=("bad", "fair"))


def test_an_open_question_leaves_the_answer_out(tmp_path: Path) -> None:
    """It is reported; a second answer to a question counts, and is reported, too."""
    text = "id,question,worker,choice\n1,a,w,x\n1,b,w,x\n1,a,v,y\n1,a,w,y\n"
    dataset, repairs = read_text(tmp_path, text)

    assert labels_of(dataset) == {("1", "w"): ["y", "x"]}
    assert [(repair.kind, repair.place.line) for repair in repairs] == [
        ("repeated", 5),
        ("open", 4),
    ]
    assert "worker 'v': 'b' is left open" in repairs[1].what


@pytest.mark.parametrize(
    ("text", "columns", "said"),
    [
        ("a,b\n1,2\n", {"choice": "b"}, "no column looks like the id or the text"),
        ("id,worker\n1,2\n", {"question": "worker"}, "no column looks like the choice"),
        ("id,worker,choice\n1,2,[]\n", {"choice": "vote"}, "there is no column 'vote'"),
    ],
)
def test_a_column_that_is_missing_is_named(
    tmp_path: Path, text: str, columns: dict[str, str], said: str
) -> None:
    """With what is there instead."""
    with pytest.raises(FormatError, match=said):
        read_text(tmp_path, text, columns=columns)


@pytest.mark.parametrize(
    "text",
    [
        'text,worker,answer\nYes.,w,"[[0,3,""A""]]"\n',
        "text,worker,start,end,label\nYes.,w,0,3,A\n",
        "text,label\nYes.,A\n",
    ],
)
def test_tables_of_spans_stay_what_they_are(tmp_path: Path, text: str) -> None:
    """A cell with spans, borders, or a class without a worker is no choice."""
    assert read_text(tmp_path, text).dataset.kind == "spans"


def test_json_records_are_read_as_any_table(tmp_path: Path) -> None:
    """Numbers and truth values become labels."""
    text = '{"item": 3, "worker": 1, "choice": true}\n{"item": 3, "worker": 2, "choice": false}\n'
    dataset, _ = read_text(tmp_path, text, "votes.json")

    assert labels_of(dataset) == {("3", "1"): ["true"], ("3", "2"): ["false"]}


@given(dataset=sheets())
@pytest.mark.parametrize("file", ["data.jsonl", "data.csv", "data.parquet"])
def test_choices_come_back_from_files(
    file: str, dataset: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Texts, questions, labels, answers and gold; tables report labels that nobody used."""
    path = tmp_path_factory.mktemp("choices") / file
    write(dataset, path)
    back, repairs = read(
        path,
        labels=dataset.labels.names,
    )

    assert repairs == ()
    assert (back.kind, back.sentences) == ("choices", dataset.sentences)
    assert answers_of(back) == answers_of(dataset)
    assert back.gold == dataset.gold


@pytest.mark.parametrize("name", sorted(formats_for("choices").keys()))
def test_written_choices_are_recognised(name: str, tmp_path: Path) -> None:
    """By the format that wrote them, and by no other."""
    suffix = next(iter(formats()[name].suffixes), ".json")
    path = tmp_path / f"data{suffix}"
    write(pair(), path, name)
    found = [n for n, format_ in formats().items() if format_.recognises(path, head(path))]

    assert found == [name]
    assert read(path, name).dataset.kind == "choices"


@pytest.mark.parametrize(
    "name", sorted(formats_for("spans").keys() - formats_for("choices").keys())
)
def test_a_format_of_spans_refuses_choices(name: str, tmp_path: Path) -> None:
    """It names those that hold them; nothing is written."""
    with pytest.raises(KindError, match=r"has no place for choices; write .*spancrew"):
        write(pair(), tmp_path / "data", name)

    assert list(tmp_path.iterdir()) == []


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    """The header says what the answers are made of."""
    with pytest.raises(FormatError, match="kind 'boxes'; expected spans or choices"):
        read_text(tmp_path, '{"spancrew":1,"labels":[],"kind":"boxes"}\n', "data.jsonl")


def test_a_data_set_of_choices_has_no_open_question() -> None:
    """Neither in gold nor in an answer."""
    made = sheet("s", "", ["a", "b"], {})

    with pytest.raises(ValueError, match="sentence 's': gold leaves question 1 open"):
        Dataset.of([made], {"s": chosen("x")}, kind="choices")
    with pytest.raises(ValueError, match="sentence 's': an answer leaves question 0 open"):
        Dataset.of([made], {}, [Answer("s", "w", ())], LabelSet(("x",)), "choices")


def test_a_part_of_choices_is_of_choices() -> None:
    """Whatever is taken from a data set stays what it is."""
    dataset = pair()

    assert dataset.take(dataset.answers.sentence).kind == "choices"
    assert dataset.without_answers().kind == "choices"
    assert "choices A, B, tie" in repr(dataset)
