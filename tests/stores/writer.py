"""Processes that write to a journal and note what is safe, or back it up."""

import json
from contextlib import closing
from itertools import count
from pathlib import Path

from spancrew.campaign import Entry
from spancrew.errors import VersionError
from spancrew.server import SCHEMA_STEPS
from spancrew.stores import EventStore, backup_store, open_sql, open_store

CAMPAIGN = "names"


def entry(name: str, number: int, part: int) -> Entry:
    """Return one of the two entries that are written together."""
    return Entry("Judged", float(number), json.dumps({"by": name, "n": number, "part": part}))


def by_append(store: EventStore, pair: list[Entry]) -> None:
    """Append, and try again as long as somebody else is quicker."""
    while True:
        try:
            store.append(CAMPAIGN, pair, expected_version=store.version(CAMPAIGN))
        except VersionError:
            continue
        return


def by_turn(store: EventStore, pair: list[Entry]) -> None:
    """Take the turn; one entry after the other."""
    with store.turn(CAMPAIGN) as turn:
        for each in pair:
            turn.append([each])


def write(address: str, way: str, name: str, pairs: int, notes: Path) -> None:
    """Write pairs of entries; with none to write, until the process is ended."""
    store = open_store(address)
    put = {"append": by_append, "turn": by_turn}[way]
    number = 0
    with notes.open("a", encoding="utf-8", buffering=1) as noted:
        while number < pairs or not pairs:
            put(store, [entry(name, number, 0), entry(name, number, 1)])
            noted.write(f"{number}\n")
            number += 1
    store.close()


def back_up(address: str, folder: Path, life: int) -> None:
    """Back a store up, again and again, until the process is ended."""
    with closing(open_sql(address)) as store:
        for number in count():
            backup_store(store, folder / f"{life}-{number}.db", float(number), SCHEMA_STEPS)
