"""How long an admin waits for the dashboard and the people page of a campaign with many workers.

Run alone with ``python -m benchmarks.people``. The clock is that on the wall: run it on a machine
that has nothing else to do.
"""

import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median

import numpy as np
from playwright.sync_api import Page
from tests.browser import chromium, visiting
from tests.pages.admins import as_admin
from tests.serving import Serving, serving

from benchmarks._row import Row, print_rows
from benchmarks.live import LABELS, material_of_size, rows_of_size
from spancrew.campaign import Campaign, Entry, Plan, Submission, Waiting, entry_of
from spancrew.client import CampaignClient
from spancrew.feedback import feedback_rule
from spancrew.server.people.directory import Directory
from spancrew.server.people.inviting import invite_workers
from spancrew.server.people.values import CampaignEntry
from spancrew.stores import Derived, SqlStore, material_bytes, open_sql

WORKERS, TURNS, REPEATS = 1_000, 12, 9
ALLOWED = 300.0
"""Milliseconds that an answer and a page may take."""
QUICK = {"WORKERS": 20, "TURNS": 2, "REPEATS": 2}

_NAME = "crowd"
_CALLS = {
    "people, first page": "/workers/page",
    "people, last page": "/workers/page?page=19",
    "people, by name and state": "/workers/page?text=7&state=ready",
    "people, all": "/workers",
    "dashboard, picture": "/picture",
    "dashboard, certificate": "/certificate",
    "dashboard, outlook": "/outlook",
    "dashboard, threshold": "/threshold",
}
_READY = {
    "people": "#workers .person",
    "dashboard": "body:has(#controls button) table.workers tbody tr",
}
_SHOWN = """(selector) => new Promise((done) => {
  const look = () => document.querySelector(selector)
    ? requestAnimationFrame(() => setTimeout(() => done(performance.now())))
    : setTimeout(look, 5);
  look();
})"""


def rows() -> Iterator[Row]:
    """Measure what the pages ask for, then the pages in a browser."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with closing(open_sql(str(folder / "spancrew.db"))) as store:
            _write(store)
        store_of = f"sqlite:///{folder / 'spancrew.db'}"
        with serving(folder, store=store_of, options=["--quiet"]) as server:
            with server.admin() as admin:
                yield from _answers(admin.campaign(_NAME))
            yield from _pages(server)


def _answers(campaign: CampaignClient) -> Iterator[Row]:
    for name, path in _CALLS.items():
        campaign._api.call("GET", path)  # noqa: SLF001  answers as they are sent
        times = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            campaign._api.call("GET", path)  # noqa: SLF001
            times.append((time.perf_counter() - start) * 1e3)
        yield Row(f"{WORKERS:,} workers, {name}", median(times), ALLOWED, "asked", "ms")


def _pages(server: Serving) -> Iterator[Row]:
    """Yield how long it takes from the click until people are shown; a first visit warms up."""
    paths = {"people": f"/campaigns/{_NAME}/people", "dashboard": f"/campaigns/{_NAME}"}
    with (
        chromium() as browser,
        visiting(browser, server.url, alone=True, **as_admin(server)) as visit,
    ):
        for name, path in paths.items():
            page = visit.page(path)
            _shown(page, name)
            times = [_opened(page, server.url + path, name) for _ in range(REPEATS)]
            title = f"{WORKERS:,} workers, page {name}, until they are shown"
            yield Row(title, median(times), ALLOWED, "asked", "ms")
            page.close()


def _opened(page: Page, url: str, name: str) -> float:
    page.goto(url, wait_until="commit")
    return _shown(page, name)


def _shown(page: Page, name: str) -> float:
    return float(page.evaluate(_SHOWN, _READY[name]))


def _write(store: SqlStore) -> None:
    """Write a campaign in which everybody was asked a few times."""
    sentences = WORKERS * TURNS
    now = time.time()  # noqa: TID251  the real clock
    entries = _played(sentences, now)
    store.add_sentences(_NAME, rows_of_size(sentences))
    store.keep(_NAME, "material", Derived(0, material_bytes(material_of_size(sentences))))
    store.append(_NAME, entries, expected_version=0)
    directory = Directory(store.engine)
    directory.campaigns.add(CampaignEntry(_NAME, _NAME, now, sentences))
    names = {number: f"Worker {number}" for number in range(WORKERS)}
    invite_workers(directory.engine, _NAME, names, now)


def _played(sentences: int, now: float) -> list[Entry]:
    plan = Plan(labels=LABELS.names, answers=3, warm_up="none", feedback=feedback_rule("crowd"))
    campaign = Campaign.open(plan, material_of_size(sentences), now)
    campaign.start(now)
    for _ in range(WORKERS):
        campaign.join(now)
    rng, everybody = np.random.default_rng(0), range(WORKERS)
    for _ in range(TURNS):
        now += 1.0
        for worker in everybody:
            found = campaign.next(worker, [worker], now)
            if not isinstance(found, Waiting):
                spans = ((0, int(rng.integers(1, 3)), "PER"),)
                campaign.tell(Submission(found.number, worker, spans, 3.0), now)
    return [entry_of(event) for event in campaign.news()]


if __name__ == "__main__":
    print_rows(rows())
