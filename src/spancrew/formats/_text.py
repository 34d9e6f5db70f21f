"""Open text files: UTF-8, line by line, with errors that name the line."""

import codecs
from collections.abc import Iterator
from pathlib import Path

from spancrew.errors import FormatError, Place
from spancrew.formats._base import Progress

HEAD = 64 * 1024
_REPORT_EVERY = 1 << 20
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def head(path: Path) -> str:
    """Return the beginning of a file as text; nothing for a folder or a binary file."""
    if path.is_dir():
        return ""
    start = _start(path)
    return "" if _is_binary(start) else start.decode("utf-8-sig", errors="replace")


def lines(path: Path, progress: Progress) -> Iterator[tuple[Place, str]]:
    """Yield every line with its place; refuse files that are empty, binary or not UTF-8."""
    if path.is_dir():
        raise FormatError.expected(Place(str(path)), "a folder", "a file")
    total = path.stat().st_size
    if total == 0:
        raise FormatError(Place(str(path)), "the file is empty")
    done = reported = 0
    refuse_binary(path)
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            place = Place(str(path), number)
            done += len(raw)
            if done - reported >= _REPORT_EVERY:
                progress(done, total)
                reported = done
            yield place, _decode(raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw, place)


def whole_text(path: Path) -> str:
    """Return the text of a file with its line ends as they are; refuse what :func:`lines` does."""
    if path.is_dir():
        raise FormatError.expected(Place(str(path)), "a folder", "a file")
    return text_in(path.read_bytes(), str(path))


def text_in(data: bytes, path: str) -> str:
    """Return the text in the bytes of a file, which may stand in an archive."""
    _refuse_binary(data[:HEAD], path)
    raw = data.removeprefix(codecs.BOM_UTF8)
    if not raw.strip():
        raise FormatError(Place(path), "the file is empty")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line = Place(path, before.count(b"\n") + 1)
        _decode(raw[before.rfind(b"\n") + 1 :].partition(b"\n")[0], line)
        raise  # one line is never whole where the text is not


def _decode(raw: bytes, place: Place) -> str:
    try:
        return raw.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise FormatError.expected(
            place,
            f"byte 0x{raw[error.start]:02x} at column {error.start + 1}, which is not UTF-8",
            "UTF-8 text; save the file as UTF-8, for example with 'iconv -f latin1 -t utf-8'",
        ) from None


def refuse_binary(path: Path) -> None:
    """Refuse a file that is not text in a code that contains ASCII."""
    _refuse_binary(_start(path), str(path))


def _refuse_binary(start: bytes, path: str) -> None:
    if start.startswith(_UTF16):
        raise FormatError.expected(Place(path), "UTF-16 text", "UTF-8; save the file as UTF-8")
    if _is_binary(start):
        raise FormatError.expected(
            Place(path, start[: start.index(b"\0")].count(b"\n") + 1),
            "binary data (a NUL byte)",
            "a text file",
        )


def starts_with(path: Path, first: bytes) -> bool:
    """Tell whether the first bytes of a file are these."""
    return _start(path).startswith(first)


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD)


def _is_binary(start: bytes) -> bool:
    return start.startswith(_UTF16) or b"\0" in start
