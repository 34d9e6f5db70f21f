"""Pairs of completions as sheets of a campaign."""

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from spancrew.core import Dataset, LabelSet
from spancrew.errors import SpancrewError
from spancrew.formats import body_of, sheet

Text = str | Sequence[dict[str, Any]]
"""A text, or a conversation: messages with ``role`` and ``content``."""

_PAIR = 2


class AskedPair(NamedTuple):
    """A prompt with two completions as people see them; ``swapped`` if the second is shown first.

    ``id`` follows from the texts, so that the same pair is asked for once.
    """

    id: str
    prompt: Text
    responses: tuple[Text, Text]
    swapped: bool

    @property
    def is_same(self) -> bool:
        """Tell whether there is nothing to choose between."""
        return self.responses[0] == self.responses[1]

    def better(self, shown: int) -> int:
        """Return which of the completions was the one shown in a place."""
        return 1 - shown if self.swapped else shown


def pair_of(prompt: Text, completions: Sequence[Text], *, shuffles: bool) -> AskedPair:
    """Return how a pair is asked for.

    Which comes first is drawn by the texts, so that it is the same after a restart, and
    whichever of the two a trainer names first.
    """
    if len(completions) != _PAIR:
        raise SpancrewError(f"two completions of a prompt are compared, not {len(completions)}")
    first, second = completions
    swapped = shuffles and _digest([prompt, second]) < _digest([prompt, first])
    shown = (second, first) if swapped else (first, second)
    return AskedPair(f"pair-{_digest([prompt, *shown])[:24]}", prompt, shown, swapped)


def sheets_of(
    pairs: Iterable[AskedPair], questions: Sequence[str], labels: Sequence[str]
) -> Dataset:
    """Return pairs as a data set without answers."""
    sentences = [
        sheet(
            each.id,
            body_of(each.prompt, each.responses),
            questions,
            {"prompt": each.prompt, "responses": list(each.responses)},
        )
        for each in pairs
    ]
    return Dataset.of(sentences, labels=LabelSet(tuple(labels)), kind="choices")


def _digest(texts: Sequence[Text]) -> str:
    return sha256(json.dumps(texts, ensure_ascii=True, sort_keys=True).encode()).hexdigest()
