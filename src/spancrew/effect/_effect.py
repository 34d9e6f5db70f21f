"""Train one model on every arm, with several seeds, and test it on sentences of its own."""

import time
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

from spancrew.core import Dataset
from spancrew.effect._arms import ARMS, ArmName
from spancrew.effect._base import Learner, Texts
from spancrew.effect._bench import TrainingBench
from spancrew.effect._design import Design
from spancrew.effect._keep import TrainedCell
from spancrew.effect._material import CrewStage, TrainingMaterial, material_of, test_of
from spancrew.effect._results import Effect, Missing, arm_result, differences_of
from spancrew.errors import SpancrewError
from spancrew.simulate import Phases, Silence


def always() -> bool:
    """Allow every training."""
    return True


def effect(  # noqa: PLR0913  what is trained, on what, how often, and where it is kept
    dataset: Dataset,
    test: Dataset,
    learner: Learner,
    design: Design | None = None,
    *,
    arms: Sequence[ArmName] = ARMS,
    seeds: Sequence[int] = (0, 1, 2),
    keep: Path | None = None,
    stage: CrewStage | None = None,
    may_train: Callable[[], bool] = always,
    progress: Phases | None = None,
) -> Effect:
    """Train a model on every arm and test it on other sentences, seed by seed.

    A seed draws the crews, the order in which sentences arrive, and all that a model draws. Gold
    of the test is used for nothing but the scores. With ``keep``, what is trained is kept in that
    folder and not trained again; ``may_train`` is asked before each training, and what it does not
    allow is missing. On the ``stage`` crews are selected; by default among the real answers.
    """
    if not seeds or not arms:
        raise SpancrewError("nothing to train: at least one seed and one arm are needed")
    start, told = time.perf_counter(), progress or Silence()
    made = material_of(dataset, design or Design(), stage)
    texts = Texts(made.dataset, test_of(test, made.dataset.labels))
    bench = TrainingBench(learner, made, texts, keep)
    cells: dict[ArmName, dict[int, TrainedCell]] = {name: {} for name in arms}
    missing = []
    for done, (seed, name) in enumerate(product(seeds, arms)):
        told.phase(f"Training {learner.name.partition(':')[0]}: {name}, seed {seed}")
        told(done, len(seeds) * len(arms))
        found = bench.cell(name, seed, may_train)
        if found is None:
            missing.append(Missing(name, seed))
        else:
            cells[name][seed] = found
    return _gathered(cells, made, texts, learner.name, tuple(seeds), start, tuple(missing))


def _gathered(
    cells: dict[ArmName, dict[int, TrainedCell]],
    made: TrainingMaterial,
    texts: Texts,
    model: str,
    seeds: tuple[int, ...],
    start: float,
    missing: tuple[Missing, ...],
) -> Effect:
    """Return means over seeds, and what differs."""
    seen, prices = set(made.dataset.sentences.texts), made.design.prices
    return Effect(
        model,
        len(made.dataset),
        len(texts.test),
        sum(text in seen for text in texts.test.sentences.texts),
        seeds,
        made.crew_answers,
        made.design,
        tuple(arm_result(name, found, prices) for name, found in cells.items() if found),
        tuple(differences_of(cells)),
        time.perf_counter() - start,
        missing,
    )
