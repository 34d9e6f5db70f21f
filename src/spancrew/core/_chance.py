"""Random numbers for many runs at once."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from spancrew.core._kernel import kernel
from spancrew.core._quantile import normal_quantile
from spancrew.core._stream import mix, next_uniform, stream, uniform
from spancrew.core._types import FloatArray, IntArray

_PLACE = np.uint64(0xD1B54A32D192ED03)
"""Keeps the streams of places apart from the numbers of the stream they come from."""


@dataclass(frozen=True, slots=True)
class Chance:
    """Random numbers that are a function of a run's seed, the step, the use and the place.

    Runs draw the same numbers whether they are rehearsed together, apart, or on another machine.
    ``use`` keeps apart what one step draws for different ends.

    >>> together = Chance.of(7, range(3)).at(5).uniform(4)
    >>> alone = Chance.of(7, range(2, 3)).at(5).uniform(4)
    >>> together.shape, bool((together[2] == alone[0]).all())
    ((3, 4), True)
    """

    seeds: npt.NDArray[np.uint64]
    step: int = 0

    @classmethod
    def of(cls, seed: int, runs: range) -> "Chance":
        """Return the numbers of some runs."""
        return cls(np.array([_seed(seed, run) for run in runs], np.uint64))

    def at(self, step: int) -> "Chance":
        """Return the numbers of another step."""
        return replace(self, step=step)

    def uniform(self, size: int, use: int = 0) -> FloatArray:
        """Return numbers in [0, 1), ``size`` for each run."""
        out = np.empty((len(self.seeds), size))
        _fill_uniform(self.seeds, self.step, use, out)
        return out

    def normal(self, size: int, use: int = 0) -> FloatArray:
        """Return standard normal numbers, ``size`` for each run."""
        out = np.empty((len(self.seeds), size))
        _fill_normal(self.seeds, self.step, use, out)
        return out

    def beta(self, a: FloatArray, b: FloatArray, draws: int = 1, use: int = 0) -> FloatArray:
        """Return for each pair of parameters (runs x size) the mean of some Beta draws."""
        out = np.empty(a.shape)
        _fill_beta(self.seeds, self.step, use, a, b, draws, out)
        return out

    def shuffled(self, size: int, use: int = 0) -> IntArray:
        """Return an order of ``size`` places for each run."""
        out = np.empty((len(self.seeds), size), np.int64)
        _fill_shuffled(self.seeds, self.step, use, out)
        return out


@kernel
def _seed(seed: int, run: int) -> np.uint64:
    return stream(seed, run, -1)


@kernel
def _fill_uniform(seeds: npt.NDArray[np.uint64], step: int, use: int, out: FloatArray) -> None:
    for run in range(len(seeds)):
        state = stream(seeds[run], step, use)
        for k in range(out.shape[1]):
            out[run, k] = uniform(state, k)


@kernel
def _fill_shuffled(seeds: npt.NDArray[np.uint64], step: int, use: int, out: IntArray) -> None:
    """Shuffle places as Fisher and Yates did."""
    for run in range(len(seeds)):
        state = stream(seeds[run], step, use)
        for k in range(out.shape[1]):
            j = int(uniform(state, k) * (k + 1))
            out[run, k] = out[run, j]
            out[run, j] = k


@kernel
def _fill_normal(seeds: npt.NDArray[np.uint64], step: int, use: int, out: FloatArray) -> None:
    for run in range(len(seeds)):
        state = stream(seeds[run], step, use)
        for k in range(out.shape[1]):
            out[run, k] = normal_quantile(uniform(state, k))


@kernel
def _fill_beta(
    seeds: npt.NDArray[np.uint64],
    step: int,
    use: int,
    a: FloatArray,
    b: FloatArray,
    draws: int,
    out: FloatArray,
) -> None:
    count = np.zeros(1, np.int64)
    for run in range(len(seeds)):
        state = stream(seeds[run], step, use)
        for k in range(out.shape[1]):
            # How many numbers a draw takes is up to chance, so every place has its own stream.
            place = mix(state ^ (np.uint64(k) + _PLACE))
            count[0] = 0
            total = 0.0
            for _ in range(draws):
                one = _next_gamma(a[run, k], place, count)
                total += one / (one + _next_gamma(b[run, k], place, count))
            out[run, k] = total / draws


@kernel
def _next_gamma(shape: float, state: np.uint64, count: IntArray) -> float:
    """Return a Gamma number (Marsaglia and Tsang 2000, doi:10.1145/358407.358414)."""
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - next_uniform(state, count)) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = normal_quantile(next_uniform(state, count))
        v = 1.0 + c * x
        if v <= 0.0:
            continue
        v = v * v * v
        u = 1.0 - next_uniform(state, count)
        # Nearly every draw is accepted by the first test, which takes no logarithm.
        if u < 1.0 - 0.0331 * x * x * x * x:
            return boost * d * v
        if math.log(u) < 0.5 * x * x + d - d * v + d * math.log(v):
            return boost * d * v
