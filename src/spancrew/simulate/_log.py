"""What consensus methods learn from in a rehearsal: settled sentences, run by run."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.consensus import Evidence, word_numbers
from spancrew.core import Answers, BoolArray, IndexArray, IntArray, Ragged, kernel, offsets_of
from spancrew.policies import NOBODY, Groups, asked
from spancrew.simulate._scene import Scene


class Log:
    """Sentences in the order in which they were settled; what is there stays in its place.

    An answer of the warm-up is a sentence of its own, with its labels known.
    """

    def __init__(self, scene: Scene, runs: int, answers: int) -> None:
        most = len(scene.dataset) + len(scene.workers)
        self._scene = scene
        self._words, self._vocabulary = word_numbers(scene.dataset)
        self._sentence = np.zeros((runs, most), np.int32)
        self._crew = np.full((runs, most, answers), NOBODY, np.int32)
        self._known = np.zeros((runs, most), bool)
        self.count = np.zeros(runs, np.int64)

    def append(self, groups: Groups, known: BoolArray) -> None:
        """Add sentences with who answered them; ``known`` tells which an expert has labelled."""
        _append(groups, known, self._sentence, self._crew, self._known, self.count)

    def words(self, sentence: IntArray) -> Ragged:
        """Return the numbers of the words of some sentences."""
        return self._words.take(sentence)

    def evidence(self, run: int) -> Evidence:
        """Return all that a run has seen."""
        size = int(self.count[run])
        sentence = self._sentence[run, :size].astype(np.int64)
        row, worker = asked(self._crew[run, :size].astype(np.int64))
        codes = _codes(self._scene, sentence[row], worker)
        return Evidence(
            Answers(row.astype(np.int32), worker.astype(np.int32), codes, size),
            self._scene.lengths[sentence],
            len(self._scene.dataset.labels),
            len(self._scene.workers),
            self._labels(sentence, self._known[run, :size]),
            self.words(sentence),
            self._vocabulary,
        )

    def _labels(self, sentence: IntArray, known: BoolArray) -> Ragged:
        """Return the experts' labels; rows are empty where there are none."""
        gold = self._scene.dataset.gold.take(sentence[known])
        lengths = np.zeros(len(sentence), np.int64)
        lengths[known] = gold.lengths
        return Ragged(gold.values, offsets_of(lengths))


def no_evidence(scene: Scene) -> Evidence:
    """Return that nothing is known yet, for methods that learn nothing."""
    none = np.zeros(0, np.int32)
    answers = Answers(none, none, _codes(scene, none, none), 0)
    lengths = np.zeros(0, np.int64)
    return Evidence(answers, lengths, len(scene.dataset.labels), len(scene.workers))


def _codes(scene: Scene, sentence: npt.NDArray[Any], worker: npt.NDArray[Any]) -> Ragged:
    """Return answers of the crowd; not every crowd likes to be asked for none."""
    if len(sentence) == 0:
        return Ragged(np.zeros(0, scene.dataset.labels.dtype), offsets_of(sentence))
    return scene.source.answers(sentence, worker)


@kernel
def _append(
    groups: Groups,
    known: BoolArray,
    sentence: IndexArray,
    crew: IndexArray,
    is_known: BoolArray,
    count: IntArray,
) -> None:
    for row in range(len(groups.run)):
        run = groups.run[row]
        place = count[run]
        sentence[run, place] = groups.sentence[row]
        is_known[run, place] = known[row]
        for k in range(groups.crew.shape[1]):
            crew[run, place, k] = groups.crew[row, k]
        count[run] += 1
