"""The paper's Table 2: how well augmentation keeps each worker's F1."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from spancrew.augment import Method, Recipe, augment, mean_scores, targets_of, word_starts
from spancrew.core import Dataset, FloatArray
from spancrew.experiments._findings import Measured, measured
from spancrew.experiments._paper import PRINTED, paper_workers
from spancrew.metrics import Metric, MetricName

METHODS: tuple[Method, ...] = ("random", "ses-only", "ses")
METRICS: tuple[MetricName, ...] = ("exact", "proportional", "token")
SEEDS = (1, 2, 3)


class Column(NamedTuple):
    """What one method makes of every worker's F1, in percent, over some seeds.

    ``f1`` and ``spread`` are mean and standard deviation over seeds, by worker; ``errors`` is
    the mean distance from the targets, by seed.
    """

    f1: FloatArray
    spread: FloatArray
    errors: FloatArray


class Table2(NamedTuple):
    """One data set: every worker's target, the methods for exact F1, SES for every metric."""

    name: str
    answers: int
    targets: dict[str, float]
    methods: dict[Method, Column]
    metrics: dict[MetricName, Column]


def table_2_numbers(table: Table2) -> list[Measured]:
    """Return the F1 of every worker after augmentation, and the mean distance from the targets.

    The paper's figures are for OEI; its mean error is that of the seven workers it shows.
    """
    paper = {row.worker: row for row in paper_workers()} if table.name == "OEI" else {}
    numbers = []
    for method, column in table.methods.items():
        several = len(column.errors) > 1
        for k, worker in enumerate(table.targets):
            printed = paper[worker].after(method) if worker in paper else None
            sd = float(column.spread[k]) if several else None
            f1 = float(column.f1[k])
            numbers.append(Measured(f"worker {worker}", "exact f1", printed, f1, sd, method))
        printed = PRINTED[method] if paper else None
        numbers.append(measured("all workers", "mean error", printed, column.errors, method))
    for metric, column in table.metrics.items():
        if metric != "exact":
            name = f"mean error, {metric}"
            numbers.append(measured("all workers", name, None, column.errors, "ses"))
    return numbers


def table_2(name: str, dataset: Dataset, targets: Mapping[str, float] | None) -> Table2:
    """Augment one data set by every method, and by SES for every metric."""
    base = Recipe(words=word_starts(dataset))

    def column(metric: MetricName, method: Method) -> Column:
        return _column(dataset, replace(base, metric=Metric(metric), method=method), targets)

    methods = {method: column("exact", method) for method in METHODS}
    metrics = {m: methods["ses"] if m == "exact" else column(m, "ses") for m in METRICS}
    known = targets_of(dataset, base.metric, targets)
    answers = len(known) * int(dataset.has_gold.sum())
    return Table2(name, answers, known, methods, metrics)


def _column(dataset: Dataset, recipe: Recipe, targets: Mapping[str, float] | None) -> Column:
    # A seed only chooses among answers with the same score, except where all is random.
    seeds = SEEDS if recipe.method == "random" else SEEDS[:1]
    wanted = np.array(list(targets_of(dataset, recipe.metric, targets).values()))
    found = np.array(
        [
            mean_scores(augment(dataset, replace(recipe, seed=seed), targets), recipe.metric)
            for seed in seeds
        ]
    )
    errors = np.abs(found - wanted).mean(axis=1)
    return Column(100 * found.mean(axis=0), 100 * found.std(axis=0), 100 * errors)
