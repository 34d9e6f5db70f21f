"""Backups by the command that an admin uses, one after the other, while everything else runs."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread

from tests import quick_command
from tests.forked import ForkedCommand
from tests.processes import kill

_PAUSE = 0.3
"""Seconds between two backups."""


@dataclass(frozen=True)
class Backup:
    """A backup that was finished, and the answers that were confirmed before it began."""

    path: Path
    known: frozenset[str]


class BackupLoop:
    """Backs a store up again and again; of those that finish, the last is kept."""

    def __init__(
        self,
        folder: Path,
        store: str,
        environment: Mapping[str, str],
        known: Callable[[], frozenset[str]],
    ) -> None:
        self.finished, self.failed = 0, 0
        self._last: Backup | None = None
        self._folder, self._store, self._known = folder, store, known
        self._environment = {**os.environ, **environment}
        self._process: ForkedCommand | None = None
        self._last_one = Lock()
        self._over = Event()
        self._thread = Thread(target=self._run)

    def start(self) -> None:
        """Begin."""
        self._folder.mkdir()
        self._thread.start()

    def kill(self) -> None:
        """Kill the command that runs now, like a power cut."""
        if self._process is not None:
            kill(self._process)

    @contextmanager
    def held(self) -> Iterator[Backup | None]:
        """Yield the last one that was finished, which stays there meanwhile."""
        with self._last_one:
            yield self._last

    def close(self) -> None:
        """Stop after the one that runs."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        number = 0
        while not self._over.wait(_PAUSE):
            number += 1
            made = Backup(self._folder / f"{number}.db", self._known())
            words = ["store", "backup", str(made.path), "--store", self._store]
            log = self._folder / "log"
            self._process = ForkedCommand(quick_command.run, words, self._environment, log, log)
            code = self._process.wait()
            self._note(made, code)

    def _note(self, made: Backup, code: int) -> None:
        if code != 0:
            self.failed += 1
            return
        self.finished += 1
        with self._last_one:
            before, self._last = self._last, made
            if before is not None:
                before.path.unlink()
