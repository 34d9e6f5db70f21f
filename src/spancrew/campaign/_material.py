"""What a campaign knows of its sentences: their words, and no more of their text."""

from dataclasses import dataclass, field

import numpy as np

from spancrew.consensus import word_numbers
from spancrew.core import Dataset, IntArray, LabelSet, Ragged
from spancrew.errors import JournalError, PlanError


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """The sentences of a campaign as arrays.

    ``lengths`` are their tokens; ``words`` are numbers for the tokens,
    ``spelling`` has the word of each number;
    ``gold`` has a row of codes for every sentence, empty where its labels are not known; ``known``
    are the sentences where they are.
    """

    labels: LabelSet
    lengths: IntArray
    words: Ragged
    spelling: tuple[str, ...]
    gold: Ragged
    known: IntArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Find the sentences whose labels are known."""
        object.__setattr__(self, "known", np.flatnonzero(self.gold.lengths > 0))

    @classmethod
    def of(cls, dataset: Dataset, *, use_gold: bool = True) -> "Material":
        """Return what a campaign on a data set knows; without ``use_gold`` no label is known."""
        if len(dataset) == 0:
            raise PlanError("a campaign needs at least one sentence; the data set has none")
        words, spelling = word_numbers(dataset)
        none = Ragged(dataset.gold.values[:0], np.zeros(len(dataset) + 1, np.int64))
        return cls(
            dataset.labels,
            dataset.sentences.starts.lengths,
            words,
            spelling,
            dataset.gold if use_gold else none,
        )

    def first(self, count: int) -> "Material":
        """Return the first sentences, as if there had never been others."""
        if count == len(self):
            return self
        if count > len(self):
            raise JournalError(f"this is the journal of {count} sentences, not {len(self)}")
        words = self.words.within(0, count)
        vocabulary = int(words.values.max(initial=-1)) + 1
        gold = self.gold.within(0, count)
        return Material(self.labels, self.lengths[:count], words, self.spelling[:vocabulary], gold)

    def plus(self, other: "Material") -> "Material":
        """Return the sentences of both; new words get the next numbers."""
        if self.labels != other.labels:
            raise PlanError(
                f"the campaign has the labels {', '.join(self.labels.names)}, the new sentences "
                f"{', '.join(other.labels.names)}; they must be the same"
            )
        numbers = {word: number for number, word in enumerate(self.spelling)}
        renumbered = [numbers.setdefault(word, len(numbers)) for word in other.spelling]
        values = np.array(renumbered, np.int32)[other.words.values]
        words = Ragged.joined([self.words, Ragged(values, other.words.offsets)])
        lengths = np.concatenate([self.lengths, other.lengths])
        gold = Ragged.joined([self.gold, other.gold])
        return Material(self.labels, lengths, words, tuple(numbers), gold)

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.lengths)
