"""What an export of Label Studio holds beyond spans: kept in ``meta``, given back unchanged."""

import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from spancrew.core import Span
from spancrew.errors import FormatError, Place

Fields: TypeAlias = dict[str, Any]

KEPT = "label_studio"
"""The name in ``meta`` under which the rest of a task stands."""

_TASK = {"id", "data", "meta", "annotations", "predictions"}
_DATA = {"id", "text", "tokens"}
_ANNOTATION = {
    "id", "was_cancelled", "ground_truth", "result", "completed_by", "lead_time", "created_at",
    "meta",
}  # fmt: skip
_MEDIA = re.compile(
    r"\S+\.(?:png|jpe?g|gif|bmp|webp|tiff?|svg|wav|mp3|flac|ogg|m4a|mp4|avi|mov|webm|pdf)(?:\?\S*)?",
    re.IGNORECASE,
)


def refuse_media(text: str, field: str, id_: str, place: Place) -> None:
    """Refuse a task whose text is the address of a picture, a sound or a film."""
    if _MEDIA.fullmatch(text.strip()):
        raise FormatError.expected(
            place,
            f"the address of a file ({text[:60]!r}) in field {field!r} of sentence {id_!r}",
            "a text: pictures, sounds and films have no spans of text",
        )


def original_of(
    task: Fields, annotations: Iterable[Fields], text_field: str, names: Iterable[str]
) -> Fields:
    """Return everything of a task but its text.

    ``names`` are those that its fields have in ``meta``.
    """
    own = {"data", "annotations", "completions", "predictions"}
    return {
        "task": {name: value for name, value in task.items() if name not in own},
        "data": {name: value for name, value in task["data"].items() if name != text_field},
        "text": text_field,
        "names": list(names),
        "annotations": [{"as": annotation} for annotation in annotations],
        "predictions": [],
    }


def remember(
    original: Fields, annotation: Fields, worker: str | None, spans: Iterable[Span]
) -> None:
    """Note whose spans an annotation was read as; None for gold."""
    entry = next(each for each in original["annotations"] if each["as"] is annotation)
    marks = sorted([span.start, span.end, span.label] for span in spans)
    entry |= {"worker": worker, "spans": marks}


def is_ours(task: Fields, position: int) -> bool:
    """Tell whether spancrew wrote a task, so that there is nothing to keep."""
    data = task.get("data")
    if task.get("id") != position + 1 or not task.keys() <= _TASK or not isinstance(data, dict):
        return False
    if not isinstance(data.get("id"), str) or not data.keys() <= _DATA:
        return False
    given = task.get("annotations")
    return isinstance(given, list) and all(map(_is_our_annotation, given))


def _is_our_annotation(given: Any) -> bool:
    if not isinstance(given, dict) or not given.keys() <= _ANNOTATION:
        return False
    meta = given.get("meta")
    is_named = isinstance(meta, dict) and "worker" in meta
    if not (is_named or given.get("ground_truth")) or given.get("was_cancelled"):
        return False
    results = given.get("result")
    return isinstance(results, list) and all(
        _is_our_result(result, f"{given.get('id')}-{k}") for k, result in enumerate(results)
    )


def _is_our_result(result: Any, id_: str) -> bool:
    names = {"id": id_, "from_name": "label", "to_name": "text", "type": "labels"}
    return isinstance(result, dict) and {n: v for n, v in result.items() if n != "value"} == names
