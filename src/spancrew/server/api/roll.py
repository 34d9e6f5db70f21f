"""A CSV of workers to invite: read as a whole, or refused with the line that is wrong."""

import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping

from spancrew import wire
from spancrew.errors import FormatError, Place

_COLUMNS = ("name", "price", "cap")
_COLUMNS_SAID = "name, and if they differ from the plan price and cap"
_MONEY = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")
_COUNT = re.compile(r"[1-9][0-9]{0,8}")
_LONGEST = 200
_PATH = "roll"


def read_roll(content: bytes, invited: Collection[str] = ()) -> list[wire.WorkerIn]:
    """Return the workers of a CSV, in its order; its first line names the columns.

    A file that is sent twice would invite everybody twice, so nobody in it may be invited already.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise _expected(line, "bytes that are no UTF-8", "UTF-8; save the file as UTF-8") from None
    lines = _lines(text)
    line, head = next(lines, (1, []))
    columns = _columns(line, head)
    read = [_worker(line, columns, cells, invited) for line, cells in lines]
    if not read:
        raise _expected(None, "no worker", "a line for every worker, below that of the columns")
    if len(read) > wire.MOST_AT_ONCE:
        most = f"at most {wire.MOST_AT_ONCE:,}; cut the file into several"
        raise _expected(None, f"{len(read):,} workers", most)
    return read


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of every line that has any, with its number."""
    first = text.lstrip().partition("\n")[0]
    # Spreadsheets write what their country writes.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count))
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise _expected(line, f"a line that is no CSV ({error})", "CSV") from None
        if cells is None:
            return
        cells = [cell.strip() for cell in cells]
        if any(cells):
            yield line, cells


def _columns(line: int, head: list[str]) -> list[str]:
    columns = [cell.casefold() for cell in head]
    unknown = next((cell for cell in head if cell.casefold() not in _COLUMNS), None)
    if unknown is not None:
        raise _expected(line, f"the column {unknown[:80]!r}", f"only the columns {_COLUMNS_SAID}")
    if "name" not in columns or len(set(columns)) < len(columns):
        raise _expected(line, "no column name, or one twice", f"the columns {_COLUMNS_SAID}")
    return columns


def _worker(
    line: int, columns: list[str], cells: list[str], invited: Collection[str]
) -> wire.WorkerIn:
    if len(cells) > len(columns):
        wanted = f"{len(columns)}, as the first line has; put quotes round a name with commas"
        raise _expected(line, f"{len(cells)} cells", wanted)
    given: Mapping[str, str] = dict(zip(columns, cells, strict=False))
    price, cap = given.get("price", ""), given.get("cap", "")
    if price and not _MONEY.fullmatch(price):
        raise _expected(line, f"the price {price[:80]!r}", "a number such as 0.12")
    if cap and not _COUNT.fullmatch(cap):
        raise _expected(line, f"the cap {cap[:80]!r}", "a whole number from 1 up, such as 50")
    return wire.WorkerIn(
        name=_name(line, given["name"], invited),
        price=float(price) if price else None,
        cap=int(cap) if cap else None,
    )


def _name(line: int, name: str, invited: Collection[str]) -> str | None:
    if len(name) > _LONGEST:
        raise _expected(line, f"a name of {len(name):,} characters", f"at most {_LONGEST}")
    if any(sign < " " or sign == "\x7f" for sign in name):
        wanted = "a name on one line; a quotation mark may be missing"
        raise _expected(line, f"the name {name[:80]!r}", wanted)
    if name in invited:
        wanted = "only people who are new; leave out the others, or give this one another name"
        raise _expected(line, f"{name!r}, who is invited already", wanted)
    return name or None


def _expected(line: int | None, found: str, expected: str) -> FormatError:
    return FormatError.expected(Place(_PATH, line), found, expected)
