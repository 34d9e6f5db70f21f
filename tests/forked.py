"""Processes that start quickly: they are forked from one that has imported everything."""

import multiprocessing
import os
import signal
import subprocess
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any


def started(target: Callable[..., None], *given: Any) -> BaseProcess:
    """Start a process that calls a function of a module of ours."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.preloaded"])
    process = context.Process(target=target, args=given)
    process.start()
    return process


class ForkedCommand:
    """A process that was started quickly, with what tests use of a `subprocess.Popen`."""

    stdout = stderr = None

    def __init__(self, target: Callable[..., None], *given: Any) -> None:
        self._process = started(target, *given)
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Return the exit code of a process that has ended; of a signal, minus its number."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended, and return its exit code."""
        self._process.join(timeout)
        if (code := self.poll()) is None:
            raise subprocess.TimeoutExpired(str(self._process), timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)


def whole_lines(path: Path) -> list[str]:
    """Return what a process has written so far; a last line that is cut off does not count."""
    if not path.exists():
        return []
    return path.read_text("utf-8").split("\n")[:-1]
