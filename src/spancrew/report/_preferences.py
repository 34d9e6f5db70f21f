"""What is to be said of preferences alone: position bias, and responses that meet repeatedly."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from json import dumps
from typing import Any

import numpy as np

from spancrew.consensus import Comparisons, bradley_terry
from spancrew.core import BoolArray, Dataset, IntArray, sides_of
from spancrew.metrics import position_bias

_TURNED = "turned"
_SHOWN = 60
"""Characters of a response that name it."""


@dataclass(frozen=True, slots=True)
class Leaning:
    """How much more often than others a worker chooses the first response, with its interval."""

    bias: float
    low: float
    high: float
    pairs: int

    def __str__(self) -> str:
        """Return the bias in percent with its interval."""
        return f"{self.bias:+.0%} ({self.low:+.0%} to {self.high:+.0%})"


@dataclass(frozen=True, slots=True)
class Rival:
    """A response, or the model it is of, that meets others in ``pairs``.

    ``score`` is Bradley and Terry's, and ``wins`` the chance to win against an average one.
    """

    name: str
    pairs: int
    answers: int
    score: float
    wins: float


def leanings(dataset: Dataset) -> dict[str, Leaning]:
    """Return the position bias of every worker on enough pairs; nothing if there are no pairs."""
    sides = sides_of(dataset.labels)
    if sides is None or not len(dataset.answers):
        return {}
    turned = _turned(dataset)
    drawn = turned if turned.any() else None
    found = position_bias(dataset.answers, sides, len(dataset.workers), drawn)
    columns = zip(*(column.tolist() for column in found), strict=True)
    known = zip(dataset.workers, columns, strict=True)
    return {
        worker: Leaning(bias, low, high, pairs)
        for worker, (pairs, bias, low, high) in known
        if not np.isnan(bias)
    }


def _turned(dataset: Dataset) -> BoolArray:
    """Tell which answers were given to a pair whose second response was shown first."""
    answers = dataset.answers
    if answers.source is None:
        return np.zeros(len(answers), bool)
    names = [k for k, name in enumerate(answers.sources) if _TURNED in name.split("+")]
    return np.isin(answers.source, names)


def rivals_of(dataset: Dataset) -> list[Rival]:
    """Return the responses by strength if any meets others in several pairs, else nothing.

    They are compared by the first question of every pair. Where sentences name the ``models``
    that the responses are of, these are ranked.
    """
    sides = sides_of(dataset.labels)
    pairs = {} if sides is None else dict(_pairs(dataset))
    numbers: dict[str, int] = {}
    met = {
        position: [numbers.setdefault(key, len(numbers)) for key in keys]
        for position, keys in pairs.items()
    }
    times = np.bincount(np.array(list(met.values()), np.int64).ravel(), minlength=len(numbers))
    if sides is None or times.max(initial=0) < 2:
        return []
    found = _comparisons(dataset, sides, met)
    fitted = bradley_terry(found, len(numbers), len(dataset.workers))
    answers = np.bincount(np.concatenate([found.left, found.right]), minlength=len(numbers))
    score, wins = fitted.score, 1 / (1 + np.exp(-fitted.score))
    names = [key.partition("\0")[0] for key in numbers]
    return [
        Rival(names[k], int(times[k]), int(answers[k]), float(score[k]), float(wins[k]))
        for k in np.argsort(-score, kind="stable").tolist()
    ]


def _pairs(dataset: Dataset) -> Iterator[tuple[int, list[str]]]:
    """Yield sentences of two responses, and a key for each that begins with its name."""
    for position, meta in dataset.sentences.metas.items():
        keys = _keys(meta)
        if len(keys) == 2 and keys[0] != keys[1]:
            yield position, keys


def _keys(meta: Mapping[str, Any]) -> list[str]:
    models = meta.get("models", [meta.get("model_a"), meta.get("model_b")])
    if isinstance(models, list) and all(isinstance(name, str) for name in models):
        return [str(name) for name in models]
    responses = meta.get("responses")
    if not isinstance(responses, list):
        return []
    about = dumps(meta.get("prompt"), sort_keys=True)
    texts = [each if isinstance(each, str) else dumps(each) for each in responses]
    return [f"{' '.join(text.split())[:_SHOWN]}\0{text}\0{about}" for text in texts]


def _comparisons(
    dataset: Dataset, sides: tuple[int | None, ...], met: Mapping[int, list[int]]
) -> Comparisons:
    """Return what was said of the pairs that are ranked."""
    answers = dataset.answers
    rows = np.flatnonzero(np.isin(answers.sentence, np.array(list(met), np.int64)))
    first: IntArray = answers.codes.values[answers.codes.offsets[:-1][rows]].astype(np.int64)
    won = np.array([0.5 if side is None else 1.0 - side for side in sides])[(first - 1) // 2]
    rivals = np.array([met[p] for p in answers.sentence[rows].tolist()], np.int64).reshape(-1, 2)
    return Comparisons(rivals[:, 0], rivals[:, 1], answers.worker[rows].astype(np.int64), won)
