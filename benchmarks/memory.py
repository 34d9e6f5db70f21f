"""What a server holds in memory, and how long the first look at a long campaign takes.

Run alone with ``python -m benchmarks.memory``: it takes some minutes.
"""

import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from tests.serving import Serving, serving

from benchmarks._row import Row
from benchmarks.live import LABELS, material_of_size, rows_of_size
from spancrew.campaign import Campaign, Entry, Plan, Submission, Waiting, entry_of
from spancrew.client import Client
from spancrew.feedback import AgreementGate
from spancrew.server import Desk
from spancrew.server.live.figures import AgreementFold
from spancrew.server.live.folds import Fold, Folds
from spancrew.server.live.picture import PictureFold
from spancrew.server.people.directory import Directory
from spancrew.server.people.values import CampaignEntry
from spancrew.stores import Derived, EventStore, material_bytes, open_sql

CAMPAIGNS, ACTIVE, SENTENCES = 1_000, 5, 300
"""Campaigns of a server, how many of them are worked on, and the sentences of each."""
MOST = 600.0
"""Megabytes that a process may take."""
EVENTS, PLAYED = 1_000_000, 1_000
"""Events of a long campaign, and sentences that are really played; the rest repeats them."""
LONG = "long"


def rows() -> Iterator[Row]:
    """Measure the memory of a server with many campaigns, then a campaign with many events."""
    size = resident(CAMPAIGNS, ACTIVE)
    name = f"memory of a server with {CAMPAIGNS:,} campaigns, all opened, {ACTIVE} worked on"
    yield Row(name, size, MOST, "asked", "MB")
    for kind, kept, scratch in first_looks(EVENTS):
        name = f"first look at the {kind} of {EVENTS:,} events"
        yield Row(name, kept, scratch, "from the first event", "s")


def resident(campaigns: int, active: int) -> float:
    """Return the megabytes of a server on which every campaign was opened once."""
    with tempfile.TemporaryDirectory() as name:
        store = f"sqlite:///{Path(name) / 'many.db'}"
        asyncio.run(_set_up(store, campaigns))
        with serving(Path(name), store=store, options=["--quiet"]) as server:
            _use(server, campaigns, active)
            return resident_megabytes(server.pid)


def resident_megabytes(pid: int) -> float:
    """Return how much memory a process takes, in megabytes."""
    lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    kilobytes = next(line.split()[1] for line in lines if line.startswith("VmRSS"))
    return int(kilobytes) / 1024


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


def first_looks(events: int) -> Iterator[tuple[str, float, float]]:
    """Yield how long a first look takes with and without what was kept as the journal grew."""
    with tempfile.TemporaryDirectory() as name:
        store = open_sql(f"sqlite:///{Path(name) / 'long.db'}")
        sentences = _write_long(store, events)
        material = material_of_size(sentences)
        makers: dict[str, Callable[[], Fold]] = {
            "picture": PictureFold,
            "agreement": lambda: AgreementFold(material),
        }
        for kind, make in makers.items():
            # As it is when the journal is just not long enough to be kept again.
            store.keep(LONG, kind, _folded(store, make(), store.version(LONG) * 25 // 26))
            folds: Folds[Fold] = Folds(store, kind, lambda _, make=make: make())  # type: ignore[misc]
            began = time.perf_counter()
            asyncio.run(folds.look(LONG, _seen))
            middle = time.perf_counter()
            fold = make()
            _folded(store, fold, store.version(LONG))
            _seen(fold)
            yield kind, middle - began, time.perf_counter() - middle
            folds.stop()
        store.close()


def _folded(store: EventStore, fold: Fold, until: int) -> Derived:
    for version, entry in store.read(LONG):
        if version > until:
            break
        fold.take(version, entry)
    return Derived(fold.version, fold.to_bytes())


def _seen(fold: Fold) -> object:
    return fold.figures() if isinstance(fold, AgreementFold) else fold.version


def _write_long(store: EventStore, events: int) -> int:
    """Write a long journal and return how many sentences it is about."""
    head, body = _played()
    copies = -(-(events - len(head)) // len(body))
    store.append(LONG, head, expected_version=0)
    for copy in range(copies):
        again = [_moved(entry, copy) for entry in body]
        store.append(LONG, again, expected_version=len(head) + copy * len(body))
    sentences = copies * PLAYED
    store.keep(LONG, "material", Derived(0, material_bytes(material_of_size(sentences))))
    return sentences


def _played() -> tuple[list[Entry], list[Entry]]:
    """Play a campaign; return how it begins, and what happens to its sentences."""
    plan = Plan(
        labels=LABELS.names, crew=6, answers=3, warm_up="none", feedback=AgreementGate(0.5)
    )
    campaign = Campaign.open(plan, material_of_size(PLAYED), 0.0)
    campaign.start(0.0)
    for _ in range(6):
        campaign.join(0.0)
    head, now = [entry_of(event) for event in campaign.news()], 0.0
    rng = np.random.default_rng(0)
    while campaign.phase != "finished":
        now += 1.0
        for worker in range(6):
            found = campaign.next(worker, range(6), now)
            if not isinstance(found, Waiting):
                spans = ((0, int(rng.integers(1, 3)), "PER"),)
                campaign.tell(Submission(found.number, worker, spans, 3.0), now)
        sheet = campaign.next_expert("e0", now)
        if not isinstance(sheet, Waiting):
            campaign.tell_expert(sheet.sentence, "e0", ((0, 1, "PER"),), now)
    return head, [entry_of(event) for event in campaign.news()]


def _moved(entry: Entry, copy: int) -> Entry:
    """Return an entry as of other sentences."""
    body = json.loads(entry.body)
    if "sentence" not in body:
        return entry
    body["sentence"] += copy * PLAYED
    return entry._replace(body=json.dumps(body, separators=(",", ":")))


if __name__ == "__main__":
    for row in rows():
        print(f"{row.name:75} {row.ours:9.2f} {row.unit}  ({row.peer_name}: {row.peer:.2f})")
