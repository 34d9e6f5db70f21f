"""What an outcome depends on, in a form that is the same on every machine."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import IntArray
from spancrew.errors import SpancrewError
from spancrew.simulate._scene import Scene
from spancrew.simulate._source import Table

SAMPLE = 50_000
"""Answers that stand for all where they are drawn on demand."""

BLOCK = 100_000
"""Answers that are looked at at once."""


def fingerprint(scene: Scene) -> str:
    """Return a digest of gold, answers and scores.

    Where answers are drawn on demand and are many, a sample of them has to do.
    """
    digest = hashlib.sha256()
    named = [scene.dataset.labels.names, scene.workers, described(scene.metric)]
    digest.update(json.dumps(named).encode())
    gold = scene.dataset.gold
    for array in (gold.values, gold.offsets, scene.lengths, scene.truth, scene.can):
        if array is not None:
            _add(digest, array)
    for sentences, workers in _questions(scene):
        _add(digest, scene.source.answers(sentences, workers).values)
        if isinstance(scene.source, Table):
            _add(digest, scene.source.scores(sentences, workers))
    return digest.hexdigest()


def _add(digest: "hashlib._Hash", array: npt.NDArray[Any]) -> None:
    digest.update(f"{array.dtype.str}{array.shape}".encode())
    digest.update(np.ascontiguousarray(array).data)


def _questions(scene: Scene) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield sentences and workers of the answers to look at."""
    width = len(scene.workers)
    known = None if scene.can is None else np.flatnonzero(scene.can)
    count = len(scene.dataset) * width if known is None else len(known)
    looked_at = count if isinstance(scene.source, Table) else min(count, SAMPLE)
    for first in range(0, looked_at, BLOCK):
        place = np.arange(first, min(first + BLOCK, looked_at)) * count // looked_at
        pair = place if known is None else known[place]
        yield pair // width, pair % width


def described(value: object) -> Any:
    """Return a value as JSON: names, numbers, and dataclasses of such with their class.

    >>> from spancrew.policies import Cucb
    >>> described(Cucb(scale=0.2))
    {'class': 'spancrew.policies._cucb.Cucb', 'scale': 0.2}
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple | list):
        return [described(each) for each in value]
    if is_dataclass(value) and not isinstance(value, type):
        kind = type(value)
        options = {each.name: described(getattr(value, each.name)) for each in fields(value)}
        return {"class": f"{kind.__module__}.{kind.__qualname__}", **options}
    raise SpancrewError(
        f"{value!r} cannot be told apart from others like it, so its outcomes cannot be kept; "
        "make it a dataclass of names and numbers, or keep nothing"
    )
