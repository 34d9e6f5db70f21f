"""What is in a data set, before a campaign is made of it."""

import numpy as np

from spancrew.core import Dataset, Ragged, span_table
from spancrew.formats import Reading
from spancrew.server.api.upload import refuse_odd_text, shown_repairs
from spancrew.wire import Example, InspectedLabel, InspectionView, SentenceWire, SpanWire

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
        examples=[_example(dataset, position) for position in _chosen(dataset)],
        repairs=shown_repairs(reading.repairs),
        repaired=len(reading.repairs),
    )


def _counts(dataset: Dataset, codes: Ragged) -> list[InspectedLabel]:
    found = np.bincount(span_table(codes).label, minlength=len(dataset.labels))
    return [InspectedLabel(name=n, spans=int(found[k])) for k, n in enumerate(dataset.labels)]


def _chosen(dataset: Dataset) -> list[int]:
    """Return a few sentences: rather short ones, with spans, in their order."""

    def is_poor(position: int) -> tuple[bool, bool]:
        short = len(dataset.sentences[position].text) <= _LONGEST
        return not short, not dataset.gold_spans(position)

    among = range(min(len(dataset), _AMONG))
    return sorted(sorted(among, key=is_poor)[:_EXAMPLES])


def _example(dataset: Dataset, position: int) -> Example:
    sentence, gold = dataset.sentences[position], dataset.gold_spans(position)
    spans = gold and [SpanWire(start=s.start, end=s.end, label=s.label) for s in gold]
    return Example(
        sentence=SentenceWire(id=sentence.id, text=sentence.text, tokens=list(sentence.bounds)),
        spans=None if gold is None else spans or [],
    )
