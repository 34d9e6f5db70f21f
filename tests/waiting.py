"""Wait for what is bound to happen, on any machine and however busy it is."""

import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds after which something is stuck; on an idle machine nothing takes a tenth of it."""

_PAUSE = 0.01


def wait_until(condition: Callable[[], object], what: str = "it did not happen") -> None:
    """Return as soon as a condition is met; fail with ``what`` if it never is."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"{what} within {PATIENCE:.0f} seconds"
        time.sleep(_PAUSE)
