"""Names, not pickles: a part of a plan as text or JSON, and back.

``cucb:scale=0.2`` and ``{"policy": "cucb", "scale": 0.2}`` are the same value. Which names there
are is asked of the entry points of all installed packages, ours among them.
"""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from importlib.metadata import entry_points
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from spancrew.errors import SpancrewError

T = TypeVar("T")

_WORDS = {"true": True, "false": False}
_IS = {
    float: "a number",
    int: "a whole number",
    bool: "true or false",
    str: "text",
}


@cache
def registered(group: str) -> Mapping[str, type[Any]]:
    """Return every class that installed packages offer in an entry point group, by name."""
    return {entry.name: entry.load() for entry in entry_points(group=group)}


def parse_spec(text: str) -> tuple[str, dict[str, str]]:
    """Return name and options of ``name:option=value,option=value``.

    >>> parse_spec("thompson:belief=beta,draws=100")
    ('thompson', {'belief': 'beta', 'draws': '100'})
    """
    name, colon, rest = text.strip().partition(":")
    options: dict[str, str] = {}
    for part in rest.split(",") if colon else ():
        option, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and option and equals and value):
            raise SpancrewError(
                f"{text!r} cannot be read: write a name alone, or name:option=value with commas "
                "between options"
            )
        if option in options:
            raise SpancrewError(f"{text!r} gives the option {option!r} twice; give it once")
        options[option] = value
    return name, options


def from_spec(spec: str | Mapping[str, Any], kind: str, known: Mapping[str, type[T]]) -> T:
    """Return the value that a text or a mapping describes; ``kind`` is the key of its name.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Bow:
    ...     strings: int = 4
    >>> from_spec("bow:strings=3", "tool", {"bow": Bow})
    Bow(strings=3)
    >>> from_spec({"tool": "bow", "strings": 3}, "tool", {"bow": Bow})
    Bow(strings=3)
    """
    name, options = _parts(spec, kind)
    chosen = known.get(name)
    if chosen is None:
        raise SpancrewError(_unknown(name, kind, known))
    offered = _options(chosen)
    types = get_type_hints(chosen) if offered else {}
    values = {}
    for option, given in options.items():
        if option not in offered:
            has = f"it has {', '.join(offered)}" if offered else "it has none"
            raise SpancrewError(f"{kind} {name!r} has no option {option!r}: {has}")
        values[option] = _option_value(f"{kind} {name!r}", option, given, types[option])
    for option, field in offered.items():
        if option not in values and _default(field) is MISSING:
            raise SpancrewError(f"{kind} {name!r} needs the option {option!r}")
    return chosen(**values)


def spec_of(value: object, known: Mapping[str, type[Any]]) -> str:
    """Return the shortest text that describes a value: options at their default are left out.

    A value whose class has no name goes by that of its class, which nobody can read back.
    """
    names = (name for name, each in known.items() if each is type(value))
    name = next(names, type(value).__name__)
    given = [
        f"{option}={_option_text(getattr(value, option))}"
        for option, field in _options(type(value)).items()
        if getattr(value, option) != _default(field)
    ]
    return f"{name}:{','.join(given)}" if given else name


def refuse_unnamed(value: object, kind: str, known: Mapping[str, type[Any]]) -> None:
    """Refuse a value that cannot be made from its own name again, as a journal needs it."""
    name = type(value).__name__
    if type(value) not in known.values():
        raise SpancrewError(
            f"{kind} {name} is not registered, so that nothing can name it: give it an entry "
            f"point in the group of the others, which are {', '.join(sorted(known))}"
        )
    spec = spec_of(value, known)
    try:
        again: object = from_spec(spec, kind, known)
    except SpancrewError as error:
        raise SpancrewError(
            f"{kind} {name} goes by {spec!r}, which cannot be read: {error}"
        ) from None
    if spec_of(again, known) != spec:
        raise SpancrewError(f"{kind} {name} goes by {spec!r}, which is read as another: {again!r}")


def refuse_incomplete(value: object, protocol: type[Any]) -> None:
    """Refuse a value that lacks members of a protocol."""
    members = [name for name in vars(protocol) if not name.startswith("_")]
    missing = [name for name in members if not hasattr(value, name)]
    if missing:
        raise SpancrewError(
            f"{type(value).__name__} has no {', '.join(missing)}: let the class inherit "
            f"{protocol.__module__.partition('._')[0]}.{protocol.__name__}, which has defaults"
        )


def _parts(spec: str | Mapping[str, Any], kind: str) -> tuple[str, Mapping[str, Any]]:
    if isinstance(spec, str):
        return parse_spec(spec)
    if not isinstance(spec.get(kind), str):
        raise SpancrewError(f"{dict(spec)!r} has no {kind!r} that names one")
    return spec[kind], {option: value for option, value in spec.items() if option != kind}


def _unknown(name: str, kind: str, known: Mapping[str, Any]) -> str:
    close = get_close_matches(name, known, n=1)
    guess = f"did you mean {close[0]!r}? " if close else ""
    return f"{kind} {name!r} is not known: {guess}there are {', '.join(sorted(known))}"


def _options(chosen: type[Any]) -> dict[str, Field[Any]]:
    """Return the fields that can be set; a class that is no dataclass has none."""
    if not is_dataclass(chosen):
        return {}
    return {field.name: field for field in fields(chosen) if field.init}


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _option_value(owner: str, option: str, given: object, wanted: Any) -> object:
    """Return what was given for an option as the type that is wanted; refuse what is not one.

    >>> _option_value("policy 'cucb'", "scale", "0.2", float)
    0.2
    """
    choices = _choices(wanted)
    for choice in choices:
        found = _as(given, choice)
        if found is not None:
            return found[0]
    is_one = " or ".join(_expected(choice) for choice in choices)
    raise SpancrewError(f"{owner}: {option} {_shown(given)} is not {is_one}")


def _option_text(value: object) -> str:
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
    return repr(given) if isinstance(given, str) else _option_text(given)
