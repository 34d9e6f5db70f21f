"""Labels that are known: gold, and what experts said in a campaign."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from spancrew.core._builder import DatasetBuilder
from spancrew.core._dataset import Dataset
from spancrew.core._ragged import Ragged, offsets_of
from spancrew.core._sentence import Sentence


class KnownLabels(NamedTuple):
    """A data set in which experts' final labels count as gold.

    ``asked`` sentences were labelled because a rule asked an expert, ``audited`` ones because they
    were drawn at random from the crowd's.
    """

    dataset: Dataset
    asked: int
    audited: int

    @property
    def note(self) -> str | None:
        """Return what a reader should know of such labels; None if gold is all there is."""
        if not self.asked and not self.audited:
            return None
        count, sentences = self.asked + self.audited, len(self.dataset)
        said = f"experts' labels count as gold on {count:,} of {sentences:,} sentences"
        if not self.asked:
            return f"{said}: audits, drawn at random from those of the crowd"
        audits = f"; {self.audited:,} others are audits, drawn at random" if self.audited else ""
        return (
            f"{said}. An expert was asked for {self.asked:,} of them because they are hard"
            f"{audits}. So they are no random sample: figures hold for such sentences, and other "
            "sentences are easier. To compare rules on all of them, use 'spancrew what-if'"
        )


def with_known_labels(dataset: Dataset) -> KnownLabels:
    """Let experts' final labels be gold on sentences that have none, as in a campaign's export."""
    finals = dataset.finals
    if finals is None:
        return KnownLabels(dataset, 0, 0)
    is_new = finals.is_by_expert & finals.is_settled & ~dataset.has_gold
    if not is_new.any():
        return KnownLabels(dataset, 0, 0)
    lengths = np.where(is_new, finals.codes.lengths, dataset.gold.lengths)
    rows = [(finals.codes if new else dataset.gold)[k] for k, new in enumerate(is_new.tolist())]
    gold = Ragged(np.concatenate(rows).astype(dataset.gold.values.dtype), offsets_of(lengths))
    audited = int((is_new & finals.is_audited).sum())
    known = replace(dataset, gold=gold)
    return KnownLabels(known, int(is_new.sum()) - audited, audited)


def whole_data(pilot: Dataset, rest: Iterable[Sentence]) -> Dataset:
    """Return what a pilot gave, with its experts' labels as gold, and the sentences after it."""
    known = with_known_labels(pilot).dataset
    builder = DatasetBuilder(known.labels, known.kind)
    builder.add_all(known)
    for sentence in rest:
        builder.add_sentence(sentence)
    return builder.build()
