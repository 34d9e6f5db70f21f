"""The features of a token: facets of its word and of the words around it, as places in a table."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import FloatArray, IntArray, kernel_part
from spancrew.tagger._spelling import FACETS, LAST_FOUR, LAST_TWO, LOWER, OUTLINE, SHAPE

_AROUND = (LOWER, SHAPE, OUTLINE, LAST_TWO, LAST_FOUR)
"""Facets that count of the words before and after a token."""
FEATURES = FACETS + 2 * len(_AROUND) + 7
"""Features of every token."""
NONE = -1
"""The place of a feature that a token does not have."""


@kernel_part
def _mixed(one: int | np.integer[Any], other: int | np.integer[Any]) -> np.uint64:
    """Return a number in which every bit depends on both."""
    mixed = np.uint64(one) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(other)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ (mixed >> np.uint64(32))


@kernel_part
def find_features(facets: IntArray, words: IntArray, size: int, places: IntArray) -> None:
    """Write the places of all features of a sentence, a row for every token.

    A table has ``size`` places, a power of two; features that meet in one place are rare.
    """
    tokens, beyond, mask = len(words), len(facets) - 1, np.uint64(size - 1)
    for t in range(tokens):
        own = facets[words[t]]
        last = facets[words[t - 1] if t > 0 else beyond]
        following = facets[words[t + 1] if t + 1 < tokens else beyond]
        last_but_one = facets[words[t - 2] if t > 1 else beyond]
        next_but_one = facets[words[t + 2] if t + 2 < tokens else beyond]
        k = 0
        for facet in range(FACETS):
            here = np.int64(_mixed(own[facet], facet) & mask)
            places[t, k] = here if own[facet] else NONE
            k += 1
        for facet in _AROUND:
            places[t, k] = np.int64(_mixed(last[facet], 100 + facet) & mask)
            places[t, k + 1] = np.int64(_mixed(following[facet], 200 + facet) & mask)
            k += 2
        word, before, after = own[LOWER], last[LOWER], following[LOWER]
        outlines = _mixed(last[OUTLINE], np.int64(_mixed(own[OUTLINE], following[OUTLINE])))
        places[t, k] = np.int64(_mixed(last_but_one[LOWER], 301) & mask)
        places[t, k + 1] = np.int64(_mixed(next_but_one[LOWER], 302) & mask)
        places[t, k + 2] = np.int64(_mixed(np.int64(_mixed(before, word)), 303) & mask)
        places[t, k + 3] = np.int64(_mixed(np.int64(_mixed(word, after)), 304) & mask)
        places[t, k + 4] = np.int64(_mixed(np.int64(_mixed(before, after)), 305) & mask)
        places[t, k + 5] = np.int64(
            _mixed(np.int64(_mixed(last_but_one[LOWER], before)), 306) & mask
        )
        places[t, k + 6] = np.int64(_mixed(np.int64(outlines), 307) & mask)


@kernel_part
def sum_weights(
    places: IntArray, tokens: int, table: npt.NDArray[np.float32], sums: FloatArray
) -> None:
    """Add up, for every token and code, the weights of the token's features."""
    for t in range(tokens):
        sums[t] = 0.0
        for place in places[t]:
            if place != NONE:
                for code in range(table.shape[1]):
                    sums[t, code] += table[place, code]
