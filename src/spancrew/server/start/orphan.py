"""Server processes that do not outlive the one that started them."""

import os
import signal
import threading
import time

_EVERY = 0.25
"""Seconds between two looks."""


def end_with(parent: int) -> None:
    """Stop serving soon after the parent is gone, even if killed; what is begun is ended."""
    threading.Thread(target=_watch, args=(parent,), name="spancrew-orphan", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_EVERY)
    os.kill(os.getpid(), signal.SIGTERM)
