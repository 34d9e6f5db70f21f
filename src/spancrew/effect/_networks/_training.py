"""One training loop for all networks: Adam, and an end when held-out labels get no likelier."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from spancrew.core import FloatArray, IntArray, Ragged
from spancrew.effect._base import NOBODY, Arm
from spancrew.effect._networks._pages import Readable
from spancrew.effect._networks._taggers import BiLstmCrf

_RATE, _TUNED_RATE = 1e-3, 1e-4
"""Steps of Adam; layers of an encoder have learned before, and are only led on."""
_BATCH = 32
_HELD_OUT = 0.1
_STEEPEST = 5.0
"""The longest gradient that is followed."""


class TrainingExamples(NamedTuple):
    """Examples: a sentence with labels, whose they are, and how much they count."""

    sentence: IntArray
    worker: IntArray
    codes: Ragged
    weight: FloatArray

    @classmethod
    def of(cls, arm: Arm) -> tuple["TrainingExamples", int]:
        """Return the examples of an arm with workers numbered from 0, and how many there are.

        A single worker cannot be told from the truth, and counts as nobody.
        """
        known = np.unique(arm.worker[arm.worker != NOBODY])
        worker = np.full(len(arm.worker), NOBODY)
        if len(known) > 1:
            is_known = arm.worker != NOBODY
            worker[is_known] = np.searchsorted(known, arm.worker[is_known])
        made = cls(arm.sentence, worker, arm.codes, arm.weight)
        return made, len(known) if len(known) > 1 else 0

    def take(self, rows: IntArray) -> "TrainingExamples":
        """Return some examples."""
        return TrainingExamples(
            self.sentence[rows], self.worker[rows], self.codes.take(rows), self.weight[rows]
        )


@dataclass(frozen=True, slots=True)
class TrainingSchedule:
    """When training ends: after so many epochs, or so many without a gain."""

    epochs: int = 20
    patience: int = 2


def fit(
    tagger: BiLstmCrf,
    pages: Readable,
    lessons: TrainingExamples,
    seed: int,
    schedule: TrainingSchedule,
) -> int:
    """Train a tagger and leave it as it was at its best; return the epochs.

    A tenth of the sentences is held out with the labels that this arm has for them: training ends
    when these get no likelier. In an epoch every other sentence comes once, with one of its
    examples by lot, so that an epoch costs the same for all arms.
    """
    rng = np.random.default_rng(seed)
    train, held_out = _parted(lessons, rng)
    steps = torch.optim.Adam(_rates(tagger))
    best, kept, wait, epoch = np.inf, tagger.state_dict(), 0, 0
    while epoch < schedule.epochs and wait < schedule.patience:
        epoch += 1
        tagger.train()
        for rows in _epoch(train, pages, rng):
            steps.zero_grad()
            _mean_loss(tagger, pages, train.take(rows)).backward()
            torch.nn.utils.clip_grad_norm_(tagger.parameters(), _STEEPEST)
            steps.step()
        loss = _held_out_loss(tagger, pages, held_out)
        wait += 1
        if loss < best:
            best, wait = loss, 0
            kept = {name: value.clone() for name, value in tagger.state_dict().items()}
    tagger.load_state_dict(kept)
    return epoch


def _rates(tagger: BiLstmCrf) -> list[dict[str, Any]]:
    """Return what learns, and how fast."""
    tuned = list(tagger.front.parameters())
    known = set(tuned)
    own = [each for each in tagger.parameters() if each not in known]
    return [{"params": own, "lr": _RATE}, {"params": tuned, "lr": _TUNED_RATE}]


def _parted(
    lessons: TrainingExamples, rng: np.random.Generator
) -> tuple[TrainingExamples, TrainingExamples]:
    """Return the examples to learn from, and those of held-out sentences."""
    sentences = rng.permutation(np.unique(lessons.sentence))
    count = max(1, round(_HELD_OUT * len(sentences)))
    is_out = np.isin(lessons.sentence, sentences[:count])
    if is_out.all():
        return lessons, lessons
    return lessons.take(np.flatnonzero(~is_out)), lessons.take(np.flatnonzero(is_out))


def _epoch(
    lessons: TrainingExamples, pages: Readable, rng: np.random.Generator
) -> Iterator[IntArray]:
    """Yield batches of sentences of like length, each with one of its examples."""
    order = rng.permutation(len(lessons.sentence))
    _, first = np.unique(lessons.sentence[order], return_index=True)
    rows = order[first]
    lengths = np.diff(pages.offsets)[lessons.sentence[rows]]
    near = rows[np.argsort(lengths + rng.uniform(0, 4, len(rows)))]
    batches = [near[begin : begin + _BATCH] for begin in range(0, len(near), _BATCH)]
    return (batches[k] for k in rng.permutation(len(batches)).tolist())


def _mean_loss(tagger: BiLstmCrf, pages: Readable, lessons: TrainingExamples) -> Tensor:
    """Return the weighted mean of the losses of some examples."""
    given = pages.batch(lessons.sentence)
    codes = torch.zeros(given.mask.shape, dtype=torch.int64)
    codes[given.mask] = torch.from_numpy(lessons.codes.values.astype(np.int64))
    loss = tagger.loss(given, torch.from_numpy(lessons.worker), codes)
    weight = torch.from_numpy(lessons.weight.astype(np.float32))
    return (loss * weight).sum() / weight.sum()


@torch.no_grad()
def _held_out_loss(tagger: BiLstmCrf, pages: Readable, lessons: TrainingExamples) -> float:
    tagger.eval()
    total = 0.0
    for rows in _in_batches(len(lessons.sentence)):
        part = lessons.take(rows)
        total += float(_mean_loss(tagger, pages, part)) * float(part.weight.sum())
    return total / max(float(lessons.weight.sum()), 1e-12)


@torch.no_grad()
def tag(tagger: BiLstmCrf, pages: Readable) -> Ragged:
    """Return the likeliest codes of all sentences."""
    tagger.eval()
    offsets = pages.offsets
    codes = np.zeros(int(offsets[-1]), np.int64)
    for rows in _in_batches(len(offsets) - 1):
        given = pages.batch(rows)
        codes[offsets[rows[0]] : offsets[rows[-1] + 1]] = tagger.tag(given)[given.mask].numpy()
    return Ragged(codes, offsets)


def _in_batches(count: int) -> Iterator[IntArray]:
    return (np.arange(count)[begin : begin + 64] for begin in range(0, count, 64))
