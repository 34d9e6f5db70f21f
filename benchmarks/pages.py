"""The pages in a real browser: how soon the next sentence is there, and how much a page weighs.

Run alone with ``python -m benchmarks.pages``.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page
from tests.browser import chromium, visiting
from tests.serving import serving

from benchmarks._row import Row, print_rows
from spancrew.client import CampaignClient, Client
from spancrew.core import Dataset, LabelSet, Sentence
from spancrew.formats import write

SENTENCES, SUBMITS = 130, 100
ASKED, HEAVIEST = 100.0, 100_000
"""Milliseconds from submit to the next sentence, and bytes of a page before the sentence."""

QUICK = {"SENTENCES": 20, "SUBMITS": 5}

ADMIN = {"name": "admin", "password": "a long password"}

PAUSE = 250
"""Milliseconds of reading; nobody answers faster, and meanwhile the next sentence is fetched."""

_SHOWN = """() => new Promise((done) => {
  const text = () => document.querySelector(".sentence")?.textContent;
  const before = text();
  const look = () => {
    if (!text() || text() === before) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
  };
  const observer = new MutationObserver(look);
  observer.observe(document.getElementById("stage"), { subtree: true, childList: true });
  const began = performance.now();
  document.querySelector('[aria-keyshortcuts="Shift+Enter"]').click();
})"""
_WEIGHT = """() => ["navigation", "resource"]
  .flatMap((kind) => performance.getEntriesByType(kind))
  .filter((each) => !each.name.includes("/api/"))
  .reduce((sum, each) => sum + each.decodedBodySize, 0)"""
_ASKED = """async ([path, csrf]) => {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf };
  const post = async (to, body) =>
    (await fetch(path + to, { method: "POST", headers, body: JSON.stringify(body) })).json();
  const { assignment } = (await post("/next", {})).assignment;
  const began = performance.now();
  await post("/answers", { assignment, spans: [], next: true });
  return performance.now() - began;
}"""


def rows() -> Iterator[Row]:
    """Measure both."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as server,
        # A session: a token can set no password.
        Client.from_link(server.link or "") as admin,
        chromium() as browser,
    ):
        admin.set_password(**ADMIN)
        campaign = _campaign(admin, Path(folder))
        yield from _speed(browser, server.url, campaign)
        yield from _weights(browser, server.url, campaign)


def _campaign(admin: Client, folder: Path) -> CampaignClient:
    """Return a campaign in which one answer settles a sentence, and nobody waits for anybody."""
    sentences = [
        Sentence.from_tokens(f"s{k}", [f"No. {k}:", "Ana", "was", "in", "Rome", "today", "."])
        for k in range(2 * SENTENCES)
    ]
    path = folder / "sentences.jsonl"
    write(Dataset.of(sentences, labels=LabelSet(("PER", "LOC"))), path, "spancrew")
    plan = {"labels": ["PER", "LOC"], "answers": 1, "crew": 1, "feedback": "crowd"}
    campaign = admin.create("speed", path, {**plan, "warm_up": "none"}, format="spancrew")
    campaign.start()
    return campaign


def _speed(browser: Browser, url: str, campaign: CampaignClient) -> Iterator[Row]:
    with visiting(browser, url, alone=True) as visit:
        page = visit.enter(campaign.invite_worker("ana").url)
        page.locator(".sentence").wait_for()
        times = []
        for _ in range(SUBMITS):
            page.wait_for_timeout(PAUSE)
            times.append(float(page.evaluate(_SHOWN)))
        waited = _waited(page, campaign)
    name = f"submit to next sentence shown, median of {SUBMITS}"
    yield Row(name, median(times), waited, "same, without fetching ahead", "ms")
    yield Row(name, median(times), ASKED, "asked", "ms")
    yield Row(f"{name}, slowest", max(times), ASKED, "asked of the median", "ms")


def _waited(page: Page, campaign: CampaignClient) -> float:
    """Return how long the server takes for an answer with the next sentence, in this browser."""
    csrf = page.evaluate("document.querySelector('meta[name=csrf]').content")
    path = f"/api/v1/campaigns/{campaign.id}"
    return median(float(page.evaluate(_ASKED, [path, csrf])) for _ in range(20))


def _weights(browser: Browser, url: str, campaign: CampaignClient) -> Iterator[Row]:
    """Yield what every page weighs, unpacked, without what it fetches by the API."""
    for name, link in (
        ("work", campaign.invite_worker("ben").url),
        ("expert", campaign.invite_expert("eve").url),
    ):
        with visiting(browser, url, alone=True) as visit:
            yield _weight(visit.enter(link), name)
    with visiting(browser, url, alone=True) as visit:
        page = visit.page("/sign-in")
        page.get_by_label("Name").fill(ADMIN["name"])
        page.get_by_label("Password").fill(ADMIN["password"])
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/campaigns")
        here = f"/campaigns/{campaign.id}"
        for path in ("/campaigns", "/campaigns/new", here, f"{here}/people", f"{here}/guide"):
            page.goto(url + path)
            yield _weight(page, path.replace(here, "/campaigns/ID"))


def _weight(page: Page, name: str) -> Row:
    page.wait_for_load_state("load")
    total = float(page.evaluate(_WEIGHT))
    return Row(f"page weight: {name}", total / 1000, HEAVIEST / 1000, "asked", "kB")


if __name__ == "__main__":
    print_rows(rows())
