"""What exports of Label Studio may look like: flat rows of JSON-MIN, offsets in two units."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from spancrew.errors import FormatError, Place
from spancrew.formats._json import identifier, need, want
from spancrew.formats._utf16 import Utf16

Fields: TypeAlias = dict[str, Any]

_ABOUT_THE_ANSWER = ("annotation_id", "annotator", "created_at", "updated_at", "lead_time")


def is_min(fields: Collection[str]) -> bool:
    """Tell whether these are the fields of a row of JSON-MIN."""
    return "annotator" in fields and "annotation_id" in fields and "data" not in fields


def tasks_from_min(rows: Iterable[tuple[Place, Fields]]) -> list[tuple[Place, Fields]]:
    """Return tasks as in the full export; rows of the same id are answers to the same sentence."""
    tasks: dict[str, tuple[Place, Fields]] = {}
    for number, (place, row) in enumerate(rows, 1):
        id_ = identifier(row.get("id")) or f"row {number}"
        new = {"id": id_, "data": _data(row), "annotations": []}
        _, task = tasks.setdefault(id_, (place, new))
        task["annotations"].append(_annotation(row))
    return list(tasks.values())


def _data(row: Fields) -> Fields:
    return {
        name: value
        for name, value in row.items()
        if name not in _ABOUT_THE_ANSWER and name != "id" and not _is_region_list(value)
    }


def _annotation(row: Fields) -> Fields:
    about = {name: row[name] for name in _ABOUT_THE_ANSWER if name in row}
    about["id"] = about.pop("annotation_id", None)
    about["completed_by"] = about.pop("annotator", None)
    regions = [region for value in row.values() if _is_region_list(value) for region in value]
    return about | {"result": [{"type": "labels", "value": region} for region in regions]}


def _is_region_list(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) > 0
        and all(isinstance(region, dict) and "labels" in region for region in value)
    )


class Region(NamedTuple):
    """A stretch of text and what the file says is written there, if it does."""

    start: int
    end: int
    quote: str | None

    @classmethod
    def read(cls, value: dict[str, Any], place: Place) -> "Region":
        """Return the region that a value of a result is."""
        start, end = need(value, "start", int, place), need(value, "end", int, place)
        return cls(start, end, want(value, "text", str, place))


def borders(text: str, given: Sequence[Region], place: Place, where: str) -> list[tuple[int, int]]:
    """Return the borders of all regions of one annotation in code points.

    Whichever unit makes every region say what it quotes is taken; code points if both do.
    """
    if all(_fits(text, region) for region in given):
        return [(region.start, region.end) for region in given]
    units = Utf16(text)
    moved = [_moved(region, units) for region in given]
    if all(_fits(text, region) for region in moved):
        return [(region.start, region.end) for region in moved]
    pairs = zip(given, moved, strict=True)
    wrong, other = next(pair for pair in pairs if not _fits(text, pair[0]))
    raise FormatError.expected(
        place,
        f"characters {wrong.start}-{wrong.end}, which are {_quoted(text, wrong)} in code points "
        f"and {_quoted(text, other)} in UTF-16 units ({where})",
        "characters inside the text" if wrong.quote is None else f"the quoted {wrong.quote!r}",
    )


def _fits(text: str, region: Region) -> bool:
    if not 0 <= region.start < region.end <= len(text):
        return False
    # Label Studio shows "\r\n" as two line ends and may trim blanks: white space is no evidence.
    found = text[region.start : region.end]
    return region.quote is None or found.split() == region.quote.split()


def _moved(region: Region, units: Utf16) -> Region:
    return Region(units.point(region.start), units.point(region.end), region.quote)


def _quoted(text: str, region: Region) -> str:
    is_inside = 0 <= region.start < region.end <= len(text)
    return repr(text[region.start : region.end]) if is_inside else "outside the text"
