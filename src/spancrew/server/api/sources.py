"""Where the data of a campaign come from: read under a name of ours, never unpacked blindly."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import NamedTuple

from starlette.datastructures import UploadFile

from spancrew import wire
from spancrew.core import LabelSet
from spancrew.errors import FormatError
from spancrew.formats import (
    BUNDLED,
    LAYOUTS,
    Reading,
    ReadOptions,
    TableDescription,
    follows,
    named,
    preview,
    read,
    recognise,
    unpacks_above,
    unzip_upload,
)
from spancrew.server.processes import in_thread
from spancrew.server.refusals import UNPACKED, invalid, too_large, unreadable

_ARCHIVES = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!")
"""How compressed files begin that are not unpacked."""
_NOT_SENT = "huggingface"
"""The format whose files can be compressed once more, by nobody knows how much."""
_SUFFIXES = {
    ".txt", ".csv", ".tsv", ".tab", ".json", ".jsonl", ".xlsx", ".parquet", ".spacy", ".zip",
}  # fmt: skip
"""Endings that say something of what is in a file; no other is taken over from what was sent."""
_CHUNK = 1 << 16


class DataSource(NamedTuple):
    """Where the data of a new campaign come from, and how they are to be read."""

    bundled: str | None
    file: UploadFile | None
    text: str | None
    format: str | None
    reading: wire.ReadingIn


def check_source(source: DataSource) -> None:
    """Refuse no data and data twice, what is not bundled, and what cannot be sent."""
    if sum(each is not None for each in source[:3]) != 1:
        raise invalid(
            "a campaign needs either 'data', the name of a bundled data set, or 'file', or 'text'"
        )
    _refuse_not_sent(source.format)
    if source.bundled is not None and source.bundled not in BUNDLED:
        raise invalid(f"data {source.bundled!r} is not bundled (one of {', '.join(BUNDLED)})")


def _refuse_not_sent(format_: str | None) -> None:
    if format_ == _NOT_SENT:
        raise invalid(
            f"the format {format_!r} is a folder, which cannot be uploaded",
            "make a file of it first: spancrew convert FOLDER data.jsonl",
        )


async def read_source(source: DataSource, limit: int) -> Reading:
    """Read a data set; nothing of it stays behind."""
    check_source(source)
    return await in_thread(_read, source, limit)


async def look_at_source(source: DataSource, limit: int) -> tuple[Reading, wire.ReadingView]:
    """Read a data set, and say what it was taken for, also where it cannot be read."""
    check_source(source)
    return await in_thread(_look_at, source, limit)


def _read(source: DataSource, limit: int) -> Reading:
    with _at_hand(source, limit) as data:
        chosen = format_of(data, source)
        return read(data, chosen, **source.reading.options())


def _look_at(source: DataSource, limit: int) -> tuple[Reading, wire.ReadingView]:
    with _at_hand(source, limit) as data:
        try:
            chosen = format_of(data, source)
        except FormatError as error:
            needs_column = error.remedy is not None and error.remedy.option == "text_column"
            view = _seen(data, "json", source)[1] if needs_column else None
            raise unreadable(error, view) from None
        found, view = _seen(data, chosen, source)
        if isinstance(found, FormatError):
            raise unreadable(found, view) from None
        return found, view


def _seen(
    data: Path | str, chosen: str, source: DataSource
) -> tuple[Reading | FormatError, wire.ReadingView]:
    """Return what data are, and what they were taken for."""
    given = source.reading.options()
    labels = given.pop("labels")
    options = ReadOptions(labels=LabelSet(labels) if labels else None, **given)
    format_ = named(chosen)
    found, table = preview(data, format_, options)
    return found, wire.ReadingView(
        format=chosen,
        follows=tuple(sorted(follows(format_))),
        table=None if table is None else _table_view(table),
    )


def _table_view(table: TableDescription) -> wire.TableView:
    return wire.TableView(
        layout=table.layout,
        columns=tuple(wire.ColumnView(**each._asdict()) for each in table.columns),
        roles=dict(table.roles),
        workers=table.workers,
        layouts={name: wire.LayoutView(**each._asdict()) for name, each in LAYOUTS.items()},
    )


def format_of(data: Path | str, source: DataSource) -> str:
    """Return the name of a format: the one that was told, or the one that it looks like.

    Text that was pasted and looks like nothing else is text.
    """
    if source.bundled is not None:
        return "spancrew"
    if source.format is not None:
        return source.format
    try:
        found = recognise(Path(data), ReadOptions(columns=source.reading.columns)).name
    except FormatError:
        if source.text is None:
            raise
        return "text"
    _refuse_not_sent(found)
    return found


@contextmanager
def _at_hand(source: DataSource, limit: int) -> Iterator[Path | str]:
    """Yield what to read; a file is there until the block ends."""
    if source.bundled is not None:
        yield source.bundled
        return
    with tempfile.TemporaryDirectory(prefix="spancrew-") as folder:
        yield keep_file(source, Path(folder), limit)


def keep_file(source: DataSource, folder: Path, limit: int) -> Path:
    """Keep what was sent in a folder of ours, unpacked; refuse what unpacks to too much."""
    if source.text is not None:
        copy = folder / "upload"
        copy.write_text(source.text, "utf-8", newline="")
        return copy
    assert source.file is not None  # noqa: S101  the caller has checked it
    copy = folder / f"upload{_suffix(source)}"
    with copy.open("wb") as target:
        while chunk := source.file.file.read(_CHUNK):
            target.write(chunk)
    _refuse_archive(copy)
    _refuse_too_large(copy, limit)
    data = unzip_upload(copy, folder / UNPACKED, source.format, limit)
    if data != copy and data.is_file():
        _refuse_too_large(data, limit)
    return data


def _refuse_too_large(path: Path, limit: int) -> None:
    if unpacks_above(path, limit):
        raise too_large(limit)


def _suffix(source: DataSource) -> str:
    """Return an ending for our copy: not the name that was sent, which may be a path."""
    if source.format == "xlsx":
        return ".xlsx"
    sent = PurePath((source.file and source.file.filename) or "").suffix.casefold()
    return sent if sent in _SUFFIXES else ""


def _refuse_archive(path: Path) -> None:
    with path.open("rb") as file:
        is_archive = file.read(8).startswith(_ARCHIVES)
    if is_archive:
        raise invalid(
            "the file is compressed, and not as a zip archive",
            "send the data set itself, or a zip archive",
        )
