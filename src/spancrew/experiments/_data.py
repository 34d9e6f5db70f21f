"""The data sets of the experiments, with what the paper sets for each, and their crowds."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from spancrew.augment import Recipe, augment, word_starts
from spancrew.core import Dataset
from spancrew.crowds import Calibrated, Replay, fit_population
from spancrew.errors import FormatError, Place
from spancrew.experiments._methods import CONLL, OEI, Numbers
from spancrew.experiments._paper import HEADLINES, Headline, paper_results, paper_workers
from spancrew.formats import read
from spancrew.metrics import Metric, worker_scores
from spancrew.simulate import Scene, scene_of

VARIABLE = "SPANCREW_DATA"
_BESIDE = Path("..") / "shared" / "data"

TABLE_METRICS: dict[str, Metric] = {
    "token": Metric("token", "macro", empty=0.0),
    "exact": Metric("exact", "macro", empty=0.0),
    "proportional": Metric("proportional:authors", empty=0.0),
}
"""How the paper's tables score the collected answers, as one pool."""

Variant = Literal["ses:uniform", "ses:first", "ses:best-exact", "calibrated"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)
"""The crowds with which the paper's protocol is run."""


@dataclass(frozen=True)
class ExperimentData:
    """A data set, the real answers there are, and the numbers of the paper.

    ``pilot`` has the real answers from which workers are learned: the data set itself, or, where
    its answers are not available, another part with the same workers, whose exact F1 (``skills``)
    is that of the paper's last table.
    """

    name: str
    title: str
    dataset: Dataset
    numbers: Numbers
    pilot: Dataset
    skills: Mapping[str, float] | None = None
    has_paper: bool = True

    @cached_property
    def paper(self) -> dict[str, dict[str, float]]:
        """Return the paper's table; nothing if it has none."""
        return paper_results(self.name) if self.has_paper else {}

    def headline(self, answers: int, threshold: float) -> Headline | None:
        """Return what the paper's text states for CUCB with a gate, if it does."""
        wanted = (self.name, answers, threshold)
        return next((head for head in HEADLINES if head[:3] == wanted), None)

    def targets(self, metric: Metric) -> dict[str, float]:
        """Return the score that every worker should keep, by the pool of their real answers.

        Where only exact F1 is known, the others follow from it by a line through the workers of
        the pilot.
        """
        names = self.pilot.workers
        found = worker_scores(self.pilot, metric)[:, 2]
        if self.skills is None:
            return {w: float(f1) for w, f1 in zip(names, found, strict=True) if not np.isnan(f1)}
        if metric.name == "exact":
            return dict(self.skills)
        slope, start = np.polyfit(worker_scores(self.pilot, Metric("exact"))[:, 2], found, 1)
        return {
            w: float(np.clip(start + slope * skill, 0.0, 1.0)) for w, skill in self.skills.items()
        }


def data_folder(given: Path | None = None) -> Path:
    """Return the folder that was given, else $SPANCREW_DATA, else ``../shared/data``."""
    named = given or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    folder = named or _BESIDE
    if folder.is_dir():
        return folder
    raise FormatError(
        Place(str(folder)),
        "there is no such folder; say where the paper's data sets are with --data FOLDER or "
        f"{VARIABLE} (conll-crowd/collected.json and oei/train.json in it)",
    )


def conll_data(folder: Path) -> ExperimentData:
    """Return CoNLL with the answers of its 47 workers."""
    dataset = read(folder / "conll-crowd" / "collected.json").dataset
    return ExperimentData("conll", "CoNLL 2003", dataset, CONLL, dataset)


def oei_data(folder: Path) -> ExperimentData:
    """Return the training part of OEI, with the paper's F1 for its 70 workers."""
    dataset = read(folder / "oei" / "train.json").dataset
    pilot = read(folder / "oei" / "dev-crowd.json").dataset
    skills = {row.worker: row.original / 100 for row in paper_workers()}
    return ExperimentData("oei", "Chinese OEI", dataset, OEI, pilot, skills)


def demo_data() -> ExperimentData:
    """Return the bundled data set, for use without the paper's."""
    dataset = read("demo").dataset
    title = "demo (bundled, not the paper's)"
    return ExperimentData("demo", title, dataset, CONLL, dataset, None, has_paper=False)


def scenes(data: ExperimentData, variant: Variant, seed: int = 0) -> Callable[[Metric], Scene]:
    """Return how to make the scene of a variant for a metric by which workers are rewarded."""
    if variant == "calibrated":
        population = fit_population(data.pilot)
        if data.skills is None:
            crowd = Calibrated.known(data.dataset, population, seed)
        else:
            crowd = Calibrated.new(data.dataset, population, data.skills, seed)
        return lambda metric: scene_of(data.dataset, crowd, metric)

    def augmented(metric: Metric) -> Scene:
        ties = variant.removeprefix("ses:")
        recipe = Recipe(metric, ties=ties, words=word_starts(data.dataset), seed=seed)  # type: ignore[arg-type]
        pool = next(each for each in TABLE_METRICS.values() if each.name == metric.name)
        full = augment(data.dataset, recipe, data.targets(pool))
        return scene_of(full, Replay(full), metric)

    return augmented
