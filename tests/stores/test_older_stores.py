"""A store that an earlier release has written opens, with everything that was in it."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from spancrew.server import SCHEMA_STEPS, Desk, Directory
from spancrew.stores import copy_store, open_sql
from tests.postgres import Postgres

WRITTEN = Path(__file__).with_name("written-by-0.1.0.sql")
CAMPAIGN = "0f1e2d3c4b5a6978"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a database as release 0.1.0 wrote it."""
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(WRITTEN.read_text())
    return path


def test_the_journal_goes_on(old: Path) -> None:
    """It is replayed, and the next worker comes after those who were there."""
    store = open_sql(old)

    async def join() -> tuple[int, int, int]:
        desk = Desk(store, lambda: 1_700_001_000.0)
        settled = await desk.look(CAMPAIGN, lambda found: found.status().settled)
        number = await desk.do(CAMPAIGN, lambda found: found.join(1_700_001_000.0))
        await desk.close()
        return settled, number, store.version(CAMPAIGN)

    found = asyncio.run(join())
    store.close()

    assert found == (1, 2, 15)


def test_people_webhooks_and_guides_are_there(old: Path) -> None:
    """The directory makes no new tables where they are."""
    store = open_sql(old)
    directory = Directory(store.engine)
    (campaign,) = directory.campaigns.all()
    workers = directory.people.of_campaign(CAMPAIGN, "worker")
    (hook,) = directory.webhooks.of_campaign(CAMPAIGN)
    (delivery,) = directory.webhooks.deliveries(hook.id, 10)
    guide = directory.guides.of(CAMPAIGN)
    practised = directory.guides.practised(workers[0].id)
    store.close()

    assert (campaign.name, campaign.platform) == ("Names in news", "prolific")
    assert [worker.name for worker in workers] == ["Ann", "Bo"]
    assert (hook.url, hook.cursor, delivery.status) == ("https://crew.example/hook", 2, 200)
    assert (guide.instructions, guide.examples[0].note) == ("Mark every name.", "a note")
    assert list(practised) == ["key"]


def test_everything_can_be_moved_to_postgresql(old: Path, postgres: Postgres) -> None:
    """Row by row, the tables of people among them."""
    source, target = open_sql(old), open_sql(postgres.database())
    copy_store(source, target, SCHEMA_STEPS)
    version, (campaign,) = target.version(CAMPAIGN), Directory(target.engine).campaigns.all()
    source.close()
    target.close()

    assert (version, campaign.name) == (14, "Names in news")
