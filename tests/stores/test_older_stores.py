"""Stores that earlier versions have written open, with everything that was in them.

``tools/write_store.py`` writes one more.
"""

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from spancrew.server import SCHEMA_STEPS, Desk, Directory
from spancrew.stores import SqlStore, check_store, copy_store, open_sql
from spancrew.stores._schema import LAST_STEP, steps_of
from tests.postgres import Postgres
from tests.stores.written_stores import WRITTEN, written_store

CAMPAIGN = "0f1e2d3c4b5a6978"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a database as release 0.1.0 wrote it."""
    return written_store(WRITTEN[0], tmp_path)


@pytest.mark.parametrize("written", WRITTEN, ids=lambda each: each.stem)
def test_every_store_opens_and_its_campaigns_go_on(written: Path, tmp_path: Path) -> None:
    """As it is, it is in order; upgraded, it holds the same, and the old one is kept."""
    path = written_store(written, tmp_path)
    with closing(open_sql(path, upgrade=False)) as store:
        before, had = check_store(store), steps_of(store.engine)
    store = open_sql(path)
    Directory(store.engine)
    after, has = check_store(store), steps_of(store.engine)
    joined = asyncio.run(joins(store))
    store.close()

    assert before.problems == after.problems == []
    assert before.campaigns == after.campaigns != ()
    assert sum(each.settled for each in after.campaigns) > 0
    assert f"schema-{before.schema}" in written.stem
    assert after.schema == LAST_STEP
    assert joined == [2]
    copy = tmp_path / f"store-schema-{before.schema}.db"
    assert copy.exists() == (had < has)
    if copy.exists():
        with closing(open_sql(copy, upgrade=False)) as store:
            assert check_store(store).campaigns == before.campaigns


async def joins(store: SqlStore) -> list[int]:
    """Return the number of one more worker in each campaign."""
    desk = Desk(store, lambda: 1_900_000_000.0)
    numbers = [await desk.do(each, lambda found: found.join(2e9)) for each in store.campaigns()]
    await desk.close()
    return numbers


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
