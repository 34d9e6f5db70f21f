"""A server under moderate load for long: submits, errors, and memory at the start and the end.

python -m benchmarks.soak --minutes 20 --store sqlite --processes 1

Workers submit, and an admin looks at everything there is to see, again and again. A line is
printed for every minute; in the end, by how much the memory grew for 1,000 answers, and by how
much the state of the campaign did. This is not part of ``make bench``.
"""

import argparse
import asyncio
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

import numpy as np
from tests.serving import Serving, serving

from benchmarks._row import memory_of
from benchmarks.live import (
    CAMPAIGN,
    Wire,
    cpu_of,
    material_of_size,
    sessions_of,
    set_up,
    spans_of,
    store_of,
)
from spancrew.campaign import Campaign, event_of
from spancrew.errors import SpancrewError
from spancrew.server.live.figures import AgreementFold
from spancrew.server.live.picture import PictureFold
from spancrew.stores import open_sql

WORKERS, THINK, SENTENCES = 40, 0.5, 60_000
"""Workers at once, seconds that each thinks about a sentence on average, and sentences."""
LOOK = 5.0
"""Seconds between two rounds of the admin."""
SETTLED = 5
"""Minutes after which caches are full, and memory grows by what is new only."""


@dataclass
class Soak:
    """What was seen so far; ``times`` are the seconds of each submit of this minute."""

    times: list[float] = field(default_factory=list)
    submits: int = 0
    looks: int = 0
    errors: list[str] = field(default_factory=list)
    minutes: list[tuple[int, float]] = field(default_factory=list)
    cpu: float = 0.0

    def line(self, minute: int, server: Serving) -> str:
        """Close a minute and return what there is to say of it."""
        times, self.times = self.times, []
        self.submits += len(times)
        self.minutes.append((self.submits, memory_of_all(server)))
        before, self.cpu = self.cpu, cpu_of(server)
        p50, p99 = np.percentile(times or [np.nan], [50, 99]) * 1e3
        return (
            f"{minute:4} min  {len(times) / 60:6.1f} submits/s  p50 {p50:6.1f} ms  p99 {p99:7.1f} "
            f"ms  {(self.cpu - before) / max(len(times), 1) * 1e3:5.2f} ms CPU/submit  "
            f"{self.minutes[-1][1]:6.1f} MB  {self.looks} looks  {len(self.errors)} errors"
        )


def memory_of_all(server: Serving) -> float:
    """Return the megabytes of all processes of a server."""
    return sum(map(memory_of, (server.pid, *server.servers())))


def main() -> None:
    """Soak a server and print how it went."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak")
    parser.add_argument("--minutes", type=int, default=20)
    parser.add_argument("--store", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, store_of(options.store, Path(name)) as store:
        asyncio.run(set_up(store, SENTENCES))
        with serving(
            Path(name), store=store, workers=options.processes, options=["--quiet"]
        ) as server:
            soak = _soaked(server, options.minutes)
        print(
            f"\n{options.store}, {options.processes} processes: {soak.submits} submits and "
            f"{soak.looks} looks in {options.minutes} minutes, {len(soak.errors)} errors; "
            f"{soak.minutes[0][1]:.0f} MB after the first minute, "
            f"{soak.minutes[-1][1]:.0f} MB in the end"
        )
        _print_growth(store, soak)
    print("\n".join(sorted(set(soak.errors))[:20]))


def _print_growth(store: str, soak: Soak) -> None:
    """Say by how much memory and state grew once caches were full, or else in the second half."""
    begins = min(SETTLED, len(soak.minutes) // 2)
    (first, before), (last, after) = soak.minutes[begins], soak.minutes[-1]
    thousands = max(last - first, 1) / 1e3
    grown = (after - before) * 1024 / thousands
    needs = (state_bytes(store, last) - state_bytes(store, first)) / 1024 / thousands
    print(
        f"growth for 1,000 answers from minute {begins + 1} on: {grown:.0f} kB in all processes; "
        f"the state of the campaign needs {needs:.0f} kB in each"
    )


def state_bytes(address: str, answers: int) -> int:
    """Return the bytes of what a server holds of the campaign after so many answers."""
    material = material_of_size(SENTENCES)
    folds = PictureFold(), AgreementFold(material)
    events = []
    with closing(open_sql(address)) as store:
        for version, entry in store.read(CAMPAIGN):
            events.append(event_of(entry))
            for fold in folds:
                fold.take(version, entry)
            answers -= entry.kind == "Answered"
            if not answers:
                break
    campaign = Campaign.replay(material, events)
    return sum(map(len, (campaign.snapshot(), *(fold.to_bytes() for fold in folds))))


def _soaked(server: Serving, minutes: int) -> Soak:
    soak, over = Soak(cpu=cpu_of(server)), Event()
    sessions = sessions_of(server, WORKERS)
    admin = Thread(target=_look_around, args=(server, soak, over))
    admin.start()
    try:
        asyncio.run(_work(server, soak, sessions, minutes))
    finally:
        over.set()
        admin.join()
    return soak


async def _work(server: Serving, soak: Soak, sessions: list[str], minutes: int) -> None:
    people = [asyncio.create_task(_worker(server.url, each, soak)) for each in sessions]
    for minute in range(1, minutes + 1):
        await asyncio.sleep(60.0)
        print(soak.line(minute, server), flush=True)
    for person in people:
        person.cancel()
    await asyncio.gather(*people, return_exceptions=True)


async def _worker(url: str, session: str, soak: Soak) -> None:
    """Work until cancelled; after an error, connect again."""
    while True:
        wire = await Wire.to(url, session)
        try:
            await _shift(wire, soak)
        except (RuntimeError, OSError, EOFError) as error:
            soak.errors.append(str(error)[:200])
            await asyncio.sleep(1.0)
        finally:
            wire.close()


async def _shift(wire: Wire, soak: Soak) -> None:
    rng = np.random.default_rng(id(wire) % 2**32)
    path = f"/api/v1/campaigns/{CAMPAIGN}"
    work = await wire.post(f"{path}/next", {})
    while True:
        if work["assignment"] is None:
            await asyncio.sleep(min(work["waiting"]["retry_after"], 0.5))
            work = await wire.post(f"{path}/next", {})
            continue
        await asyncio.sleep(float(rng.uniform(0.5, 1.5)) * THINK)
        number = work["assignment"]["assignment"]
        body = {"assignment": number, "spans": spans_of(rng), "key": f"k{number}", "next": True}
        began = time.monotonic()
        work = (await wire.post(f"{path}/answers", body))["next"]
        soak.times.append(time.monotonic() - began)


def _look_around(server: Serving, soak: Soak, over: Event) -> None:
    """Look at all that an admin can see, every few seconds."""
    with server.admin() as admin:
        campaign = admin.campaign(CAMPAIGN)
        views = (
            admin.campaigns,
            admin.figures,
            admin.alerts,
            campaign.status,
            campaign.ledger,
            campaign.standings,
            campaign.agreement,
            campaign.picture,
            campaign.events,
        )
        while not over.wait(LOOK):
            for view in views:
                try:
                    view()
                except SpancrewError as error:
                    soak.errors.append(str(error)[:200])
                soak.looks += 1


if __name__ == "__main__":
    main()
