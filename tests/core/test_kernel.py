"""How loops are compiled."""

import gc
from typing import Any

from numba import njit
from numba.extending import overload

from spancrew.core import is_compiling


def _looked() -> None:
    """Stand for something that is asked while a loop is compiled."""


def test_nothing_is_collected_while_a_loop_is_compiled() -> None:
    """Afterwards it is again; a loop that is compiled already changes nothing."""
    assert is_compiling()
    seen: list[bool] = []

    @overload(_looked)
    def _while_compiling():  # type: ignore[no-untyped-def]  # noqa: ANN202  numba calls it
        seen.append(gc.isenabled())
        return lambda: None

    def one() -> int:
        _looked()
        return 1

    # Not cached as kernels are, or a second run of this test would compile nothing.
    loop: Any = njit(one)

    assert loop() == 1
    assert set(seen) == {False}
    assert gc.isenabled()
    assert loop() == 1
    assert gc.isenabled()
