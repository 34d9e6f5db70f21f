"""Arrays, JSON and models of consensus methods as bytes, without pickles."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from spancrew.consensus import Model, consensus_methods
from spancrew.errors import JournalError

_MAGIC = b"spancrew2"
_SUM, _SIZE = 4, 8
_ARRAY, _TUPLE, _OBJECT = "array", "tuple", "object"


def pack(plain: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Return JSON and arrays as bytes.

    >>> plain, arrays = unpack(pack({"step": 3}, {"mean": np.array([0.5, 1.0])}))
    >>> plain, arrays["mean"].tolist()
    ({'step': 3}, [0.5, 1.0])
    """
    shapes = [(name, each.dtype.str, each.shape) for name, each in arrays.items()]
    head = json.dumps({"plain": plain, "arrays": shapes}, ensure_ascii=False).encode()
    size = len(head).to_bytes(_SIZE, "big")
    rest = b"".join([size, head, *(each.tobytes() for each in arrays.values())])
    return b"".join([_MAGIC, crc32(rest).to_bytes(_SUM, "big"), rest])


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return the JSON and the arrays of packed bytes; refuse others."""
    if data[: len(_MAGIC)] != _MAGIC:
        raise JournalError("these bytes are not a snapshot of this version of spancrew")
    at = len(_MAGIC) + _SUM
    if crc32(memoryview(data)[at:]) != int.from_bytes(data[len(_MAGIC) : at], "big"):
        raise JournalError("a snapshot is damaged: its checksum is wrong")
    try:
        return _unpacked(data, at)
    except (ValueError, KeyError, TypeError) as error:
        raise JournalError(f"a snapshot is damaged: {error}") from None


def _unpacked(data: bytes, start: int) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    at = start + _SIZE
    end = at + int.from_bytes(data[start:at], "big")
    head = json.loads(data[at:end])
    arrays = {}
    for name, dtype, shape in head["arrays"]:
        count = int(np.prod(shape, dtype=np.int64))
        found = np.frombuffer(data, np.dtype(dtype), count, end)
        arrays[name] = found.reshape(shape).copy()
        end += found.nbytes
    return head["plain"], arrays


def model_to_bytes(model: Model) -> bytes | None:
    """Return a model as bytes; None if it has parts other than arrays, numbers, text and records.

    Records are dataclasses and named tuples. A model that cannot be kept is fitted again.
    """
    arrays: dict[str, npt.NDArray[Any]] = {}
    try:
        return pack({"model": _plain(model, arrays)}, arrays)
    except TypeError:
        return None


def model_from_bytes(data: bytes) -> Model:
    """Return the model of bytes; refuse what was made by a version with other parts."""
    plain, arrays = unpack(data)
    try:
        model: Model = _value(plain["model"], arrays)
    except (KeyError, TypeError, AttributeError, ImportError) as error:
        raise JournalError(
            f"the kept model cannot be read ({error}); it is fitted again"
        ) from None
    return model


def _packages() -> set[str]:
    """Return the packages that offer consensus methods; records of others are not made."""
    return {kind.__module__.partition(".")[0] for kind in consensus_methods().values()}


def _plain(value: object, arrays: dict[str, npt.NDArray[Any]]) -> Any:
    """Return a value as JSON; arrays go by their number."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray) and value.dtype != object:
        name = str(len(arrays))
        arrays[name] = value
        return {_ARRAY: name}
    names = _names(value)
    if names is not None:
        parts = {name: _plain(getattr(value, name), arrays) for name in names}
        kind = type(value)
        return {_OBJECT: f"{kind.__module__}:{kind.__qualname__}", "parts": parts}
    if isinstance(value, tuple):
        return {_TUPLE: [_plain(each, arrays) for each in value]}
    raise TypeError(f"{type(value).__name__} is no part that can be kept")


def _names(value: object) -> list[str] | None:
    """Return the names of the parts of a record; None if a value is none."""
    if is_dataclass(value):
        return [field.name for field in fields(value) if field.init]
    named = getattr(value, "_fields", None)
    return list(named) if isinstance(value, tuple) and named else None


def _value(plain: Any, arrays: dict[str, npt.NDArray[Any]]) -> Any:
    if not isinstance(plain, dict):
        return plain
    if _ARRAY in plain:
        return arrays[plain[_ARRAY]]
    if _TUPLE in plain:
        return tuple(_value(each, arrays) for each in plain[_TUPLE])
    module, _, name = plain[_OBJECT].partition(":")
    if module.partition(".")[0] not in _packages():
        raise TypeError(f"{module} belongs to no package with a consensus method")
    kind = getattr(import_module(module), name)
    if not (isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, tuple))):
        raise TypeError(f"{plain[_OBJECT]} is not a record")
    return kind(**{part: _value(each, arrays) for part, each in plain["parts"].items()})
