"""Taggers that never judge a sentence which they were trained on."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spancrew.core import Chain, FloatArray, IntArray, Ragged, chain_for, kernel
from spancrew.tagger._spelling import WORD
from spancrew.tagger._training import Field, blank_field, span_chances, tag_all, train

ROUNDS = 4
"""How often training goes through all sentences, unless told."""
EXPERT_WEIGHT = 2.0
"""How often a sentence that an expert has labelled counts in training."""
PARTS = 5
"""Into so many parts sentences are divided; each is judged by a tagger trained on the others."""
_LEAST, _MOST = 2**12, 2**18
"""Places of a table of features."""


ReadSentences = tuple[
    tuple[npt.NDArray[np.float32], FloatArray], IntArray, IntArray, IntArray, IntArray, Chain
]
"""Fields, the part of every sentence, facets, words, where sentences begin, and room."""


@dataclass(frozen=True, slots=True, eq=False)
class CrossFitted:
    """A tagger for each part of the sentences, trained on all other parts.

    Which part a sentence belongs to follows from its words, so that no copy of a sentence is
    judged by a tagger that has seen another.
    """

    facets: IntArray
    tables: npt.NDArray[np.float32]
    moves: FloatArray

    @classmethod
    def train(
        cls,
        facets: IntArray,
        words: Ragged,
        labels: Ragged,
        weight: FloatArray,
        codes: int,
        rounds: int,
    ) -> "CrossFitted":
        """Train on labelled sentences; those with the weight 0 are left out."""
        part = parts_of_words(facets, words.values, words.offsets, PARTS)
        size = places_for(int(words.lengths[weight > 0].sum()))
        fields, chain = [], room_for(words, codes)
        for each in range(PARTS):
            rows = np.flatnonzero((part != each) & (weight > 0))
            field, order = blank_field(size, codes), order_of(rows, rounds)
            train(
                field,
                facets,
                words.values.astype(np.int64),
                words.offsets,
                labels.values.astype(np.int64),
                weight,
                order,
                chain,
            )
            fields.append(field)
        return cls(facets, *_stacked(fields))

    def tag(self, words: Ragged) -> Ragged:
        """Return the likeliest codes of sentences, each by the tagger that has not seen it."""
        codes = np.zeros(len(words.values), np.int64)
        tag_all(*self.read(words), codes)
        return Ragged(codes, words.offsets)

    def chances(
        self, words: Ragged, first: IntArray, start: IntArray, end: IntArray, label: IntArray
    ) -> FloatArray:
        """Return the probability of spans; those of sentence ``s`` begin with ``first[s]``."""
        return span_chances(*self.read(words), (first, start, end, label))

    def read(self, words: Ragged) -> ReadSentences:
        """Return what kernels want to know of the fields and of sentences."""
        facets, values = self._facets(words)
        part = parts_of_words(facets, values, words.offsets, len(self.tables))
        fields, chain = (self.tables, self.moves), room_for(words, self.tables.shape[2])
        return fields, part, facets, values.astype(np.int64), words.offsets, chain

    def _facets(self, words: Ragged) -> tuple[IntArray, npt.NDArray[np.int32]]:
        """Return facets and the words; those that came after the training have none in common."""
        known = len(self.facets) - 1
        if words.values.max(initial=0) < known:
            return self.facets, words.values
        facets = np.insert(self.facets, known, 0, axis=0)
        return facets, np.minimum(words.values, np.int32(known))


def room_for(words: Ragged, codes: int) -> Chain:
    """Return room for the longest of some sentences."""
    return chain_for(max(int(words.lengths.max(initial=0)), 1), codes)


def _stacked(fields: list[Field]) -> tuple[npt.NDArray[np.float32], FloatArray]:
    return np.stack([each.features for each in fields]), np.stack([each.moves for each in fields])


def places_for(tokens: int) -> int:
    """Return how many places a table has: at least twice the tokens, and a power of two."""
    return int(np.clip(2 ** int(2 * tokens).bit_length(), _LEAST, _MOST))


def order_of(rows: IntArray, rounds: int) -> IntArray:
    """Return rows in a shuffled order for every round, always the same one."""
    rng = np.random.default_rng(len(rows))
    return np.concatenate([rng.permutation(rows) for _ in range(rounds)])


@kernel
def parts_of_words(
    facets: IntArray, words: npt.NDArray[np.int32], begins: IntArray, parts: int
) -> IntArray:
    """Return the part of every sentence, of so many parts; it follows from the words' spelling."""
    part = np.empty(len(begins) - 1, np.int64)
    for s in range(len(part)):
        mixed = np.uint64(1469598103934665603)
        for t in range(begins[s], begins[s + 1]):
            mixed = (mixed ^ np.uint64(facets[words[t], WORD])) * np.uint64(1099511628211)
        mixed ^= mixed >> np.uint64(32)
        part[s] = np.int64(mixed % np.uint64(parts))
    return part
