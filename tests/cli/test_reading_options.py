"""The options that say what a table or a document does not say by itself."""

from pathlib import Path

import pytest

from spancrew.formats import read
from tests.cli.conftest import Run


def test_a_csv_of_documents_becomes_sentences(run: Run, tmp_path: Path) -> None:
    """With the columns that it brings."""
    (tmp_path / "docs.csv").write_text("nr,story,url\n7,Dr. Wu left. He slept.,u\n")
    words = ("--text-column", "story", "--id-column", "nr", "--split", "sentences")
    code, _, err = run("convert", "docs.csv", "out.jsonl", *words)
    dataset, _ = read(tmp_path / "out.jsonl")

    assert (code, err) == (0, "")
    assert dataset.sentences.ids == ("7:1", "7:2")
    assert dataset.sentences[1].meta == {"url": "u", "document": "7", "start": 13}


def test_columns_are_named_by_their_roles(run: Run, tmp_path: Path) -> None:
    """Several of them in one option."""
    (tmp_path / "spans.csv").write_text("text,who,a,b,kind\nAna left.,ana,0,3,PER\n")
    roles = "worker=who,start=a, end=b,label=kind"
    code, _, _ = run("convert", "spans.csv", "out.jsonl", "--columns", roles)

    assert code == 0
    assert read(tmp_path / "out.jsonl").dataset.workers == ("ana",)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--columns", "worker"), "--columns: 'worker' names no column; write role=column"),
        (("--columns", "who=a"), "no role 'who'"),
        (("--discontinuous", "split"), "leave out --discontinuous"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(
    run: Run, tmp_path: Path, words: tuple[str, str], message: str
) -> None:
    """In a sentence, with exit code 2."""
    (tmp_path / "data.csv").write_text("text,a\nYes.,b\n")
    code, _, err = run("inspect", "data.csv", *words)

    assert code == 2
    assert message in " ".join(err.split())
