"""Who makes the same mistakes as somebody else, again and again."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

_OFTEN = 10
"""Sentences on which both must have erred before anything is said."""
_SAME = 0.7
"""The share of these with exactly the same mistakes.

Of pairs with so many in two real crowds and the demo, all but one are at or below 0.52.
"""

Answer = frozenset[tuple[Any, ...]]
"""The spans of an answer: start, end and label."""


class SharedMistakes:
    """Counts, for two workers, sentences with mistakes of both, and those with the same ones.

    A pair is counted from the first mistakes that they share, so that of all the pairs of a large
    crowd few are kept.
    """

    def __init__(self) -> None:
        self._pairs: dict[tuple[int, int], list[int]] = {}

    def settle(self, given: Mapping[int, Answer], final: Answer) -> None:
        """Compare the mistakes in the answers on a sentence."""
        wrong = {worker: each ^ final for worker, each in given.items() if each != final}
        for pair in combinations(sorted(wrong), 2):
            is_same = wrong[pair[0]] == wrong[pair[1]]
            if is_same or pair in self._pairs:
                counts = self._pairs.setdefault(pair, [0, 0])
                counts[0] += 1
                counts[1] += is_same

    def twins(self) -> dict[int, int]:
        """Return those who are suspiciously alike, each with the one they are most alike."""
        found: dict[int, tuple[float, int]] = {}
        for (one, other), (both, same) in self._pairs.items():
            share = same / both
            if both < _OFTEN or share < _SAME:
                continue
            for worker, twin in ((one, other), (other, one)):
                found[worker] = max(found.get(worker, (0.0, -1)), (share, twin))
        return {worker: twin for worker, (_, twin) in found.items()}

    def kept(self) -> list[list[int]]:
        """Return everything, to be kept."""
        return [[*pair, *counts] for pair, counts in self._pairs.items()]

    def resume(self, kept: Iterable[list[int]]) -> None:
        """Go on from what was kept."""
        self._pairs = {(one, other): [both, same] for one, other, both, same in kept}
