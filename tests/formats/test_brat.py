"""brat's standoff: folders of texts and annotations, for all or for each annotator."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.errors import FormatError
from spancrew.formats import Reading, ReadOptions, read, recognise
from spancrew.formats._brat import Brat
from tests.formats.drawn import full_datasets, gold_of, spans_of
from tests.spread import often

TEXT = "Ana left Rome.\nBo slept in New York.\n"
ANN = "T1\tPER 0 3\tAna\nT2\tLOC 27 35\tNew York\n"


def read_folder(path: Path, files: dict[str, str], **options: Any) -> Reading:
    """Write files and read the folder."""
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text, encoding="utf-8", newline="")
    return read(path, **options)


def flat(dataset: Dataset) -> Dataset:
    """Return what brat can hold of the sentences: texts on one line, cut anew."""
    sentences = [
        Sentence.from_text(s.id, s.text.strip().replace("\r", " ").replace("\n", " "))
        for s in dataset.sentences
    ]
    return Dataset.of(sentences)


@settings(max_examples=often(20, 60))
@given(dataset=full_datasets())
def test_texts_gold_and_spans_come_back_by_their_characters(
    dataset: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Tokens are cut again; names that no file can have are encoded."""
    path = tmp_path_factory.mktemp("brat") / "data"
    lost = Brat().write(dataset, path)
    back, _ = Brat().read(path, ReadOptions(overlaps="first"))
    words = " ".join(repair.what for repair in lost)

    assert {s.id: s for s in back.sentences} == {s.id: s for s in flat(dataset).sentences}
    if "tokens of its own" not in words and "text" not in words:
        assert gold_of(back) == gold_of(dataset)
        assert spans_of(back) == spans_of(dataset)
    assert spans_of(back).keys() == spans_of(dataset).keys()
    assert {k for k, g in gold_of(back).items() if g is None} == {
        k for k, g in gold_of(dataset).items() if g is None
    }


def test_one_folder_for_all_is_gold_line_by_line(tmp_path: Path) -> None:
    """A document without .ann was not annotated, an empty .ann marks nothing."""
    files = {
        "doc.txt": TEXT,
        "doc.ann": ANN,
        "none.txt": "Yes.",
        "zero.txt": "No.",
        "zero.ann": "",
    }
    dataset, repairs = read_folder(tmp_path, files)

    assert recognise(tmp_path).name == "brat"
    assert gold_of(dataset) == {
        "doc:1": (Span(0, 1, "PER"),),
        "doc:2": (Span(3, 5, "LOC"),),
        "none": None,
        "zero": (),
    }
    assert dataset.sentences[1].meta == {"document": "doc", "start": 15}
    assert repairs == ()


def test_a_folder_per_annotator_is_a_worker_and_gold_is_named_so(tmp_path: Path) -> None:
    """Texts may stand beside the annotations, or once for all."""
    files = {
        "doc.txt": TEXT,
        "gold/doc.txt": TEXT,
        "gold/doc.ann": ANN,
        "ana/doc.txt": TEXT,
        "ana/doc.ann": "T1\tLOC 9 13\tRome\n",
        "bo/doc.ann": "",
    }
    dataset, _ = read_folder(tmp_path, files)

    assert recognise(tmp_path).name == "brat"
    assert gold_of(dataset)["doc:1"] == (Span(0, 1, "PER"),)
    assert spans_of(dataset) == {
        ("doc:1", "ana"): (Span(2, 3, "LOC"),),
        ("doc:2", "ana"): (),
        ("doc:1", "bo"): (),
        ("doc:2", "bo"): (),
    }


def test_other_annotations_are_counted(tmp_path: Path) -> None:
    """Relations, events, attributes, notes."""
    more = (
        "R1\tIn Arg1:T1 Arg2:T2\nE1\tMove:T1\nA1\tSure T1\n#1\tAnnotatorNotes T1\thm\n*\tEq T1\n"
    )
    _, repairs = read_folder(tmp_path, {"doc.txt": TEXT, "doc.ann": ANN + more})

    assert sorted(r.what for r in repairs) == [
        "attributes were left out (1)",
        "events were left out (1)",
        "notes were left out (1)",
        "relations were left out (2)",
    ]


