"""The conll format: columns with a token first and its tag last."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given

from spancrew.core import Answer, Dataset, LabelSet, Sentence, Span
from spancrew.errors import FormatError
from spancrew.formats._base import ReadOptions
from spancrew.formats._conll import Conll
from tests.strategies import datasets

PLAIN = "Ana B-PER\nleft O\nNew B-LOC\nYork I-LOC\n\nBo B-PER\nslept O\n"


def saved(folder: Path, content: str | bytes, name: str = "some.conll") -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refusal(path: Path) -> FormatError:
    """Return the error that reading the file raises."""
    with pytest.raises(FormatError) as caught:
        Conll().read(path, ReadOptions())
    return caught.value


def test_tokens_and_tags_become_sentences_with_gold(tmp_path: Path) -> None:
    """Sentences are numbered from 1 and have the spans of the tags."""
    dataset, repairs = Conll().read(saved(tmp_path, PLAIN), ReadOptions())

    assert dataset.sentences.ids == ("1", "2")
    assert dataset.sentences[0].tokens == ("Ana", "left", "New", "York")
    assert dataset.gold_spans(0) == (Span(0, 1, "PER"), Span(2, 4, "LOC"))
    assert repairs == ()


@pytest.mark.parametrize(
    "content",
    [
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        PLAIN.replace(" ", "\t"),
        PLAIN.rstrip("\n"),
        PLAIN.replace("\n\n", "\n \t\n\n"),
        PLAIN.replace(" ", " NN X "),
        "# a comment\n" + PLAIN,
    ],
    ids=["crlf", "bom", "tabs", "no-final-newline", "blanks", "four-columns", "comment"],
)
def test_harmless_differences_do_not_matter(tmp_path: Path, content: str) -> None:
    """Line ends, byte order marks, separators and middle columns change nothing."""
    plain, _ = Conll().read(saved(tmp_path, PLAIN, "plain.conll"), ReadOptions())

    dataset, _ = Conll().read(saved(tmp_path, content), ReadOptions())

    assert dataset == plain


@pytest.mark.parametrize(
    "tags",
    [
        ["I-PER", "I-PER", "B-PER", "O", "I-LOC"],
        ["B-PER", "I-PER", "B-PER", "O", "B-LOC"],
        ["B-PER", "E-PER", "S-PER", "O", "S-LOC"],
        ["B-PER", "L-PER", "U-PER", "O", "U-LOC"],
    ],
    ids=["iob1", "iob2", "bioes", "bilou"],
)
def test_every_scheme_gives_the_same_spans_without_repairs(
    tmp_path: Path, tags: list[str]
) -> None:
    """The scheme is found out from the file."""
    rows = "".join(f"t{k}\t{tag}\n" for k, tag in enumerate(tags))

    dataset, repairs = Conll().read(saved(tmp_path, rows), ReadOptions())

    assert dataset.gold_spans(0) == (Span(0, 2, "PER"), Span(2, 3, "PER"), Span(4, 5, "LOC"))
    assert repairs == ()


def test_a_tag_that_breaks_the_scheme_is_noted_at_its_line(tmp_path: Path) -> None:
    """A stray I opens a span and is reported with file and line."""
    path = saved(tmp_path, PLAIN + "\nto O\nRome I-LOC\n")

    dataset, repairs = Conll().read(path, ReadOptions())

    assert dataset.gold_spans(2) == (Span(1, 2, "LOC"),)
    assert [(r.kind, r.place.line, r.what) for r in repairs] == [
        ("tag", 10, "sentence '3', token 1: I-LOC read as B-LOC")
    ]


def test_documents_are_counted_in_meta(tmp_path: Path) -> None:
    """DOCSTART lines are no sentences; they number what follows."""
    content = f"-DOCSTART- -X- O O\n\n{PLAIN}-DOCSTART-\nBo O\n"

    dataset, _ = Conll().read(saved(tmp_path, content), ReadOptions())

    assert [dict(s.meta) for s in dataset.sentences] == [
        {"document": 1},
        {"document": 1},
        {"document": 2},
    ]


def test_comments_are_counted_and_a_hash_with_a_tag_is_a_token(tmp_path: Path) -> None:
    """Only lines that begin with a hash and do not end with a tag are comments."""
    path = saved(tmp_path, "# sent_id = 7\n# O\n1 O\n\n# end\n")

    dataset, repairs = Conll().read(path, ReadOptions())

    assert dataset.sentences[0].tokens == ("#", "1")
    assert [(r.kind, r.what.split(" left")[0]) for r in repairs] == [
        ("comment", "2 comment lines")
    ]


def test_a_no_break_space_stays_in_its_token(tmp_path: Path) -> None:
    """Only plain blanks separate columns."""
    dataset, _ = Conll().read(saved(tmp_path, "10\u00a0000 O\n"), ReadOptions())

    assert dataset.sentences[0].tokens == ("10\u00a0000",)


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ("Ana\n", 1, "found 1 column (Ana); expected a token and a tag"),
        (PLAIN + "too many O\n", 8, "found 3 columns (too | many | O); expected 2 columns as in"),
        (PLAIN + "\tO\n", 8, "found an empty column ( | O); expected 2 columns"),
        (PLAIN + "Rome LOC\n", 8, "found tag 'LOC'; expected O, or a position with a label"),
        (PLAIN + "\u00a0 O\n", 6, "sentence '2': token 2 is blank"),
        ("", None, "the file is empty"),
        ("\n\n", None, "there are no sentences in it"),
        (PLAIN.encode() + b"caf\xe9 O\n", 8, "found byte 0xe9 at column 4, which is not UTF-8"),
    ],
    ids=["one", "three", "blank", "tag", "nbsp", "empty", "no-rows", "latin1"],
)
def test_broken_files_are_refused_with_file_line_and_remedy(
    tmp_path: Path, content: str | bytes, line: int | None, problem: str
) -> None:
    """The message names the place, what was found and what was expected."""
    path = saved(tmp_path, content)

    error = refusal(path)

    assert error.place.path == str(path)
    assert error.place.line == line
    assert problem in str(error)


def test_a_label_that_looks_like_a_slip_is_refused_at_its_first_line(tmp_path: Path) -> None:
    """One PRE among many PER is a slip, unless it is declared."""
    path = saved(tmp_path, "Ana B-PER\n\n" * 30 + "Bo B-PRE\n")

    error = refusal(path)
    declared = Conll().read(path, ReadOptions(labels=LabelSet(("PER", "PRE")))).dataset

    assert error.place.line == 61
    assert "found label 'PRE' (once), which looks like a slip for 'PER'" in str(error)
    assert len(declared) == 31


@given(datasets(gold=True, answers=False))
def test_gold_survives_the_round_trip(dataset: Dataset) -> None:
    """Tokens and gold come back as they were."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "gold.conll")
        Conll().write(dataset, path)
        back, repairs = Conll().read(path, ReadOptions(labels=dataset.labels))

    assert back.sentences.texts == dataset.sentences.texts
    assert back.gold == dataset.gold
    assert repairs == ()


