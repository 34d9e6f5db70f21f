"""Files of other programs that hold no data set as they are, and what to do with them."""

import zipfile
from pathlib import Path

from spancrew.errors import FormatError, Place
from spancrew.formats._archive import BROKEN_ZIP
from spancrew.formats._text import start_of

_AS_TEXT = "save it as plain text (.txt)"
_AS_TABLE = "save it as .xlsx or .csv"
_UNPACK = "unpack it, and read what is in it"
_NO_TEXT = "only text can be labelled here"

_BEGINNINGS: tuple[tuple[bytes, str, str], ...] = (
    (b"%PDF-", "a PDF file", "copy its text into a .txt file"),
    (b"\xd0\xcf\x11\xe0", "a document of an old Office", "save it as .txt, .csv or .xlsx"),
    (b"{\\rtf", "a text with layout (RTF)", _AS_TEXT),
    (b"\x89PNG", "a picture", _NO_TEXT),
    (b"\xff\xd8\xff", "a picture", _NO_TEXT),
    (b"GIF8", "a picture", _NO_TEXT),
    (b"\x1f\x8b", "compressed (gzip)", _UNPACK),
    (b"BZh", "compressed (bzip2)", _UNPACK),
    (b"\xfd7zXZ", "compressed (xz)", _UNPACK),
    (b"(\xb5/\xfd", "compressed (zstd)", _UNPACK),
    (b"7z\xbc\xaf", "an archive (7z)", _UNPACK),
    (b"Rar!", "an archive (RAR)", _UNPACK),
    (b"SQLite format 3", "a database (SQLite)", "export its table as .csv"),
    (b"<!doctype html", "a web page (HTML)", _AS_TEXT),
    (b"<html", "a web page (HTML)", _AS_TEXT),
    (b"<?xml", "XML of no known format", "write its texts as .txt, .csv or JSON lines"),
)
"""How files begin, what they are, and what to do."""

_PARTS = (
    ("word/", "a Word document", _AS_TEXT),
    ("ppt/", "a presentation", _AS_TEXT),
    ("xl/", "an Excel workbook", "give it a name that ends with .xlsx"),
)
_OPEN_DOCUMENTS = (
    ("opendocument.spreadsheet", "an OpenDocument table", _AS_TABLE),
    ("", "an OpenDocument file or an e-book", _AS_TEXT),
)

FOREIGN = (*_BEGINNINGS, *_PARTS, *_OPEN_DOCUMENTS)


def foreign(path: Path) -> FormatError | None:
    """Return what a file is, and what to do with it; None if it is nothing that is known."""
    start = start_of(path).lstrip().lower()
    begun = (each[1:] for each in _BEGINNINGS if start.startswith(each[0].lower()))
    found = next(begun, None) or _packed(path)
    if found is None:
        return None
    what, remedy = found
    return FormatError(Place(str(path)), f"this is {what}; {remedy}")


def _packed(path: Path) -> tuple[str, str] | None:
    """Return the same of a document that is packed as an archive."""
    if not zipfile.is_zipfile(path):
        return None
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            kind = archive.read("mimetype").decode("ascii") if "mimetype" in names else None
    except BROKEN_ZIP:
        return None
    if kind is not None:
        return next(each[1:] for each in _OPEN_DOCUMENTS if each[0] in kind)
    found = (each[1:] for each in _PARTS if any(name.startswith(each[0]) for name in names))
    return next(found, None)
