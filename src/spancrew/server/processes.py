"""This process: calls that wait, memory it gives back, when it stops and with whom it ends."""

import asyncio
import ctypes
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(call: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Make a call in a thread of the event loop's own and return what it returns."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(None, partial(call, *args, **options))


_THRESHOLD, _LARGE = -3, 256 * 1024
"""What glibc calls M_MMAP_THRESHOLD, and the bytes from which on memory is on loan for one use."""


def return_memory() -> None:
    """Give the memory of large arrays back as soon as they are freed.

    The GNU C library keeps it otherwise, in pieces that fit nothing else after a while: fits and
    looks use larger arrays with every answer. With other libraries nothing is changed.
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_THRESHOLD, _LARGE)


_EVERY = 0.25
"""Seconds between two looks."""


def end_with(parent: int) -> None:
    """Stop serving soon after the parent is gone, even if killed; what is begun is ended."""
    threading.Thread(target=_watch, args=(parent,), name="spancrew-orphan", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_EVERY)
    os.kill(os.getpid(), signal.SIGTERM)


def is_stopping() -> bool:
    """Tell whether the process serves no longer; it drains, and waits for answers to end."""
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return bool(getattr(server, "should_exit", False))
