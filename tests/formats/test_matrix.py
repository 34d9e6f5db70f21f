"""The matrix format: a token per line and a column per worker."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given

from spancrew.core import Answer, Dataset, DatasetBuilder, LabelSet, Sentence, Span
from spancrew.errors import FormatError
from spancrew.formats._base import ReadOptions
from spancrew.formats._conll import Conll
from spancrew.formats._matrix import Matrix
from tests.strategies import datasets

HEADED = (
    "token\tgold\tada\tbo\n"
    "Ana\tB-PER\tB-PER\t?\n"
    "left\tO\tO\t?\n"
    "\n"
    "Rome\t?\tO\tB-LOC\n"
    "calls\t?\tO\tO\n"
)
BARE = "Ana B-PER ?\nleft O ?\n\nRome O B-LOC\ncalls O O\n"
TRUTH = "Ana B-PER\nleft O\n\nRome B-LOC\ncalls O\n"


def saved(folder: Path, content: str, name: str = "some.tsv") -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(content.encode())
    return path


def refusal(path: Path) -> FormatError:
    """Return the error that reading the file raises."""
    with pytest.raises(FormatError) as caught:
        Matrix().read(path, ReadOptions())
    return caught.value


def given_answers(dataset: Dataset) -> set[Answer]:
    """Return all answers as values."""
    return {dataset.answer(k) for k in range(len(dataset.answers))}


def test_a_header_names_gold_and_workers(tmp_path: Path) -> None:
    """Question marks on a whole sentence mean no gold or no answer."""
    dataset, repairs = Matrix().read(saved(tmp_path, HEADED), ReadOptions())

    assert dataset.workers == ("ada", "bo")
    assert dataset.gold_spans(0) == (Span(0, 1, "PER"),)
    assert dataset.gold_spans(1) is None
    assert given_answers(dataset) == {
        Answer("1", "ada", (Span(0, 1, "PER"),)),
        Answer("2", "ada", ()),
        Answer("2", "bo", (Span(0, 1, "LOC"),)),
    }
    assert repairs == ()


@pytest.mark.parametrize(
    "content",
    [HEADED.replace("\t", " "), HEADED.replace("\n", "\r\n"), "\ufeff" + HEADED],
    ids=["blanks", "crlf", "bom"],
)
def test_harmless_differences_do_not_matter(tmp_path: Path, content: str) -> None:
    """Separators, line ends and byte order marks change nothing."""
    plain, _ = Matrix().read(saved(tmp_path, HEADED, "plain.tsv"), ReadOptions())

    dataset, _ = Matrix().read(saved(tmp_path, content), ReadOptions())

    assert dataset == plain


def test_a_header_may_stand_alone_and_lack_gold(tmp_path: Path) -> None:
    """A blank line after the header is no sentence."""
    path = saved(tmp_path, "# made by hand\ntoken ada\n\nRome B-LOC\n")

    dataset, repairs = Matrix().read(path, ReadOptions())

    assert (len(dataset), dataset.workers) == (1, ("ada",))
    assert dataset.gold_spans(0) is None
    assert [repair.kind for repair in repairs] == ["comment"]


def test_without_a_header_workers_are_numbered(tmp_path: Path) -> None:
    """Columns are w1, w2 and so on; a file of another name has no gold beside it."""
    saved(tmp_path, TRUTH, "ground_truth.txt")

    dataset, _ = Matrix().read(saved(tmp_path, BARE, "crowd.txt"), ReadOptions())

    assert dataset.workers == ("w1", "w2")
    assert not dataset.has_gold.any()
    assert len(dataset.answers) == 3


def test_answers_take_their_gold_from_the_file_beside_them(tmp_path: Path) -> None:
    """This is how the CrowdLayer distribution keeps it."""
    saved(tmp_path, TRUTH, "ground_truth.txt")

    dataset, _ = Matrix().read(saved(tmp_path, BARE, "answers.txt"), ReadOptions())

    assert dataset.workers == ("w1", "w2")
    assert dataset.gold_spans(1) == (Span(0, 1, "LOC"),)


@pytest.mark.parametrize(
    ("truth", "name", "line", "problem"),
    [
        (
            TRUTH.replace("calls", "called"),
            "ground_truth.txt",
            5,
            "the gold has token 'called' where the answers have token 'calls'",
        ),
        (
            TRUTH + "loud O\n",
            "ground_truth.txt",
            6,
            "the gold has token 'loud' where the answers have the end of the sentence",
        ),
        (
            TRUTH.replace("calls O\n", ""),
            "answers.txt",
            5,
            "the gold has the end of the sentence where the answers have token 'calls'",
        ),
        (TRUTH + "\nYes O\n", "ground_truth.txt", 7, "found gold of sentence 3; expected no more"),
        ("Ana B-PER\nleft O\n", "answers.txt", 4, "found sentence 2; expected no more sentences"),
        (TRUTH.replace("B-LOC", "LOC"), "ground_truth.txt", 4, "found tag 'LOC'"),
    ],
    ids=["token", "longer", "shorter", "unknown-sentence", "missing-sentence", "tag"],
)
def test_gold_that_does_not_fit_the_answers_is_refused(
    tmp_path: Path, truth: str, name: str, line: int, problem: str
) -> None:
    """The message names the file and line of the odd one."""
    saved(tmp_path, truth, "ground_truth.txt")

    error = refusal(saved(tmp_path, BARE, "answers.txt"))

    assert error.place.path == str(tmp_path / name)
    assert error.place.line == line
    assert problem in str(error)


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        (
            HEADED + "loud\t?\tO\t?\n",
            7,
            "sentence '2', worker 'bo': ? on 1 of 3 tokens of the sentence; expected ? on all",
        ),
        (
            HEADED.replace("Ana\tB-PER", "Ana\t?"),
            3,
            "gold of sentence '1': ? on 1 of 2 tokens",
        ),
        (
            HEADED + "loud\tO\n",
            7,
            "found 2 columns (loud | O); expected 4 columns as in the first",
        ),
        (HEADED + "loud\tO\tO\t\n", 7, "found an empty column"),
        (
            HEADED.replace("B-LOC", "LOC"),
            5,
            "found sentence '2', worker 'bo': tag 'LOC'; expected O, or a position",
        ),
        (HEADED.replace("bo", "ada"), 1, "found worker 'ada' in column 2; expected a name that"),
        ("token\tgold\tada\n", None, "there are no sentences in it"),
        ("", None, "the file is empty"),
        ("\n# nothing here\n", None, "there are no sentences in it"),
    ],
    ids=["half", "half-gold", "width", "blank", "tag", "twins", "header", "empty", "no-rows"],
)
def test_broken_files_are_refused_with_file_and_line(
    tmp_path: Path, content: str, line: int | None, problem: str
) -> None:
    """The message names the worker, what was found and what was expected."""
    path = saved(tmp_path, content)

    error = refusal(path)

    assert error.place.path == str(path)
    assert error.place.line == line
    assert problem in str(error)


def test_a_stray_tag_is_noted_with_its_worker_and_line(tmp_path: Path) -> None:
    """An I that continues nothing is read as B."""
    path = saved(tmp_path, HEADED.replace("B-LOC", "I-LOC"))

    dataset, repairs = Matrix().read(path, ReadOptions())

    assert dataset.answer(2).spans == (Span(0, 1, "LOC"),)
    assert [(r.kind, r.place.line, r.what) for r in repairs] == [
        ("tag", 5, "sentence '2', worker 'bo', token 0: I-LOC read as B-LOC")
    ]


@given(datasets())
def test_gold_and_answers_survive_the_round_trip(dataset: Dataset) -> None:
    """Tokens, workers, gold and answers come back as they were."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "crowd.tsv")
        Matrix().write(dataset, path)
        back, repairs = Matrix().read(path, ReadOptions(labels=dataset.labels))

    assert back.sentences.texts == dataset.sentences.texts
    assert back.workers == dataset.workers
    assert back.gold == dataset.gold
    assert {(a.worker, a.spans) for a in given_answers(back)} == {
        (a.worker, a.spans) for a in given_answers(dataset)
    }
    assert repairs == ()


