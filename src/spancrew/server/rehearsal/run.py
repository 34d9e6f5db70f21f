"""Rehearsals that run now: few at a time, each in a process that ends with its request."""

import asyncio
import json
import logging
import os
import re
import shutil
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from anyio import CancelScope

from spancrew.server.refusals import RefusedError
from spancrew.server.settings import real_clock

_CHILD = "spancrew.server.rehearsal.forecast"
_PREFIX = "spancrew-rehearsal-"
_JOB, _ERRORS = "job.json", "errors.txt"
"""Files in the folder of a rehearsal: what is to be done, and what its process complained of."""
_LOOK = 0.25
"""Seconds between two looks at whether somebody still waits."""
_QUIET = 10.0
"""Seconds after which a line is repeated, so that nobody in between takes us for dead."""
_WAIT = 10.0
_FRAME = re.compile(r'File ".*?([^/"]+)", line (\d+),? in (\S+)')
_PROBLEM = re.compile(r"^(Fatal Python error: [A-Z][a-z ]+|\w[\w.]*Error\b)", re.MULTILINE)
_LAST_FRAMES = 8
_DAY = 86400.0

_log = logging.getLogger("spancrew.rehearsal")

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RehearsalJob:
    """A plan to rehearse ``runs`` times; ``data`` is a path or the name of a bundled data set.

    ``reading`` is a ``wire.ReadingIn`` as JSON. With ``wishes``, a ``wire.WishesIn`` as JSON, a
    plan is sought instead: on the data, or on a crowd as one may ``assume``.
    """

    data: str
    format: str | None
    plan: Mapping[str, Any]
    runs: int
    skill: float | None
    reading: Mapping[str, Any] = field(default_factory=dict)
    wishes: Mapping[str, Any] | None = None
    assume: str | None = None


def keep_job(job: RehearsalJob, folder: Path) -> None:
    """Leave a job in a folder, with the process that wants it done."""
    record = {"job": asdict(job), "parent": os.getpid()}
    (folder / _JOB).write_text(json.dumps(record), "utf-8")


def kept_job(folder: Path) -> tuple[RehearsalJob, int]:
    """Return the job of a folder, and the process with which it ends."""
    record = json.loads((folder / _JOB).read_text("utf-8"))
    return RehearsalJob(**record["job"]), int(record["parent"])


class RehearsalPlaces:
    """The places for rehearsals in this process."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._running = 0

    def begin(self, times: float = 1.0) -> "RehearsalProcess":
        """Take a place; refuse if there is none. The caller must close the rehearsal.

        It may take so many ``times`` as long as a rehearsal.
        """
        if self._running >= self._most:
            raise RefusedError(
                429,
                "too_many_rehearsals",
                f"{self._running} rehearsals are running, and no more are possible at a time",
                "wait until one is done, and try again",
                wait=_WAIT,
            )
        # The folder first: where it cannot be made, nobody would give the place back.
        rehearsal = RehearsalProcess(self._leave, times * self._seconds)
        self._running += 1
        return rehearsal

    def _leave(self) -> None:
        self._running -= 1


class RehearsalProcess:
    """A rehearsal with its folder and its process, both gone once it is closed."""

    def __init__(self, leave: Callable[[], None], seconds: float) -> None:
        self._leave = leave
        self._seconds = seconds
        self._process: Process | None = None
        self._reading: asyncio.Task[bytes] | None = None
        self._is_closed = False
        self.folder = _new_folder()

    async def start(self, job: RehearsalJob) -> None:
        """Start the process."""
        keep_job(job, self.folder)
        with (self.folder / _ERRORS).open("wb") as errors:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-X", "faulthandler", "-m", _CHILD, str(self.folder)),
                stdin=DEVNULL,
                stdout=PIPE,
                stderr=errors,
            )

    async def lines(self, is_gone: Callable[[], Awaitable[bool]]) -> AsyncIterator[Line]:
        """Yield what the process says, until its last word; stop when nobody listens any more."""
        deadline, last = time.monotonic() + self._seconds, time.monotonic()
        line: Line = {}
        while not await is_gone():
            now = time.monotonic()
            if now > deadline:
                yield _error("took_too_long", *_too_long(self._seconds))
                return
            said = await self._said()
            if said is not None:
                line, last = json.loads(said) if said else await self._broke_off(), now
                yield line
                if "done" not in line:
                    return
            elif line and now - last > _QUIET:
                last = now
                yield line

    async def _said(self) -> bytes | None:
        """Return the next line of the process; None if there is none for a moment."""
        assert self._process is not None  # noqa: S101  it was started
        assert self._process.stdout is not None  # noqa: S101  it is a pipe
        if self._reading is None:
            self._reading = asyncio.create_task(self._process.stdout.readline())
        done, _ = await asyncio.wait({self._reading}, timeout=_LOOK)
        if not done:
            return None
        said, self._reading = self._reading.result(), None
        return said

    async def _broke_off(self) -> Line:
        """Log why the process ended without a last word, and return what the caller is told."""
        assert self._process is not None  # noqa: S101  it was started
        code = await self._process.wait()
        problem, where = cause_in((self.folder / _ERRORS).read_text("utf-8", "replace"))
        _log.error("a rehearsal ended with code %d: %s at %s", code, problem, where)
        return _error(
            "internal",
            "the rehearsal ended before its time, perhaps because memory ran out",
            "take a smaller pilot or fewer runs",
        )

    async def close(self) -> None:
        """End the process, if it still runs, and leave nothing behind; nothing interrupts that."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            with CancelScope(shield=True):
                await self._end()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
            self._leave()

    async def _end(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait({self._reading})
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.communicate()


def _new_folder() -> Path:
    try:
        return Path(tempfile.mkdtemp(prefix=_PREFIX))
    except OSError as error:
        _log.warning("no folder for a rehearsal: %s", error.strerror)
        raise RefusedError(
            503,
            "internal",
            "the server cannot make a temporary folder for the rehearsal",
            "make room in its folder for temporary files, and try again",
        ) from None


def remove_left_behind() -> None:
    """Remove the folders of rehearsals whose server was killed before it could."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            _, parent = kept_job(folder)
            os.kill(parent, 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (OSError, ValueError, KeyError, TypeError):
            # Somebody else's, or not even begun.
            _remove_old(folder)


def _remove_old(folder: Path) -> None:
    with suppress(OSError):
        if real_clock() - folder.stat().st_mtime > _DAY:
            shutil.rmtree(folder, ignore_errors=True)


def cause_in(errors: str) -> tuple[str, list[str]]:
    r"""Return kind and places of the error that a process wrote, without its message.

    The message may quote what is in the data.

    >>> cause_in('  File "/a/b.py", line 3, in read\n    x()\nValueError: some name\n')
    ('ValueError', ['b.py:3 read'])
    """
    frames = [f"{file}:{line} {name}" for file, line, name in _FRAME.findall(errors)]
    problem = _PROBLEM.search(errors)
    return (problem[1] if problem else "no error was written"), frames[-_LAST_FRAMES:]


def _too_long(seconds: float) -> tuple[str, str]:
    message = f"the rehearsal took longer than {seconds:g} seconds and was ended"
    return message, "take a smaller pilot or fewer runs"


def _error(code: str, message: str, remedy: str) -> Line:
    return {"error": {"code": code, "message": message, "remedy": remedy}, "status": 503}
