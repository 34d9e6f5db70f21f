"""A zip archive is read as what is in it."""

import zipfile
from pathlib import Path

import pytest

from spancrew.errors import FormatError
from spancrew.formats import Reading, read, unpacks_above, write

BRAT = {"a.txt": "Ana left Rome.\n", "a.ann": "T1\tPER 0 3\tAna\n"}
TEXTS = {"a.txt": "Yes.\nNo.\n", "b.txt": "Perhaps.\n"}
CROWD = {
    "ground_truth/a.txt": "Ana B-PER\nleft O\n",
    "answers/w/a.txt": "Ana B-PER\nleft O\n",
}


def packed(path: Path, files: dict[str, str], under: str = "") -> Path:
    """Write files into an archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(under + name, text)
    return path


def laid_out(folder: Path, files: dict[str, str]) -> Path:
    """Write the same files into a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize("under", ["", "project/", "export/project/"])
@pytest.mark.parametrize("files", [BRAT, TEXTS, CROWD], ids=["brat", "texts", "crowd"])
def test_a_packed_folder_is_the_folder(tmp_path: Path, files: dict[str, str], under: str) -> None:
    """However deep it stands in the archive: most tools pack the folder, not what is in it."""
    zipped = read(packed(tmp_path / "data.zip", files, under))
    plain = read(laid_out(tmp_path / "plain", files))

    assert zipped == plain


@pytest.mark.parametrize("format_", [None, "csv"])
def test_a_packed_file_is_the_file(tmp_path: Path, format_: str | None) -> None:
    """Whether its format is named or not."""
    path = packed(tmp_path / "data.zip", {"data.csv": "text\nYes.\n"})

    assert [s.text for s in read(path, format_).dataset.sentences] == ["Yes."]


def test_a_packed_export_of_label_studio_is_read(tmp_path: Path) -> None:
    """With answers and gold, as written."""
    demo = read("demo").dataset
    write(demo, tmp_path / "tasks.json", "label-studio")
    path = packed(tmp_path / "x.zip", {"tasks.json": (tmp_path / "tasks.json").read_text("utf-8")})

    assert len(read(path).dataset.answers) == len(demo.answers)


def test_what_a_system_adds_is_no_data(tmp_path: Path) -> None:
    """Folders of macOS and hidden files are passed over."""
    rest = {"__MACOSX/._a.txt": "x", ".DS_Store": "x", "sub/.hidden": "x"}
    path = packed(tmp_path / "data.zip", {"data.csv": "text\nYes.\n", **rest})

    assert len(read(path).dataset) == 1


def test_places_are_those_in_the_archive(tmp_path: Path) -> None:
    """Of errors and of repairs; nobody knows where it was unpacked."""
    broken = packed(tmp_path / "a.zip", {**BRAT, "a.ann": "T1\tPER 0 99\tAna\n"}, "p/")
    rows = "Ana B-PER\nand O\nBo I-PER\nCy B-PER\nand I-PER\nDi B-PER\n"
    mended: Reading = read(packed(tmp_path / "b.zip", {"x.conll": rows}))

    with pytest.raises(FormatError) as caught:
        read(broken)
    assert str(caught.value.place) == f"{broken}/p/a.ann, line 1"
    assert [str(each.place) for each in mended.repairs] == [f"{tmp_path}/b.zip/x.conll, line 3"]


@pytest.mark.parametrize("name", ["../a.txt", "/a.txt", "b/../../a.txt", "..\\a.txt", "c:a.txt"])
def test_a_file_outside_of_its_archive_is_refused(tmp_path: Path, name: str) -> None:
    """Nothing is written there."""
    path = packed(tmp_path / "data.zip", {name: "x"})

    with pytest.raises(FormatError, match="outside of the archive"):
        read(path)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "the archive is empty"),
        ({".hidden": "x"}, "the archive is empty"),
        ({"a": "x", "a/b": "x"}, "cannot be unpacked"),
        ({"a.xyz": "?", "b.csv": "text\nYes.\n"}, r"data.zip/b.csv looks like csv"),
    ],
)
def test_an_archive_that_is_no_data_set_is_refused(
    tmp_path: Path, files: dict[str, str], words: str
) -> None:
    """With what is in it."""
    with pytest.raises(FormatError, match=words):
        read(packed(tmp_path / "data.zip", files))


def test_an_archive_in_an_archive_is_left_packed(tmp_path: Path) -> None:
    """Unless a format reads it as it is."""
    inner = packed(tmp_path / "inner.zip", TEXTS).read_bytes()
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.writestr("inner.zip", inner)

    with pytest.raises(FormatError, match=r"outer.zip/inner.zip: this is a zip archive of no"):
        read(tmp_path / "outer.zip")


def test_an_archive_that_ends_early_is_refused(tmp_path: Path) -> None:
    """And so is one whose bytes were changed."""
    path = packed(tmp_path / "data.zip", {"a.txt": "Yes. " * 1000})
    raw = bytearray(path.read_bytes())
    raw[45] ^= 0xFF
    path.write_bytes(bytes(raw))

    with pytest.raises(FormatError, match="cannot be unpacked"):
        read(path)


def test_bombs_inside_of_archives_count(tmp_path: Path) -> None:
    """An archive in an archive is measured, and one too deep is refused."""
    path = packed(tmp_path / "0.zip", {"a.txt": "0" * 2_000_000})
    for depth in range(1, 4):
        deeper = tmp_path / f"{depth}.zip"
        with zipfile.ZipFile(deeper, "w") as archive:
            archive.write(path, "inner.zip")
        path = deeper

    assert unpacks_above(tmp_path / "2.zip", 1_000_000)
    assert not unpacks_above(tmp_path / "2.zip", 3_000_000)
    with pytest.raises(FormatError, match="archives in archives"):
        unpacks_above(tmp_path / "3.zip", 3_000_000)
