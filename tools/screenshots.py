"""Take pictures of every page for the documentation: ``python tools/screenshots.py``.

A real server with the campaign of ``spancrew demo --live`` is looked at with a real Chromium, in
both themes, at the width of a laptop and of a phone.
"""

import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    ViewportSize,
    sync_playwright,
)

from spancrew.client import CampaignClient, Client
from spancrew.core import Span
from spancrew.formats import read

TARGET = Path(__file__).parents[1] / "docs" / "assets" / "pages"
SIZES = {1280: 900, 390: 844}
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
DATA = read(
    Path(str(files("spancrew.formats") / "bundled" / "demo-live.jsonl")), "spancrew"
).dataset
_BUSY = 30
"""Settled sentences from which on the pictures are worth looking at."""

TABLE = """PROLIFIC_PID,sentence,from_char,to_char,kind
5f1a,Ana Sharma left Amberwick on Monday.,0,10,PER
5f1a,Ana Sharma left Amberwick on Monday.,16,25,LOC
60bc,Ana Sharma left Amberwick on Monday.,16,25,LOC
60bc,The Packet will write about it.,0,10,ORG
"""

Prepare = Callable[[Page], None]


@contextmanager
def demo() -> Iterator[dict[str, str]]:
    """Run the live demo and yield its links."""
    words = [sys.executable, "-m", "spancrew.cli", "demo", "--live", "--no-browser"]
    process = subprocess.Popen(  # noqa: S603  our own command
        [*words, "--seconds", "6"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None  # noqa: S101  it is a pipe
    links: dict[str, str] = {}
    for line in process.stdout:
        if match := re.match(r"  (start here|dashboard|your seat|expert)\s+(\S+)", line):
            links[match[1]] = match[2]
        if line.startswith("  stop"):
            break
    try:
        yield links
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def main() -> int:
    """Take all pictures."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("no Chromium on this machine (Debian: apt install chromium)")
        return 2
    TARGET.mkdir(parents=True, exist_ok=True)
    with demo() as links, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with _admin(links["dashboard"]) as admin:
            campaign = admin.campaign(admin.campaigns()[0].id)
            _until_busy(campaign)
            for theme in THEMES:
                for width in SIZES:
                    take_all(browser, links, campaign, theme, width)
                    print(f"{theme}, {width} pixels")
        browser.close()
    return 0


def take_all(
    browser: Browser, links: dict[str, str], campaign: CampaignClient, theme: Theme, width: int
) -> None:
    """Take the pictures of one theme and width."""
    base = "{0.scheme}://{0.netloc}".format(urlsplit(links["dashboard"]))
    here = f"{base}/campaigns/{campaign.id}"

    def look(link: str | None, name: str, address: str, prepare: Prepare = _still) -> None:
        with opened(browser, link, theme, width) as page:
            if address:
                page.goto(address)
            prepare(page)
            page.screenshot(path=TARGET / f"{name}-{theme}-{width}.png")

    admin = links["dashboard"]
    look(None, "demo", links["start here"], _kept)
    look(None, "sign-in", f"{base}/sign-in")
    look(admin, "campaigns", f"{base}/campaigns")
    look(admin, "new", f"{base}/campaigns/new", _chosen)
    look(admin, "columns", f"{base}/campaigns/new", _picked)
    look(admin, "forecast", f"{base}/campaigns/new", _forecast)
    look(admin, "dashboard", here)
    look(admin, "workers", here, _at_workers)
    look(admin, "people", f"{here}/people")
    look(admin, "guide", f"{here}/guide")
    look(campaign.invite_worker("Nora").url, "training", "", _training)
    look(_trained(campaign), "work", "", _labelled)
    look(links["expert"], "expert", "")


@contextmanager
def opened(browser: Browser, link: str | None, theme: Theme, width: int) -> Iterator[Page]:
    """Yield a tab of somebody; the link lets them in."""
    size: ViewportSize = {"width": width, "height": SIZES[width]}
    context: BrowserContext = browser.new_context(
        viewport=size,
        color_scheme=theme,
        locale="en-GB",
        reduced_motion="reduce",
        has_touch=width < 500,
    )
    page = context.new_page()
    if link is not None:
        page.goto(link)
        page.wait_for_url(lambda url: "/enter" not in url)
    yield page
    context.close()


def _admin(link: str) -> Client:
    parts = urlsplit(link)
    return Client.from_link(f"{parts.scheme}://{parts.netloc}/enter#{parts.fragment}")


def _until_busy(campaign: CampaignClient) -> None:
    while campaign.status().settled < _BUSY:
        time.sleep(0.5)


def _kept(page: Page) -> None:
    """Wait until the first page of the demo knows its links."""
    page.wait_for_function("document.querySelector('#worker').href")


def _still(page: Page) -> None:
    """Wait until everything that was asked for is there."""
    page.wait_for_timeout(1500)


def _chosen(page: Page) -> None:
    """Choose the demo data, and wait for what is found in them."""
    page.wait_for_load_state()
    page.get_by_role("radio", name="Demo: news").check()
    page.get_by_text("Preview", exact=True).wait_for(timeout=60_000)


def _picked(page: Page) -> None:
    """Choose a table, and which of its columns is which."""
    page.wait_for_load_state()
    page.get_by_role("radio", name="My own file").check()
    content = {"name": "answers.csv", "mimeType": "text/csv", "buffer": TABLE.encode()}
    page.locator("input[type=file]").set_input_files(content)  # type: ignore[arg-type]
    page.locator("#f-layout").select_option("spans", timeout=60_000)
    for role, name in (("start", "from_char"), ("end", "to_char"), ("label", "kind")):
        page.locator(f"#f-column_{role}").select_option(name)
    page.locator("#preview mark").first.wait_for(timeout=60_000)
    page.locator("#f-layout").scroll_into_view_if_needed()
    top = "document.querySelector('#reading').getBoundingClientRect().top"
    page.evaluate(f"scrollBy(0, {top} - 70)")


def _forecast(page: Page) -> None:
    """Rehearse, which takes a while the first time."""
    _chosen(page)
    for _ in range(3):
        page.get_by_role("button", name="Next").click()
    page.get_by_label("Runs").fill("3")
    page.get_by_role("button", name="Rehearse", exact=True).click()
    page.locator("#forecast dl, #forecast .tiles").first.wait_for(timeout=300_000)
    page.locator("#forecast").scroll_into_view_if_needed()


def _at_workers(page: Page) -> None:
    """Go to the table of workers."""
    _still(page)
    page.locator("#workers-card").evaluate("each => each.scrollIntoView()")


def _training(page: Page) -> None:
    """Answer the first sentence of the training, not quite right."""
    page.get_by_role("button", name="Start the training").click()
    page.locator(".token").first.wait_for()
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    page.locator("#told").wait_for()


def _trained(campaign: CampaignClient) -> str:
    """Return the link of a worker who has been through the training."""
    link = campaign.invite_worker("Nils").url
    with Client.from_link(link) as guest:
        worker = guest.worker()
        for k in range(worker.guide().training):
            worker.practise(k, [])
    return link


def _labelled(page: Page) -> None:
    """Wait for the sentence, and mark something in it."""
    page.get_by_role("button", name="Start").or_(page.locator(".token").first).first.wait_for()
    if page.get_by_role("button", name="Start").count():
        page.get_by_role("button", name="Start").click()
    page.locator(".desk .token").first.wait_for()
    while not (spans := _gold(" ".join(page.locator(".sentence").inner_text().split()))):
        page.get_by_role("button", name="Nothing to mark here").click()
        page.wait_for_timeout(500)
    for span in spans[:2]:
        steps = ["ArrowRight"] * span.start + ["Shift+ArrowRight"] * (len(span) - 1)
        for key in ("Home", *steps, str(DATA.labels.names.index(span.label) + 1)):
            page.keyboard.press(key)


def _gold(text: str) -> tuple[Span, ...]:
    """Return what is right in a sentence of the demo."""
    return DATA.gold_spans(DATA.sentences.texts.index(text)) or ()


if __name__ == "__main__":
    sys.exit(main())
