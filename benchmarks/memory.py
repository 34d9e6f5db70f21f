"""What a server holds in memory, and how long the first look at a long campaign takes.

Run alone with ``python -m benchmarks.memory``: it takes some minutes.
"""

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from tests.postgres import running_postgres
from tests.serving import Serving, serving

from benchmarks._long import LONG, write_long
from benchmarks._row import Row, memory_of, print_rows
from benchmarks.live import LABELS, cpu_of, material_of_size, rows_of_size
from spancrew.campaign import Plan, Waiting
from spancrew.client import Client
from spancrew.server import SCHEMA_STEPS, Desk
from spancrew.server.live.figures import AgreementFold
from spancrew.server.live.folds import Fold, Folds
from spancrew.server.live.picture import PictureFold
from spancrew.server.live.upkeep import PART
from spancrew.server.people.directory import Directory
from spancrew.server.people.values import CampaignEntry
from spancrew.stores import Derived, EventStore, SqlStore, copy_store, open_sql
from spancrew.wire import PREFIX

CAMPAIGNS, ACTIVE, SENTENCES = 1_000, 5, 300
"""Campaigns of a server, how many of them are worked on, and the sentences of each."""
MOST = 600.0
"""Megabytes that a process may take."""
EVENTS, FIRST = 1_000_000, 2.0
"""Events of a long campaign, and the seconds that its first dashboard may take."""
QUICK = {"CAMPAIGNS": 10, "ACTIVE": 2, "EVENTS": 20_000}


def rows() -> Iterator[Row]:
    """Measure the memory of a server with many campaigns, then a campaign with many events."""
    size = resident(CAMPAIGNS, ACTIVE)
    name = f"memory of a server with {CAMPAIGNS:,} campaigns, all opened, {ACTIVE} worked on"
    yield Row(name, size, MOST, "asked", "MB")
    with tempfile.TemporaryDirectory() as name:
        address = f"sqlite:///{Path(name) / 'long.db'}"
        with closing(open_sql(address)) as store:
            sentences = write_long(store, EVENTS)
            for look in first_looks(store, sentences):
                title = f"first look at the {look.kind} of {EVENTS:,} events: CPU"
                yield Row(title, look.kept, look.scratch, "from the first event", "s")
                title = f"keeping the {look.kind} of {EVENTS:,} events: CPU"
                yield Row(title, look.keeping, look.taking, "reading an event", "us per event")
        yield from _dashboards(Path(name), address)


def _dashboards(folder: Path, address: str) -> Iterator[Row]:
    """Measure the first dashboard with each kind of store."""
    title = f"first dashboard of {EVENTS:,} events over HTTP, after a restart"
    with running_postgres() as server:
        other = server.database()
        with closing(open_sql(address)) as source, closing(open_sql(other)) as target:
            copy_store(source, target, SCHEMA_STEPS)
        for name, store in (("SQLite", address), ("PostgreSQL", other)):
            wall, cpu = first_dashboard(folder, store)
            yield Row(f"{title}, {name}: CPU of the server", cpu, FIRST, "asked", "s")
            yield Row(f"{title}, {name}", wall, FIRST, "asked", "s")


def resident(campaigns: int, active: int) -> float:
    """Return the megabytes of a server on which every campaign was opened once."""
    with tempfile.TemporaryDirectory() as name:
        store = f"sqlite:///{Path(name) / 'many.db'}"
        asyncio.run(_set_up(store, campaigns))
        with serving(Path(name), store=store, options=["--quiet"]) as server:
            _use(server, campaigns, active)
            return memory_of(server.pid)


async def _set_up(address: str, campaigns: int) -> None:
    store = open_sql(address)
    desk = Desk(store, time.time)  # noqa: TID251  the real clock
    plan = Plan(labels=LABELS.names, crew=5, answers=2, warm_up="none")
    listed = Directory(store.engine).campaigns
    try:
        for number in range(campaigns):
            name = f"c{number}"
            await desk.open(name, plan, material_of_size(SENTENCES), rows_of_size(SENTENCES))
            await desk.do(name, lambda campaign: campaign.start(time.time()))  # noqa: TID251
            listed.add(CampaignEntry(name, name, float(number), SENTENCES))
    finally:
        await desk.close()
        store.close()


