"""Random numbers that are a function of where they are used, not of what was drawn before."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from spancrew.core import IntArray, kernel, stream

Streams: TypeAlias = npt.NDArray[np.uint64]


@kernel
def streams(seed: int, sentence: int, workers: IntArray) -> Streams:
    """Return where the random numbers for the answers of some workers begin."""
    out = np.empty(len(workers), np.uint64)
    for k in range(len(workers)):
        out[k] = stream(seed, sentence, workers[k])
    return out
