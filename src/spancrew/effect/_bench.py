"""Where models are trained and tested, one cell after the other."""

import time
from collections.abc import Callable
from pathlib import Path

from spancrew.effect._arms import ArmName, arm_of
from spancrew.effect._base import Learner, Texts, Trainer
from spancrew.effect._keep import Shelf, TrainedCell
from spancrew.effect._material import TrainingMaterial
from spancrew.effect._scores import EXACT


class TrainingBench:
    """Trains and tests, unless that has been done before; it reads texts when it must."""

    def __init__(
        self, learner: Learner, material: TrainingMaterial, texts: Texts, keep: Path | None
    ) -> None:
        self._learner, self._material, self._texts = learner, material, texts
        self._shelf = Shelf.of(keep, material, texts.test)
        self._trainer: Trainer | None = None

    def cell(self, name: ArmName, seed: int, may_train: Callable[[], bool]) -> TrainedCell | None:
        """Return how the model does on an arm; None if it is not there and may not be made."""
        model = self._learner.name
        found = self._shelf.cell(model, name, seed)
        if found is None and may_train():
            found = self._trained(name, seed)
            self._shelf.save(model, name, seed, found)
        return found

    def _trained(self, name: ArmName, seed: int) -> TrainedCell:
        arm = self._shelf.arm(name, seed, lambda: arm_of(name, self._material, seed))
        if self._trainer is None:
            self._trainer = self._learner.trainer(self._texts, self._shelf.folder)
        start = time.process_time()
        trained = self._trainer.trained(arm, seed)
        train, test = self._texts
        tallies = EXACT.tallies(trained.codes, test.gold, test.labels)[:, 0]
        seconds = time.process_time() - start
        right = EXACT.pool(arm.codes, train.gold.take(arm.sentence)).f1
        paid = (len(arm.sentence), arm.answers, arm.experts)
        return TrainedCell(tallies, trained.epochs, seconds, *paid, float(right))
