"""Make the missing answers of a data set, on demand or all of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from spancrew.augment._base import Plan, Progress, silent
from spancrew.augment._fill import fill
from spancrew.augment._material import Material
from spancrew.augment._picker import Ses, Ties
from spancrew.augment._plan import Order, plan_ses
from spancrew.augment._random import RandomPlan
from spancrew.augment._targets import targets_of
from spancrew.augment._words import Words, word_starts
from spancrew.core import Dataset, Ragged
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric

Method = Literal["ses", "ses-only", "random"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How missing answers are made.

    ``method``: ``ses`` is SES with Algorithm 2, ``ses-only`` takes the closest score every time,
    ``random`` is gold or noise. ``ties`` and ``flips`` are those of :class:`Ses`. ``words`` says
    what a step is: a name that :func:`word_starts` knows, or its result. ``order`` is that in
    which sentences get their scores.
    """

    metric: Metric = field(default_factory=Metric)
    method: Method = "ses"
    ties: Ties = "uniform"
    flips: bool = False
    words: Words | Ragged = "auto"
    order: Order = "few-spans-first"
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what is not known."""
        for what, value, kind in (
            ("method", self.method, Method),
            ("ties", self.ties, Ties),
            ("order", self.order, Order),
        ):
            if value not in get_args(kind):
                known = ", ".join(get_args(kind))
                raise SpancrewError(f"{what} {value!r} is not known (one of {known})")
        if self.seed < 0:
            raise SpancrewError(f"seed {self.seed}: it must be 0 or more")


def plan(
    dataset: Dataset,
    recipe: Recipe | None = None,
    targets: Mapping[str, float] | None = None,
    progress: Progress = silent,
) -> Plan:
    """Settle which score every missing answer gets; the answers come on demand.

    ``targets`` are mean F1 by worker; without one, a worker's target is the mean F1 of the answers
    they gave. Workers that only ``targets`` knows are new ones.
    """
    chosen = recipe or Recipe()
    aims = targets_of(dataset, chosen.metric, targets)
    crew = replace(dataset, workers=tuple(aims))
    if chosen.method == "random":
        return RandomPlan(Material(crew, word_starts(dataset, "tokens")), chosen.seed)
    words = chosen.words
    starts = words if isinstance(words, Ragged) else word_starts(dataset, words)
    return plan_ses(
        Material(crew, starts),
        Ses(dataset.labels, chosen.metric, chosen.ties, chosen.flips),
        np.array(list(aims.values())),
        balance=chosen.method == "ses",
        order=chosen.order,
        seed=chosen.seed,
        progress=progress,
    )


def augment(
    dataset: Dataset,
    recipe: Recipe | None = None,
    targets: Mapping[str, float] | None = None,
    progress: Progress = silent,
) -> Dataset:
    """Return the data set with an answer of every worker on every sentence that has gold.

    Answers that are there stay; those made are marked by their ``source``: ``ses`` or ``random``.
    """
    made = plan(dataset, recipe, targets, lambda done, total: progress(done, 2 * total))
    return fill(made, lambda done, total: progress(total + done, 2 * total))
