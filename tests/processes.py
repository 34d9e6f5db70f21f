"""Processes that tests start: they are ended in any case, with all that they have started."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.forked import ForkedCommand
from tests.waiting import PATIENCE

_LEASH = Path(__file__).with_name("leashed.py")


def launch(words: list[str], **options: Any) -> "subprocess.Popen[Any]":
    """Start a command in a group of its own; the options are those of ``subprocess.Popen``."""
    leash = [sys.executable, "-I", "-S", str(_LEASH), str(os.getpid())]
    return subprocess.Popen([*leash, *words], start_new_session=True, **options)  # noqa: S603  our own command


@contextmanager
def launched(words: list[str], **options: Any) -> Iterator["subprocess.Popen[Any]"]:
    """Run a command while the block runs."""
    process = launch(words, **options)
    try:
        yield process
    finally:
        kill(process)


def kill(process: "subprocess.Popen[Any] | ForkedCommand") -> None:
    """End a process and its group without asking."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def is_running(pid: int) -> bool:
    """Tell whether a process runs; one that has ended may still be listed."""
    told = of_process(pid, "stat")
    return told != b"" and b") Z " not in told


def of_process(pid: int, name: str) -> bytes:
    """Return what the system tells about a process; nothing once it is gone."""
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except (FileNotFoundError, ProcessLookupError):  # gone before, or while it was read
        return b""
