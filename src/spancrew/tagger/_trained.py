"""A tagger that is trained once, on everything, to label other sentences."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from spancrew.core import FloatArray, Ragged, offsets_of, span_table
from spancrew.tagger._cross_fit import ROUNDS, CrossFitted, order_of, places_for, room_for
from spancrew.tagger._spelling import facets_of
from spancrew.tagger._training import Field, blank_field, sequence_chances, train


class Tagged(NamedTuple):
    """Codes of sentences; the probability of each span, where it begins, and of all codes."""

    codes: Ragged
    spans: FloatArray
    confidence: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class TrainedTagger:
    """A random field, for words of any spelling."""

    field: Field

    @classmethod
    def train(
        cls,
        words: Ragged,
        spelling: tuple[str, ...],
        labels: Ragged,
        weight: FloatArray,
        codes: int,
        rounds: int = ROUNDS,
    ) -> "TrainedTagger":
        """Train on labelled sentences; those with the weight 0 are left out."""
        rows = np.flatnonzero(weight > 0)
        field = blank_field(places_for(int(words.lengths[rows].sum())), codes)
        train(
            field,
            facets_of(spelling),
            words.values.astype(np.int64),
            words.offsets,
            labels.values.astype(np.int64),
            weight,
            order_of(rows, rounds),
            room_for(words, codes),
        )
        return cls(field)

    def tag(self, words: Ragged, spelling: tuple[str, ...]) -> Tagged:
        """Return the likeliest codes of sentences, and how likely they are."""
        only = CrossFitted(facets_of(spelling), self.field.features[None], self.field.moves[None])
        codes = only.tag(words)
        table = span_table(codes)
        first = offsets_of(np.bincount(table.row, minlength=len(codes)))
        spans = np.zeros(len(codes.values))
        chance = only.chances(words, first, table.start, table.end, table.label)
        spans[codes.offsets[table.row] + table.start] = chance
        return Tagged(codes, spans, sequence_chances(*only.read(words), codes.values))
