"""The paper's crowd: SES candidates picked to match each worker's mean F1."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.augment import Recipe, mean_scores, missing_answers
from spancrew.core import Dataset, IntArray, Ragged, offsets_of
from spancrew.crowds._replay import Replay, scatter
from spancrew.errors import NoAnswerError


class Augmented:
    """Real answers where they exist, answers made by SES and Algorithm 2 elsewhere.

    With ``stand_in`` the real answers are replaced, too: what a fidelity check compares. The mean
    F1 of workers is that of their answers in the ``pilot``, by default the data set itself; one
    without any has the mean of the others.
    """

    def __init__(
        self,
        dataset: Dataset,
        recipe: Recipe | None = None,
        *,
        stand_in: bool = False,
        pilot: Dataset | None = None,
    ) -> None:
        chosen = recipe or Recipe()
        means = mean_scores(pilot or dataset, chosen.metric)
        if pilot is not None:
            means = np.where(np.isnan(means), np.nanmean(means), means)
        targets = {w: float(f1) for w, f1 in zip(dataset.workers, means, strict=True)}
        base = dataset.without_answers() if stand_in else dataset
        self._dataset = dataset
        self._replay = Replay(base)
        known = {w: f1 for w, f1 in targets.items() if not np.isnan(f1)}
        self._missing = missing_answers(base, chosen, known)

    @property
    def workers(self) -> tuple[str, ...]:
        """Return the names of the workers."""
        return self._dataset.workers

    def can_answer(self, sentences: IntArray, workers: IntArray) -> IntArray:
        """Return the places of the questions with gold to work from, or with a real answer."""
        real = np.zeros(len(sentences), bool)
        real[self._replay.can_answer(sentences, workers)] = True
        return np.flatnonzero(real | self._dataset.has_gold[sentences])

    def answers(self, sentences: IntArray, workers: IntArray) -> Ragged:
        """Return real and made answers; refuse a sentence without gold or real answer."""
        asked, who = np.asarray(sentences, np.int64), np.asarray(workers, np.int64)
        lengths = self._dataset.sentences.starts.lengths[asked]
        offsets = offsets_of(lengths)
        codes = np.zeros(offsets[-1], self._dataset.gold.values.dtype)
        made = np.ones(len(asked), bool)
        made[self._replay.repeat(asked, who, offsets, codes)] = False
        places = np.flatnonzero(made)
        places = places[np.argsort(asked[places], kind="stable")]
        new = np.flatnonzero(np.diff(asked[places], prepend=-1))
        rows = [self._made(asked[k[0]], who[k]) for k in np.split(places, new)[1:]]
        values = np.concatenate([codes[:0], *rows])
        scatter(values, offsets_of(lengths[places])[:-1], offsets, places, codes)
        return Ragged(codes, offsets)

    def _made(self, sentence: int, workers: IntArray) -> npt.NDArray[Any]:
        """Return the codes of some workers on a sentence, one after the other."""
        if not self._dataset.has_gold[sentence]:
            name = self._dataset.sentences.ids[sentence]
            raise NoAnswerError(f"sentence {name!r} has no gold from which SES could make answers")
        return self._missing.codes(sentence, workers).ravel()
