"""Random numbers for many runs at once."""

import math
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from spancrew.core._kernel import kernel, kernel_part
from spancrew.core._quantile import normal_quantile
from spancrew.core._stream import mix, stream, uniform
from spancrew.core._types import FloatArray, IntArray
from spancrew.errors import InvalidArrayError, SpancrewError

_PLACE = np.uint64(0xD1B54A32D192ED03)
"""Keeps the streams of places apart from the numbers of the stream they come from."""

_NOBODY = cast("int", np.uint64(0xFFFFFFFFFFFFFFFF))
"""Stands where a worker would, for what belongs to a whole run."""

_LOG_4, _ONE_LOG_5 = math.log(4.0), 1.0 + math.log(5.0)

_FLAT = 1e-9
"""Below this, a Beta distribution is as good as flat, and rounding could divide by nothing."""


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
        return Chance(self.seeds, step)

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
        """Return for each pair of parameters (runs x size) the mean of some Beta draws.

        No parameter may be below 1.
        """
        if not np.shape(a) == np.shape(b) == (len(self.seeds), np.shape(a)[-1]):
            raise InvalidArrayError(
                f"Beta numbers: parameters of shapes {np.shape(a)} and {np.shape(b)} are not for "
                f"{len(self.seeds)} runs"
            )
        if min(a.min(initial=1.0), b.min(initial=1.0)) < 1.0:
            raise SpancrewError("Beta numbers are drawn for parameters of at least 1 only")
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
    return stream(seed, run, _NOBODY)


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
    for run in range(len(seeds)):
        state = stream(seeds[run], step, use)
        for k in range(out.shape[1]):
            # How many numbers a draw takes is up to chance, so every place has its own stream.
            place = mix(state ^ (np.uint64(k) + _PLACE))
            low = min(a[run, k], b[run, k])
            mean = _mean_beta(low, max(a[run, k], b[run, k]), place, draws)
            out[run, k] = mean if a[run, k] == low else 1.0 - mean


@kernel_part
def _mean_beta(low: float, high: float, state: np.uint64, draws: int) -> float:
    """Return the mean of Beta draws, 1 <= low <= high (Cheng 1978, doi:10.1145/359460.359482)."""
    both = low + high
    spare = 2.0 * low * high - both
    steep = math.sqrt((both - 2.0) / spare) if spare > _FLAT else 1.0
    total = 0.0
    count = 0
    for _ in range(draws):
        accepted = False
        odds = 0.0
        while not accepted:
            u, z = uniform(state, count), uniform(state, count + 1)
            count += 2
            v = steep * math.log(u / (1.0 - u))
            odds = low * math.exp(v)
            accepted = _accepted(u * u * z, v, odds, low, high, steep)
        total += odds / (high + odds)
    return total / draws


@kernel_part
def _accepted(z: float, v: float, odds: float, low: float, high: float, steep: float) -> bool:
    """Tell whether Cheng's proposal is accepted; most are by the first, cheap test."""
    r = (low + 1.0 / steep) * v - _LOG_4
    s = low + r - odds
    if s + _ONE_LOG_5 >= 5.0 * z:
        return True
    both = low + high
    return r + both * math.log(both / (high + odds)) >= math.log(z)
