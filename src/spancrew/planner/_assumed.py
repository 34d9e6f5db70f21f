"""A pilot that nobody has run: what is assumed of a crowd, in its place."""

from dataclasses import dataclass

import numpy as np

from spancrew.core import Answers, Dataset
from spancrew.crowds import Calibrated, fit_population, with_copies, with_own_words
from spancrew.errors import PlanError

PILOT = 200
"""Sentences of an assumed pilot."""

_LEAST_F1, _MOST_F1 = 0.05, 0.97


@dataclass(frozen=True, slots=True)
class Assumption:
    """What is assumed of a crowd.

    ``worker_f1`` is the mean exact F1 of its workers, ``spread`` the standard deviation between
    them. ``like`` is the bundled data set whose sentences and mistakes stand in for the real ones.
    """

    worker_f1: float = 0.63
    spread: float = 0.17
    like: str = "demo"

    def __post_init__(self) -> None:
        """Refuse what no crowd is like."""
        if not 0 < self.worker_f1 < 1:
            hint = f"; is {self.worker_f1 / 100:g} meant?" if 1 < self.worker_f1 < 100 else ""
            raise PlanError(f"worker_f1 {self.worker_f1:g}: it is between 0 and 1{hint}")
        if not 0 <= self.spread <= 0.5:
            raise PlanError(f"spread {self.spread:g}: it is from 0 to 0.5")

    @classmethod
    def parse(cls, text: str) -> "Assumption":
        """Return what a text assumes: a prior by its name, numbers, or a prior with other numbers.

        >>> Assumption.parse("opinions,spread=0.2")
        Assumption(worker_f1=0.39, spread=0.2, like='demo-zh')
        """
        first, *rest = (part.strip() for part in text.split(","))
        if first in PRIORS:
            found = PRIORS[first]
        else:
            found, rest = cls(), [first, *rest]
        numbers = {"worker_f1": found.worker_f1, "spread": found.spread}
        for part in rest:
            name, _, value = part.partition("=")
            if name not in numbers:
                raise PlanError(
                    f"assumption {part!r} is not known: name one of {', '.join(PRIORS)}, or give "
                    "worker_f1=0.7 and perhaps spread=0.15"
                )
            numbers[name] = _number(name, value)
        return cls(numbers["worker_f1"], numbers["spread"], found.like)


PRIORS = {
    "names-in-news": Assumption(0.63, 0.17, "demo"),
    "opinions": Assumption(0.39, 0.11, "demo-zh"),
}
"""What was measured of two public crowds: names in English news, opinions in Chinese text."""


def _number(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise PlanError(f"{name} {value!r}: a number is needed, as in {name}=0.7") from None


def assumed_pilot(
    like: Dataset, assumption: Assumption, workers: int, answers: int = 4, seed: int = 0
) -> Dataset:
    """Return what such a crowd could have answered on sentences like those of a data set."""
    rng = np.random.default_rng(seed)
    grown = with_copies(like, PILOT, rng) if len(like) < PILOT else like.take(np.arange(PILOT))
    bare = with_own_words(grown, len(like)) if len(like) < PILOT else grown
    drawn = rng.normal(assumption.worker_f1, assumption.spread, workers)
    skills = np.clip(drawn, _LEAST_F1, _MOST_F1).tolist()
    names = tuple(f"worker {k + 1}" for k in range(workers))
    crowd = Calibrated.new(
        bare.without_answers(),
        fit_population(like),
        dict(zip(names, skills, strict=True)),
        seed,
    )
    each = min(answers, workers)
    sentence = np.repeat(np.arange(PILOT), each)
    who = np.concatenate([rng.permutation(workers)[:each] for _ in range(PILOT)])
    codes = crowd.answers(sentence, who)
    given = Answers(sentence.astype(np.int32), who.astype(np.int32), codes, PILOT)
    return Dataset(like.labels, bare.sentences, names, bare.gold, given)
