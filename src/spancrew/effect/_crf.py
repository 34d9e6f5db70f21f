"""The plain model: the tagger of the crew, trained in seconds."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spancrew.consensus import word_numbers
from spancrew.effect._base import Arm, Texts, Trained
from spancrew.tagger import ROUNDS, TrainedTagger


@dataclass(frozen=True, slots=True)
class Crf:
    """A conditional random field over spelling and neighbours; it knows nothing of workers."""

    rounds: int = ROUNDS

    @property
    def name(self) -> str:
        """Return the name and everything that decides what is learned."""
        return f"crf:rounds={self.rounds}"

    def trainer(self, texts: Texts, keep: Path | None = None) -> "CrfTrainer":
        """Look at the texts once, before there are any labels; nothing is kept."""
        del keep
        return CrfTrainer(texts, self.rounds)


class CrfTrainer:
    """Trains as many rounds on every arm."""

    def __init__(self, texts: Texts, rounds: int) -> None:
        self._words, self._spelling = word_numbers(texts.train)
        self._test = word_numbers(texts.test)
        self._codes = 2 * len(texts.train.labels) + 1
        self._rounds = rounds

    def trained(self, arm: Arm, seed: int) -> Trained:
        """Train anew on an arm, and label the test sentences; the seed orders the examples."""
        order = np.random.default_rng(seed).permutation(len(arm.sentence))
        tagger = TrainedTagger.train(
            self._words.take(arm.sentence[order]),
            self._spelling,
            arm.codes.take(order),
            arm.weight[order],
            self._codes,
            self._rounds,
        )
        return Trained(tagger.tag(*self._test).codes, self._rounds)
