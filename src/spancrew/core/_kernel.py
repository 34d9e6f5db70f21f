"""The one place that knows how hot loops are compiled."""

import gc
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import config, event

P = ParamSpec("P")
R = TypeVar("R")

_KERNEL: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}
"""No kernel is passed to another as an argument, so none needs to be callable from C."""

_PART = _KERNEL | {"no_cpython_wrapper": True}


class _CollectorPause(event.Listener):
    """Pause the garbage collector while something is compiled.

    A compiler makes many objects and throws few away; looking for garbage takes a tenth of it.
    numba compiles in one thread at a time, so nothing has to be locked.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._was_on = False

    def on_start(self, _event: event.Event) -> None:
        """Stop collecting with the first of several that are under way."""
        if self._depth == 0:
            self._was_on = gc.isenabled()
            gc.disable()
        self._depth += 1

    def on_end(self, _event: event.Event) -> None:
        """Collect again after the last of them."""
        self._depth -= 1
        if self._depth == 0 and self._was_on:
            gc.enable()


event.register("numba:compile", _CollectorPause())  # type: ignore[no-untyped-call]


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
