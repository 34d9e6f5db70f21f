"""A real Chromium for tests, and eyes that see what a person would not."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

from tests.spread import often
from tests.waiting import PATIENCE

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first takes a third of the time for a page: it has no window whose parts must be drawn."""

CHROMIUM = next(filter(None, map(shutil.which, _NAMES)), None)
_AXE = Axe().axe_script
_RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
_COLOURS = ("color-contrast", "link-in-text-block")
_BLOCKED = "Service Worker registration blocked by Playwright"
_NOWHERE = "https://nowhere.invalid/**"

_LEAN = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--in-process-gpu",
    "--renderer-process-limit=1",
]
"""As few processes as can be, and none that draws what nobody sees."""

# Other tests keep the machine busy; patience costs nothing where all is well.
_PATIENCE_MS = 1000 * PATIENCE
expect.set_options(timeout=_PATIENCE_MS)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium, or skip."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine (Debian: apt install chromium-headless-shell)")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=_LEAN)
        yield started
        _IDLE.clear()
        started.close()


@dataclass
class Visit:
    """A browser of one person: cookies of its own, and a list of whatever went wrong in it."""

    _context: BrowserContext
    base: str
    caught: bool = False
    problems: list[str] = field(default_factory=list)
    expected: tuple[str, ...] = ()
    """Parts of console messages that a test brings about on purpose."""

    is_changed: bool = False
    """Whether a test may have changed what outlives its pages."""

    @property
    def context(self) -> BrowserContext:
        """Return the context, for good: nobody else gets it after this visit."""
        self.is_changed = True
        return self._context

    def page(self, path: str | None = None) -> Page:
        """Open a tab."""
        page = self._context.new_page()
        if not self.caught:
            page.route = _refuse_route  # type: ignore[method-assign,assignment]
        page.wait_for_function = _refuse_polling  # type: ignore[method-assign]
        page.set_default_timeout(_PATIENCE_MS)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"script: {error}"))
        page.on("request", lambda request: self._outside(request.url))
        if path is not None:
            page.goto(self.base + path)
        return page

    def enter(self, link: str) -> Page:
        """Open the link of a person and wait until it has let them in."""
        page = self.page()
        page.goto(link)
        page.wait_for_url(lambda url: "/enter" not in url)
        return page

    def assert_clean(self) -> None:
        """Assert that no script failed and nobody else was asked for anything."""
        faults = [p for p in self.problems if not any(part in p for part in self.expected)]
        assert not faults, faults

    def _console(self, message: ConsoleMessage) -> None:
        # Where a test has not asked for a service worker, there is none.
        if message.type in {"error", "warning"} and _BLOCKED not in message.text:
            self.problems.append(f"{message.type}: {message.text}")

    def _outside(self, url: str) -> None:
        if not url.startswith((self.base, "data:", "blob:")):
            self.problems.append(f"outside: {urlsplit(url).netloc}")


def _refuse_route(*_args: object, **_options: object) -> None:
    raise AssertionError("a route that begins on an open page misses requests: say caught=True")


def _refuse_polling(*_args: object, **_options: object) -> NoReturn:
    """Only its first look gets past the content security policy; a second one fails."""
    raise AssertionError("wait_for_function works only if it need not wait: use wait_until")


@contextmanager
def visiting(
    browser: Browser, base: str, *, caught: bool = False, alone: bool = False, **options: Any
) -> Iterator[Visit]:
    """Lend a browser of one person; options are those of a Playwright context.

    With ``caught``, the test will answer requests itself. It costs a fifth more for every page.
    With ``alone``, nothing is left of other visits, not even scripts that are compiled.
    """
    usual = {"locale": "en-GB", "reduced_motion": "reduce", "service_workers": "block"}
    how = {**usual, **options}
    is_own = alone or caught or {"service_workers", "permissions"} & options.keys()
    lend = _own(browser, base, how, caught=caught) if is_own else _shared(browser, base, how)
    with lend as visit:
        yield visit
        visit.assert_clean()


@contextmanager
def _own(browser: Browser, base: str, how: dict[str, Any], *, caught: bool) -> Iterator[Visit]:
    """Lend a browser that is closed afterwards."""
    context = browser.new_context(**how)
    if caught:
        # Chromium lets requests pass for a moment after interception has begun. So it begins
        # before there is a page, and the test misses none.
        context.route(_NOWHERE, lambda route: route.abort())
    try:
        yield Visit(context, base, caught)
    finally:
        # A page may still be asking; who answers for the server must not fail in the next test.
        for page in context.pages if caught else ():
            page.unroute_all(behavior="ignoreErrors")
        context.close()


@contextmanager
def _shared(browser: Browser, base: str, how: dict[str, Any]) -> Iterator[Visit]:
    """Lend a browser that the next visit may get, unless something is left in it."""
    cookies = how.pop("storage_state", {"cookies": []})["cookies"]
    idle = _IDLE.setdefault((browser, base, repr(sorted(how.items()))), [])
    context = idle.pop() if idle else _with_anchor(browser, base, how)
    context.add_cookies(cookies)
    visit = Visit(context, base)
    is_clean = False
    try:
        yield visit
        is_clean = not visit.is_changed and _is_clean_again(context, base)
    finally:
        if is_clean:
            idle.append(context)
        else:
            context.close()


_IDLE: dict[tuple[Browser, str, str], list[BrowserContext]] = {}
"""Contexts of earlier visits, by how they were made. In a new one, a page takes a quarter more."""


def _with_anchor(browser: Browser, base: str, how: dict[str, Any]) -> BrowserContext:
    """Return a context with a page that stays open; scripts of pages then stay compiled."""
    context = browser.new_context(**how)
    context.new_page().goto(f"{base}/health/live")
    return context


def _is_clean_again(context: BrowserContext, base: str) -> bool:
    """Forget what a person left behind, and tell whether nothing else is left."""
    anchor, *others = context.pages
    for page in others:
        page.close()
    context.clear_cookies()
    wire = context.new_cdp_session(anchor)
    wire.send("Storage.clearDataForOrigin", {"origin": base, "storageTypes": "all"})
    wire.detach()
    return bool(anchor.evaluate("!('__pwClock' in window) && !localStorage.length"))


def assert_accessible(page: Page, rules: Sequence[str] = _RULES) -> None:
    """Assert that axe finds no violation of WCAG 2.2 AA, and that nothing sticks out sideways."""
    kind = "rule" if rules is _COLOURS else "tag"
    # Otherwise axe describes everything that is right, too, which takes longer than to find it.
    options = {"runOnly": {"type": kind, "values": [*rules]}, "resultTypes": ["violations"]}
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE)
    found = page.evaluate("async (how) => (await axe.run(document, how)).violations", options)
    told = [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found
        for node in violation["nodes"]
    ]
    assert told == []
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0, f"the page is {wide} pixels wider than the screen"


def assert_state_accessible(page: Page) -> None:
    """Assert the same of another state of a page, whose colours are those of its first one.

    Only a long run looks at every state in the dark.
    """
    often(assert_accessible, assert_accessible_in_both_themes)(page)


def assert_accessible_in_both_themes(page: Page) -> None:
    """Assert the same in light and in dark, where only colours can differ."""
    for theme, rules in (("light", _RULES), ("dark", _COLOURS)):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        assert_accessible(page, rules)
