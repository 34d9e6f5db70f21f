"""Material of sentences as a store keeps them."""

from collections.abc import Iterable

import numpy as np

from spancrew.campaign import Material
from spancrew.core import LabelSet, Ragged, Span, encode, offsets_of
from spancrew.errors import StoreError
from spancrew.stores._base import EventStore, SentenceRow
from spancrew.stores._material_bytes import material_of


def material_of_rows(labels: LabelSet, rows: Iterable[SentenceRow]) -> Material:
    """Return what a campaign knows of sentences; words have numbers as they appear."""
    numbers: dict[str, int] = {}
    words, lengths, gold = [], [], []
    for row in rows:
        words += [numbers.setdefault(row.text[a:b], len(numbers)) for a, b in row.bounds]
        lengths.append(len(row.bounds))
        spans = [Span(*span) for span in row.gold or ()]
        gold.append(encode(spans, lengths[-1] if row.gold is not None else 0, labels))
    codes = np.concatenate([np.zeros(0, labels.dtype), *gold])
    return Material(
        labels,
        np.array(lengths, np.int64),
        Ragged(np.array(words, np.int32), offsets_of(np.array(lengths, np.int64))),
        tuple(numbers),
        Ragged(codes, offsets_of(np.array([len(each) for each in gold], np.int64))),
    )


def stored_material(store: EventStore, campaign: str) -> Material:
    """Return what a campaign knows of its sentences: those of the beginning and all since."""
    kept = store.kept(campaign, "material")
    if kept is None:
        raise StoreError(
            f"the sentences of campaign {campaign!r} are not in the store; restore a backup"
        )
    return grown_material(store, campaign, material_of(kept.data))


def grown_material(store: EventStore, campaign: str, known: Material) -> Material:
    """Return material with the sentences that a store has beyond it."""
    more = material_of_rows(known.labels, store.sentences(campaign, first=len(known)))
    return known.plus(more) if len(more) else known