PIECES = {"doc.txt": "the red and blue cars", "doc.ann": "T1\tCAR 4 7;17 21\tred cars\n"}


def test_a_span_in_several_pieces_is_refused_split_or_filled(tmp_path: Path) -> None:
    """The message names both ways out."""
    with pytest.raises(
        FormatError, match=r"doc\.ann, line 1: CAR is in 2 pieces \(gaps at 7-17\)"
    ):
        read_folder(tmp_path, PIECES)
    split, _ = read(tmp_path, discontinuous="split")
    whole, _ = read(tmp_path, discontinuous="whole")

    assert gold_of(split) == {"doc": (Span(1, 2, "CAR"), Span(4, 5, "CAR"))}
    assert gold_of(whole) == {"doc": (Span(1, 5, "CAR"),)}


def test_pieces_on_both_sides_of_a_line_end_are_one_span(tmp_path: Path) -> None:
    """They are written so; the sentence has to hold both lines."""
    files = {"doc.txt": "in New\nYork", "doc.ann": "T1\tLOC 3 6;7 11\tNew York\n"}

    with pytest.raises(FormatError, match=r"not inside one sentence.*split 'paragraphs'"):
        read_folder(tmp_path, files)
    dataset, _ = read(tmp_path, split="paragraphs")

    assert gold_of(dataset) == {"doc": (Span(1, 3, "LOC"),)}


def test_line_ends_and_emoji_count_as_characters(tmp_path: Path) -> None:
    """Carriage returns do, too."""
    files = {"doc.txt": "👍 Ana\r\nin Rome", "doc.ann": "T1\tLOC 10 14\tRome\n"}
    dataset, _ = read_folder(tmp_path, files)

    assert gold_of(dataset)["doc:2"] == (Span(1, 2, "LOC"),)


def test_texts_that_differ_are_refused_or_left_out(tmp_path: Path) -> None:
    """The message says from where."""
    files = {
        "ana/doc.txt": TEXT,
        "ana/doc.ann": ANN,
        "bo/doc.txt": TEXT.replace("slept", "sleeps"),
        "bo/doc.ann": "",
    }
    with pytest.raises(FormatError, match=r"worker 'bo' differs from character 21: 'eps in"):
        read_folder(tmp_path, files)
    dataset, repairs = read(tmp_path, skip_unequal=True)

    assert {worker for _, worker in spans_of(dataset)} == {"ana"}
    assert [r.kind for r in repairs] == ["unequal"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T1 PER 0 3 Ana", "expected T1<tab>LABEL start end<tab>text"),
        ("T1\tPER 0 99\tAna", "characters 0-99; expected characters inside the text of 37"),
        ("T1\tPER 1 3\tAna", "found 'na' at these offsets; expected the quoted 'Ana'"),
        ("T1\tPER 3 3\t", "characters 3-3"),
    ],
)
def test_a_line_that_cannot_be_right_is_refused(tmp_path: Path, line: str, message: str) -> None:
    """With its place."""
    with pytest.raises(FormatError, match=f"doc.ann, line 1: .*{message}"):
        read_folder(tmp_path, {"doc.txt": TEXT, "doc.ann": line})


def test_annotations_without_a_text_are_refused(tmp_path: Path) -> None:
    """Offsets need it."""
    with pytest.raises(FormatError, match=r"doc\.txt: this text is missing"):
        read_folder(tmp_path, {"doc.ann": ANN})


def test_what_is_written_is_as_brat_wants_it(tmp_path: Path) -> None:
    """Labels are declared, blanks in them encoded."""
    sentence = Sentence.from_text("s/1", "Ana left")
    answers = [Answer("s/1", "gold", (Span(0, 1, "a b"),))]
    Brat().write(Dataset.of([sentence], answers=answers), tmp_path / "out")
    folder = tmp_path / "out"

    assert (folder / "annotation.conf").read_text().startswith("[entities]\na%20b\n")
    assert (folder / "gold" / "s%2F1.txt").read_text() == "Ana left\n"
    assert not (folder / "gold" / "s%2F1.ann").exists()
    assert (folder / "%67old" / "s%2F1.ann").read_text() == "T1\ta%20b 0 3\tAna\n"
