"""Crowds by name, made from a data set."""

from dataclasses import replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from spancrew.augment import Recipe, Ties, augment, mean_scores
from spancrew.core import (
    Dataset,
    FloatArray,
    Sentence,
    Span,
    people_among,
    refuse_choices,
)
from spancrew.crowds import (
    Bernoulli,
    Crowd,
    CrowdWithCopies,
    Replay,
    activity_of,
    fit_crowd,
    known_crowd,
    new_crowd,
    unused_name,
    with_copies,
    with_own_words,
)
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric
from spancrew.simulate._size import (
    ACTIVITY,
    COPIES,
    NEWCOMERS,
    CampaignSize,
    draws,
    part_of,
    refuse_more_sentences,
    refuse_more_workers,
)

CrowdKind = Literal["calibrated", "ses", "replay", "bernoulli"]
CROWDS: tuple[CrowdKind, ...] = get_args(CrowdKind)


class SimulatedCrowd(NamedTuple):
    """A crowd, the sentences it answers, and how many sentences had to be left out.

    ``activity`` says how much each worker did in the pilot, relative to the others.
    """

    dataset: Dataset
    crowd: Crowd
    left_out: int
    activity: FloatArray


def simulated_crowd(
    dataset: Dataset,
    kind: CrowdKind = "calibrated",
    metric: Metric | None = None,
    *,
    ties: Ties = "uniform",
    seed: int = 0,
    size: CampaignSize | None = None,
) -> SimulatedCrowd:
    """Return who answers in a rehearsal on a data set.

    ``calibrated`` is fitted to the real answers; ``ses`` fills them up by SES and Algorithm 2,
    breaking ties as ``ties`` says; ``replay`` has real answers only; ``bernoulli`` tosses a coin
    per worker on sentences of one token. Sentences without gold are left out, for ``replay`` those
    without answers, too. ``size`` is that of the campaign where it is not the pilot's.
    """
    wanted = size or CampaignSize()
    kept = usable(dataset, kind)
    refuse_size(kind, kept, wanted)
    sentences, crowd = _made(kept, kind, Recipe(metric or Metric(), ties=ties, seed=seed), wanted)
    chosen, part, lost = part_of(sentences, crowd, wanted, seed)
    activity = activity_of(kept, part.workers, draws(seed, ACTIVITY))
    return SimulatedCrowd(chosen, part, len(dataset) - len(kept) + lost, activity)


def _made(
    kept: Dataset, kind: CrowdKind, recipe: Recipe, size: CampaignSize
) -> tuple[Dataset, Crowd]:
    """Return a crowd with at least as many workers and sentences as are wanted."""
    seed, count = recipe.seed, size.sentences_of(kept)
    if kind == "bernoulli":
        return coins(count), _tossing(kept, recipe.metric, size, seed)
    grown = with_copies(kept, count, draws(seed, COPIES)) if count > len(kept) else kept
    if kind == "ses":
        grown = augment(grown, recipe)
    is_fitted = kind == "calibrated"
    crowd = _calibrated(kept, grown, size, seed) if is_fitted else Replay(grown)
    return with_own_words(grown, len(kept)) if count > len(kept) else grown, crowd


def _calibrated(kept: Dataset, grown: Dataset, size: CampaignSize, seed: int) -> Crowd:
    """Return known workers and new ones; copies are new sentences to all of them."""
    population = fit_crowd(kept)
    names = _newcomers(kept.workers, size)
    if names:
        population = population.joined_by(names, draws(seed, NEWCOMERS))
    known = known_crowd(population.dataset, population, seed)
    if grown is kept:
        return known
    everybody = replace(grown, workers=population.dataset.workers)
    fresh = new_crowd(everybody, population, seed=seed)
    return CrowdWithCopies(known, fresh, len(kept))


def _tossing(kept: Dataset, score: Metric, size: CampaignSize, seed: int) -> Crowd:
    """Return coins that are right as often as the workers; a new one is like a known one."""
    known = zip(kept.workers, mean_scores(kept, score).tolist(), strict=True)
    chances = {worker: f1 for worker, f1 in known if not np.isnan(f1)}
    names = _newcomers(tuple(chances), size)
    like = draws(seed, NEWCOMERS).choice(list(chances.values()), len(names)).tolist()
    return Bernoulli(chances | dict(zip(names, like, strict=True)), seed)


def _newcomers(known: tuple[str, ...], size: CampaignSize) -> list[str]:
    """Return names for the workers who are missing."""
    names: list[str] = []
    people = len(people_among(known))
    while people + len(names) < (size.workers or 0):
        names.append(unused_name("new worker", {*known, *names}))
    return names


def refuse_size(kind: CrowdKind, dataset: Dataset, size: CampaignSize) -> None:
    """Refuse a size that a kind of crowd cannot fill on the usable sentences of a pilot."""
    if kind == "replay":
        refuse_more_sentences(kind, len(dataset), size.sentences_of(dataset))
    if kind in {"replay", "ses"}:
        refuse_more_workers(kind, len(people_among(dataset.workers)), size.workers_of(dataset))


def usable(dataset: Dataset, kind: CrowdKind) -> Dataset:
    """Return the sentences that a kind of crowd can be rehearsed on; refuse if there are none."""
    if kind not in CROWDS:
        raise SpancrewError(f"crowd {kind!r} is not known (one of {', '.join(CROWDS)})")
    if kind in {"ses", "bernoulli"}:
        refuse_choices(dataset, f"the crowd {kind!r}")
    can = dataset.has_gold.copy()
    if kind == "replay":
        can &= dataset.by_people.per_sentence > 0
    if not can.any():
        raise SpancrewError(
            "no sentence has what a rehearsal needs: gold to play the expert"
            + (", and a real answer to replay" if kind == "replay" else "")
        )
    return dataset if can.all() else dataset.take(np.flatnonzero(can))


def coins(sentences: int) -> Dataset:
    """Return sentences of one token with one label, on which an answer is right or wrong."""
    made = [Sentence.from_tokens(f"coin-{k + 1}", ["coin"]) for k in range(sentences)]
    return Dataset.of(made, gold={sentence.id: [Span(0, 1, "RIGHT")] for sentence in made})
