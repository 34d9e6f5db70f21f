"""Entries that are safe on the disk per second, and how quickly a journal is read again."""

import os
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks._row import Row
from benchmarks._row import seconds as cpu_seconds
from spancrew.campaign import Entry
from spancrew.stores import EventStore, SentenceRow, open_store

ENTRY = Entry(
    "Answered", 1_700_000_000.5, '{"assignment":1,"sentence":9,"spans":[[0,2,"PER"]],"paid":0.1}'
)
GROUP = 50
TURNS = 200
LONG = 200_000
"""Entries of a journal that is read again, and sentences of a campaign that is opened."""

RESUME = 10.0
OPEN = 30.0
"""Seconds that a million may take, to be read or to be opened."""


seconds = partial(cpu_seconds, clock=time.perf_counter)
"""Of a disk and of a database in other processes one has to wait, too."""

QUICK = {"TURNS": 5, "LONG": 2_000}


def rows() -> Iterator[Row]:
    """Measure SQLite and PostgreSQL against a bare write that waits for the disk."""
    from tests.postgres import running_postgres

    with tempfile.TemporaryDirectory() as folder, running_postgres() as server:
        bare = seconds(lambda: _write_barely(Path(folder)), repeats=3) / TURNS * 1e6
        for name, address in (
            ("SQLite", str(Path(folder) / "store.db")),
            ("PostgreSQL", server.database()),
        ):
            store = open_store(address)
            yield from _of(name, store, bare)
            store.close()


def _of(name: str, store: EventStore, bare: float) -> Iterator[Row]:
    for count in (1, GROUP):
        spent = seconds(lambda count=count: _append(store, count), repeats=3)  # type: ignore[misc]
        ours = spent / TURNS / count * 1e6
        entries = "1 entry" if count == 1 else f"{count} entries"
        yield Row(f"{name}, {entries} a turn", ours, bare, "bare fsync", "us per entry")
    store.append("long", [ENTRY] * LONG, expected_version=0)
    ours = seconds(lambda: sum(1 for _ in store.read("long")), repeats=2) / LONG * 1e6
    yield Row(f"{name}, journal read again", ours, RESUME, "budget", "us per entry")
    names = iter(("first", "second"))
    ours = seconds(lambda: store.add_sentences(next(names), _sentences()), repeats=1) / LONG * 1e6
    yield Row(f"{name}, sentences added", ours, OPEN, "budget", "us per sentence")


def _append(store: EventStore, count: int) -> None:
    version = store.version("short")
    for _ in range(TURNS):
        version = store.append("short", [ENTRY] * count, expected_version=version)


def _write_barely(folder: Path) -> None:
    """Write and wait for the disk: what every turn has to do at least."""
    with (folder / "bare").open("wb", buffering=0) as file:
        for _ in range(TURNS):
            file.write(bytes(4096))
            os.fdatasync(file.fileno())


def _sentences() -> Iterator[SentenceRow]:
    text = "In the morning Ann took the train from New York to Boston and slept all the way"
    bounds, at = [], 0
    for word in text.split():
        bounds.append((at, at + len(word)))
        at += len(word) + 1
    row = SentenceRow("s", text, tuple(bounds), ((3, 4, "PER"), (8, 10, "LOC")))
    return (row._replace(id=f"s{number}") for number in range(LONG))
