"""How large a compressed file is inside counts, whatever it says of itself."""

import zipfile
import zlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from spancrew.errors import FormatError
from spancrew.formats import read, unpacks_above

LIMIT = 1_000_000


def a_zip(path: Path, *parts: bytes) -> Path:
    """Write some parts into an archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, part in enumerate(parts):
            archive.writestr(f"{number}.xml", part)
    return path


def test_parts_of_an_archive_count_together(tmp_path: Path) -> None:
    """Each alone would be small enough."""
    half = b"0" * (LIMIT // 2)

    assert not unpacks_above(a_zip(tmp_path / "a", half, half), LIMIT)
    assert unpacks_above(a_zip(tmp_path / "b", half, half, b"0"), LIMIT)


@pytest.mark.parametrize("code", ["utf-8", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("before", [0, 65_530])
def test_xml_with_entities_is_refused(tmp_path: Path, code: str, before: int) -> None:
    """Also where the declaration lies across two pieces."""
    text = " " * before + '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]><x>&a;</x>'

    with pytest.raises(FormatError, match="declares XML entities"):
        unpacks_above(a_zip(tmp_path / "a", text.encode(code)), LIMIT)


def test_a_value_that_parquet_keeps_once_counts_every_time(tmp_path: Path) -> None:
    """In a plain column and inside lists."""
    once = pa.DictionaryArray.from_arrays(pa.array([0] * 5_000, pa.int32()), pa.array(["a" * 300]))
    inside = pa.ListArray.from_arrays(pa.array(range(5_001), pa.int32()), once)
    for name, column in (("flat", once), ("nested", inside)):
        pq.write_table(pa.table({"text": column}), tmp_path / name)

        assert (tmp_path / name).stat().st_size < 10_000
        assert unpacks_above(tmp_path / name, LIMIT)
        assert not unpacks_above(tmp_path / name, 2 * LIMIT)


def test_plain_and_damaged_files_are_left_to_their_format(tmp_path: Path) -> None:
    """They say better what is wrong."""
    path = tmp_path / "x"
    for content in (
        b"x is text",
        b"PK\x03\x04 no archive",
        b"PAR1 no table",
        b"",
        zlib.compress(b"x")[:5],
    ):
        path.write_bytes(content)

        assert not unpacks_above(path, LIMIT)


def test_a_few_bytes_cannot_claim_a_sheet_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell in the last column makes blank ones of all before it."""
    openpyxl = pytest.importorskip("openpyxl")
    monkeypatch.setattr("spancrew.formats._table_binary._MOST_EXCEL_CELLS", 40_000)
    book = openpyxl.Workbook()
    book.active.append(["text"])
    for row in (2, 3, 4):
        book.active.cell(row, 16_384, "x")
    book.save(tmp_path / "wide.xlsx")

    with pytest.raises(FormatError, match="line 4: the sheet has more than 40,000 cells"):
        read(tmp_path / "wide.xlsx")
