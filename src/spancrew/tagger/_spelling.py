"""What a tagger sees of a word: its spelling, in facets that other words share."""

import zlib
from collections.abc import Sequence

import numpy as np

from spancrew.core import IntArray

WORD, LOWER, SHAPE, OUTLINE = range(4)
"""The first facets; then come the first and the last letters of the word."""
_LETTERS = (1, 2, 3, 4)
LAST_TWO, LAST_FOUR = OUTLINE + len(_LETTERS) + 2, OUTLINE + 2 * len(_LETTERS)
FACETS = LAST_FOUR + 1
_LONGEST = 20
"""Letters of a word that count in its shape."""


def facets_of(words: Sequence[str]) -> IntArray:
    """Return a row of numbers for every word, and a last row for what lies beyond a sentence.

    Words that have a facet in common have the same number there; 0 is for a facet that a word is
    too short for. The numbers depend on the words alone, so they are the same everywhere.

    What follows a space does not count: in a rehearsal, words of a copied sentence have the number
    of the copy there, and copies must not teach anything about each other.
    """
    found = np.zeros((len(words) + 1, FACETS), np.int64)
    for row, word in enumerate(words):
        found[row] = [_number(facet) for facet in _facets(word.partition(" ")[0])]
    found[-1] = np.arange(1, FACETS + 1)
    return found


def _facets(word: str) -> list[str]:
    """Return the facets as texts; an empty one is missing."""
    lower, shape = word.lower(), "".join(map(_class, word[:_LONGEST]))
    longer = [size if len(word) > size else 0 for size in _LETTERS]
    return [
        word,
        lower,
        shape,
        _outline(shape),
        *(lower[:size] for size in longer),
        *(lower[len(lower) - size :] for size in longer),
    ]


def _class(letter: str) -> str:
    if letter.isupper():
        return "A"
    if letter.islower():
        return "a"
    if letter.isdigit():
        return "0"
    return "x" if letter.isalnum() else letter


def _outline(shape: str) -> str:
    """Return a shape in which no class follows itself."""
    return "".join(letter for k, letter in enumerate(shape) if k == 0 or letter != shape[k - 1])


def _number(facet: str) -> int:
    return zlib.crc32(facet.encode("utf-8", "surrogatepass")) if facet else 0
