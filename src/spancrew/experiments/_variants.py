"""The crowds under which every experiment is run."""

from collections.abc import Callable
from typing import Literal, get_args

from spancrew.augment import Recipe, augment, word_starts
from spancrew.crowds import Calibrated, Population, Replay, fit_population
from spancrew.experiments._stages import TABLE_METRICS, Stage
from spancrew.metrics import Metric
from spancrew.simulate import Scene, scene_of

Variant = Literal["ses:uniform", "ses:first", "ses:best-exact", "calibrated"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)

SceneOf = Callable[[Metric], Scene]
"""Sets the scene for a metric by which workers are rewarded."""


def scenes(stage: Stage, variant: Variant, seed: int = 0) -> SceneOf:
    """Return how to set the scene for the paper's protocol, with one crowd."""
    if variant != "calibrated":
        ties = variant.removeprefix("ses:")
        return lambda metric: _ses_scene(stage, metric, ties, seed)
    crowd = _calibrated(stage, fit_population(stage.pilot), seed)
    return lambda metric: scene_of(stage.dataset, crowd, metric)


def _ses_scene(stage: Stage, metric: Metric, ties: str, seed: int) -> Scene:
    words = word_starts(stage.dataset)
    recipe = Recipe(metric, ties=ties, words=words, seed=seed)  # type: ignore[arg-type]
    full = augment(stage.dataset, recipe, stage.targets(_as_in_tables(metric)))
    return scene_of(full, Replay(full), metric)


def _calibrated(stage: Stage, population: Population, seed: int) -> Calibrated:
    if stage.skills is None:
        return Calibrated.known(stage.dataset, population, seed)
    return Calibrated.new(stage.dataset, population, stage.skills, seed)


def _as_in_tables(metric: Metric) -> Metric:
    """Return the metric by which the tables score a worker's answers as one pool."""
    return next(each for each in TABLE_METRICS.values() if each.name == metric.name)
