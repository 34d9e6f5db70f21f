"""How calibrated answers are drawn."""

from typing import Any

import numpy as np

from spancrew.core import Dataset, FloatArray, IntArray, Ragged, offsets_of
from spancrew.crowds import Calibrated, Population
from spancrew.crowds._belief import _believe
from spancrew.crowds._draw import draw_answers
from spancrew.crowds._latents import _fill
from spancrew.metrics import Metric


def asked(pilot: Dataset) -> tuple[IntArray, IntArray]:
    """Return the questions of the real answers."""
    answers = pilot.answers
    return answers.sentence.astype(np.int64), answers.worker.astype(np.int64)


def test_many_seeds_at_once_are_the_same_as_one_by_one(
    pilot: Dataset, population: Population
) -> None:
    """Whether the real answers on the sentences are looked at or not."""
    sentences, workers = asked(pilot)
    offsets = offsets_of(pilot.sentences.starts.lengths[sentences])
    seeds = np.array([3, -3, 8])

    def known(seed: int) -> Calibrated:
        return Calibrated.known(pilot, population, seed, stand_in=True)

    def new(seed: int) -> Calibrated:
        return Calibrated.new(pilot, population, None, seed)

    for make in (known, new):
        together = np.zeros((3, offsets[-1]), np.uint8)
        draw_answers(make(0)._tables, seeds, sentences, workers, offsets, together)
        apart = [make(int(seed)).answers(sentences, workers).values for seed in seeds]

        assert np.array_equal(together, np.stack(apart))


def test_a_negative_seed_makes_the_mirror_image(pilot: Dataset, population: Population) -> None:
    """Answers that go well in one go rather badly in the other, so that their mean is steady."""
    sentences, workers = asked(pilot)

    def scores(seed: int) -> FloatArray:
        crowd = Calibrated.new(pilot, population, None, seed)
        answers: Ragged = crowd.answers(sentences, workers)
        found: FloatArray = Metric("exact").pairs(answers, pilot.gold, gold_rows=sentences)[:, 2]
        return found

    one = np.stack([scores(seed) for seed in range(1, 41)])
    mirrored = np.stack([scores(-seed) for seed in range(1, 41)])
    shared = np.mean((one - one.mean(axis=0)) * (mirrored - mirrored.mean(axis=0)))

    assert abs(one.mean() - mirrored.mean()) < 0.02
    assert shared < -0.01


def test_kernels_are_compiled_once(pilot: Dataset, population: Population) -> None:
    """Arrays of another type would mean seconds of compilation, at any time."""
    sentences, workers = asked(pilot)
    Calibrated.known(pilot, population).answers(sentences[::-1], workers[::-1])
    Calibrated.new(pilot, population, {"x": 0.5}).answers(sentences[:1], np.zeros(1, np.int64))

    compiled: list[Any] = [_fill, _believe]

    assert [len(kernel.signatures) for kernel in compiled] == [1, 1]
