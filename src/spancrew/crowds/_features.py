"""What is known of a gold span before anybody has answered: its label, its size, its company."""

from typing import NamedTuple

import numpy as np

from spancrew.core import Dataset, IntArray, LabelSet, offsets_of, span_table

_LENGTHS = np.array([2, 3, 4, 6, 9, 14])
_COMPANY = np.array([2, 3, 4, 6, 9])
_COVER = np.array([0.1, 0.2, 0.3, 0.45, 0.6, 0.8])
_SIZES = np.array([3, 4, 6, 8, 11, 15, 22, 35, 60])

SIZES = len(_SIZES) + 1
"""Classes of sentences by the number of tokens."""

COMPANIES = len(_COMPANY) + 1
"""Classes of sentences by the number of gold spans."""

LENGTHS = len(_LENGTHS) + 1
"""Classes of spans by the number of tokens."""


class Features(NamedTuple):
    """Classes of every gold span: columns of ``span`` are ids among ``classes``.

    ``size`` and ``company`` are classes of every sentence, ``length`` and ``label`` of every gold
    span; a label that the population does not know has the id after its last label.
    """

    first: IntArray
    start: IntArray
    end: IntArray
    gold_label: IntArray
    span: IntArray
    classes: int
    size: IntArray
    company: IntArray
    length: IntArray
    label: IntArray


def features_of(dataset: Dataset, labels: LabelSet) -> Features:
    """Classify the gold spans of a data set for a population that knows these labels."""
    table = span_table(dataset.gold)
    per_sentence = np.bincount(table.row, minlength=len(dataset))
    tokens = dataset.sentences.starts.lengths
    known = [labels.id(n) if n in labels else len(labels) for n in dataset.labels]
    label = np.array(known, np.int64)[table.label] if known else table.label
    length = np.searchsorted(_LENGTHS, table.end - table.start, side="right")
    company = np.searchsorted(_COMPANY, per_sentence, side="right")
    size = np.searchsorted(_SIZES, tokens, side="right")
    covered = np.bincount(table.row, table.end - table.start, len(dataset)) / tokens
    cover = np.searchsorted(_COVER, covered[table.row], side="right")
    widths = [len(labels) + 1, LENGTHS, COMPANIES, len(_COVER) + 1, SIZES]
    starts = np.cumsum([0, *widths[:-1]])
    columns = [label, length, company[table.row], cover, size[table.row]]
    ids = [column + start for column, start in zip(columns, starts, strict=True)]
    return Features(
        first=offsets_of(per_sentence),
        start=table.start,
        end=table.end,
        gold_label=table.label,
        span=np.stack(ids, axis=1),
        classes=sum(widths),
        size=size,
        company=company,
        length=length,
        label=label,
    )
