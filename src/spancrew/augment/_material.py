"""What answers are made from: gold spans, word borders, and who has answered already."""

import numpy as np

from spancrew.augment._picker import Picker, Ses
from spancrew.augment._variants import SPAN, Rows
from spancrew.core import BoolArray, Dataset, IntArray, Ragged, span_table
from spancrew.errors import SpancrewError


class Material:
    """The sentences of a data set as candidates are made from them.

    ``spans`` is the number of gold spans of every sentence.
    """

    def __init__(self, dataset: Dataset, starts: Ragged) -> None:
        if not np.array_equal(starts.offsets, dataset.sentences.starts.offsets):
            raise SpancrewError("the word starts are not those of this data set: lengths differ")
        table = span_table(dataset.gold)
        self.dataset = dataset
        self._starts = starts
        self._rows: Rows = np.empty(len(table.row), SPAN)
        self._rows["start"], self._rows["end"] = table.start, table.end
        self._rows["label"] = table.label
        self._first: IntArray = np.searchsorted(table.row, np.arange(len(dataset) + 1))
        self.spans: IntArray = np.diff(self._first)

    @property
    def workers(self) -> int:
        """Return the number of workers."""
        return len(self.dataset.workers)

    @property
    def sentences(self) -> IntArray:
        """Return the sentences with gold; those without get no answers."""
        return np.flatnonzero(self.dataset.has_gold)

    def picker(self, ses: Ses, sentence: int) -> Picker:
        """Return the reachable scores of a sentence."""
        rows = self._rows[self._first[sentence] : self._first[sentence + 1]]
        return Picker(ses, self._starts[sentence], rows)

    def answered(self, sentence: int) -> BoolArray:
        """Tell for every worker whether they have answered."""
        answers = self.dataset.answers
        has = np.zeros(self.workers, bool)
        has[answers.worker[answers.first[sentence] : answers.first[sentence + 1]]] = True
        return has
