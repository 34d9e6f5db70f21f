"""A live server under load: submits a second, how long one takes, and how that grows.

Run alone with ``python -m benchmarks.live``: it takes some minutes.
"""

import asyncio
import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from tests.postgres import running_postgres
from tests.serving import Serving, serving

from benchmarks._row import Row, print_rows
from spancrew.campaign import Material, Plan
from spancrew.client import Client
from spancrew.core import LabelSet, Ragged
from spancrew.server import Desk
from spancrew.server.people.directory import Directory
from spancrew.server.people.values import CampaignEntry
from spancrew.stores import SentenceRow, open_sql

WORKERS, THINK = 200, 1.0
"""Workers at once, and how many seconds each thinks about a sentence on average."""

WARM, SECONDS, TOKENS = 4.0, 8.0, 12
MOST = 500.0
"""Milliseconds (p99) that are asked for."""
LEAST = {
    ("sqlite", 1): 450.0,
    ("sqlite", 2): 650.0,
    ("postgresql", 1): 450.0,
    ("postgresql", 2): 500.0,
}
"""Submits a second that are asked for, by store and processes."""

CPU = 3.3
"""Milliseconds of CPU that a submit took in version 0.1.0, on an idle machine."""

Crew = int | Literal["auto"]
SIZES = (1_000, 100_000, 1_000_000)
LABELS = LabelSet(("LOC", "ORG", "PER"))
CAMPAIGN = "load"
QUICK = {"WORKERS": 5, "WARM": 1.0, "SECONDS": 2.0, "SIZES": (1_000, 2_000)}


@dataclass
class Load:
    """What the workers of a load test saw."""

    submits: list[float] = field(default_factory=list)
    waits: int = 0
    longest_wait: float = 0.0
    seconds: float = 0.0
    cpu: float = 0.0

    @property
    def cost(self) -> float:
        """Return the milliseconds of CPU that a submit takes in all processes of the server."""
        return self.cpu / max(len(self.submits), 1) * 1e3

    @property
    def rate(self) -> float:
        """Return the submits a second."""
        return len(self.submits) / self.seconds

    def at(self, percent: float) -> float:
        """Return how many milliseconds a submit takes at most for so many of them."""
        return float(np.percentile(self.submits, percent)) * 1e3


def rows() -> Iterator[Row]:
    """Measure every store with one and two processes, then an automatic crew and growth."""
    for kind in ("sqlite", "postgresql"):
        for processes in (1, 2):
            yield from _loads(kind, processes)
    yield from crews()
    yield from growth()


def _loads(kind: str, processes: int) -> Iterator[Row]:
    """Measure workers who think, then workers who do not; the CPU is that of the server alone."""
    name = f"{kind}, {processes} process{'es' * (processes > 1)}, {WORKERS} workers"
    for think, who in ((THINK, f"who think {THINK:g} s"), (0.0, "who never think")):
        load = measured(kind, processes, 20_000, WORKERS, think)
        title = f"{name} {who}, {load.rate:.0f} submits/s"
        yield Row(f"{title}: CPU", load.cost, CPU, "version 0.1.0", "ms per submit")
        if think:
            yield Row(f"{title}: p50", load.at(50), MOST, "asked for p99", "ms")
            yield Row(f"{title}: p99", load.at(99), MOST, "asked", "ms")
        else:
            least = LEAST[kind, processes]
            yield Row(f"{title}: time", 1e3 / load.rate, 1e3 / least, "asked", "ms per submit")


def crews() -> Iterator[Row]:
    """Compare a crew that follows attendance with one that has a seat for everybody."""
    auto = measured("sqlite", 2, 20_000, WORKERS, THINK, crew="auto")
    fixed = measured("sqlite", 2, 20_000, WORKERS, THINK)
    title = f"sqlite, 2 processes, {WORKERS} workers who think {THINK:g} s, automatic crew"
    peer = f"crew of {WORKERS}"
    yield Row(f"{title}: time", 1e3 / auto.rate, 1e3 / fixed.rate, peer, "ms per submit")
    yield Row(f"{title}: p99", auto.at(99), fixed.at(99), peer, "ms")
    yield Row(f"{title}: longest wait for a sentence", auto.longest_wait, 10.0, "asked", "s")


def growth() -> Iterator[Row]:
    """Measure a submit with its next sentence for campaigns of different size."""
    first = 0.0
    for size in SIZES:
        load = measured("sqlite", 1, size, 10, 0.1)
        first = first or load.cost
        name = f"sqlite, {size:,} sentences, 10 workers, p50 {load.at(50):.1f} ms: CPU"
        yield Row(name, load.cost, first, f"{SIZES[0]:,} sentences", "ms per submit")


def measured(
    kind: str, processes: int, sentences: int, workers: int, think: float, crew: Crew = WORKERS
) -> Load:
    """Set up a campaign, serve it, and let workers submit."""
    with tempfile.TemporaryDirectory() as name, store_of(kind, Path(name)) as store:
        asyncio.run(set_up(store, sentences, crew))
        folder = Path(name)
        with serving(folder, store=store, workers=processes, options=["--quiet"]) as server:
            sessions = sessions_of(server, workers)
            return asyncio.run(_load(server, sessions, think))


