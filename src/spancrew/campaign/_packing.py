"""Arrays and JSON in one run of bytes, without pickles."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.errors import JournalError

_MAGIC = b"spancrew1"
_SIZE = 8


def pack(plain: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Return JSON and arrays as bytes.

    >>> plain, arrays = unpack(pack({"step": 3}, {"mean": np.array([0.5, 1.0])}))
    >>> plain, arrays["mean"].tolist()
    ({'step': 3}, [0.5, 1.0])
    """
    shapes = [(name, each.dtype.str, each.shape) for name, each in arrays.items()]
    head = json.dumps({"plain": plain, "arrays": shapes}, ensure_ascii=False).encode()
    size = len(head).to_bytes(_SIZE, "big")
    return b"".join([_MAGIC, size, head, *(each.tobytes() for each in arrays.values())])


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return the JSON and the arrays of packed bytes; refuse others."""
    if data[: len(_MAGIC)] != _MAGIC:
        raise JournalError("these bytes are not a snapshot of this version of spancrew")
    try:
        return _unpacked(data)
    except (ValueError, KeyError, TypeError) as error:
        raise JournalError(f"a snapshot is damaged: {error}") from None


def _unpacked(data: bytes) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    at = len(_MAGIC) + _SIZE
    end = at + int.from_bytes(data[len(_MAGIC) : at], "big")
    head = json.loads(data[at:end])
    arrays = {}
    for name, dtype, shape in head["arrays"]:
        count = int(np.prod(shape, dtype=np.int64))
        found = np.frombuffer(data, np.dtype(dtype), count, end)
        arrays[name] = found.reshape(shape).copy()
        end += found.nbytes
    return head["plain"], arrays
