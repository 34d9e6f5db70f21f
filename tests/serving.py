"""A real `spancrew serve` in a process of its own, for tests that drive it over HTTP."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from spancrew.client import Client
from tests import quick_command
from tests.forked import ForkedCommand
from tests.processes import kill, launch, of_process
from tests.waiting import PATIENCE, wait_until

Process = subprocess.Popen[bytes] | ForkedCommand


@dataclass
class Serving:
    """A server that runs; ``link`` is the admin link it printed, if any, until it is used."""

    process: Process
    url: str
    link: str | None
    folder: Path
    log: Path
    _token: str | None = field(default=None, repr=False)

    @property
    def pid(self) -> int:
        """Return the process that was started, the parent of all others of this server."""
        return self.process.pid

    @property
    def port(self) -> int:
        """Return the port, for a second start at the same address."""
        return int(self.url.rpartition(":")[2])

    def admin(self, *, patience: float = 60.0) -> Client:
        """Return a client with the rights of the admin."""
        return Client(self.url, token=self.admin_token(), patience=patience)

    def admin_token(self) -> str:
        """Return an API token of the admin; the link is used up for the first one."""
        if self._token is None:
            assert self.link is not None, "the server printed no admin link"
            with Client.from_link(self.link) as guest:
                self._token = guest.create_token("tests").token
        assert self._token is not None
        return self._token

    def know(self, token: str) -> None:
        """Remember a token that an earlier start of this server gave."""
        self._token = token

    def children(self) -> list[int]:
        """Return all processes that the server has started, whatever for."""
        return [int(pid) for pid in of_process(self.pid, f"task/{self.pid}/children").split()]

    def servers(self) -> list[int]:
        """Return the processes that serve for the one that was started; none for a single one."""
        mine = of_process(self.pid, "cmdline")
        return [pid for pid in self.children() if of_process(pid, "cmdline") == mine]

    def kill(self) -> None:
        """Kill it like a power cut: no signal handler runs."""
        self.process.kill()
        self.process.wait()

    def stop(self, *, with_signal: int = signal.SIGTERM) -> int:
        """Ask it to stop, wait, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(with_signal)
        try:
            return self.process.wait(PATIENCE)
        finally:
            kill(self.process)


def start(
    folder: Path,
    *,
    store: str | None = None,
    workers: int = 1,
    port: int = 0,
    options: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    fresh: bool = False,
) -> Serving:
    """Start a server in a folder and wait until it is ready; the caller stops it.

    It is forked from a process that has everything imported, which saves seconds; one that is to
    be ``fresh`` is not.
    """
    out, log = folder / "serve.out", folder / "serve.log"
    words = ["serve", "--folder", str(folder), "--port", str(port), "--workers", str(workers)]
    words += [*options, *([] if store is None else ["--store", store])]
    known = {name: value for name, value in os.environ.items() if not name.startswith("SPANCREW")}
    known |= {"SPANCREW_WARM_SECONDS": "600", **(environment or {})}
    out.unlink(missing_ok=True)
    begin = _launched if fresh else _forked
    process = begin(words, known, out, log)
    try:
        text = _wait_for_address(process, out, log)
        url = re.findall(r"^spancrew serves (\S+)$", text, re.MULTILINE)[0]
        link = re.findall(r"^\s+admin\s+(\S+)", text, re.MULTILINE)
        _wait_for_readiness(process, url, log)
    except BaseException:
        kill(process)
        raise
    return Serving(process, url, link[0] if link else None, folder, log)


def _forked(words: list[str], environment: Mapping[str, str], out: Path, log: Path) -> Process:
    return ForkedCommand(quick_command.run, words, environment, out, log)


def _launched(words: list[str], environment: Mapping[str, str], out: Path, log: Path) -> Process:
    command = [sys.executable, "-m", "spancrew.cli", *words]
    with out.open("wb") as printed, log.open("ab") as noted:
        return launch(command, stdout=printed, stderr=noted, env=environment)


@contextmanager
def serving(
    folder: Path, *, store: str | None = None, workers: int = 1, options: Sequence[str] = ()
) -> Iterator[Serving]:
    """Serve while the block runs."""
    server = start(folder, store=store, workers=workers, options=options)
    try:
        yield server
    finally:
        server.stop()


def _wait_for_address(process: Process, out: Path, log: Path) -> str:
    def is_printed() -> bool:
        _refuse_end(process, log)
        return out.exists() and "  stop " in out.read_text("utf-8")

    wait_until(is_printed, "the server did not print its address")
    return out.read_text("utf-8")


def _wait_for_readiness(process: Process, url: str, log: Path) -> None:
    def is_ready() -> bool:
        _refuse_end(process, log)
        try:
            return httpx.get(f"{url}/health/ready", timeout=PATIENCE).is_success
        except httpx.TransportError:
            return False

    wait_until(is_ready, "the server did not become ready")


def _refuse_end(process: Process, log: Path) -> None:
    if process.poll() is not None:
        raise AssertionError(f"the server did not start: {log.read_text('utf-8')[-3000:]}")
