"""The audit log of a server with two processes, whichever of them is killed."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event

import pytest

from spancrew.client import Client
from spancrew.errors import SpancrewError
from spancrew.server import Directory
from spancrew.stores import open_sql
from tests.serving import serving, start
from tests.waiting import wait_until

ACTIONS = 24


@pytest.mark.slow
def test_two_processes_write_one_chain_and_lose_nothing(
    tmp_path: Path, elsewhere: str | None
) -> None:
    """Many admins at once; one process is killed in between and replaced."""
    with serving(tmp_path, store=elsewhere, workers=2) as server, server.admin() as admin:
        campaign = admin.create("audited", "demo", {"warm_up": "none"}, gold="ignore")
        token = server.admin_token()

        def invite(number: int) -> str:
            if number == ACTIONS // 2:
                os.kill(server.servers()[0], signal.SIGKILL)
            with Client(server.url, token=token) as client:
                found = client.campaign(campaign.id).people
                while True:
                    with suppress(SpancrewError):  # of the process that was killed
                        return found.invite_worker().person.pseudonym

        with ThreadPoolExecutor(4) as pool:
            invited = set(pool.map(invite, range(ACTIONS)))
        entries = list(admin.audit.all())
        checked = admin.audit.check()

    known = {each.target for each in entries if each.action == "people.invite_worker"}
    assert len(invited) == ACTIONS
    assert invited <= known
    assert checked.problem is None
    assert [each.id for each in entries] == list(range(1, len(entries) + 1))


def _has(confirmed: list[int], many: int) -> bool:
    return len(confirmed) >= many


@pytest.mark.slow
def test_nothing_is_done_that_is_not_noted_whenever_the_server_is_killed(tmp_path: Path) -> None:
    """Every event of the journal has an entry, if only one whose outcome nobody knows."""
    server = start(tmp_path, options=["--quiet"])
    token, port = server.admin_token(), server.port
    with server.admin() as admin:
        campaign = admin.create("killed", "demo", {"warm_up": "none"}, gold="ignore").id
    amounts, confirmed, is_over = count(1000), list[int](), Event()

    def work() -> None:
        with Client(server.url, token=token) as client:
            while not is_over.is_set():
                client.campaign(campaign).set_budget(amount := next(amounts))
                confirmed.append(amount)

    with ThreadPoolExecutor(3) as pool:
        working = [pool.submit(work) for _ in range(3)]
        for _ in range(3):
            wait_until(partial(_has, confirmed, len(confirmed) + 15))
            server.kill()
            server = start(tmp_path, port=port, options=["--quiet"])
        is_over.set()
        for each in working:
            each.result()
    server.stop()
    store = open_sql(tmp_path / "spancrew.db")
    audit = Directory(store.engine).audit
    audit.settle(float("inf"))
    events = sum(each.entry.kind == "BudgetSet" for each in store.read(campaign))
    noted = [row.entry.status for row in audit.read() if row.entry.action == "campaigns.change"]
    problem = audit.verify().problem
    store.close()

    assert problem is None
    assert len(confirmed) <= noted.count(200) <= events <= len(noted)
