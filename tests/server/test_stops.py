"""However a server is asked to stop, a copy made afterwards holds everything."""

import shutil
import signal
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest

from spancrew.campaign import Waiting
from spancrew.client import Client
from spancrew.core import Span
from spancrew.errors import SpancrewError
from spancrew.server import SCHEMA_STEPS
from spancrew.stores import Recorded, backup_store, check_store, open_sql, restore_store
from tests.serving import Serving, start
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

PLAN = {"answers": 1, "crew": 1, "warm_up": "none", "feedback": "crowd"}


@pytest.mark.parametrize("way", [signal.SIGTERM, signal.SIGINT])
def test_a_copy_after_a_stop_restores_to_the_same_journals(
    way: signal.Signals, tmp_path: Path, elsewhere: str | None
) -> None:
    """The file of SQLite is copied alone; PostgreSQL is backed up."""
    # Each signal meets one process and two, and so does each store.
    workers = 2 if (way == signal.SIGTERM) == (elsewhere is None) else 1
    server = start(tmp_path, store=elsewhere, workers=workers, options=["--quiet"])
    acknowledged = worked_until_stopped(server, way)
    copied = tmp_path / "copied.db"
    if elsewhere is None:
        shutil.copyfile(tmp_path / "spancrew.db", copied)
    else:
        with closing(open_sql(elsewhere)) as source:
            backup_store(source, copied, 1.0, SCHEMA_STEPS)
    found = restore_store(copied, str(tmp_path / "restored.db"), SCHEMA_STEPS)
    journals = journals_of(elsewhere or str(tmp_path / "spancrew.db"))

    assert journals_of(str(tmp_path / "restored.db")) == journals
    assert [len(journal) for journal in journals.values()] == [each.events for each in found]
    assert [each.sentences for each in found] == [600]
    assert sum(entry.kind == "Answered" for (_, entry) in next(iter(journals.values()))) >= max(
        acknowledged, 3
    )
    assert "Traceback" not in server.log.read_text("utf-8")


def worked_until_stopped(server: Serving, way: signal.Signals) -> int:
    """Let a worker answer until the server stops in the middle; return how often they did."""
    with server.admin() as admin:
        campaign = admin.create("stop", "demo", PLAN, gold="ignore")
        link = campaign.invite_worker("Ann").url
        campaign.start()
    answers: list[int] = []
    over = Event()

    def work() -> None:
        with Client.from_link(link, patience=0) as client:
            worker = client.worker(campaign.id)
            while not over.is_set():
                try:
                    sheet = worker.next()
                    if isinstance(sheet, Waiting):
                        return
                    worker.submit(sheet, [Span(0, 1, "PER")])
                except SpancrewError:
                    return
                answers.append(sheet.assignment)

    thread = Thread(target=work)
    thread.start()
    try:
        wait_until(lambda: len(answers) >= 3, "nobody answered")
        server.stop(with_signal=way)
    finally:
        over.set()
        thread.join()
        server.stop()
    return len(answers)


def journals_of(address: str) -> dict[str, list[Recorded]]:
    """Return all journals of a store that is in order."""
    with closing(open_sql(address, make=False)) as store:
        assert check_store(store).problems == []
        return {name: list(store.read(name)) for name in store.campaigns()}
