"""Processes that start quickly: they are forked from one that has imported everything."""

import multiprocessing
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

_PRELOADED = ["tests.stores.writer", "tests.server.desk_player", "tests.bridges.payer"]


def started(target: Callable[..., None], *given: Any) -> BaseProcess:
    """Start a process that calls a function of a module of ours."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    process = context.Process(target=target, args=given)
    process.start()
    return process


def whole_lines(path: Path) -> list[str]:
    """Return what a process has written so far; a last line that is cut off does not count."""
    if not path.exists():
        return []
    return path.read_text("utf-8").split("\n")[:-1]
