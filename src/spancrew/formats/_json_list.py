"""Read a JSON list record by record, with the line on which each begins."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from spancrew.errors import FormatError, Place
from spancrew.formats._base import Progress
from spancrew.formats._text import parse_json, whole

_BLANKS = re.compile(r"[ \t\r\n]*")


def json_list(path: Path, progress: Progress) -> Iterator[tuple[Place, Any]]:
    """Yield the values of a list; only the text and one value are in memory at a time."""
    text = whole(path, progress)
    decode = json.JSONDecoder().raw_decode
    opening = _skip(text, 0)
    if not text.startswith("[", opening):
        _refuse(text, path)
    position = _skip(text, opening + 1)
    line, counted = 1, 0
    while not text.startswith("]", position):
        line, counted = line + text.count("\n", counted, position), position
        try:
            value, end = decode(text, position)
        except (ValueError, RecursionError):
            _refuse(text, path)
        yield Place(str(path), line), value
        position = _next(text, _skip(text, end), path)
    if _skip(text, position + 1) < len(text):
        _refuse(text, path)


def _next(text: str, position: int, path: Path) -> int:
    """Return where the next value begins, or where the list is closed."""
    if text.startswith("]", position):
        return position
    following = _skip(text, position + 1)
    if not text.startswith(",", position) or text.startswith("]", following):
        _refuse(text, path)
    return following


def _skip(text: str, position: int) -> int:
    blanks = _BLANKS.match(text, position)
    return position if blanks is None else blanks.end()


def _refuse(text: str, path: Path) -> NoReturn:
    """Let the parser find the place where the text breaks."""
    place = Place(str(path), 1)
    parse_json(text, place)
    raise FormatError.expected(place, "JSON that is not a list", "a list of records")
