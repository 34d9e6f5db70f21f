"""The oei format: JSON lines with offsets in characters, gold and crowd in two files."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.errors import FormatError
from spancrew.formats._base import ReadOptions
from spancrew.formats._collected import Collected
from spancrew.formats._oei import Oei
from tests.strategies import LABELS, span_sets

TEXT = "今天天气很好"


def mark(start: int, end: int, label: str = "POS", **more: Any) -> dict[str, Any]:
    """Return an annotation."""
    return {"label": label, "start_offset": start, "end_offset": end, **more}


def line(*marks: Any, id_: Any = 1, text: str = TEXT, **more: Any) -> dict[str, Any]:
    """Return a record."""
    return {"id": id_, "text": text, "annotations": list(marks), **more}


def saved(folder: Path, *records: Any, name: str = "dev-crowd.json") -> Path:
    """Write records, one per line; a record that is text is written as it is."""
    path = folder / name
    rows = [each if isinstance(each, str) else json.dumps(each) for each in records]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def refusal(path: Path, options: ReadOptions | None = None) -> FormatError:
    """Return the error that reading the file raises."""
    with pytest.raises(FormatError) as caught:
        Oei().read(path, options or ReadOptions())
    return caught.value


def test_answers_are_joined_with_the_gold_beside_them(tmp_path: Path) -> None:
    """Each user has one answer per sentence; the order of spans does not matter."""
    saved(tmp_path, line(mark(0, 2)), name="dev.json")
    marks = [mark(4, 6, user=7), mark(2, 4, "NEG", user=8), mark(0, 2, user=7)]

    dataset, repairs = Oei().read(saved(tmp_path, line(*marks, bestUsers=[7])), ReadOptions())

    assert dataset.sentences[0].tokens == tuple(TEXT)
    assert dataset.sentences[0].meta == {"bestUsers": [7]}
    assert dataset.gold_spans(0) == (Span(0, 2, "POS"),)
    assert list(dataset.answers_on(0)) == [
        Answer("1", "7", (Span(0, 2, "POS"), Span(4, 6, "POS"))),
        Answer("1", "8", (Span(2, 4, "NEG"),)),
    ]
    assert repairs == ()


def test_gold_alone_is_gold_only(tmp_path: Path) -> None:
    """A file without users holds gold; no annotations at all is gold, too."""
    path = saved(tmp_path, line(mark(0, 2)), "", line(id_="b"), name="dev.json")

    dataset, _ = Oei().read(path, ReadOptions())

    assert dataset.sentences.ids == ("1", "b")
    assert (dataset.gold_spans(0), dataset.gold_spans(1)) == ((Span(0, 2, "POS"),), ())
    assert dataset.workers == ()


def test_both_files_may_lack_sentences_of_the_other(tmp_path: Path) -> None:
    """What only the gold has is read without answers, what only the crowd has without gold."""
    saved(tmp_path, line(mark(0, 1), id_=1), line(id_=3, page=9), name="dev.json")
    path = saved(tmp_path, line(mark(0, 1, user=1), id_=2), line(id_=1))

    dataset, repairs = Oei().read(path, ReadOptions())

    assert dataset.sentences.ids == ("2", "1", "3")
    assert dataset.has_gold.tolist() == [False, True, True]
    assert dataset.sentences[2].meta == {"page": 9}
    assert [(r.kind, r.what) for r in repairs] == [
        ("gold", "1 sentence not in dev.json: read without gold")
    ]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("dev-crowd.json", "no file dev.json with gold beside it: read without gold"),
        ("answers.jsonl", "the name does not end with -crowd.json: read without gold"),
    ],
)
def test_answers_without_gold_are_read_and_noted(tmp_path: Path, name: str, what: str) -> None:
    """Users in the file make it a crowd file, whatever its name."""
    path = saved(tmp_path, line(), line(mark(0, 1, user="ana"), id_=2), name=name)

    dataset, repairs = Oei().read(path, ReadOptions())

    assert (len(dataset), dataset.workers) == (2, ("ana",))
    assert not dataset.has_gold.any()
    assert [(r.kind, r.what) for r in repairs] == [("gold", what)]


def test_offsets_of_minus_one_say_that_there_is_nothing_to_mark(tmp_path: Path) -> None:
    """It is an empty answer, without any repair, in the crowd and in the gold."""
    saved(tmp_path, line(mark(-1, -1)), name="dev.json")

    dataset, repairs = Oei().read(saved(tmp_path, line(mark(-1, -1, user=7))), ReadOptions())

    assert dataset.gold_spans(0) == ()
    assert list(dataset.answers_on(0)) == [Answer("1", "7", ())]
    assert repairs == ()


def test_nothing_to_mark_beside_a_span_is_noted(tmp_path: Path) -> None:
    """The spans count."""
    saved(tmp_path, line(), name="dev.json")
    path = saved(tmp_path, line(mark(-1, -1, user=7), mark(0, 2, user=7)))

    dataset, repairs = Oei().read(path, ReadOptions())

    assert dataset.answer(0).spans == (Span(0, 2, "POS"),)
    assert [(r.kind, r.place.line, r.what) for r in repairs] == [
        (
            "empty-mark",
            1,
            "sentence '1', worker '7': says both nothing to mark and 1 span; the spans were kept",
        )
    ]


def test_the_longest_of_overlapping_spans_is_kept(tmp_path: Path) -> None:
    """Between equals the left one is kept, in whatever order they stand."""
    marks = [mark(1, 3), mark(0, 2), mark(3, 6, "NEG"), mark(4, 5)]

    for order in (marks, marks[::-1]):
        path = saved(tmp_path, line(*order), name="dev.json")
        dataset, repairs = Oei().read(path, ReadOptions())

        assert dataset.gold_spans(0) == (Span(0, 2, "POS"), Span(3, 6, "NEG"))
        assert [repair.kind for repair in repairs] == ["overlap", "overlap"]


def test_overlaps_can_be_settled_otherwise(tmp_path: Path) -> None:
    """The first one in the file is kept, or the file refused, if that is asked for."""
    path = saved(tmp_path, line(mark(1, 3), mark(0, 2)), name="dev.json")

    dataset, _ = Oei().read(path, ReadOptions(overlaps="first"))

    assert dataset.gold_spans(0) == (Span(1, 3, "POS"),)
    assert "spans 0-2 POS and 1-3 POS overlap" in str(refusal(path, ReadOptions("error")))


def test_a_border_inside_a_character_is_widened_and_noted(tmp_path: Path) -> None:
    """An emoji of two code points is one token."""
    path = saved(tmp_path, line(mark(1, 2), text="好👍🏽 啊"), name="dev.json")

    dataset, repairs = Oei().read(path, ReadOptions())

    assert dataset.gold_spans(0) == (Span(1, 2, "POS"),)
    assert [(r.kind, r.what) for r in repairs] == [
        ("border", "gold of sentence '1': characters 1-2 cut a token, widened to '👍🏽'")
    ]


def test_outer_blanks_do_not_count(tmp_path: Path) -> None:
    """A span that takes a blank along is the span without it."""
    path = saved(tmp_path, line(mark(0, 2), text="好 啊"), name="dev.json")

    dataset, repairs = Oei().read(path, ReadOptions())

    assert dataset.gold_spans(0) == (Span(0, 1, "POS"),)
    assert repairs == ()


def test_words_can_be_asked_for(tmp_path: Path) -> None:
    """Offsets in characters become offsets in words."""
    path = saved(tmp_path, line(mark(4, 8), text="Ana left Rome"), name="dev.json")

    dataset, _ = Oei().read(path, ReadOptions(unit="words"))

    assert dataset.gold_spans(0) == (Span(1, 2, "POS"),)


def test_unknown_fields_of_annotations_are_noted_once(tmp_path: Path) -> None:
    """They have no place in a span."""
    path = saved(tmp_path, line(mark(0, 1, sure=1), mark(2, 3, sure=0)), name="dev.json")

    _, repairs = Oei().read(path, ReadOptions())

    assert [(r.kind, r.what) for r in repairs] == [
        ("field", "field 'sure' of 2 annotations left out: it is not known")
    ]


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (line(mark(-3, 2, user=7)), "worker '7': start_offset -3 and end_offset 2; expected 0 <="),
        (line(mark(-1, 2, user=7)), "start_offset -1 and end_offset 2; expected 0 <="),
        (line(mark(2, 2, user=7)), "start_offset 2 and end_offset 2; expected 0 <="),
        (line(mark(4, 7, user=7)), "<= 6 (characters of the text), or -1 and -1 where there"),
        (line(mark(1, 2, user=7), text="好 啊"), "characters 1-2 hold no token"),
        (line(mark(0, 2)), "sentence '1': an annotation without user ({'label': 'POS'"),
        (line(mark(0, 2, user=1.5)), "found user: 1.5; expected a whole number or text"),
        (line(mark(0, 2, "", user=7)), "a label is needed"),
        (line({**mark(0, 2, user=7), "label": 3}), "found the label 3, a number of doccano's own"),
        (line({"label": "POS", "user": 7}), "found no field 'start_offset'"),
        (line("POS"), "found 'POS'; expected an object with the field 'label'"),
        (line(id_=None), "found field 'id': None; expected a whole number or text"),
        (line(id_=0), "sentence '0' is there twice"),
        (line(text=" "), "sentence '1' has no tokens"),
        ({"id": 1, "text": "好"}, "found no field 'annotations' (fields: 'id', 'text')"),
        ("[1]", "found [1]; expected an object with the field 'text'"),
        ('{"id": 1, "text', "found text that is not JSON at column 11"),
    ],
)
def test_broken_lines_are_refused_with_file_and_line(
    tmp_path: Path, broken: Any, problem: str
) -> None:
    """The message names the place, what was found and what was expected."""
    saved(tmp_path, line(id_=0), name="dev.json")
    path = saved(tmp_path, line(id_=0), broken)

    error = refusal(path)

    assert (error.place.path, error.place.line) == (str(path), 2)
    assert problem in str(error)


def test_bad_json_is_refused_at_its_line(tmp_path: Path) -> None:
    """A slip on line 731 is found there."""
    rows: list[Any] = [line(id_=k) for k in range(900)]
    rows[730] = json.dumps(rows[730]).replace("}", "")

    error = refusal(saved(tmp_path, *rows, name="train.json"))

    assert error.place.line == 731
    assert "found text that is not JSON" in str(error)


def test_gold_with_another_text_is_refused_or_left_out(tmp_path: Path) -> None:
    """Offsets would point at something else; every such sentence is named."""
    rows = [line(id_=k) for k in range(14)]
    saved(tmp_path, *(row | {"text": "今天别的"} for row in rows[:12]), rows[12], name="dev.json")
    crowd = saved(tmp_path, *rows)
    error = str(refusal(crowd))
    dataset, repairs = Oei().read(crowd, ReadOptions(skip_unequal=True))

    assert "dev-crowd.json, line 1: sentence '0': the text of its gold" in error
    assert "dev.json, line 1) differs from character 2: '别的' instead of '天气很好'" in error
    assert "line 10: sentence '9'" in error
    assert "and 2 more; mend them; or leave out what differs (skip_unequal)" in error
    assert dataset.sentences.ids == ("12", "13")
    assert [repair.kind for repair in repairs].count("unequal") == 12


def test_gold_is_refused_if_it_has_users_or_an_id_twice(tmp_path: Path) -> None:
    """The place is that of the gold."""
    gold = saved(tmp_path, line(mark(0, 1, user=7)), name="dev.json")
    with_user = refusal(saved(tmp_path, line()))
    saved(tmp_path, line(), line(), name="dev.json")
    twice = refusal(tmp_path / "dev-crowd.json")

    assert (
        str(with_user)
        == f"{gold}, line 1: found gold with a user (7); expected gold without users"
    )
    assert str(twice) == f"{gold}, line 2: found id '1' again; expected each id once"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the file is empty"),
        (b"\n\n", "there are no sentences in it"),
        ('{"id": 1, "text": "caf\xe9"}'.encode("latin-1"), "line 1: found byte 0xe9 at column"),
    ],
)
def test_files_that_are_no_text_are_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    """Empty files and other encodings are named."""
    path = tmp_path / "dev.json"
    path.write_bytes(content)

    assert problem in str(refusal(path))


def test_a_byte_order_mark_and_other_line_ends_do_not_matter(tmp_path: Path) -> None:
    """Both come from other systems."""
    path = tmp_path / "dev.json"
    rows = "\r\n".join(json.dumps(line(mark(0, 1), id_=k)) for k in range(2))
    path.write_bytes(b"\xef\xbb\xbf" + rows.encode())

    assert len(Oei().read(path, ReadOptions()).dataset) == 2


@st.composite
def character_datasets(draw: st.DrawFn) -> Dataset:
    """Draw sentences cut into characters, with gold on all and answers on some."""
    texts = st.text(st.sampled_from("好天气👍🏽é a"), min_size=1).filter(str.strip)
    made = [
        Sentence.from_text(str(k), text, "characters", {"bestUsers": [k]})
        for k, text in enumerate(draw(st.lists(texts, min_size=1, max_size=3)))
    ]
    gold = {sentence.id: draw(span_sets(len(sentence))) for sentence in made}
    answers = [
        Answer(sentence.id, worker, draw(span_sets(len(sentence))))
        for sentence in made
        for worker in draw(st.sets(st.sampled_from(["1", "22", "3"])))
    ]
    return Dataset.of(made, gold, answers, LABELS)


@given(character_datasets())
def test_gold_and_answers_survive_the_round_trip(dataset: Dataset) -> None:
    """Two files hold everything; empty answers stay answers."""
    with tempfile.TemporaryDirectory() as folder:
        Oei().write(dataset, Path(folder, "x.json"))
        Oei().write(dataset, Path(folder, "x-crowd.json"))
        path = Path(folder, "x-crowd.json")
        back, repairs = Oei().read(path, ReadOptions(labels=dataset.labels))

    assert back.sentences == dataset.sentences
    assert back.gold == dataset.gold
    assert [list(back.answers_on(k)) for k in range(len(back))] == [
        list(dataset.answers_on(k)) for k in range(len(dataset))
    ]
    assert repairs == ()


def test_what_each_file_cannot_hold_is_counted(tmp_path: Path) -> None:
    """The gold file leaves out answers, the crowd file gold; words are cut again."""
    sentences = [Sentence.from_tokens(id_, ["Ana", "left"], {"id": 0}) for id_ in ("a", "b")]
    dataset = Dataset.of(sentences, {"a": [Span(0, 1, "X")]}, [Answer("a", "w", (), seconds=1.0)])

    of_gold = Oei().write(dataset, tmp_path / "x.json")
    of_crowd = Oei().write(dataset, tmp_path / ".x-crowd.json.part")

    assert [repair.what.split(":")[0] for repair in of_gold] == [
        "1 answer",
        "1 sentence without gold",
        "2 sentences with meta",
        "2 sentences with tokens longer than a character",
    ]
    assert [repair.what.split(":")[0] for repair in of_crowd] == [
        "1 sentence with gold",
        "1 answer with seconds, time or source",
        "1 label without spans",
        "2 sentences with meta",
        "2 sentences with tokens longer than a character",
    ]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (json.dumps(line(mark(0, 1))) + "\n{", True),
        (json.dumps(line()), True),
        (json.dumps(line(mark(0, 1)))[:-1], True),
        ('{"id": 1, "text": "a", "label": [[0, 1, "X"]]}', False),
        ('{"id": 1, "text": "a", "entities": [], "annotations": []}', False),
        ('{"text": "a", "annotations": [{"result": []}]}', False),
        ('{"text": "a", "annotations": [3]}', False),
        ('{"spancrew": 1, "labels": []}', False),
        ("[1]", False),
        ("Ana B-PER", False),
    ],
)
def test_lines_with_offsets_are_recognised(tmp_path: Path, head: str, expected: bool) -> None:
    """Other JSON is not, and what is oei is not collected."""
    path = saved(tmp_path, head, name="x.json")

    assert Oei().recognises(path, head) is expected
    assert not Collected().recognises(path, head)


@pytest.mark.realdata
def test_the_crowd_of_the_development_part_is_read_whole(real_data: Path) -> None:
    """Users who marked nothing have an answer; 13 of them and 4 in gold marked something, too."""
    dataset, repairs = Oei().read(real_data / "oei" / "dev-crowd.json", ReadOptions())

    assert (len(dataset), len(dataset.workers), len(dataset.answers)) == (803, 70, 3427)
    assert dataset.has_gold.all()
    assert [repair.kind for repair in repairs] == ["empty-mark"] * 17


@pytest.mark.realdata
def test_most_answers_of_the_real_crowd_differ_from_gold(real_data: Path) -> None:
    """It is 2512 of 3427 (73.3 %) as spans of characters.

    Compared by raw offsets it would be 2514: one answer differs from its gold only by a mark
    of nothing beside spans, one only by a blank at the end of a span.
    """
    dataset, _ = Oei().read(real_data / "oei" / "dev-crowd.json", ReadOptions())

    differing = sum(
        dataset.answer(k).spans != dataset.gold_spans(int(dataset.answers.sentence[k]))
        for k in range(len(dataset.answers))
    )

    assert differing == 2512


@pytest.mark.realdata
@pytest.mark.parametrize(("name", "sentences"), [("dev", 803), ("train", 8047)])
def test_the_gold_files_are_read_whole(real_data: Path, name: str, sentences: int) -> None:
    """All sentences have gold and none has answers."""
    dataset, _ = Oei().read(real_data / "oei" / f"{name}.json", ReadOptions())

    assert len(dataset) == sentences
    assert dataset.has_gold.all()
    assert len(dataset.answers) == 0
