"""What is said of files and folders that no format recognises: what they nearly are."""

from pathlib import Path

import pytest

from spancrew.errors import FormatError
from spancrew.formats import read
from tests.formats.drawn import spans_of


def test_a_tag_without_a_position_is_named_with_its_line(tmp_path: Path) -> None:
    """Instead of a list of formats."""
    file = tmp_path / "data.txt2"
    file.write_text("left O\nRome LOC\nis O\n\nnice ADJ\nhere LOC\nAna PER\n")

    with pytest.raises(
        FormatError, match=r"line 2: this looks like conll, but the tag 'LOC'.*B-LOC"
    ):
        read(file)


def test_json_of_no_format_has_its_fields_named(tmp_path: Path) -> None:
    """One of them may be the text."""
    file = tmp_path / "data.json"
    file.write_text('{"paragraph": "Ana left.", "nr": 1}')

    with pytest.raises(FormatError, match=r"\(fields: nr, paragraph\); name it in columns"):
        read(file)
    assert len(read(file, columns={"text": "paragraph"}).dataset) == 1


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.spacy", b"text", "found data that is not compressed; expected a .spacy file"),
        ("a.spacy", b"x\x9cabc", "found data that spaCy cannot read"),
        ("a.spacy", b"", "the file is empty"),
        ("a.zip", b"PK\x05\x06" + b"\0" * 18, "the archive is empty"),
        ("a.conll", b"Ana B_PER\nleft O\n. O\n", "'B_PER'; expected O, .*: B-PER where .*, I-PER"),
        ("a.conll", b"Ana X-PER\nleft O\n. O\n", "'X-PER'; expected O, .*: B-PER where .*, I-PER"),
        ("a.ann", b"T1\tPER 0 3\tAna\n", "part of brat's files; read the folder"),
        ("a.bin", b"a\0b", "binary data"),
        ("a.dat", b"just prose\n", "no known format looks like this; the format of plain text "),
    ],
)
def test_a_file_gets_the_message_that_fits(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    """And with it a way on."""
    (tmp_path / name).write_bytes(data)

    with pytest.raises(FormatError, match=message):
        read(tmp_path / name)


def test_an_empty_folder_is_called_empty(tmp_path: Path) -> None:
    """Hidden files do not count."""
    (tmp_path / ".hidden").touch()

    with pytest.raises(FormatError, match="the folder is empty; name one with data in it"):
        read(tmp_path)


def test_a_folder_of_other_things_is_shown(tmp_path: Path) -> None:
    """So that a slip in the path is seen."""
    for k in range(7):
        (tmp_path / f"{k}.dat").touch()

    with pytest.raises(FormatError, match=r"this folder \(0\.dat, .*4\.dat, \.\.\.\)"):
        read(tmp_path)


@pytest.mark.parametrize("above", ["", "export"])
def test_a_folder_with_a_data_set_in_it_says_where(tmp_path: Path, above: str) -> None:
    """Archives often unpack to a folder in a folder."""
    folder = tmp_path / above
    folder.mkdir(exist_ok=True)
    (folder / "notes.md").write_text("prose\n")
    (folder / "part.conll").write_text("Ana B-PER\nleft O\n")

    with pytest.raises(FormatError, match=r"part\.conll looks like conll; take that alone"):
        read(tmp_path)


def tagged(file: Path) -> None:
    """Write a document of one sentence."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("Ana B-PER\nleft O\n")


def test_crowd_directories_in_folders_are_named(tmp_path: Path) -> None:
    """Each of them can be read."""
    for part in ("test", "val"):
        tagged(tmp_path / part / "ground_truth" / "d.txt")
        tagged(tmp_path / part / "answers" / "ana" / "d.txt")

    with pytest.raises(FormatError, match=r"in folders inside \(test, val\); read one"):
        read(tmp_path)
    assert len(read(tmp_path / "val").dataset.answers) == 1


@pytest.mark.parametrize("above", ["", "answers"])
def test_parts_of_a_crowd_directory_are_read_together(tmp_path: Path, above: str) -> None:
    """Where gold and workers have the same folders in them."""
    for part in ("test", "val"):
        for who in ("ground_truth", f"{above}/ana", f"{above}/bo"):
            tagged(tmp_path / who.strip("/") / part / "d.txt")
    dataset, repairs = read(tmp_path)

    assert sorted(spans_of(dataset)) == [
        (f"{part}/d:0", worker) for part in ("test", "val") for worker in ("ana", "bo")
    ]
    assert repairs == ()
