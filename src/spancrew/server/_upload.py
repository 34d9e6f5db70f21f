"""A data set that comes with a request: read under a name of ours, and never unpacked blindly."""

import json
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from starlette.datastructures import UploadFile

from spancrew.core import Dataset, DatasetBuilder, LabelSet
from spancrew.formats import BUNDLED, Reading, read
from spancrew.server._refusals import invalid, too_large
from spancrew.server._threads import in_thread
from spancrew.stores import SentenceRow

_ARCHIVES = (
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"Rar!",
)
_FOLDERS = {"huggingface", "crowd-dir"}
_CHUNK = 1 << 16


class Source(NamedTuple):
    """Where the data of a new campaign come from."""

    bundled: str | None
    file: UploadFile | None
    format: str | None


async def read_source(source: Source, limit: int) -> Reading:
    """Read the data set of a new campaign; refuse none, and two."""
    if (source.bundled is None) == (source.file is None):
        raise invalid("a campaign needs either 'data', the name of a bundled data set, or 'file'")
    if source.format in _FOLDERS:
        raise invalid(
            f"the format {source.format!r} is a folder, which cannot be uploaded",
            "make a file of it first: spancrew convert FOLDER data.jsonl",
        )
    if source.bundled is not None:
        if source.bundled not in BUNDLED:
            raise invalid(f"data {source.bundled!r} is not bundled (one of {', '.join(BUNDLED)})")
        return await in_thread(read, source.bundled)
    assert source.file is not None  # noqa: S101  one of the two is there
    return await in_thread(_read_file, source.file, source.format, limit)


def _read_file(file: UploadFile, format_: str | None, limit: int) -> Reading:
    with tempfile.TemporaryDirectory(prefix="spancrew-") as folder:
        # Not the name that was sent: it may be a path, or ask for a format.
        copy = Path(folder) / "upload"
        with copy.open("wb") as target:
            while chunk := file.file.read(_CHUNK):
                target.write(chunk)
        _refuse_archive(copy)
        if format_ == "spacy":
            _refuse_bomb(copy, limit)
        return read(copy, format_)


def _refuse_archive(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(8).startswith(_ARCHIVES):
            raise invalid(
                "the file is an archive, or is compressed", "send the data set itself, as text"
            )


def _refuse_bomb(path: Path, limit: int) -> None:
    """Refuse compressed data that would not fit the limit when unpacked."""
    unpacker, size = zlib.decompressobj(), 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            while chunk:
                try:
                    size += len(unpacker.decompress(chunk, _CHUNK))
                except zlib.error:
                    return  # the format says it better
                if size > limit:
                    raise too_large(limit)
                chunk = unpacker.unconsumed_tail


def prepared(dataset: Dataset, labels: tuple[str, ...], *, use_gold: bool) -> Dataset:
    """Return the sentences of a data set alone, with its gold if that is to be used.

    ``labels`` are those of the plan; gold with any other is refused.
    """
    builder = DatasetBuilder(LabelSet(labels))
    for position, sentence in enumerate(dataset.sentences):
        _refuse_odd_text(sentence.id, sentence.text)
        builder.add_sentence(sentence, dataset.gold_spans(position) if use_gold else None)
    return builder.build()


def rows_of(dataset: Dataset) -> Iterator[SentenceRow]:
    """Yield the sentences as a store keeps them."""
    for position, sentence in enumerate(dataset.sentences):
        gold = dataset.gold_spans(position)
        spans = None if gold is None else tuple((s.start, s.end, s.label) for s in gold)
        meta: Any = dict(sentence.meta)
        yield SentenceRow(
            sentence.id, sentence.text, sentence.bounds, spans, json.dumps(meta, default=str)
        )


def _refuse_odd_text(*texts: str) -> None:
    for text in texts:
        if "\0" in text or _has_half_characters(text):
            raise invalid("a sentence holds NUL or half a character, which no store can keep")


def _has_half_characters(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
