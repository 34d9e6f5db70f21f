"""The audit log of a server with two processes, whichever of them is killed."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from spancrew.client import Client
from spancrew.errors import SpancrewError
from tests.postgres import Postgres, running_postgres
from tests.serving import serving

ACTIONS = 24


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """Return a running PostgreSQL."""
    with running_postgres() as server:
        yield server


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_two_processes_write_one_chain_and_lose_nothing(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Many admins at once; one process is killed in between and replaced."""
    store = None
    if kind == "postgresql":
        store = request.getfixturevalue("postgres").database()
    with serving(tmp_path, store=store, workers=2) as server, server.admin() as admin:
        campaign = admin.create("audited", "demo", {"warm_up": "none"}, gold="ignore")
        token = server.admin_token()

        def invite(number: int) -> str:
            if number == ACTIONS // 2:
                os.kill(server.children()[0], signal.SIGKILL)
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
