"""Soft labels and confidence, token by token, for formats that train models."""

from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from spancrew.consensus import soft_labels
from spancrew.core import Dataset, FloatArray, IntArray
from spancrew.formats._base import Repair

FIELD = "soft"
"""The name under which soft labels stand."""

_DIGITS = 4


class SoftLabels(NamedTuple):
    """The probability of every tag for every token (tokens x tags), and confidence in spans.

    ``begin`` is where the tokens of each sentence begin. ``sure`` is by token: the confidence in
    the final span that it belongs to, 0 where it belongs to none.
    """

    tags: tuple[str, ...]
    probability: FloatArray
    begin: IntArray
    sure: FloatArray

    @classmethod
    def of(cls, dataset: Dataset) -> "SoftLabels":
        """Return the soft labels of a data set."""
        probability = soft_labels(dataset)
        begin = dataset.sentences.starts.offsets
        sure = np.zeros(len(probability))
        finals = dataset.finals
        if finals is not None:
            tokens = np.repeat(finals.is_settled, dataset.sentences.starts.lengths)
            sure[tokens] = finals.by_token
        return cls(dataset.labels.tags, probability.round(_DIGITS), begin, sure.round(_DIGITS))

    def of_sentence(self, position: int) -> list[list[float]]:
        """Return the probabilities for the tokens of a sentence."""
        rows: list[list[float]] = self.probability[self._tokens(position)].tolist()
        return rows

    def named(self, position: int) -> list[dict[str, float]]:
        """Return the same by tag; those without a chance are left out."""
        return [
            {tag: value for tag, value in zip(self.tags, row, strict=True) if value}
            for row in self.of_sentence(position)
        ]

    def confidence(self, position: int) -> list[float]:
        """Return the confidence for the tokens of a sentence."""
        found: list[float] = self.sure[self._tokens(position)].tolist()
        return found

    def _tokens(self, position: int) -> slice:
        return slice(*self.begin[position : position + 2].tolist())


@runtime_checkable
class SoftFormat(Protocol):
    """A format that has a place for soft labels."""

    def write_soft(self, dataset: Dataset, path: Path, soft: SoftLabels) -> tuple[Repair, ...]:
        """Write as without them, and the soft labels besides."""
        ...


def is_ours(value: Any) -> bool:
    """Tell whether this is what :func:`soft_record` makes."""
    return isinstance(value, dict) and value.keys() == {"tags", "tokens"}


def soft_record(soft: SoftLabels, rows: list[list[float]]) -> dict[str, Any]:
    """Return tags and probabilities by token as JSON."""
    return {"tags": list(soft.tags), "tokens": rows}
