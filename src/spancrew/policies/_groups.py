"""Who labels which sentence in a step."""

from typing import NamedTuple

import numpy as np

from spancrew.core import BoolArray, Chance, FloatArray, IndexArray, IntArray, kernel
from spancrew.policies._base import Policy, chosen_by
from spancrew.policies._crews import CrewSize, crew_by
from spancrew.policies._standings import NOBODY, Standings

_SHUFFLE, _WARM_UP = 4, 5
"""Uses of chance: how a crew is dealt into groups, which sentence a worker starts with."""


_APART = 2**40
"""Steps between the draws for one sentence and for the next of the same step."""


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


def own_sentences(chance: Chance, workers: int, sentences: int) -> IntArray:
    """Return a sentence for every worker to start with (runs x workers)."""
    return (own_draws(chance, workers) * sentences).astype(np.int64)


def own_draws(chance: Chance, workers: int) -> FloatArray:
    """Return the numbers that choose the sentences which workers start with."""
    return chance.at(0).uniform(workers, _WARM_UP)


def dealing_order(chance: Chance, size: int) -> IntArray:
    """Return the order in which the members of a crew go into groups (runs x size)."""
    return chance.shuffled(size, _SHUFFLE)


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

    @property
    def taken(self) -> IntArray:
        """Return how many sentences every run has taken off the queue."""
        return self._done.copy()

    def drop_last(self) -> IntArray:
        """Take the last sentence of every run out of its queue; return them."""
        last: IntArray = self._order[:, -1].astype(np.int64)
        self._order = np.ascontiguousarray(self._order[:, :-1])
        return last

    def peek(self, size: int) -> tuple[IntArray, BoolArray]:
        """Return the next sentences of every run (runs x size), and which of them there are."""
        place = self._done[:, None] + np.arange(size)
        there = place < self._order.shape[1]
        place = np.minimum(place, self._order.shape[1] - 1)
        return np.take_along_axis(self._order, place, 1).astype(np.int64), there

    def deal(self, crew: IntArray, order: IntArray, groups: Groups) -> int:
        """Fill in groups of crews, each with the next sentence of its run; return how many."""
        return deal(crew, order, self._order, self._done, groups)

    def advance(self, taken: IntArray) -> None:
        """Take sentences off the queue of every run."""
        self._done += taken


def best_first(groups: Groups, standings: Standings) -> Groups:
    """Put the workers of every group in the order of their means; equal ones stay."""
    crew = groups.crew
    mean = standings.mean[groups.run[:, None], np.maximum(crew, 0)]
    order = np.argsort(-np.where(crew == NOBODY, -np.inf, mean), axis=1, kind="stable")
    return groups._replace(crew=np.take_along_axis(crew, order, axis=1))


def by_crew(
    policy: Policy,
    standings: Standings,
    size: CrewSize,
    answers: int,
    queue: Queue,
    chance: Chance,
) -> Groups:
    """Choose a crew, deal it into groups, give each group the next sentence.

    A group that is not full gets no sentence, nor does one for which none is left.
    """
    crew = crew_by(policy, standings, size, answers, chance)
    order = dealing_order(chance, crew.shape[1])
    most = len(crew) * (crew.shape[1] // answers)
    groups = Groups(
        np.empty(most, np.int64), np.empty(most, np.int64), np.empty((most, answers), np.int64)
    )
    count = queue.deal(crew, order, groups)
    return Groups(groups.run[:count], groups.sentence[:count], groups.crew[:count])


@kernel
def deal(
    crew: IntArray,
    order: IntArray,
    sentences: IndexArray,
    done: IntArray,
    groups: Groups,
) -> int:
    """Fill in groups, run by run, each with the next sentence; return how many there are.

    Workers go into groups in the given order, empty places of a crew are passed over.
    """
    size, answers = crew.shape[1], groups.crew.shape[1]
    count = 0
    for run in range(len(crew)):
        formed = filled = 0
        for k in range(size):
            worker = crew[run, order[run, k]]
            if worker < 0 or done[run] == sentences.shape[1] or formed == size // answers:
                continue
            groups.crew[count, filled] = worker
            filled += 1
            if filled == answers:
                groups.run[count], groups.sentence[count] = run, sentences[run, done[run]]
                done[run] += 1
                count, formed, filled = count + 1, formed + 1, 0
    return count


def by_sentence(
    policy: Policy,
    standings: Standings,
    can: BoolArray,
    answers: int,
    queue: Queue,
    chance: Chance,
    at_once: int = 1,
) -> Groups:
    """Give every run its next sentences and choose workers among those who can answer each.

    A sentence gets fewer answers where fewer workers can give one. Of ``at_once`` sentences,
    several may go to the same worker.
    """
    sentence, there = queue.peek(at_once)
    before = standings.available
    crews = np.empty((*sentence.shape, answers), np.int64)
    for k in range(at_once):
        standings.available = before & can[sentence[:, k]]
        crews[:, k] = chosen_by(policy, standings, answers, chance.at(chance.step + k * _APART))
    standings.available = before
    queue.advance(there.sum(axis=1))
    run, place = map(np.ascontiguousarray, np.nonzero(there))
    return Groups(run, sentence[run, place], crews[run, place])
