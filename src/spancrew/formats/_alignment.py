"""Find the sentences of a document in somebody's copy of it, by characters alone.

Copies lose blank lines, split tokens and stop early; the characters are what they share.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple


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
    all ways to place the others the one that covers most characters wins.

    >>> align(["Analeft.", "Yes.", "Boslept."], ["An", "a", "left", ".", "Bo", "slept", "."])
    [Match(sentence=0, start=0, end=4), Match(sentence=2, start=4, end=7)]
    """
    text = "".join(rows)
    borders = _borders(rows)
    matches: list[Match] = []
    offset = 0
    for number, sentence in enumerate(sentences):
        end = offset + len(sentence)
        if end not in borders or not text.startswith(sentence, offset):
            rest = _best_chain(sentences, number, text, offset, borders)
            return [*matches, *rest]
        matches.append(Match(number, borders[offset], borders[end]))
        offset = end
    return matches


def _borders(rows: Sequence[str]) -> dict[int, int]:
    """Return the row that begins at each offset, with the end of the text as one more."""
    borders = {}
    offset = 0
    for number, row in enumerate(rows):
        borders[offset] = number
        offset += len(row)
    borders[offset] = len(rows)
    return borders


def _best_chain(
    sentences: Sequence[str], first: int, text: str, offset: int, borders: Mapping[int, int]
) -> list[Match]:
    """Place the sentences from ``first`` on anywhere behind ``offset``."""
    front = [_Chain(offset, 0)]
    for number in range(first, len(sentences)):
        length = len(sentences[number])
        longer = []
        for start in _occurrences(sentences[number], text, offset, borders):
            before = front[bisect_right(front, start, key=lambda chain: chain.end) - 1]
            match = Match(number, borders[start], borders[start + length])
            longer.append(_Chain(start + length, before.weight + length, match, before))
        front = _undominated([*front, *longer])
    return _unrolled(front[-1])


def _occurrences(
    sentence: str, text: str, offset: int, borders: Mapping[int, int]
) -> Iterator[int]:
    """Yield where a sentence stands in the text and begins and ends with a row."""
    start = text.find(sentence, offset)
    while start >= 0:
        if start in borders and start + len(sentence) in borders:
            yield start
        start = text.find(sentence, start + 1)


def _undominated(chains: list[_Chain]) -> list[_Chain]:
    """Keep the chains for which none ends earlier and holds as much."""
    kept: list[_Chain] = []
    for chain in sorted(chains, key=lambda chain: (chain.end, -chain.weight)):
        if not kept or chain.weight > kept[-1].weight:
            kept.append(chain)
    return kept


def _unrolled(chain: _Chain) -> list[Match]:
    matches = []
    link: _Chain | None = chain
    while link is not None:
        if link.match is not None:
            matches.append(link.match)
        link = link.before
    return matches[::-1]
