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

TARGET = Path(__file__).parents[1] / "docs" / "assets" / "pages"
SIZES = {1280: 900, 390: 844}
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
_BUSY = 40
"""Settled sentences from which on the pictures are worth looking at."""

Prepare = Callable[[Page], None]


@contextmanager
def demo() -> Iterator[dict[str, str]]:
    """Run the live demo and yield its links."""
    words = [sys.executable, "-m", "spancrew.cli", "demo", "--live", "--no-browser"]
    process = subprocess.Popen(  # noqa: S603  our own command
        [*words, "--seconds", "1.5"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None  # noqa: S101  it is a pipe
    links: dict[str, str] = {}
    for line in process.stdout:
        if match := re.match(r"  (dashboard|your seat|expert)\s+(\S+)", line):
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

    def look(person: str, name: str, address: str, prepare: Prepare = _nothing) -> None:
        with opened(browser, links.get(person), theme, width) as page:
            if address:
                page.goto(address)
            prepare(page)
            page.screenshot(path=TARGET / f"{name}-{theme}-{width}.png")

    look("nobody", "sign-in", f"{base}/sign-in")
    look("dashboard", "campaigns", f"{base}/campaigns", _settled)
    look("dashboard", "new", f"{base}/campaigns/new", _settled)
    look("dashboard", "dashboard", here, _settled)
    look("dashboard", "people", f"{here}/people", _settled)
    look("dashboard", "guide", f"{here}/guide", _settled)
    look("your seat", "work", "", _labelled)
    look("expert", "expert", "", _settled)


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


def _nothing(_page: Page) -> None:
    """Take it as it comes."""


def _settled(page: Page) -> None:
    """Wait until everything that was asked for is there."""
    page.wait_for_timeout(1500)


def _labelled(page: Page) -> None:
    """Wait for the sentence, and mark something in it."""
    _settled(page)


if __name__ == "__main__":
    sys.exit(main())
