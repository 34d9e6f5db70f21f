"""A worker labels and an expert decides, in Firefox and in WebKit."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from spancrew.client import Client
from tests.engines.tabs import Tab, firefox, webkit
from tests.pages.desks import NEWS_ANSWERS, SPORT_ANSWERS, news
from tests.pages.shifts import SPANS_SHOWN, campaign_on, stored, words
from tests.serving import serving
from tests.waiting import wait_until

pytestmark = pytest.mark.engines

FIRST, SECOND = "Ana Silva lives in Rome", "Rome lies on the Tiber"
READY = "document.querySelector('.sentence .token') !== null"
ENGINES: dict[str, Callable[[Path], AbstractContextManager[Tab]]] = {
    "firefox": firefox,
    "webkit": webkit,
}


@pytest.fixture(params=ENGINES)
def tab(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Tab]:
    """Open a tab of each engine, or skip."""
    folder = tmp_path / "profile"
    folder.mkdir()
    with ENGINES[request.param](folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def admin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Serve for both engines, and return a client with the rights of the admin."""
    with serving(tmp_path_factory.mktemp("server")) as server, server.admin() as client:
        yield client


def shows(tab: Tab, words: str) -> None:
    """Wait until the page says something."""
    wait_until(lambda: words in tab.evaluate("document.body.innerText"), f"{words!r} is missing")


def spans(tab: Tab) -> list[tuple[int, int, str]]:
    """Return what is marked, as it is seen."""
    return [(start, end, label) for start, end, label in tab.evaluate(f"({SPANS_SHOWN})()")]


def token(k: int) -> str:
    """Return how a token is found."""
    return f".sentence .token[data-k='{k}']"


def test_a_worker_labels_by_mouse_and_by_keyboard(tab: Tab, admin: Client, tmp_path: Path) -> None:
    """Words are dragged over, a label is clicked; then all of it by keys; both arrive."""
    campaign = campaign_on(admin, tmp_path, words(FIRST, SECOND))
    tab.open(campaign.invite_worker().url)
    wait_until(lambda: tab.evaluate(READY), "there is nothing to label")
    shows(tab, FIRST)
    tab.drag(token(0), token(1))
    tab.click(".palette-label")
    assert spans(tab) == [(0, 2, "PER")]
    tab.click(".actions .primary")
    shows(tab, SECOND)
    tab.press("Home", "2")
    assert spans(tab) == [(0, 1, "LOC")]
    tab.press("Enter")
    wait_until(lambda: len(stored(campaign)) == 2, "the answers did not arrive")

    assert stored(campaign) == {0: [(0, 2, "PER")], 1: [(0, 1, "LOC")]}


def test_an_expert_decides(tab: Tab, admin: Client, tmp_path: Path) -> None:
    """The first disputed span is rejected, the other sentence is taken as the crowd has it."""
    desk = news(admin, tmp_path)
    tab.open(desk.expert())
    wait_until(lambda: tab.evaluate(READY), "there is nothing to decide")
    assert spans(tab) == NEWS_ANSWERS[0]
    tab.press("r")
    assert spans(tab) == NEWS_ANSWERS[0][1:]
    tab.press("Control+Enter")
    wait_until(lambda: spans(tab) == SPORT_ANSWERS[0], "the second sentence did not come")
    tab.press("Shift+A")
    shows(tab, "The campaign is over")

    assert desk.decided == {"0": list(NEWS_ANSWERS[0][1:]), "1": list(SPORT_ANSWERS[0])}
