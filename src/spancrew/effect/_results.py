"""What was found: arms with the models that were trained on them, and how they differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from spancrew.effect._arms import ArmName
from spancrew.effect._design import Design
from spancrew.effect._keep import TrainedCell
from spancrew.effect._scores import Difference, difference, scores_of
from spancrew.feedback import Prices
from spancrew.simulate import MeanSd, mean_sd

Cells = Mapping[ArmName, Mapping[int, TrainedCell]]
"""What was trained, by arm and seed."""

PAIRS: tuple[tuple[ArmName, ArmName, str], ...] = (
    ("selected crew", "random crew", "same number of answers"),
    ("same money", "majority vote", "same money"),
    ("final", "majority vote", "same answers, and experts"),
    ("final", "gold", "same sentences"),
    ("majority vote", "gold", "same sentences"),
)
"""Arms that are compared: the one that should be better, the other, and what is equal."""


class ArmResult(NamedTuple):
    """An arm and the model that was trained on it; numbers are over ``seeds``.

    ``label_f1`` is the exact F1 of its examples against gold, ``epochs`` and ``seconds`` (of a
    core) are means of the training.
    """

    name: str
    seeds: tuple[int, ...]
    examples: float
    answers: float
    experts: float
    money: float
    label_f1: float
    precision: MeanSd
    recall: MeanSd
    f1: MeanSd
    epochs: float
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        spread = ("precision", "recall", "f1")
        plain = {name: getattr(self, name)._asdict() for name in spread}
        return self._asdict() | plain | {"seeds": list(self.seeds)}


class Missing(NamedTuple):
    """What was not trained."""

    arm: str
    seed: int


@dataclass(frozen=True, slots=True)
class Effect:
    """What labels of different origin are worth to whoever trains a model on them.

    ``missing`` was not trained because the time was up; means are then over fewer seeds.
    """

    model: str
    sentences: int
    test_sentences: int
    known_sentences: int
    seeds: tuple[int, ...]
    crew_answers: int
    design: Design
    arms: tuple[ArmResult, ...]
    differences: tuple[Difference, ...]
    seconds: float
    missing: tuple[Missing, ...] = ()

    def __repr__(self) -> str:
        """Return the scores in a line."""
        scores = ", ".join(f"{each.name} {each.f1.mean:.3f}" for each in self.arms)
        return f"Effect({self.model}: {scores})"

    def arm(self, name: str) -> ArmResult | None:
        """Return an arm by its name; None if it was not trained on."""
        return next((each for each in self.arms if each.name == name), None)

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "model": self.model,
            "sentences": self.sentences,
            "test_sentences": self.test_sentences,
            "known_sentences": self.known_sentences,
            "seeds": list(self.seeds),
            "crew_answers": self.crew_answers,
            "arms": [each.as_json() for each in self.arms],
            "differences": [each.as_json() for each in self.differences],
            "missing": [each._asdict() for each in self.missing],
            "seconds": round(self.seconds, 1),
        }


def arm_result(name: str, found: Mapping[int, TrainedCell], prices: Prices) -> ArmResult:
    """Return the means of an arm over seeds."""
    cells = list(found.values())
    paid = np.array([[each.examples, each.answers, each.experts] for each in cells])
    examples, answers, experts = paid.mean(axis=0).tolist()
    scores = scores_of([cell.tallies for cell in cells])
    precision, recall, f1 = (mean_sd(column) for column in scores.T)
    return ArmResult(
        name,
        tuple(found),
        examples,
        answers,
        experts,
        answers * prices.answer + experts * prices.expert,
        float(np.mean([cell.label_f1 for cell in cells])),
        precision,
        recall,
        f1,
        float(np.mean([cell.epochs for cell in cells])),
        float(np.mean([cell.seconds for cell in cells])),
    )


def differences_of(cells: Cells) -> list[Difference]:
    """Compare arms that are there, over the seeds that both have."""
    made = []
    for one, other, equal in PAIRS:
        both = [seed for seed in cells.get(one, {}) if seed in cells.get(other, {})]
        if both:
            pair = (_tallies(cells[name], both) for name in (one, other))
            made.append(difference((one, other, equal), *pair))
    return made


def _tallies(found: Mapping[int, TrainedCell], seeds: Sequence[int]) -> list[Any]:
    return [found[seed].tallies for seed in seeds]
