"""What happens when a server starts, and when one of its processes dies."""

import multiprocessing
import os
import signal
import socket
import time
from contextlib import closing
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from spancrew.server.settings import ServerSettings
from spancrew.server.start import serve as _serve
from spancrew.server.start.serve import end_pings_of_the_dead
from spancrew.stores import open_sql
from tests.forked import started, whole_lines
from tests.server.conftest import HandClock, create, running
from tests.server.desks import material, plan, rows
from tests.stores.writer import CAMPAIGN, write
from tests.waiting import wait_until

STUCK = 60.0


@dataclass
class Pinged:
    """A process that is pinged through a pipe and never answers."""

    process: Any
    child_conn: Connection


def test_nobody_waits_for_a_sign_of_life_of_a_process_that_dies() -> None:
    """Not even if it is killed while it is being asked."""
    near, far = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(600,))
    process.start()
    answers: list[bool] = []

    def ping() -> None:
        near.send(b"ping")
        answers.append(near.poll(10 * STUCK))

    asking = Thread(target=ping, daemon=True)
    end_pings_of_the_dead([Pinged(process, far)])
    asking.start()
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    asking.join(STUCK)
    process.join()

    assert answers == [True], "the pipe has ended, which is an answer, too"


def test_the_supervisor_hears_at_once_of_a_process_that_dies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It asks for a sign of life, and gets the end of the pipe for an answer."""
    near, far = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(600,))
    process.start()
    answers: list[bool] = []

    class Supervisor:
        """Stands in for that of the web server: it loses its only process while it asks."""

        def __init__(self, _config: Any, sockets: list[socket.socket]) -> None:
            assert len(sockets) == 1
            self.processes = [Pinged(process, far)]

        def run(self) -> None:
            process.kill()
            answers.append(near.poll(10 * STUCK))

    monkeypatch.setattr(_serve, "Multiprocess", Supervisor)
    with socket.socket() as listener:
        serving = Thread(target=_serve.run_many, args=(listener, 1), daemon=True)
        serving.start()
        serving.join(STUCK)
    process.join()

    assert answers == [True]


def test_a_campaign_that_stands_in_no_list_is_found_and_can_be_deleted(
    tmp_path: Path, clock: HandClock
) -> None:
    """A server died after it opened the journal and before it listed the campaign."""
    settings = ServerSettings(clock=clock)
    with running(tmp_path, clock, settings) as house:
        listed = create(house.admin(), tmp_path)
        desk = house.app.state.services.desk
        assert house.client.portal is not None
        house.client.portal.call(desk.open, "lost", plan(), material(), rows())
        assert [each["id"] for each in house.admin().ok("GET", "/campaigns")] == [listed]
    with running(tmp_path, clock, settings) as house:
        admin = house.admin()
        found = {each["id"]: each["sentences"] for each in admin.ok("GET", "/campaigns")}
        shown = admin.ok("GET", "/campaigns/lost")
        admin.ok("DELETE", "/campaigns/lost")
        left = [each["id"] for each in admin.ok("GET", "/campaigns")]
        journals = house.store.campaigns()

    assert found == {listed: 12, "lost": 12}
    assert shown["name"] == "lost (found)"
    assert left == journals == [listed]


def test_the_file_is_complete_though_a_process_was_killed(tmp_path: Path) -> None:
    """What the process had written is in the file by itself; a file that is gone is not made."""
    path, notes = tmp_path / "store.db", tmp_path / "notes"
    process = started(write, str(path), "turn", "a", 0, notes)
    wait_until(lambda: len(whole_lines(notes)) > 10, "nothing was written")
    process.kill()
    process.join()
    pairs = len(whole_lines(notes))
    left = Path(f"{path}-wal").stat().st_size
    _serve.complete_file(f"sqlite:///{path}")
    is_alone = not Path(f"{path}-wal").exists()
    path.rename(tmp_path / "moved.db")
    _serve.complete_file(f"sqlite:///{path}")
    with closing(open_sql(tmp_path / "moved.db")) as store:
        version = store.version(CAMPAIGN)

    assert left > 0
    assert is_alone
    assert version >= 2 * pairs
    assert not path.exists()
