"""JSON from outside, with a limit on its depth."""

import json
from collections.abc import Callable
from typing import Any

MOST_LEVELS = 100
"""How deep lists and objects may stand in each other."""

_TOO_DEEP = f"lists and objects stand more than {MOST_LEVELS} levels deep in each other"


def parse_json(text: str, parse_constant: Callable[[str], Any] | None = None) -> Any:
    """Return a JSON value; raise ValueError for what is not JSON or is nested too deep.

    >>> parse_json('{"a": [1, 2]}')
    {'a': [1, 2]}
    >>> parse_json("[" * 101 + "]" * 101)
    Traceback (most recent call last):
        ...
    ValueError: lists and objects stand more than 100 levels deep in each other
    """
    try:
        value = json.loads(text, parse_constant=parse_constant)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    refuse_deep(value, text.count("[") + text.count("{"))
    return value


def refuse_deep(value: Any, brackets: int = MOST_LEVELS + 1) -> None:
    """Raise ValueError for a value that is nested too deep.

    Python can parse a few hundred levels more, and then fails wherever it walks through them. A
    value whose text has no more ``brackets`` that open than there may be levels is not walked.
    """
    if brackets <= MOST_LEVELS:
        return
    level = [value]
    for _ in range(MOST_LEVELS):
        level = [each for one in level for each in _parts(one) if isinstance(each, list | dict)]
        if not level:
            return
    raise ValueError(_TOO_DEEP)


def _parts(value: Any) -> Any:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
