"""Find the sentences of a document in a worker's copy of it, by characters alone.

Copies lose blank lines, split tokens and stop early; the characters are what they share.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

_KEY = 8
"""How many characters of a sentence are looked up before all of them are compared."""


class Match(NamedTuple):
    """A sentence and the rows of the copy that hold it, end exclusive."""

    sentence: int
    start: int
    end: int


class _Chain(NamedTuple):
    """Sentences found one after the other: where they end and how many characters they hold."""

    end: int
    weight: int
    match: Match | None = None
    before: "_Chain | None" = None


def align(sentences: Sequence[str], rows: Sequence[str]) -> list[Match]:
    """Return which rows hold which sentence; both come without white space.

    Sentences keep their order. One that is missing or damaged in the copy has no match, and of
    all ways to place the others one that covers most characters is taken.

    >>> align(["Analeft.", "Yes.", "Boslept."], ["An", "a", "left", ".", "Bo", "slept", "."])
    [Match(sentence=0, start=0, end=4), Match(sentence=2, start=4, end=7)]
    """
    text = "".join(rows)
    borders = _borders(rows)
    ends = list(accumulate(len(sentence) for sentence in sentences))
    if text == "".join(sentences) and all(end in borders for end in ends):
        edges = [borders[end] for end in (0, *ends)]
        return [Match(k, start, end) for k, (start, end) in enumerate(pairwise(edges))]
    return _best_chain(sentences, text, borders)


def _borders(rows: Sequence[str]) -> dict[int, int]:
    """Return the row that begins at each offset, with the end of the text as one more."""
    ends = accumulate((len(row) for row in rows), initial=0)
    return {offset: number for number, offset in enumerate(ends)}


def _best_chain(sentences: Sequence[str], text: str, borders: Mapping[int, int]) -> list[Match]:
    """Place the sentences wherever they fit best, from left to right."""
    starts = _starts(sentences, text, borders)
    front = [_Chain(0, 0)]
    for number, sentence in enumerate(sentences):
        # From right to left, so that a sentence is never placed behind itself.
        for start in reversed(starts.get(sentence[:_KEY], [])):
            end = start + len(sentence)
            if end in borders and text.startswith(sentence, start):
                before = front[_behind(front, start) - 1]
                match = Match(number, borders[start], borders[end])
                _insert(front, _Chain(end, before.weight + len(sentence), match, before))
    return _unrolled(front[-1])


def _starts(
    sentences: Sequence[str], text: str, borders: Mapping[int, int]
) -> dict[str, list[int]]:
    """Return by the first characters of sentences where a row begins with them."""
    found: dict[str, list[int]] = {sentence[:_KEY]: [] for sentence in sentences}
    for length in {len(key) for key in found}:
        for offset in borders:
            key = text[offset : offset + length]
            if len(key) == length and key in found:
                found[key].append(offset)
    return found


def _behind(front: list[_Chain], offset: int) -> int:
    """Return how many chains of the front end at the offset or before it."""
    return bisect_right(front, offset, key=lambda chain: chain.end)


def _insert(front: list[_Chain], chain: _Chain) -> None:
    """Keep the chains for which no other ends as early and holds as much."""
    place = _behind(front, chain.end)
    if front[place - 1].weight >= chain.weight:
        return
    beaten = place
    while beaten < len(front) and front[beaten].weight <= chain.weight:
        beaten += 1
    front[place - (front[place - 1].end == chain.end) : beaten] = [chain]


def _unrolled(chain: _Chain) -> list[Match]:
    matches = []
    link: _Chain | None = chain
    while link is not None:
        if link.match is not None:
            matches.append(link.match)
        link = link.before
    return matches[::-1]
