"""Desks in several processes on one store, and desks that are killed."""

import asyncio
import json
import time
from collections import Counter
from pathlib import Path

import pytest

from spancrew.server.desk.desk import Desk
from spancrew.stores import open_store
from tests.forked import started, whole_lines
from tests.server.desk_player import play
from tests.server.desks import NAME, bodies, kinds, opened

SENTENCES = 60


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of an empty store."""
    if request.param == "sqlite":
        return str(tmp_path_factory.mktemp("desk") / "store.db")
    return str(request.getfixturevalue("postgres").database())


@pytest.fixture
def begun(address: str) -> str:
    """Return the address of a store with a campaign that has just begun."""

    async def begin() -> None:
        store = open_store(address)
        store.delete(NAME)
        desk = Desk(store, lambda: 1.0)
        await opened(desk, sentences=SENTENCES)
        await desk.close()
        store.close()

    asyncio.run(begin())
    return address


def answered(address: str) -> tuple[Counter[int], str]:
    """Return how often each assignment was answered, and how the journal ends."""
    store = open_store(address)
    found = Counter(json.loads(each.body)["assignment"] for each in bodies(store, "Answered"))
    last = kinds(store)[-1]
    store.close()
    return found, last


def test_two_processes_finish_a_campaign_together(begun: str, tmp_path: Path) -> None:
    """Every sentence gets its two answers, nothing is lost or doubled."""
    notes = [tmp_path / "one", tmp_path / "other"]
    players = [started(play, begun, [0, 1], notes[0]), started(play, begun, [2, 3], notes[1])]
    for each in players:
        each.join(120)
    said = Counter(int(line) for each in notes for line in whole_lines(each))
    found, last = answered(begun)

    assert [each.exitcode for each in players] == [0, 0]
    assert said == found
    assert len(found) == found.total() == 2 * SENTENCES
    assert last == "Finished"


@pytest.mark.slow
def test_a_desk_that_is_killed_loses_no_answer(begun: str, tmp_path: Path) -> None:
    """Time after time; what was noted is there once, and the campaign goes on to its end."""
    notes = tmp_path / "notes"
    for life in range(6):
        before = len(whole_lines(notes))
        process = started(play, begun, [0, 1, 2, 3], notes)
        while process.is_alive() and len(whole_lines(notes)) == before:
            time.sleep(0.001)
        time.sleep(0.007 * life)
        process.kill()
        process.join(20)
        known, (found, _) = {int(line) for line in whole_lines(notes)}, answered(begun)

        assert known <= set(found)
        assert found.total() == len(found)
    process = started(play, begun, [0, 1, 2, 3], notes)
    process.join(120)
    found, last = answered(begun)

    assert known <= set(found)
    assert found.total() == len(found) == 2 * SENTENCES
    assert last == "Finished"
