"""What happens when a server starts, and when one of its processes dies."""

import multiprocessing
import os
import signal
import time
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, cast

import pytest
from uvicorn.supervisors.multiprocess import Process

from spancrew.server.settings import ServerSettings
from spancrew.server.start.serve import ServingProcesses, complete_file
from spancrew.stores import open_sql
from tests.forked import started, whole_lines
from tests.server.conftest import HandClock, create, running
from tests.server.desks import material, plan, rows
from tests.serving import Serving, serving
from tests.spread import often
from tests.stores.writer import CAMPAIGN, write
from tests.waiting import wait_until

STUCK = 60.0


@dataclass
class Pinged:
    """A process that is pinged through a pipe and never answers."""

    process: Any
    child_conn: Connection


@pytest.mark.parametrize("way", ["append", "replace"])
def test_nobody_waits_for_a_sign_of_life_of_a_process_that_dies(way: str) -> None:
    """Not even if it is killed while it is being asked: the pipe ends with it."""
    near, far = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=far.poll, args=(600.0,))
    process.start()
    processes = ServingProcesses([cast("Process", None)])
    if way == "append":
        processes.append(cast("Process", Pinged(process, far)))
    else:
        processes[0] = Pinged(process, far)
    process.kill()

    assert near.poll(STUCK)
    process.join()


@pytest.mark.slow
def test_a_process_that_is_killed_while_it_is_asked_is_replaced(tmp_path: Path) -> None:
    """However often; and the server can still be stopped."""
    with serving(tmp_path, workers=2, options=["--quiet"]) as server:
        for _ in range(often(2, 4)):
            wait_until(lambda: len(server.servers()) == 2)
            before = server.servers()
            os.kill(before[0], signal.SIGSTOP)
            # The supervisor asks twice a second, and now gets no answer.
            time.sleep(1.5)
            os.kill(before[0], signal.SIGKILL)
            wait_until(partial(_is_another, server, before), "no process was replaced")

        assert server.stop() == 0


def _is_another(server: Serving, before: list[int]) -> bool:
    return not set(server.servers()) <= set(before)


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
    complete_file(f"sqlite:///{path}")
    is_alone = not Path(f"{path}-wal").exists()
    path.rename(tmp_path / "moved.db")
    complete_file(f"sqlite:///{path}")
    with closing(open_sql(tmp_path / "moved.db")) as store:
        version = store.version(CAMPAIGN)

    assert left > 0
    assert is_alone
    assert version >= 2 * pairs
    assert not path.exists()
