"""The one place that knows how hot loops are compiled."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import config

P = ParamSpec("P")
R = TypeVar("R")

_KERNEL: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}
"""No kernel is passed to another as an argument, so none needs to be callable from C."""

_PART = _KERNEL | {"no_cpython_wrapper": True}


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a loop over ragged arrays on its first call and cache it on disk."""
    return cast("Callable[P, R]", numba.njit(cache=True, **_KERNEL)(function))


def kernel_part(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a loop that only kernels call, together with them.

    Python cannot call it: code that unpacks the arguments of such a call takes longer to
    compile than most loops, and it is left out.
    """
    return cast("Callable[P, R]", numba.njit(**_PART)(function))


def is_compiling() -> bool:
    """Tell whether loops are compiled; with NUMBA_DISABLE_JIT they run as they are written."""
    return not config.DISABLE_JIT  # type: ignore[attr-defined]  # set when it is imported
