"""The one place that knows how hot loops are compiled."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba
from numba.core import config

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a loop over ragged arrays on its first call and cache it on disk."""
    return cast("Callable[P, R]", numba.njit(cache=True, nogil=True)(function))


def is_compiling() -> bool:
    """Tell whether loops are compiled; with NUMBA_DISABLE_JIT they run as they are written."""
    return not config.DISABLE_JIT  # type: ignore[attr-defined]  # set when it is imported
