"""Train one model on every arm, with several seeds, and test it on sentences of its own."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from spancrew.core import Dataset, FloatArray
from spancrew.effect._arms import ARMS, ArmName, Material, arm_of
from spancrew.effect._base import Arm, Learner, Texts, Trainer
from spancrew.effect._design import Design
from spancrew.effect._keep import Cell, Shelf
from spancrew.effect._material import material_of, test_of
from spancrew.effect._scores import EXACT, Difference, difference, scores_of
from spancrew.errors import SpancrewError
from spancrew.simulate import MeanSd, Phases, Scene, Silence, mean_sd

PAIRS: tuple[tuple[ArmName, ArmName, str], ...] = (
    ("selected crew", "random crew", "same number of answers"),
    ("same money", "majority vote", "same money"),
    ("final", "majority vote", "same answers, and experts"),
    ("final", "gold", "same sentences"),
    ("majority vote", "gold", "same sentences"),
)
"""Arms that are compared: the one that should be better, the other, and what is equal."""


class ArmResult(NamedTuple):
    """An arm and the model that was trained on it; numbers are over seeds.

    ``label_f1`` is the exact F1 of its examples against gold, ``epochs`` and ``seconds`` are means
    of the training.
    """

    name: str
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
        return self._asdict() | {name: getattr(self, name)._asdict() for name in spread}


@dataclass(frozen=True, slots=True)
class Effect:
    """What labels of different origin are worth to whoever trains a model on them."""

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
            "seconds": round(self.seconds, 1),
        }


def effect(  # noqa: PLR0913  what is trained, on what, how often, and where it is kept
    dataset: Dataset,
    test: Dataset,
    learner: Learner,
    design: Design | None = None,
    *,
    arms: Sequence[ArmName] = ARMS,
    seeds: Sequence[int] = (0, 1, 2),
    keep: Path | None = None,
    scene: Scene | None = None,
    progress: Phases | None = None,
) -> Effect:
    """Train a model on every arm and test it on other sentences, seed by seed.

    A seed draws the crews, the order in which sentences arrive, and all that a model draws. Gold
    of the test is used for nothing but the scores. With ``keep``, what is trained is kept in that
    folder and not trained again. ``scene`` is where crews are selected; by default among the real
    answers.
    """
    if not seeds or not arms:
        raise SpancrewError("nothing to train: at least one seed and one arm are needed")
    start, told = time.perf_counter(), progress or Silence()
    made = material_of(dataset, design or Design(), scene)
    texts = Texts(made.dataset, test_of(test, made.dataset.labels))
    told.phase("Reading the texts")
    bench = _Bench(learner.name, learner.trainer(texts), texts, keep)
    results: dict[ArmName, list[_Done]] = {name: [] for name in arms}
    for done, (seed, name) in enumerate(product(seeds, arms)):
        told.phase(f"Training {learner.name.partition(':')[0]}: {name}, seed {seed}")
        told(done, len(seeds) * len(arms))
        arm = arm_of(name, made, seed)
        results[name].append(_Done(arm, bench.cell(arm, seed)))
    return _gathered(results, made, texts, learner.name, tuple(seeds), start)


def _gathered(
    results: dict[ArmName, list["_Done"]],
    made: Material,
    texts: Texts,
    model: str,
    seeds: tuple[int, ...],
    start: float,
) -> Effect:
    """Return means over seeds, and what differs."""
    seen = set(made.dataset.sentences.texts)
    return Effect(
        model,
        len(made.dataset),
        len(texts.test),
        sum(text in seen for text in texts.test.sentences.texts),
        seeds,
        made.crew_answers,
        made.design,
        tuple(_result(found, made) for found in results.values()),
        tuple(_differences(results)),
        time.perf_counter() - start,
    )


class _Done(NamedTuple):
    """An arm and what became of it."""

    arm: Arm
    cell: Cell


class _Bench:
    """Trains and tests, unless that has been done before."""

    def __init__(self, model: str, trainer: Trainer, texts: Texts, keep: Path | None) -> None:
        self._model, self._trainer, self._test = model, trainer, texts.test
        self._shelf = Shelf.of(keep, *texts)

    def cell(self, arm: Arm, seed: int) -> Cell:
        """Return how the model does on an arm."""
        found = self._shelf.load(self._model, arm, seed)
        if found is None:
            start = time.perf_counter()
            trained = self._trainer.trained(arm, seed)
            tallies = EXACT.tallies(trained.codes, self._test.gold, self._test.labels)[:, 0]
            found = Cell(tallies, trained.epochs, time.perf_counter() - start)
            self._shelf.save(self._model, arm, seed, found)
        return found


def _result(found: Sequence[_Done], material: Material) -> ArmResult:
    """Return the means of an arm over seeds."""
    prices, gold = material.design.prices, material.dataset.gold
    paid = np.array([[len(arm.sentence), arm.answers, arm.experts] for arm, _ in found])
    examples, answers, experts = paid.mean(axis=0).tolist()
    right = [EXACT.pool(arm.codes, gold.take(arm.sentence)).f1 for arm, _ in found]
    scores: FloatArray = scores_of([cell.tallies for _, cell in found])
    precision, recall, f1 = (mean_sd(column) for column in scores.T)
    return ArmResult(
        found[0].arm.name,
        examples,
        answers,
        experts,
        answers * prices.answer + experts * prices.expert,
        float(np.mean(right)),
        precision,
        recall,
        f1,
        float(np.mean([cell.epochs for _, cell in found])),
        float(np.mean([cell.seconds for _, cell in found])),
    )


def _differences(results: dict[ArmName, list[_Done]]) -> list[Difference]:
    """Compare the arms that are there."""
    tallies = {name: [each.cell.tallies for each in found] for name, found in results.items()}
    return [
        difference((one, other, equal), tallies[one], tallies[other])
        for one, other, equal in PAIRS
        if one in tallies and other in tallies
    ]
