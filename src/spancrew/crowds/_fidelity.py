"""How much a crowd of stand-ins behaves like the real one."""

from dataclasses import replace
from typing import Literal

import numpy as np

from spancrew.augment import Recipe
from spancrew.core import Dataset, Ragged, refuse_choices
from spancrew.crowds._augmented import Augmented
from spancrew.crowds._base import Crowd
from spancrew.crowds._compare import Draw, Fidelity, compare
from spancrew.crowds._fitted import fit_crowd, known_crowd, new_crowd
from spancrew.errors import SpancrewError

CrowdName = Literal["calibrated", "ses"]

FEWEST = 4
"""Sentences with fewer real answers are not compared."""

_ANSWERS = 800_000
"""Stand-ins to draw for a stable comparison."""


def fidelity(
    dataset: Dataset,
    crowd: CrowdName = "calibrated",
    recipe: Recipe | None = None,
    *,
    in_sample: bool = False,
    seed: int = 0,
) -> dict[str, Fidelity]:
    """Compare stand-ins with real answers in two modes.

    ``known``: a stand-in may use every answer on the sentence but that worker's own. ``new``: no
    answer on the sentence is used, as before a campaign. Only sentences with gold and at least
    four answers count. The crowd is fitted to a random half of these, drawn by ``seed``, and
    compared on the other half; ``in_sample`` does both on all of them, which flatters. SES looks
    at no answer on the sentence in either mode.
    """
    if crowd == "ses":
        refuse_choices(dataset, "the crowd 'ses'")
    pilot, judged = _halves(dataset, seed, in_sample=in_sample)
    if crowd == "ses":
        same = compare(judged, _ses(judged, pilot, recipe), 3)
        return {"known": same, "new": same}
    population = fit_crowd(pilot)
    repeats = int(np.clip(_ANSWERS // len(judged.answers), 8, 64))
    met = population.meeting(judged)

    def known(seed: int) -> Ragged:
        return _stand_ins(known_crowd(judged, met, seed, stand_in=True), judged)

    def new(seed: int) -> Ragged:
        return _stand_ins(new_crowd(judged, population, None, seed), judged)

    return {"known": compare(judged, known, repeats), "new": compare(judged, new, repeats)}


def _halves(dataset: Dataset, seed: int, *, in_sample: bool) -> tuple[Dataset, Dataset]:
    """Return the sentences to fit a crowd to, and those to judge it by."""
    chosen = np.flatnonzero(dataset.has_gold & (dataset.answers.per_sentence >= FEWEST))
    if len(chosen) == 0:
        raise SpancrewError(
            f"no sentence has gold and at least {FEWEST} answers: there is nothing to compare "
            "stand-ins with"
        )
    if in_sample:
        part = dataset.take(chosen)
        return part, part
    if len(chosen) == 1:
        raise SpancrewError(
            f"only one sentence has gold and at least {FEWEST} answers: it cannot be split into "
            "a half to fit the crowd to and one to judge it by; collect more, or judge in-sample"
        )
    order = np.random.default_rng(seed).permutation(chosen)
    half = len(order) // 2
    return dataset.take(np.sort(order[:half])), dataset.take(np.sort(order[half:]))


def _ses(judged: Dataset, pilot: Dataset, recipe: Recipe | None) -> Draw:
    chosen = recipe or Recipe()

    def draw(seed: int) -> Ragged:
        drawn = replace(chosen, seed=seed)
        return _stand_ins(Augmented(judged, drawn, stand_in=True, pilot=pilot), judged)

    return draw


def _stand_ins(crowd: Crowd, dataset: Dataset) -> Ragged:
    answers = dataset.answers
    return crowd.answers(answers.sentence.astype(np.int64), answers.worker.astype(np.int64))
