"""Label Studio's JSON-MIN: one flat row for every annotation, turned into tasks."""

from collections.abc import Collection, Iterable
from typing import Any, TypeAlias

from spancrew.errors import Place
from spancrew.formats._running_text import identifier

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
