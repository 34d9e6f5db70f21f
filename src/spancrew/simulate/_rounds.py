"""Who labels which sentence in a step."""

from typing import NamedTuple

import numpy as np

from spancrew.core import BoolArray, Chance, IntArray
from spancrew.policies import NOBODY, Policy, Standings

_SHUFFLE = 4
"""The use of chance that deals a crew into groups."""


class Groups(NamedTuple):
    """Sentences and the workers who label each; row ``k`` belongs to run ``run[k]``."""

    run: IntArray
    sentence: IntArray
    crew: IntArray


def asked(crew: IntArray) -> tuple[IntArray, IntArray]:
    """Return the group and the worker of every answer that groups give."""
    if crew.size and crew.min() != NOBODY:
        return np.repeat(np.arange(len(crew)), crew.shape[1]), crew.ravel()
    row, place = np.nonzero(crew != NOBODY)
    return row, crew[row, place]


class Queue:
    """The sentences of every run in random order, and how far each run is."""

    def __init__(self, sentences: IntArray, chance: Chance) -> None:
        order = chance.at(0).shuffled(len(sentences), use=_SHUFFLE)
        self._order = sentences[order].astype(np.int32)
        self._done = np.zeros(len(order), np.int64)

    @property
    def left(self) -> IntArray:
        """Return how many sentences every run has left."""
        left: IntArray = self._order.shape[1] - self._done
        return left

    def peek(self, size: int) -> tuple[IntArray, BoolArray]:
        """Return the next sentences of every run (runs x size), and which of them there are."""
        place = self._done[:, None] + np.arange(size)
        there = place < self._order.shape[1]
        place = np.minimum(place, self._order.shape[1] - 1)
        return np.take_along_axis(self._order, place, 1).astype(np.int64), there

    def advance(self, taken: IntArray) -> None:
        """Take sentences off the queue of every run."""
        self._done += taken


def by_crew(
    policy: Policy, standings: Standings, size: int, answers: int, queue: Queue, chance: Chance
) -> Groups:
    """Choose a crew, deal it into groups, give each group the next sentence.

    A group that is not full gets no sentence, nor does one for which none is left.
    """
    crew = policy.select(standings, size, chance)
    count = size // answers
    dealt = _dealt(crew, chance)[:, : count * answers]
    groups = dealt.reshape(len(crew), count, answers)
    sentence, there = queue.peek(count)
    full = (groups != NOBODY).all(axis=2)
    # The first full groups take the first sentences, so that no sentence is passed over.
    rank = np.cumsum(full, axis=1) - 1
    works = full & np.take_along_axis(there, np.maximum(rank, 0), 1)
    queue.advance(works.sum(axis=1))
    run, group = np.nonzero(works)
    return Groups(run, sentence[run, rank[run, group]], groups[run, group])


def _dealt(crew: IntArray, chance: Chance) -> IntArray:
    """Return the crew in random order with empty places last."""
    shuffled = np.take_along_axis(crew, chance.shuffled(crew.shape[1], _SHUFFLE), 1)
    if crew.min() != NOBODY:
        return shuffled
    last = np.argsort(shuffled == NOBODY, axis=1, kind="stable")
    return np.take_along_axis(shuffled, last, 1)


def by_sentence(
    policy: Policy,
    standings: Standings,
    can: BoolArray,
    answers: int,
    queue: Queue,
    chance: Chance,
) -> Groups:
    """Give every run its next sentence and choose its workers among those who can answer it.

    A sentence gets fewer answers where fewer workers can give one.
    """
    sentence, there = queue.peek(1)
    before = standings.available
    standings.available = before & can[sentence[:, 0]]
    crew = policy.select(standings, answers, chance)
    standings.available = before
    queue.advance(there[:, 0].astype(np.int64))
    run = np.flatnonzero(there[:, 0])
    return Groups(run, sentence[run, 0], crew[run])
