"""A zip archive of files that are a data set together: unpacked, and read as what is in it."""

import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from spancrew.errors import FormatError, Place
from spancrew.formats._archive import BROKEN_ZIP, DOCUMENTS
from spancrew.formats._base import Reading

_MOST = 1 << 30
_CHUNK = 1 << 20
_HIDDEN = (".", "__MACOSX")


def is_zipped(path: Path) -> bool:
    """Tell whether a file is an archive, and not a document that is packed as one."""
    if not path.is_file() or not zipfile.is_zipfile(path):
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return DOCUMENTS.isdisjoint(archive.namelist())
    except BROKEN_ZIP:
        return False


class Unzipped(NamedTuple):
    """What was in an archive, and where it was unpacked."""

    archive: Path
    folder: Path

    def data(self, recognises: Callable[[Path], bool]) -> Path:
        """Return what is to be read: often a folder in a folder, or a file alone.

        The innermost one that is recognised: an archive is mostly that of one folder.
        """
        nested = list(_nested(self.folder))
        return next((path for path in reversed(nested) if recognises(path)), nested[-1])

    @contextmanager
    def told(self) -> Iterator[None]:
        """Name the places of errors as they are in the archive."""
        try:
            yield
        except FormatError as error:
            problem = self._named(error.problem)
            raise FormatError(self._place(error.place), problem, error.remedy) from None

    def reading(self, found: Reading) -> Reading:
        """Name the places of repairs as they are in the archive."""
        repairs = [
            each._replace(place=self._place(each.place), what=self._named(each.what))
            for each in found.repairs
        ]
        return Reading(found.dataset, tuple(repairs))

    def _place(self, place: Place) -> Place:
        return Place(self._named(place.path), place.line)

    def _named(self, text: str) -> str:
        return text.replace(str(self.folder), str(self.archive))


@contextmanager
def unzipped(path: Path) -> Iterator[Unzipped]:
    """Yield what is in an archive; it is there until the block ends."""
    with tempfile.TemporaryDirectory(prefix="spancrew-") as folder:
        yield unzip(path, Path(folder) / "zip")


def unzip(path: Path, folder: Path, most: int = _MOST) -> Unzipped:
    """Unpack an archive into a new folder, at most so many bytes."""
    folder.mkdir()
    place = Place(str(path))
    try:
        with zipfile.ZipFile(path) as archive:
            _unpack(archive, folder, place, most)
    except BROKEN_ZIP as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError.expected(
            place, f"an archive that cannot be unpacked ({error})", "a whole zip archive"
        ) from None
    if not any(folder.iterdir()):
        raise FormatError(place, "the archive is empty")
    return Unzipped(path, folder)


def _unpack(archive: zipfile.ZipFile, folder: Path, place: Place, most: int) -> None:
    """Write all files but hidden ones; what the archive says of their sizes does not count."""
    left = most
    for part in archive.infolist():
        inside = _inside(part.filename, place)
        if part.is_dir() or any(name.startswith(_HIDDEN) for name in inside.parts):
            continue
        target = folder / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(part) as source, target.open("xb") as made:
            while chunk := source.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise FormatError(
                        place, f"it unpacks to more than {most >> 20:,} MB; unpack it first"
                    )
                made.write(chunk)


def _inside(name: str, place: Place) -> PurePosixPath:
    """Return where a file stands in its archive; refuse one that would stand outside."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in name:
        raise FormatError.expected(
            place, f"the file {name!r}, which is outside of the archive", "files inside of it"
        )
    return path


def _nested(folder: Path) -> Iterator[Path]:
    """Yield a folder, and what is alone in it, and alone in that."""
    inside: list[Path] = [folder]
    while len(inside) == 1:
        yield inside[0]
        inside = list(inside[0].iterdir()) if inside[0].is_dir() else []
