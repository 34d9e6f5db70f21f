"""The data sets of the experiments, with what the paper sets for each."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from spancrew.core import Dataset
from spancrew.experiments._methods import CONLL, OEI, Numbers
from spancrew.experiments._paper_results import paper_results
from spancrew.experiments._paper_workers import paper_workers
from spancrew.formats import read
from spancrew.metrics import Metric, worker_scores

TABLE_METRICS: dict[str, Metric] = {
    "token": Metric("token", "macro", empty=0.0),
    "exact": Metric("exact", "macro", empty=0.0),
    "proportional": Metric("proportional:authors", empty=0.0),
}
"""How the paper's tables score the collected answers, as one pool."""


@dataclass(frozen=True)
class Stage:
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


def conll_stage(folder: Path) -> Stage:
    """Return CoNLL with the answers of its 47 workers."""
    dataset = read(folder / "conll-crowd" / "collected.json").dataset
    return Stage("conll", "CoNLL 2003", dataset, CONLL, dataset)


def oei_stage(folder: Path) -> Stage:
    """Return the training part of OEI, with the paper's F1 for its 70 workers."""
    dataset = read(folder / "oei" / "train.json").dataset
    pilot = read(folder / "oei" / "dev-crowd.json").dataset
    skills = {row.worker: row.original / 100 for row in paper_workers()}
    return Stage("oei", "Chinese OEI", dataset, OEI, pilot, skills)


def demo_stage() -> Stage:
    """Return the bundled data set, for whoever has not the paper's."""
    dataset = read("demo").dataset
    return Stage("demo", "demo (bundled, not the paper's)", dataset, CONLL, dataset, None, False)
