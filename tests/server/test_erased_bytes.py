"""Whoever is erased is in no byte of the store any more, nor of a backup made afterwards."""

from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from spancrew.server import SCHEMA_STEPS
from spancrew.stores import backup_store, empty_log, open_sql
from spancrew.stores._databases import still
from tests.server.conftest import House, Visitor, create, demo, invite

NAME = "Zuleika Quixworthy"
OTHERS = 120
"""So many that the tables have more than one page."""


def bytes_of(folder: Path) -> bytes:
    """Return every byte that SQLite has in a folder."""
    found = [path for path in folder.iterdir() if path.name.startswith("crew.db")]
    assert found
    return b"".join(path.read_bytes() for path in found)


def test_an_erased_person_is_in_no_byte_of_the_store(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Neither in pages, nor in free ones, nor in the write-ahead log, while the server runs."""
    campaign = create(admin, tmp_path)
    for number in range(OTHERS):
        admin.ok("POST", f"/campaigns/{campaign}/workers", json={"name": f"Other {number}"})
        if number == OTHERS // 2:
            first = invite(admin, campaign, name=NAME)
    last = invite(admin, campaign, name=NAME)
    logged = (tmp_path / "crew.db-wal").read_bytes()
    for worker in (first, last):
        admin.ok("DELETE", f"/campaigns/{campaign}/workers/{worker.me['pseudonym']}/data")
    after = bytes_of(tmp_path)
    with closing(open_sql(house.path)) as store:
        backup_store(store, tmp_path / "backup.db", 1.0, SCHEMA_STEPS)

    assert NAME.encode() in logged
    assert NAME.encode() not in after
    assert NAME.encode() not in (tmp_path / "backup.db").read_bytes()
    assert b"Other 7" in after


def test_a_campaign_that_is_deleted_leaves_nobody_behind(admin: Visitor, tmp_path: Path) -> None:
    """Nor its texts."""
    campaign = create(admin, tmp_path)
    admin.ok("POST", f"/campaigns/{campaign}/workers", json={"name": NAME})
    sentence = demo(1).sentences[0].text.encode()
    before = bytes_of(tmp_path)
    admin.ok("DELETE", f"/campaigns/{campaign}")
    after = bytes_of(tmp_path)

    assert NAME.encode() in before
    assert sentence in before
    assert NAME.encode() not in after
    assert sentence not in after


def test_a_long_reader_only_delays_it(house: House, admin: Visitor, tmp_path: Path) -> None:
    """The one who erases is not kept waiting, and the next attempt succeeds."""
    campaign = create(admin, tmp_path)
    worker = invite(admin, campaign, name=NAME)
    with still(house.store.engine) as reader:
        reader.execute(text("SELECT count(*) FROM journal")).all()
        admin.ok("DELETE", f"/campaigns/{campaign}/workers/{worker.me['pseudonym']}/data")
        during = empty_log(house.store.engine)
    after = empty_log(house.store.engine)

    assert (during, after) == (False, True)
    assert NAME.encode() not in bytes_of(tmp_path)