async def set_up(address: str, sentences: int, crew: Crew = WORKERS) -> None:
    """Write a campaign into a store, as the server does; an upload of a million takes longer."""
    store = open_sql(address)
    listed = Directory(store.engine).campaigns
    desk = Desk(store, time.time)  # noqa: TID251  the real clock
    try:
        material = material_of_size(sentences)
        plan = Plan(labels=LABELS.names, crew=crew, warm_up="none", presence=60.0)
        await desk.open(CAMPAIGN, plan, material, rows_of_size(sentences))
        await desk.do(CAMPAIGN, lambda campaign: campaign.start(time.time()))  # noqa: TID251
        entry = CampaignEntry(CAMPAIGN, "load", 0.0, sentences)
        listed.add(entry)
    finally:
        await desk.close()
        store.close()


def material_of_size(sentences: int) -> Material:
    """Return material of so many sentences."""
    offsets = np.arange(sentences + 1) * TOKENS
    words = np.random.default_rng(0).integers(0, 5_000, offsets[-1]).astype(np.int32)
    nothing = Ragged(np.zeros(0, LABELS.dtype), np.zeros(sentences + 1, np.int64))
    lengths = np.full(sentences, TOKENS, np.int64)
    spelling = tuple(f"w{number}" for number in range(5_000))
    return Material(LABELS, lengths, Ragged(words, offsets), spelling, nothing)


def rows_of_size(sentences: int) -> Iterator[SentenceRow]:
    """Yield the sentences of the material."""
    text = " ".join(["word"] * TOKENS)
    bounds = tuple((5 * k, 5 * k + 4) for k in range(TOKENS))
    return (SentenceRow(f"s{k}", text, bounds) for k in range(sentences))


@contextmanager
def store_of(kind: str, folder: Path) -> Iterator[str]:
    """Yield the address of an empty store."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'load.db'}"
        return
    with running_postgres() as server:
        yield server.database()


def sessions_of(server: Serving, workers: int) -> list[str]:
    """Let workers in, and return what each sends along."""
    found = []
    with server.admin() as admin:
        campaign = admin.campaign(CAMPAIGN)
        for number in range(workers):
            link = campaign.invite_worker(f"load {number}").url
            with Client.from_link(link) as client:
                found.append(_headers(client))
    return found


def _headers(client: Client) -> str:
    """Return what a session sends along."""
    session = client._transport._http  # noqa: SLF001  a session has no other name
    cookie = "; ".join(f"{name}={value}" for name, value in session.cookies.items())
    csrf = {name: value for name, value in session.headers.items() if "csrf" in name.lower()}
    lines = {"Cookie": cookie, **csrf}
    return "".join(f"{name}: {value}\r\n" for name, value in lines.items())


async def _load(server: Serving, sessions: list[str], think: float) -> Load:
    """Let all workers work at once for some seconds."""
    load = Load(seconds=SECONDS)
    end = time.monotonic() + WARM + SECONDS
    people = (_worker(await Wire.to(server.url, each), load, end, think) for each in sessions)
    await asyncio.gather(*[person async for person in people], _clock(server, load))
    return load


async def _clock(server: Serving, load: Load) -> None:
    """Note how much of the CPU the server takes in the seconds that count."""
    await asyncio.sleep(WARM)
    before = cpu_of(server)
    await asyncio.sleep(SECONDS)
    load.cpu = cpu_of(server) - before


def cpu_of(server: Serving) -> float:
    """Return the seconds of CPU that all processes of a server have taken so far."""
    ticks = 0
    for pid in (server.pid, *server.servers()):
        parts = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        ticks += int(parts[11]) + int(parts[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def _worker(wire: "Wire", load: Load, end: float, think: float) -> None:
    """Submit until the time is up; the first seconds do not count."""
    rng = np.random.default_rng(id(wire) % 2**32)
    path = f"/api/v1/campaigns/{CAMPAIGN}"
    work = await wire.post(f"{path}/next", {})
    since = time.monotonic()
    while time.monotonic() < end:
        load.longest_wait = max(load.longest_wait, time.monotonic() - since)
        if work["assignment"] is None:
            load.waits += 1
            await asyncio.sleep(min(work["waiting"]["retry_after"], 0.5))
            work = await wire.post(f"{path}/next", {})
            continue
        await asyncio.sleep(float(rng.uniform(0.5, 1.5)) * think)
        began = time.monotonic()
        number = work["assignment"]["assignment"]
        body = {"assignment": number, "spans": spans_of(rng), "key": f"k{number}", "next": True}
        work = (await wire.post(f"{path}/answers", body))["next"]
        if end - SECONDS < began < end:
            load.submits.append(time.monotonic() - began)
        since = time.monotonic()
    wire.close()


def spans_of(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Return the answer of a worker who errs at times."""
    end = 2 if rng.random() < 0.1 else 1
    return [{"start": 0, "end": end, "label": "PER"}]


class Wire:
    """One connection that stays open; a client library would take more time than the server."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, headers: str
    ) -> None:
        self._reader, self._writer, self._headers = reader, writer, headers

    @classmethod
    async def to(cls, url: str, headers: str) -> "Wire":
        """Connect to a server."""
        host, port = url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        return cls(reader, writer, f"Host: {host}:{port}\r\n{headers}")

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        """Send JSON and return the JSON of the answer; anything but success is an error."""
        data = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\n{self._headers}Content-Type: application/json\r\n"
        self._writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(answer.split("content-length: ")[1].split("\r\n")[0])
        text = await self._reader.readexactly(length)
        if " 200 " not in answer.split("\r\n")[0]:
            raise RuntimeError(f"{path}: {answer.splitlines()[0]} {text[:300]!r}")
        return json.loads(text)

    def close(self) -> None:
        """Hang up."""
        self._writer.close()


if __name__ == "__main__":
    print_rows(rows())
