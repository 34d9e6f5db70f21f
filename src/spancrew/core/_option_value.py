"""One option of a named part: from text or JSON to its type, and back."""

from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from spancrew.errors import SpancrewError

_WORDS = {"true": True, "false": False}
_IS = {
    float: "a number",
    int: "a whole number",
    bool: "true or false",
    str: "text",
}


def option_value(owner: str, option: str, given: object, wanted: Any) -> object:
    """Return what was given for an option as the type that is wanted; refuse what is not one.

    >>> option_value("policy 'cucb'", "scale", "0.2", float)
    0.2
    """
    choices = _choices(wanted)
    for choice in choices:
        found = _as(given, choice)
        if found is not None:
            return found[0]
    is_one = " or ".join(_expected(choice) for choice in choices)
    raise SpancrewError(f"{owner}: {option} {_shown(given)} is not {is_one}")


def option_text(value: object) -> str:
    """Return the shortest text from which the same value is read."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "none"
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    return str(value)


def _choices(wanted: Any) -> tuple[Any, ...]:
    return get_args(wanted) if get_origin(wanted) in {Union, UnionType} else (wanted,)


def _as(given: object, wanted: Any) -> tuple[object] | None:
    """Return the value in a tuple of one, as it may be None itself; None if it is no such."""
    if get_origin(wanted) is Literal:
        return next(((each,) for each in get_args(wanted) if given in (each, str(each))), None)
    if wanted is NoneType:
        return (None,) if given is None or given == "none" else None
    if isinstance(given, bool) or wanted is bool:
        return _as_bool(given, wanted)
    if isinstance(given, str):
        return _parsed(given, wanted)
    if wanted is float and isinstance(given, int):
        return (float(given),)
    return (given,) if isinstance(given, wanted) else None


def _as_bool(given: object, wanted: Any) -> tuple[object] | None:
    if wanted is not bool:
        return None
    known = given if isinstance(given, bool) else _WORDS.get(str(given))
    return None if known is None else (known,)


def _parsed(text: str, wanted: Any) -> tuple[object] | None:
    try:
        return (wanted(text),)
    except ValueError:
        return None


def _expected(wanted: Any) -> str:
    if get_origin(wanted) is Literal:
        return f"one of {', '.join(map(str, get_args(wanted)))}"
    if wanted is NoneType:
        return "none"
    return _IS.get(wanted, f"a {getattr(wanted, '__name__', wanted)}")


def _shown(given: object) -> str:
    return repr(given) if isinstance(given, str) else option_text(given)
