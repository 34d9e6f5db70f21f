"""Who has answered, what experts labelled, what was lost: the books of a rehearsal."""

from typing import NamedTuple

import numpy as np

from spancrew.core import BoolArray, FloatArray, IntArray, kernel
from spancrew.policies import NOBODY, Groups


class Books(NamedTuple):
    """Numbers by run that every step changes.

    ``answered`` counts paid answers by worker, ``pending`` those not yet rewarded; ``by_expert``
    tells which sentences experts have labelled, those of the warm-up among them; ``regret`` and
    ``experts``, the sentences that go to an expert, are those of the last step.
    """

    answered: IntArray
    pending: IntArray
    by_expert: BoolArray
    regret: FloatArray
    experts: IntArray

    @classmethod
    def start(cls, pending: IntArray, sentences: int) -> "Books":
        """Return empty books; ``pending`` is shared with the standings."""
        runs = len(pending)
        return cls(
            np.zeros_like(pending),
            pending,
            np.zeros((runs, sentences), bool),
            np.zeros(runs),
            np.zeros(runs, np.int64),
        )

    def answer(self, run: IntArray, crew: IntArray) -> None:
        """Note that the answers of some groups were rewarded."""
        _less_pending(self.pending, run, crew)


class Entry(NamedTuple):
    """What a step comes to: who gave a new answer, and who learns which reward; else -1."""

    new: IntArray
    crew: IntArray
    rewards: FloatArray


class Happened(NamedTuple):
    """What came of the groups of a step.

    ``true`` and ``rewards`` have an entry for every answer, in the order of the groups;
    ``trusted`` and ``best`` (what the best crew would have got, an answer) one for every group.
    """

    true: FloatArray
    rewards: FloatArray
    trusted: BoolArray
    best: FloatArray


def keep_books(groups: Groups, happened: Happened, warm_sentence: IntArray, books: Books) -> Entry:
    """Enter a step; return who gave a new answer and who learns what, group by group.

    Whoever repeats the answer of their warm-up, or got no reward (NaN), learns nothing.
    """
    shape = groups.crew.shape
    entry = Entry(np.full(shape, NOBODY), np.full(shape, NOBODY), np.zeros(shape))
    books.regret[:] = 0.0
    books.experts[:] = 0
    _enter(groups, happened, warm_sentence, books, entry)
    return entry


@kernel
def _enter(
    groups: Groups, happened: Happened, warm_sentence: IntArray, books: Books, entry: Entry
) -> None:
    at = 0
    for row in range(len(groups.run)):
        run, sentence = groups.run[row], groups.sentence[row]
        if not happened.trusted[row]:
            books.by_expert[run, sentence] = True
            books.experts[run] += 1
        for k in range(groups.crew.shape[1]):
            worker = groups.crew[row, k]
            if worker < 0:
                continue
            books.regret[run] += happened.best[row] - happened.true[at]
            if warm_sentence[run, worker] != sentence:
                books.answered[run, worker] += 1
                entry.new[row, k] = worker
                if not np.isnan(happened.rewards[at]):
                    books.pending[run, worker] += 1
                    entry.crew[row, k] = worker
                    entry.rewards[row, k] = happened.rewards[at]
            at += 1


@kernel
def _less_pending(pending: IntArray, run: IntArray, crew: IntArray) -> None:
    for row in range(len(run)):
        for k in range(crew.shape[1]):
            if crew[row, k] >= 0:
                pending[run[row], crew[row, k]] -= 1
