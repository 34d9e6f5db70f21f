"""Open text files: UTF-8, or what their first bytes say, line by line; errors name the line."""

import codecs
import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from spancrew.errors import FormatError, Place
from spancrew.formats._base import Progress

HEAD = 64 * 1024
_REPORT_EVERY = 1 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # The mark of UTF-16 is the beginning of the longer one.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""How a text is encoded that begins with a mark; what Excel calls Unicode text is UTF-16."""
_FEW = 4
"""NULs that may be anything."""
_SAVE_IT = (
    "UTF-8; save the file as UTF-8 (in Excel: 'CSV UTF-8'), or run 'iconv -f CODE -t utf-8', "
    "where CODE is mostly cp1252, or gb18030 for Chinese"
)


def head(path: Path) -> str:
    """Return the beginning of a file as text; nothing for a folder or a binary file."""
    if path.is_dir():
        return ""
    mark, code = _encoding(start := start_of(path))
    return "" if _is_binary(start) else start[len(mark) :].decode(code, errors="replace")


def lines(path: Path, progress: Progress) -> Iterator[tuple[Place, str]]:
    """Yield every line with its place; refuse files that are empty, binary or wrongly encoded."""
    if path.is_dir():
        raise FormatError.expected(Place(str(path)), "a folder", "a file")
    total = path.stat().st_size
    if total == 0:
        raise FormatError(Place(str(path)), "the file is empty")
    done = reported = 0
    refuse_binary(path)
    with _opened(path) as file:
        for number, raw in enumerate(file, start=1):
            place = Place(str(path), number)
            done += len(raw)
            if done - reported >= _REPORT_EVERY:
                progress(min(done, total), total)
                reported = done
            yield place, _decode(raw, place)


def whole_text(path: Path) -> str:
    """Return the text of a file with its line ends as they are; refuse what :func:`lines` does."""
    if path.is_dir():
        raise FormatError.expected(Place(str(path)), "a folder", "a file")
    return text_in(path.read_bytes(), str(path))


def text_in(data: bytes, path: str) -> str:
    """Return the text in the bytes of a file, which may stand in an archive."""
    _refuse_binary(data[:HEAD], path)
    raw = _in_utf8(data, path)
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
            _SAVE_IT,
        ) from None


def _opened(path: Path) -> IO[bytes]:
    """Open a file as UTF-8 without its mark; one in another code is turned over first."""
    mark, code = _encoding(start_of(path))
    if code != "utf-8":
        return io.BytesIO(_in_utf8(path.read_bytes(), str(path)))
    file = path.open("rb")
    file.seek(len(mark))
    return file


def _in_utf8(data: bytes, path: str) -> bytes:
    """Return the bytes of a text as if it had been saved as UTF-8 without a mark."""
    mark, code = _encoding(data)
    raw = data[len(mark) :]
    if code == "utf-8":
        return raw
    try:
        return raw.decode(code).encode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].decode(code).count("\n") + 1
        raise FormatError.expected(
            Place(path, line), f"half a character of {code.upper()}", _SAVE_IT
        ) from None


def _encoding(start: bytes) -> tuple[bytes, str]:
    """Return the mark with which a text begins, and its code."""
    return next((each for each in _MARKS if start.startswith(each[0])), (b"", "utf-8"))


def refuse_binary(path: Path) -> None:
    """Refuse a file that is not text in a code that contains ASCII."""
    _refuse_binary(start_of(path), str(path))


def _refuse_binary(start: bytes, path: str) -> None:
    if not _is_binary(start):
        return
    if _looks_wide(start):
        raise FormatError.expected(
            Place(path),
            "what looks like UTF-16 without the mark at its beginning",
            "UTF-8; save the file as UTF-8",
        )
    raise FormatError.expected(
        Place(path, start[: start.index(b"\0")].count(b"\n") + 1),
        "binary data (a NUL byte)",
        "a text file",
    )


def _looks_wide(start: bytes) -> bool:
    """Tell whether every other byte is mostly a NUL, and the others are not."""
    fewer, more = sorted(start[k::2].count(0) for k in (0, 1))
    return fewer == 0 and more > max(len(start) / 4, _FEW)


def start_of(path: Path) -> bytes:
    """Return the first bytes of a file."""
    with path.open("rb") as file:
        return file.read(HEAD)


def _is_binary(start: bytes) -> bool:
    mark, code = _encoding(start)
    return (
        b"\0" in start if code == "utf-8" else "\0" in start[len(mark) :].decode(code, "replace")
    )