def _use(server: Serving, campaigns: int, active: int) -> None:
    """Open all campaigns, look at lists and figures, and work on some."""
    with server.admin() as admin:
        for number in range(campaigns):
            admin.campaign(f"c{number}").status()
        admin.campaigns()
        for number in range(active):
            _work(admin.campaign(f"c{number}").invite_worker("active").url)


def _work(link: str) -> None:
    with Client.from_link(link) as client:
        worker = client.worker()
        for _ in range(20):
            found = worker.next()
            if not isinstance(found, Waiting):
                worker.submit(found, [])


class FirstLook(NamedTuple):
    """Seconds of a look with and without what was kept, and microseconds for each event."""

    kind: str
    kept: float
    scratch: float
    keeping: float
    taking: float


def first_looks(store: SqlStore, sentences: int) -> Iterator[FirstLook]:
    """Measure a first look with and without what was kept as the journal grew.

    What is kept is kept again when the journal has grown by a part of itself.
    """
    material = material_of_size(sentences)
    makers: dict[str, Callable[[], Fold]] = {
        "picture": PictureFold,
        "agreement": lambda: AgreementFold(material),
    }
    for kind, make in makers.items():
        yield _first_look(store, kind, make)


def _first_look(store: SqlStore, kind: str, make: Callable[[], Fold]) -> FirstLook:
    fold, last = make(), store.version(LONG)
    # As it is when the journal is just not long enough to be kept again.
    until = last * PART // (PART + 1)
    taking = _cpu(lambda: _fold(store, fold, until))
    keeping = _cpu(lambda: store.keep(LONG, kind, Derived(fold.version, fold.to_bytes())))
    rest = _cpu(lambda: _fold(store, fold, last)) + _cpu(lambda: _seen(fold))
    folds: Folds[Fold] = Folds(store, kind, lambda _: make())
    look = _cpu(lambda: asyncio.run(folds.look(LONG, _seen)))
    folds.stop()
    return FirstLook(kind, look, taking + rest, keeping / until * PART * 1e6, taking / until * 1e6)


def _cpu(action: Callable[[], object]) -> float:
    """Return the seconds of CPU that something takes."""
    began = time.process_time()
    action()
    return time.process_time() - began


def _fold(store: EventStore, fold: Fold, until: int) -> None:
    for version, entry in store.read(LONG, after=fold.version):
        if version > until:
            break
        fold.take(version, entry)


def _seen(fold: Fold) -> object:
    return fold.figures() if isinstance(fold, AgreementFold) else fold.version


def first_dashboard(folder: Path, address: str) -> tuple[float, float]:
    """Return the seconds until a browser has all that the dashboard shows, after a restart.

    The second figure is the CPU that the server took for it.
    """
    with (
        serving(folder, store=address, options=["--quiet"]) as server,
        Client.from_link(server.link or "") as admin,
        ThreadPoolExecutor(4) as pool,
    ):
        http = admin._transport._http  # noqa: SLF001  a session has no other name
        api = f"{PREFIX}/campaigns/{LONG}"
        before, began = cpu_of(server), time.perf_counter()
        for path in (f"/campaigns/{LONG}", api):
            http.get(path).raise_for_status()
        parts = pool.map(
            http.get, [f"{api}/{part}" for part in ("workers", "picture", "threshold")]
        )
        with http.stream("GET", f"{api}/live") as live:
            next(line for line in live.iter_lines() if line == "event: figures")
            for part in parts:
                part.raise_for_status()
        return time.perf_counter() - began, cpu_of(server) - before


if __name__ == "__main__":
    print_rows(rows())
