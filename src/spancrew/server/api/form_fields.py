"""Values that a schema alone cannot check: form fields, and JSON in text."""

import json
from typing import Any

from starlette.datastructures import FormData

from spancrew.server.refusals import invalid


def text_field(form: FormData, name: str, most: int) -> str | None:
    """Return a field of a form as text; None where it is missing or empty."""
    value = form.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise invalid(f"{name}: a text is expected, not a file")
    if len(value) > most:
        raise invalid(f"{name}: at most {most:,} characters, not {len(value):,}")
    if _is_odd(value):
        raise invalid(f"{name}: control characters are not allowed")
    return value.strip() or None


def parsed_json(text: str, name: str) -> Any:
    """Return what a text says as JSON; NaN, Infinity and half characters are no JSON."""
    try:
        found = json.loads(text, parse_constant=_refuse_constant)
        json.dumps(found, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise invalid(f"{name} is not JSON: {str(error)[:200]}") from None
    return found


def _is_odd(text: str) -> bool:
    return any(
        (character < " " and character not in "\t\r\n") or "\ud800" <= character <= "\udfff"
        for character in text
    )


def _refuse_constant(word: str) -> float:
    raise ValueError(f"{word} is no number")
