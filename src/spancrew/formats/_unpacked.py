"""How large compressed data sets are when unpacked, looked at before anything is unpacked."""

import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from spancrew.errors import FormatError, Place
from spancrew.formats._archive import WORKBOOK, ZIP
from spancrew.formats._base import package

_CHUNK = 1 << 16
_MOST_PARTS = 10_000
_MOST_IN_MEMORY = 1 << 22
_DEEPEST = 3
"""How many archives may stand in each other; a project of INCEpTION has archives inside."""
_DECLARATION = "<!DOCTYPE"
_ROWS = 4_096


def unpacks_above(path: Path, limit: int) -> bool:
    """Tell whether a compressed file has more bytes inside than the limit.

    What it says of itself does not count: it is unpacked piece by piece and forgotten at once.
    A file that is damaged is left to its format, which says it better.
    """
    with path.open("rb") as file:
        start = file.read(4)
    if start == ZIP:
        pieces = _zip_pieces(path, path)
    elif start == b"PAR1":
        pieces = _parquet_pieces(path)
    else:
        pieces = _zlib_pieces(path) if start[:1] == b"x" else iter(())
    size = 0
    return any((size := size + piece) > limit for piece in pieces)


def _zlib_pieces(path: Path) -> Iterator[int]:
    unpacker = zlib.decompressobj()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            while chunk:
                try:
                    yield len(unpacker.decompress(chunk, _CHUNK))
                except zlib.error:
                    return
                chunk = unpacker.unconsumed_tail


def _zip_pieces(source: Path | IO[bytes], path: Path, depth: int = 1) -> Iterator[int]:
    """Yield the sizes of pieces, those of archives inside of the archive, too."""
    if depth > _DEEPEST:
        raise FormatError(Place(str(path)), "the file has archives in archives; unpack it first")
    try:
        with zipfile.ZipFile(source) as archive:
            parts = archive.infolist()
            if len(parts) > _MOST_PARTS:
                raise FormatError(Place(str(path)), f"the file has {len(parts):,} parts inside")
            names = {part.filename for part in parts}
            for part in parts:
                with archive.open(part) as file:
                    is_xml = WORKBOOK in names or part.filename.endswith(".xml")
                    yield from _part_pieces(file, path, depth, is_xml=is_xml)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        return


def _part_pieces(file: IO[bytes], path: Path, depth: int, *, is_xml: bool) -> Iterator[int]:
    start = file.peek(4) if isinstance(file, zipfile.ZipExtFile) else b""
    if is_xml:
        yield from _checked_pieces(file, path)
        return
    with tempfile.SpooledTemporaryFile(_MOST_IN_MEMORY) as inner:
        is_zip = start.startswith(ZIP)
        while piece := file.read(_CHUNK):
            yield len(piece)
            if is_zip:
                inner.write(piece)
        if is_zip:
            yield from _zip_pieces(inner, path, depth + 1)


def _checked_pieces(file: Any, path: Path) -> Iterator[int]:
    """Yield the sizes of pieces; refuse declarations, by which a little XML can become much."""
    before = b""
    while piece := file.read(_CHUNK):
        both = before + piece
        if any(_DECLARATION.encode(code) in both for code in ("utf-8", "utf-16-le", "utf-16-be")):
            problem = "the workbook declares XML entities; save it again from a spreadsheet"
            raise FormatError(Place(str(path)), problem)
        before = piece[-2 * len(_DECLARATION) :]
        yield len(piece)


def _parquet_pieces(path: Path) -> Iterator[int]:
    """Yield the sizes of batches; a value that repeats counts every time."""
    package("pyarrow", "parquet")
    parquet = package("pyarrow.parquet", "parquet", "pyarrow")
    try:
        with parquet.ParquetFile(path) as file:
            yield _announced(file.metadata)
            names = [file.schema.column(k).path for k in range(len(file.schema.names))]
        with parquet.ParquetFile(path, read_dictionary=names) as file:
            for batch in file.iter_batches(_ROWS):
                yield from (_logical(column) for column in batch.columns)
    except (OSError, ValueError, LookupError, TypeError, OverflowError):
        return


def _announced(metadata: Any) -> int:
    chunks = [
        metadata.row_group(g).column(c)
        for g in range(metadata.num_row_groups)
        for c in range(metadata.num_columns)
    ]
    return sum(max(chunk.total_uncompressed_size, chunk.num_values) for chunk in chunks)


def _logical(column: Any) -> int:
    """Return the bytes of a column as if no value were stored once for many."""
    arrow = package("pyarrow", "parquet")
    compute = package("pyarrow.compute", "parquet", "pyarrow")
    while arrow.types.is_nested(column.type):
        parts = column.flatten()
        if isinstance(parts, list):
            return sum(_logical(part) for part in parts)
        column = parts
    if not arrow.types.is_dictionary(column.type):
        return int(column.nbytes)
    lengths = compute.binary_length(column.dictionary)
    return int(compute.sum(lengths.take(column.indices)).as_py() or 0)