def test_documents_survive_the_round_trip(tmp_path: Path) -> None:
    """What was read from a file with documents is written with documents."""
    content = f"-DOCSTART- O\n\n{PLAIN}\n-DOCSTART- O\n\nBo B-PER\n"
    dataset, _ = Conll().read(saved(tmp_path, content), ReadOptions())

    lost = Conll().write(dataset, tmp_path / "back.conll")

    assert Conll().read(tmp_path / "back.conll", ReadOptions()).dataset == dataset
    assert lost == ()


def test_what_conll_cannot_hold_is_counted_once_per_kind(tmp_path: Path) -> None:
    """Nothing is left out without a word."""
    sentences = [
        Sentence("1", "Ana left.", ((0, 3), (4, 8), (8, 9)), {"url": "x"}),
        Sentence.from_tokens("b", ["Bo"]),
    ]
    dataset = Dataset.of(
        sentences,
        {"1": [Span(0, 1, "PER")]},
        [Answer("1", "w1"), Answer("b", "w1")],
        LabelSet(("LOC", "PER")),
    )

    lost = Conll().write(dataset, tmp_path / "x.conll")

    assert (tmp_path / "x.conll").read_text() == "Ana\tB-PER\nleft\tO\n.\tO\n\n"
    assert {repair.kind for repair in lost} == {"not-written"}
    assert [repair.what for repair in lost] == [
        "2 answers: conll holds gold only; write spancrew or matrix to keep them",
        "1 sentence without gold: conll tags every token; write spancrew or matrix to keep them",
        "1 sentence with meta: conll has no place for it; write spancrew to keep them",
        "1 original text: conll holds tokens only; write spancrew to keep them",
        "1 label without spans: conll declares none; declare the labels when reading",
    ]


def test_tokens_that_would_break_a_column_are_written_with_underscores(tmp_path: Path) -> None:
    """A token with a tab, a line end, or the mark of a document is altered and counted."""
    text = "a\tb -DOCSTART- New York"
    sentence = Sentence("1", text, ((0, 3), (4, 14), (15, 23)))
    dataset = Dataset.of([sentence], {"1": [Span(2, 3, "LOC")]})

    lost = Conll().write(dataset, tmp_path / "x.conll")
    back, _ = Conll().read(tmp_path / "x.conll", ReadOptions())

    assert back.sentences[0].tokens == ("a_b", "_DOCSTART_", "New York")
    assert any(repair.what.startswith("2 tokens with tabs") for repair in lost)


def test_a_label_with_a_tab_cannot_be_written(tmp_path: Path) -> None:
    """Such a name would break its column."""
    dataset = Dataset.of([Sentence.from_tokens("1", ["a"])], {"1": [Span(0, 1, "X\tY")]})

    with pytest.raises(FormatError, match=r"label 'X\\tY' is blank or holds tabs"):
        Conll().write(dataset, tmp_path / "x.conll")


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (PLAIN, True),
        ("-DOCSTART- -X- -X- O\n\nEU NNP B-NP B-ORG\nrejects VBZ B-VP O\n", True),
        ("a O B-X\nb O O\n", True),
        ("token O\nb O\n", True),
        ("token NN O\nb NN O\n", True),
        ("Ana B-PER\nleft 0\nNew B-LOC\n", True),
        ("a O ?\nb O ?\n", False),
        ("token\tgold\tw1\na\tO\t?\n", False),
        ('{"id": 1, "text": "O"}\n', False),
        ("A running text.\nIt goes on.\n", False),
        ("", False),
    ],
)
def test_columns_with_a_tag_last_are_recognised(tmp_path: Path, head: str, expected: bool) -> None:
    """A matrix, JSON and running text are not taken for conll; one slip does not matter."""
    assert Conll().recognises(saved(tmp_path, head), head) is expected


def test_a_folder_is_not_recognised(tmp_path: Path) -> None:
    """Only files have columns."""
    assert Conll().recognises(tmp_path, "") is False
