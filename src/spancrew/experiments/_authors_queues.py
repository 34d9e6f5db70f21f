"""How the authors' code hands out sentences: a queue per worker, no groups."""

from dataclasses import dataclass

import numpy as np

from spancrew.core import BoolArray, Chance, Dataset, IndexArray, IntArray, kernel

NONE = -1
"""In place of a sentence or a worker where there is none."""


@dataclass(slots=True)
class Queues:
    """What every worker of every run would label next.

    A queue holds the sentences that the worker really answered, in file order, then all others in
    an order that all workers of a run share. ``head`` is how far each queue is read, ``missing``
    how many answers a sentence still needs, ``done`` who has answered what, ``given`` who answered
    each sentence, in the order of arrival.
    """

    order: IndexArray
    head: IntArray
    missing: IntArray
    done: BoolArray
    given: IndexArray

    @classmethod
    def start(cls, dataset: Dataset, workers: int, answers: int, chance: Chance) -> "Queues":
        """Fill the queues."""
        runs, size = len(chance.seeds), len(dataset)
        real = np.zeros((workers, size), bool)
        real[dataset.answers.worker, dataset.answers.sentence] = True
        shuffled = chance.at(0).shuffled(size)
        order = np.empty((runs, workers, size), np.int32)
        for run in range(runs):
            for worker in range(workers):
                order[run, worker] = np.concatenate(
                    [np.flatnonzero(real[worker]), shuffled[run][~real[worker][shuffled[run]]]]
                )
        return cls(
            order,
            np.zeros((runs, workers), np.int64),
            np.full((runs, size), answers),
            np.zeros((runs, workers, size), bool),
            np.full((runs, size, answers), NONE, np.int32),
        )

    def take(self, crew: IntArray) -> IntArray:
        """Let the workers of every crew, one after the other, take the head of their queue.

        Return the sentences (runs x crew); NONE for a worker whose queue is empty.
        """
        taken = np.empty(crew.shape, np.int64)
        _take(crew, self.order, self.head, self.missing, self.done, self.given, taken)
        return taken


@kernel
def _take(
    crew: IntArray,
    order: IndexArray,
    head: IntArray,
    missing: IntArray,
    done: BoolArray,
    given: IndexArray,
    taken: IntArray,
) -> None:
    size = order.shape[2]
    for run in range(len(crew)):
        for k in range(crew.shape[1]):
            worker = crew[run, k]
            taken[run, k] = -1
            if worker < 0:
                continue
            place = head[run, worker]
            while place < size and (
                missing[run, order[run, worker, place]] == 0
                or done[run, worker, order[run, worker, place]]
            ):
                place += 1
            head[run, worker] = place
            if place == size:
                continue
            sentence = order[run, worker, place]
            given[run, sentence, given.shape[2] - missing[run, sentence]] = worker
            missing[run, sentence] -= 1
            done[run, worker, sentence] = True
            taken[run, k] = sentence
