"""What is in a data set, before a campaign is made of it."""

import numpy as np

from spancrew.core import Dataset, Ragged, span_table
from spancrew.formats import Reading
from spancrew.server.api.upload import refuse_odd_text, shown_repairs
from spancrew.wire import ExampleSentence, InspectedLabel, InspectionView

_EXAMPLES = 3
_AMONG = 1_000
"""Sentences among which examples are looked for."""
_LONGEST = 400
"""Characters of an example, if there are such short ones."""


def inspection_of(reading: Reading, format_: str) -> InspectionView:
    """Look at a data set; refuse text that no store could keep."""
    dataset = reading.dataset
    for sentence in dataset.sentences:
        refuse_odd_text(sentence.id, sentence.text)
    gold = int(dataset.has_gold.sum())
    return InspectionView(
        format=format_,
        sentences=len(dataset),
        tokens=len(dataset.sentences.starts.values),
        labels=_counts(dataset, dataset.gold if gold else dataset.answers.codes),
        gold=gold,
        workers=len(dataset.workers),
        answers=len(dataset.answers),
        examples=tuple(
            ExampleSentence(sentence=dataset.sentences[k], spans=dataset.gold_spans(k))
            for k in _chosen(dataset)
        ),
        repairs=shown_repairs(reading.repairs),
        repaired=len(reading.repairs),
    )


def _counts(dataset: Dataset, codes: Ragged) -> tuple[InspectedLabel, ...]:
    found = np.bincount(span_table(codes).label, minlength=len(dataset.labels))
    return tuple(
        InspectedLabel(name=name, spans=int(count))
        for name, count in zip(dataset.labels, found, strict=True)
    )


def _chosen(dataset: Dataset) -> list[int]:
    """Return a few sentences: rather short ones, with spans, in their order."""

    def is_poor(position: int) -> tuple[bool, bool]:
        short = len(dataset.sentences[position].text) <= _LONGEST
        return not short, not dataset.gold_spans(position)

    among = range(min(len(dataset), _AMONG))
    return sorted(sorted(among, key=is_poor)[:_EXAMPLES])
