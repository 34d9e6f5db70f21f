"""Work that is done by several processes of this machine."""

import os
from collections.abc import Callable, Generator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from typing import TypeVar

import joblib

from spancrew.errors import SpancrewError
from spancrew.simulate._orphan import end_with

SHARED = "100K"
"""Arrays from this size on are written to shared memory once instead of sent with each part."""

What = TypeVar("What")
Result = TypeVar("Result")


def done_apart(
    work: Callable[[What], Result], given: Sequence[What], processes: int | None = None
) -> Generator[Result, None, None]:
    """Yield what came of each part as soon as it is done, in any order.

    There are as many processes as cores unless told; one is this process itself.
    """
    count = min(processes or joblib.cpu_count(), len(given))
    if count <= 1:
        yield from map(work, given)
        return
    pool = joblib.Parallel(
        count,
        backend="loky",
        return_as="generator_unordered",
        batch_size=1,
        max_nbytes=SHARED,
    )
    call = joblib.delayed(_apart)
    calls = (call(work, what, os.getpid()) for what in given)
    try:
        with closing(pool(calls)) as done:
            yield from done
    except BrokenProcessPool:
        raise SpancrewError(
            f"one of {count} processes was ended from outside, perhaps because memory ran "
            "out; take fewer processes"
        ) from None


def _apart(work: Callable[[What], Result], what: What, parent: int) -> Result:
    end_with(parent)
    return work(what)
