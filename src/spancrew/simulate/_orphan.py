"""Processes that do not outlive the one that started them."""

import os
import threading
import time

_NAME = "spancrew-orphan"
_EVERY = 1.0
"""Seconds between two looks."""


def end_with(parent: int) -> None:
    """End this process soon after its parent is gone, even if that was killed."""
    if any(thread.name == _NAME for thread in threading.enumerate()):
        return
    threading.Thread(target=_watch, args=(parent,), name=_NAME, daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_EVERY)
    os._exit(1)
