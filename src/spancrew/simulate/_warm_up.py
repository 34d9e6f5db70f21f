"""What workers label first in a rehearsal, as in a live campaign."""

from typing import NamedTuple

import numpy as np

from spancrew.core import Chance, IntArray
from spancrew.policies import Queue, own_draws, own_sentences
from spancrew.simulate._scene import Scene
from spancrew.simulate._setting import Setting


class FirstSentences(NamedTuple):
    """The sentence that each worker labels first (runs x workers), -1 if there is none.

    ``shared`` is the one that serves all, by run; None if there is none.
    """

    of_worker: IntArray
    shared: IntArray | None


def first_sentences(
    scene: Scene, setting: Setting, chance: Chance, queue: Queue
) -> FirstSentences:
    """Return what people label first; a sentence that they share leaves the queue."""
    if not setting.warms_up:
        return FirstSentences(np.full((len(chance.seeds), len(scene.workers)), -1), None)
    if setting.warm_up == "own":
        return FirstSentences(np.where(scene.people, _own(scene, chance), -1), None)
    shared = queue.drop_last()
    can = np.tile(scene.people, (len(shared), 1))
    if scene.can is not None:
        can &= scene.can[shared]
    return FirstSentences(np.where(can, shared[:, None], -1), shared)


def _own(scene: Scene, chance: Chance) -> IntArray:
    """Return a random sentence for every worker that they can answer."""
    workers = len(scene.workers)
    if scene.can is None:
        return own_sentences(chance, workers, len(scene.dataset))
    drawn = own_draws(chance, workers)
    sentence = np.full(drawn.shape, -1)
    for worker in range(workers):
        own = np.flatnonzero(scene.can[:, worker])
        if len(own):
            sentence[:, worker] = own[(drawn[:, worker] * len(own)).astype(np.int64)]
    return sentence
