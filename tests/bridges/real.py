"""The real tools, installed by `make test-bridges` into an environment of their own."""

import math
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copy
from sqlite3 import connect
from threading import Lock
from typing import Any

import httpx

from spancrew.core import Sentence, Span
from tests.bridges.label_studio import TOKEN, Labeller
from tests.processes import kill, launch

ENVIRONMENT = Path(__file__).parents[2] / ".venv-bridges"
TABLES = ENVIRONMENT / "tables.sqlite3"
"""The empty tables of Label Studio, which takes minutes to make them."""
LONGEST = 900.0
"""Seconds for the first start of Label Studio, which makes its tables."""


def wait_long(condition: Callable[[], object], what: str, longest: float = LONGEST) -> None:
    """Return as soon as a condition is met; a tool takes minutes where a test takes seconds."""
    deadline = time.monotonic() + longest
    while not condition():
        assert time.monotonic() < deadline, f"{what} within {longest:.0f} seconds"
        time.sleep(0.1)


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@dataclass
class RealLabelStudio:
    """A Label Studio with its data in a folder; it can be killed and started again."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: "subprocess.Popen[Any] | None" = None

    @property
    def url(self) -> str:
        """Return where it is."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait until it answers; its tables are made once, and copied later."""
        tables = self.folder / "label_studio.sqlite3"
        if TABLES.exists() and not tables.exists():
            copy(TABLES, tables)
        self._launch()
        wait_long(self.is_ready, "Label Studio did not start")
        if not TABLES.exists():
            with closing(connect(tables)) as made, closing(connect(TABLES)) as kept:
                made.backup(kept)

    def _launch(self) -> None:
        words = [str(ENVIRONMENT / "bin" / "label-studio"), "start", "--no-browser"]
        words += ["--internal-host", "127.0.0.1", "--port", str(self.port)]
        words += ["--enable-legacy-api-token", "--user-token", TOKEN]
        words += ["--username", "lead@example.org", "--password", "a long password 1"]
        settings = {
            "LABEL_STUDIO_BASE_DATA_DIR": str(self.folder),
            "COLLECT_ANALYTICS": "false",
            "LATEST_VERSION_CHECK": "false",
            "SSRF_PROTECTION_ENABLED": "false",
        }
        with (self.folder / "label-studio.log").open("ab") as log:
            self.process = launch(words, stdout=log, stderr=log, env={**os.environ, **settings})

    def is_ready(self) -> bool:
        """Tell whether it answers."""
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "label-studio.log").read_text()[-3000:]
        try:
            found = httpx.get(
                f"{self.url}/api/projects/",
                headers={"Authorization": f"Token {TOKEN}"},
                timeout=60.0,
            )
        except httpx.TransportError:
            return False
        return found.is_success

    def kill(self) -> None:
        """Kill it like a power cut."""
        if self.process is not None:
            kill(self.process)

    def annotations(self, campaign: str) -> int:
        """Return how many annotations the projects of a campaign have in all."""
        with httpx.Client(
            base_url=self.url, headers={"Authorization": f"Token {TOKEN}"}, timeout=60.0
        ) as http:
            listed = http.get("/api/projects/", params={"page_size": "1000"}).json()["results"]
            ours = [each for each in listed if f"spancrew/{campaign}/" in each["description"]]
            return sum(each["total_annotations_number"] for each in ours)


class Board:
    """Which projects of a Label Studio have more tasks than annotations.

    One look serves everybody: nine people who look one by one would keep it busy.
    """

    def __init__(self, url: str) -> None:
        headers = {"Authorization": f"Token {TOKEN}"}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=60.0)
        self._lock, self._until = Lock(), -math.inf
        self._rows: list[dict[str, Any]] = []

    def project(self, title: str) -> int | None:
        """Return the project with this title if there is something to do in it."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._look()
        for row in self._rows:
            is_more = row["task_number"] > row["total_annotations_number"]
            if row["title"].startswith(title) and is_more:
                return int(row["id"])
        return None

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def _look(self) -> None:
        names = "id,title,task_number,total_annotations_number"
        params = {"page": "1", "page_size": "100", "include": names}
        found = self._http.get("/api/projects/", params=params)
        self._rows = found.raise_for_status().json()["results"]
        self._until = time.monotonic() + 1.0


class AtThePages:
    """Somebody at the pages of Label Studio: where there is more, they take the next task."""

    def __init__(self, board: Board, url: str, name: str, campaign: str) -> None:
        self._board, self._labeller = board, Labeller(url, name, campaign)

    def todo(self) -> list[tuple[dict[str, Any], str]]:
        """Return the task that comes next, with the id of its sentence, if there is one."""
        project = self._board.project(self._labeller.title)
        if project is None:
            return []
        following = self._labeller.http.get(f"/api/projects/{project}/next/")
        if following.status_code == httpx.codes.NOT_FOUND:
            return []
        task = following.raise_for_status().json()
        return [(task, task["data"]["id"])]

    def annotate(self, page: dict[str, Any], sentence: Sentence, spans: tuple[Span, ...]) -> int:
        """Hand in an annotation."""
        return self._labeller.annotate(page, sentence, spans)

    def close(self) -> None:
        """Close the connection."""
        self._labeller.close()


@dataclass
class RunningBridge:
    """The command `spancrew bridge` in a process of its own."""

    words: list[str]
    environment: dict[str, str]
    log: Path
    process: "subprocess.Popen[Any] | None" = None

    def start(self) -> None:
        """Start it."""
        words = [sys.executable, "-m", "spancrew.cli", "bridge", *self.words]
        with self.log.open("ab") as log:
            self.process = launch(
                words, stdout=log, stderr=log, env={**os.environ, **self.environment}
            )

    def kill(self) -> None:
        """Kill it like a power cut."""
        if self.process is not None:
            kill(self.process)

    @property
    def is_over(self) -> bool:
        """Tell whether it has ended by itself."""
        return self.process is not None and self.process.poll() is not None
