"""Crowds by name, made from a data set."""

from typing import Literal, NamedTuple, get_args

import numpy as np

from spancrew.augment import Recipe, Ties, augment, mean_scores
from spancrew.core import Dataset, Sentence, Span
from spancrew.crowds import Bernoulli, Calibrated, Crowd, Replay, fit_population
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric

CrowdKind = Literal["calibrated", "ses", "replay", "bernoulli"]
CROWDS: tuple[CrowdKind, ...] = get_args(CrowdKind)


class SimulatedCrowd(NamedTuple):
    """A crowd, the sentences it answers, and how many sentences had to be left out."""

    dataset: Dataset
    crowd: Crowd
    left_out: int


def simulated_crowd(
    dataset: Dataset,
    kind: CrowdKind = "calibrated",
    metric: Metric | None = None,
    *,
    ties: Ties = "uniform",
    seed: int = 0,
) -> SimulatedCrowd:
    """Return who answers in a rehearsal on a data set.

    ``calibrated`` is fitted to the real answers; ``ses`` fills them up by SES and Algorithm 2,
    breaking ties as ``ties`` says; ``replay`` has real answers only; ``bernoulli`` tosses a coin
    per worker on sentences of one token. Sentences without gold are left out, for ``replay`` those
    without answers, too.
    """
    if kind not in CROWDS:
        raise SpancrewError(f"crowd {kind!r} is not known (one of {', '.join(CROWDS)})")
    kept = _usable(dataset, kind)
    left_out = len(dataset) - len(kept)
    score = metric or Metric()
    if kind == "calibrated":
        crowd: Crowd = Calibrated.known(kept, fit_population(kept), seed)
    elif kind == "ses":
        kept = augment(kept, Recipe(score, ties=ties, seed=seed))
        crowd = Replay(kept)
    elif kind == "replay":
        crowd = Replay(kept)
    else:
        known = zip(kept.workers, mean_scores(kept, score).tolist(), strict=True)
        crowd = Bernoulli({worker: f1 for worker, f1 in known if not np.isnan(f1)}, seed)
        kept = coins(len(kept))
    return SimulatedCrowd(kept, crowd, left_out)


def _usable(dataset: Dataset, kind: CrowdKind) -> Dataset:
    usable = dataset.has_gold.copy()
    if kind == "replay":
        usable &= dataset.answers.per_sentence > 0
    if not usable.any():
        raise SpancrewError(
            "no sentence has what a rehearsal needs: gold to play the expert"
            + (", and a real answer to replay" if kind == "replay" else "")
        )
    return dataset if usable.all() else dataset.take(np.flatnonzero(usable))


def coins(sentences: int) -> Dataset:
    """Return sentences of one token with one label, on which an answer is right or wrong."""
    made = [Sentence.from_tokens(f"coin-{k + 1}", ["coin"]) for k in range(sentences)]
    return Dataset.of(made, gold={sentence.id: [Span(0, 1, "RIGHT")] for sentence in made})
