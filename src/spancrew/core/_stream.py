"""Random numbers that are a function of where they are used, not of what was drawn before.

A stream is opened for a place (a seed, a sentence, a worker); its numbers are the same on every
machine and in whatever order places are visited.
"""

import math

import numpy as np

from spancrew.core._kernel import kernel, kernel_part
from spancrew.core._types import IntArray

_STEP = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(0xBF58476D1CE4E5B9)
_TWO = np.uint64(0x94D049BB133111EB)


@kernel_part
def mix(value: np.uint64) -> np.uint64:
    """Scatter the bits of a number (the finaliser of SplitMix64, doi:10.1145/2660193.2660195)."""
    value = (value ^ (value >> np.uint64(30))) * _ONE
    value = (value ^ (value >> np.uint64(27))) * _TWO
    return value ^ (value >> np.uint64(31))


@kernel
def stream(seed: int, sentence: int, worker: int) -> np.uint64:
    """Return where the random numbers for one answer begin."""
    state = mix(np.uint64(seed) + _STEP)
    state = mix(state ^ (np.uint64(sentence) + _STEP))
    return mix(state ^ (np.uint64(worker) + _STEP))


@kernel
def uniform(state: np.uint64, k: int) -> float:
    """Return number ``k`` of a stream, uniform in [0, 1)."""
    drawn = mix(state + np.uint64(k + 1) * _STEP)
    return np.float64(drawn >> np.uint64(11)) * 2.0**-53


@kernel
def next_uniform(state: np.uint64, count: IntArray) -> float:
    """Return the next number of a stream; ``count[0]`` is how many were drawn."""
    count[0] += 1
    return uniform(state, count[0])


@kernel
def next_normal(state: np.uint64, count: IntArray) -> float:
    """Return the next standard normal number of a stream (Box and Muller)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - next_uniform(state, count)))
    return radius * math.cos(2.0 * math.pi * next_uniform(state, count))


@kernel
def next_poisson(mean: float, state: np.uint64, count: IntArray) -> int:
    """Return the next Poisson number of a stream; for small means."""
    limit = math.exp(-mean)
    product = next_uniform(state, count)
    drawn = 0
    while product > limit:
        product *= next_uniform(state, count)
        drawn += 1
    return drawn


@kernel
def normal_cdf(z: float) -> float:
    """Return the share of the standard normal distribution below ``z``."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))
