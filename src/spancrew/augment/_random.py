"""The naive baseline: answers that are gold or noise."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.augment._material import Material
from spancrew.core import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class RandomPlan:
    """Every answer is the gold or a random label sequence; how often, is drawn for each worker.

    The paper does not define its random generation. Its figures spread evenly from 3 to 96
    whatever the worker's own F1, which purely random label sequences (F1 near 0) cannot do.
    """

    material: Material
    seed: int
    source: str = "random"
    _rates: FloatArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Draw how often each worker gives the gold."""
        rates = np.random.default_rng([self.seed, 0]).random(self.material.workers)
        object.__setattr__(self, "_rates", rates)

    def codes(self, sentence: int, workers: IntArray) -> npt.NDArray[Any]:
        """Return the answers of some workers on a sentence, a row of codes each."""
        gold = self.material.dataset.gold[sentence]
        codes = 2 * len(self.material.dataset.labels) + 1
        rng = np.random.default_rng([self.seed, 1, sentence])
        is_gold = rng.random(self.material.workers) < self._rates
        noise = rng.integers(0, codes, (self.material.workers, len(gold))).astype(gold.dtype)
        return np.where(is_gold[workers, None], gold, opened(noise[workers]))


def opened(codes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Turn every inside code that continues nothing into the one that opens a span.

    >>> opened(np.array([[2, 2, 0, 4, 1, 2]])).tolist()
    [[1, 2, 0, 3, 1, 2]]
    """
    before = np.zeros_like(codes)
    before[:, 1:] = codes[:, :-1]
    is_inside = (codes > 0) & (codes % 2 == 0)
    is_stray = is_inside & (before != codes) & (before + 1 != codes)
    return np.asarray(codes - is_stray.astype(codes.dtype))
