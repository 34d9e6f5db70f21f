"""Read the target F1 of workers from a small file."""

import csv
import json
from pathlib import Path
from typing import Any

from spancrew.core import parse_json
from spancrew.errors import FormatError, Place

_EXPECTED = 'a JSON object such as {"w1": 0.62} or a CSV file with the columns worker and f1'


def read_targets(path: Path) -> dict[str, float]:
    """Read worker and F1 from a .json or .csv file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError.expected(Place(str(path)), "bytes that are not UTF-8", "text") from None
    pairs = _from_csv(text, path) if path.suffix == ".csv" else _from_json(text, path)
    if not pairs:
        raise FormatError.expected(Place(str(path)), "no workers", _EXPECTED)
    return pairs


def _from_json(text: str, path: Path) -> dict[str, float]:
    try:
        record = parse_json(text)
    except json.JSONDecodeError as error:
        raise FormatError.expected(
            Place(str(path), error.lineno), f"text that is not JSON ({error.msg})", _EXPECTED
        ) from None
    except ValueError as error:
        found = f"JSON that cannot be read ({error})"
        raise FormatError.expected(Place(str(path)), found, _EXPECTED) from None
    if not isinstance(record, dict):
        raise FormatError.expected(Place(str(path)), f"a {type(record).__name__}", _EXPECTED)
    return {worker: _number(value, Place(str(path)), worker) for worker, value in record.items()}


def _from_csv(text: str, path: Path) -> dict[str, float]:
    rows = csv.DictReader(text.splitlines())
    if rows.fieldnames is None or not {"worker", "f1"} <= set(rows.fieldnames):
        found = f"the columns {', '.join(rows.fieldnames or ['none'])}"
        raise FormatError.expected(Place(str(path), 1), found, _EXPECTED)
    targets: dict[str, float] = {}
    for row in rows:
        place = Place(str(path), rows.line_num)
        if row["worker"] in targets:
            raise FormatError(place, f"worker {row['worker']!r} is there twice")
        targets[row["worker"]] = _number(row["f1"], place, row["worker"])
    return targets


def _number(value: Any, place: Place, worker: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise FormatError.expected(
            place, f"F1 {value!r} of worker {worker!r}", "a number from 0 to 1"
        ) from None
