"""How large a rehearsed campaign is: the pilot's size, or another."""

from dataclasses import dataclass

import numpy as np

from spancrew.core import Dataset, IntArray, is_model, people_among
from spancrew.crowds import Crowd, PartOfCrowd
from spancrew.errors import SpancrewError
from spancrew.simulate._setting import at_least

SENTENCES, WORKERS, COPIES, NEWCOMERS, ACTIVITY = range(5)
"""What random numbers are drawn for: which sentences, workers and copies, who is new, and how
active."""


@dataclass(frozen=True, slots=True)
class CampaignSize:
    """How many sentences and workers a rehearsed campaign has; None: as many as the pilot.

    Fewer are drawn at random. More sentences are copies of the pilot's, which are new to the
    crowd; more workers are new ones, drawn from the population that was fitted.
    """

    sentences: int | None = None
    workers: int | None = None

    def __post_init__(self) -> None:
        """Refuse a campaign without sentences or workers."""
        for name, number in (("sentences", self.sentences), ("workers", self.workers)):
            if number is not None:
                at_least(1, name, number)

    def sentences_of(self, dataset: Dataset) -> int:
        """Return how many sentences there are on a pilot."""
        return len(dataset) if self.sentences is None else self.sentences

    def workers_of(self, dataset: Dataset) -> int:
        """Return how many workers there are on a pilot; models come beside them."""
        return len(people_among(dataset.workers)) if self.workers is None else self.workers


def draws(seed: int, use: int) -> np.random.Generator:
    """Return the random numbers for one use."""
    return np.random.default_rng([abs(seed), use])


def refuse_more_workers(kind: str, there: int, wanted: int) -> None:
    """Refuse workers whom a crowd of real people does not have."""
    if wanted > there:
        raise SpancrewError(
            f"the crowd {kind} has the {there} workers of the pilot, and {wanted} are wanted: "
            f"take at most {there}, or the crowd calibrated, which draws new ones"
        )


def refuse_more_sentences(kind: str, there: int, wanted: int) -> None:
    """Refuse sentences that a crowd which only repeats real answers does not have."""
    if wanted > there:
        raise SpancrewError(
            f"the crowd {kind} has real answers on {there} sentences, and {wanted} are wanted: "
            f"take at most {there}, or the crowd calibrated, which gives new answers"
        )


def part_of(
    dataset: Dataset, crowd: Crowd, size: CampaignSize, seed: int
) -> tuple[Dataset, Crowd, int]:
    """Return as many sentences and workers as there should be, drawn at random.

    And how many sentences none of these workers can answer, and are left out.
    """
    everybody, everything = np.arange(len(crowd.workers)), np.arange(len(dataset))
    models = np.array([is_model(worker) for worker in crowd.workers], bool)
    people = _some(everybody[~models], size.workers, draws(seed, WORKERS))
    workers = np.union1d(people, everybody[models])
    able = everything
    if len(workers) < len(everybody):
        able = _answerable(crowd, everything, people)
        refuse_more_sentences("replay", len(able), size.sentences or 0)
    sentences = _some(able, size.sentences, draws(seed, SENTENCES))
    lost = len(everything) - len(able)
    if len(workers) == len(everybody) and len(sentences) == len(everything):
        return dataset, crowd, lost
    return dataset.take(sentences), PartOfCrowd(crowd, sentences, workers), lost


def _answerable(crowd: Crowd, sentences: IntArray, workers: IntArray) -> IntArray:
    """Return the sentences that somebody of these workers can answer."""
    asked = np.repeat(sentences, len(workers))
    places = crowd.can_answer(asked, np.tile(workers, len(sentences)))
    return np.unique(asked[places])


def _some(rows: IntArray, count: int | None, rng: np.random.Generator) -> IntArray:
    """Return some rows, in their order; all if there are no more."""
    if count is None or count >= len(rows):
        return rows
    return np.sort(rng.choice(rows, count, replace=False))
