"""Calls that wait, made in threads."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(call: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Make a call in a thread of the event loop's own and return what it returns."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(None, partial(call, *args, **options))