def test_what_was_read_is_written_back_as_it_was(tmp_path: Path) -> None:
    """A matrix holds everything that a matrix holds."""
    dataset, _ = Matrix().read(saved(tmp_path, HEADED), ReadOptions())

    lost = Matrix().write(dataset, tmp_path / "back.tsv")

    assert (tmp_path / "back.tsv").read_text() == HEADED + "\n"
    assert lost == ()


def test_what_a_matrix_cannot_hold_is_counted(tmp_path: Path) -> None:
    """Ids, meta and times are left out with a word."""
    sentence = Sentence.from_tokens("a", ["Ana"], {"url": "x"})
    dataset = Dataset.of([sentence], None, [Answer("a", "w1", (), seconds=2.0)])

    lost = Matrix().write(dataset, tmp_path / "x.tsv")

    assert [repair.what.split(":")[0] for repair in lost] == [
        "1 sentence id",
        "1 sentence with meta",
        "1 answer with seconds, time or source",
    ]


def test_every_loss_of_a_matrix_is_reported(tmp_path: Path) -> None:
    """Each kind of thing that it cannot hold, with its number; none is dropped in silence."""
    odd = Sentence("a", "Ana\tB,left", ((0, 5), (6, 10)), {"url": "x"})
    plain = Sentence.from_tokens("2", ["Bo"])
    answers = [Answer("a", "w1", (Span(0, 1, "PER"),), seconds=2.0), Answer("2", "w1")]
    builder = DatasetBuilder(LabelSet(("LOC", "PER")))
    for sentence in (odd, plain):
        builder.add_sentence(sentence)
    for answer in answers:
        builder.add_answer(answer)

    lost = Matrix().write(builder.build(), tmp_path / "x.tsv")

    assert [(repair.kind, repair.what.split(":")[0]) for repair in lost] == [
        ("not-written", "1 sentence id"),
        ("not-written", "1 sentence with meta"),
        ("not-written", "1 original text"),
        ("not-written", "1 answer with seconds, time or source"),
        ("not-written", "1 label without spans"),
        ("not-written", "1 token with tabs, line ends or outer blanks"),
    ]


def test_a_worker_whose_name_breaks_the_header_cannot_be_written(tmp_path: Path) -> None:
    """A tab in a name would make two columns of one."""
    dataset = Dataset.of([Sentence.from_tokens("1", ["a"])], None, [Answer("1", "w\t1")])

    with pytest.raises(FormatError, match=r"worker 'w\\t1' is blank or holds tabs"):
        Matrix().write(dataset, tmp_path / "x.tsv")


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (HEADED, True),
        (BARE, True),
        ("token\tgold\nAna\tO\n", True),
        ("token\tada\nAna\tO\n", True),
        ("token\tgold\tO\nAna\tO\tO\n", True),
        ("a O B-X\nb O O\n", False),
        ("Ana NNP B-NP B-PER\n", False),
        ("Ana ?\nleft ?\n", False),
        ("token O\nleft O\n", False),
        ("", False),
    ],
)
def test_a_matrix_is_recognised_and_never_also_conll(
    tmp_path: Path, head: str, expected: bool
) -> None:
    """A header or a question mark among tags makes a matrix."""
    path = saved(tmp_path, head)

    assert Matrix().recognises(path, head) is expected
    assert not (expected and Conll().recognises(path, head))
