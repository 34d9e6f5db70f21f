"""Files packed into a zip archive, or the same files in a folder."""

import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import ParseError

from spancrew.errors import FormatError, Place

BROKEN_ZIP = (
    zipfile.BadZipFile, zlib.error, ParseError, KeyError, ValueError, TypeError, IndexError,
    AttributeError, EOFError, OSError, NotImplementedError, RuntimeError, OverflowError,
)  # fmt: skip
"""What zipfile, and openpyxl above it, raise on files that are damaged."""

ZIP = b"PK\x03\x04"
"""How an archive begins."""
WORKBOOK = "[Content_Types].xml"
"""Every workbook has this file: it is a document, not an archive of some."""
DOCUMENTS = frozenset({WORKBOOK, "mimetype"})
"""Files that documents have which are packed as archives."""

_MOST = 1 << 30
"""The size in bytes that one packed file may unpack to."""
_HIDDEN = ("__MACOSX", ".")


class PackedFile(NamedTuple):
    """The bytes of a file, which may stand in an archive, and where to look for it."""

    path: str
    data: bytes


class Archive(NamedTuple):
    """The names in a zip archive or a folder; bytes are read one file at a time."""

    path: Path
    names: tuple[str, ...]

    @classmethod
    def of(cls, path: Path) -> "Archive | None":
        """Return what is in a folder or a zip archive; None if the path is neither."""
        if path.is_dir():
            inside = (each for each in path.rglob("*") if each.is_file())
            names = sorted(each.relative_to(path).as_posix() for each in inside)
        elif zipfile.is_zipfile(path):
            try:
                with zipfile.ZipFile(path) as file:
                    names = sorted(each.filename for each in file.infolist() if not each.is_dir())
            except BROKEN_ZIP:
                return None
        else:
            return None
        return cls(path, tuple(name for name in names if not name.startswith(_HIDDEN)))

    @contextmanager
    def opened(self) -> Iterator[Callable[[str], PackedFile]]:
        """Yield a function from the name of a file to its bytes."""
        if self.path.is_dir():
            yield lambda name: PackedFile(str(self.path / name), (self.path / name).read_bytes())
            return
        with _opened(self.path, str(self.path)) as packed:
            path = f"{self.path}/"
            yield lambda name: PackedFile(path + name, unpacked(packed, name, path + name))


def inner_files(outer: PackedFile) -> dict[str, bytes]:
    """Return the files of an archive that stands in another one."""
    with _opened(BytesIO(outer.data), outer.path) as packed:
        return {name: unpacked(packed, name, outer.path) for name in packed.namelist()}


def unpacked(archive: zipfile.ZipFile, name: str, path: str) -> bytes:
    """Return the bytes of a packed file; refuse what is damaged or far too large."""
    try:
        if archive.getinfo(name).file_size <= _MOST:
            return archive.read(name)
    except BROKEN_ZIP as error:
        raise FormatError.expected(
            Place(path), f"a packed file that cannot be read ({error})", "a whole zip archive"
        ) from None
    raise FormatError(Place(path), f"it unpacks to more than {_MOST >> 20:,} MB; unpack it first")


def _opened(source: Path | BytesIO, path: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(source)
    except BROKEN_ZIP as error:
        raise FormatError.expected(
            Place(path), f"an archive that cannot be read ({error})", "a whole zip archive"
        ) from None


def pack(archive: zipfile.ZipFile, name: str, text: str) -> None:
    """Add a text to an archive, without the time, so that equal data make equal files."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, text.encode("utf-8"))
