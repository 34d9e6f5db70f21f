"""Calls that wait, made in threads."""

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from anyio import to_thread

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(call: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Make a call in a thread and return what it returns."""
    return await to_thread.run_sync(partial(call, *args, **options))
