"""How large compressed data sets are when unpacked, looked at before anything is unpacked."""

import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spancrew.errors import FormatError, Place
from spancrew.formats._base import package

_CHUNK = 1 << 16
_MOST_PARTS = 10_000
_DECLARATION = "<!DOCTYPE"
_ROWS = 4_096


def unpacks_above(path: Path, limit: int) -> bool:
    """Tell whether a compressed file has more bytes inside than the limit.

    What it says of itself does not count: it is unpacked piece by piece and forgotten at once.
    A file that is damaged is left to its format, which says it better.
    """
    with path.open("rb") as file:
        start = file.read(4)
    if start == b"PK\x03\x04":
        pieces = _zip_pieces(path)
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


def _zip_pieces(path: Path) -> Iterator[int]:
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
            if len(parts) > _MOST_PARTS:
                raise FormatError(Place(str(path)), f"the file has {len(parts):,} parts inside")
            for part in parts:
                with archive.open(part) as file:
                    yield from _checked_pieces(file, path)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        return


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
