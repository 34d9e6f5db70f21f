"""The expert's desk when something comes between: reloads, lost connections, nothing to do."""

from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from spancrew.client import Client
from tests.browser import assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors
from tests.pages.desks import (
    NEWS,
    NEWS_ANSWERS,
    SPORT,
    SPORT_ANSWERS,
    Desk,
    at_desk,
    news,
    spans_on,
)

pytestmark = pytest.mark.browser

CROWD = NEWS_ANSWERS[0]


def test_labels_survive_a_reload(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """They are back, and the consensus is one click away; what was sent is forgotten."""
    desk = news(admin, tmp_path)
    page = at_desk(visit(), desk.expert())
    page.keyboard.press("r")
    page.reload()
    expect(page.locator(".notice")).to_contain_text("Your earlier labels have been restored.")
    assert spans_on(page) == CROWD[1:]
    assert_accessible_in_both_themes(page)
    page.get_by_role("button", name="Start from the consensus").click()
    assert spans_on(page) == CROWD
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("option", name="Juventus")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage)") == []
    assert desk.decided == {"0": list(CROWD[1:])}


def test_labels_survive_a_lost_connection(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """They stay on the screen, can be changed, and are sent once when somebody tries again."""
    desk = news(admin, tmp_path)
    one = visit()
    one.expected = ("ERR_INTERNET_DISCONNECTED",)
    page = at_desk(one, desk.expert())
    one.context.set_offline(True)
    page.keyboard.press("r")
    page.keyboard.press("Control+Enter")
    told = page.locator(".notice")
    expect(told).to_contain_text("Your labels are kept on this device.")
    assert spans_on(page) == CROWD[1:]
    assert_state_accessible(page)
    page.get_by_role("button", name="Accept PER Ana", exact=True).click()
    told.get_by_role("button", name="Try again").click()
    expect(told).to_contain_text("The server cannot be reached.")
    one.context.set_offline(False)
    told.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("option", name="Juventus")).to_be_visible()
    assert desk.decided == {"0": [(0, 1, "PER"), *CROWD[1:]]}


def test_an_answer_whose_receipt_was_lost_counts_once(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Sent again, even after a reload, it is known as the same."""
    desk = news(admin, tmp_path)
    one = visit(caught=True)
    one.expected = ("ERR_FAILED",)
    page = at_desk(one, desk.expert())
    keys: list[str] = []

    def lose_first(route: Route) -> None:
        if keys:
            route.continue_()
            return
        keys.append((route.request.post_data_json or {})["key"])
        route.fetch()
        route.abort()

    # Not with times=1: the route would be removed while its request waits, which lets it pass.
    page.route("**/expert/answers", lose_first)
    page.keyboard.press("Shift+A")
    expect(page.locator(".notice")).to_contain_text("Your labels are kept on this device.")
    page.get_by_role("button", name="Try again").click()
    panel = page.get_by_role("region", name="Scores after your last answer")
    expect(panel).to_contain_text("It had arrived before, so no score changed again.")
    expect(page.get_by_role("option", name="Juventus")).to_be_visible()
    assert len(keys) == 1
    assert desk.campaign.ledger().experts == 1


def test_labels_that_do_not_fit_are_told(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """Whatever the server refuses, the labels stay."""
    one = visit(caught=True)
    one.expected = ("422",)
    page = at_desk(one, news(admin, tmp_path).expert())
    error = {"error": {"code": "answer_refused", "message": "span 3 does not fit"}}
    page.route("**/expert/answers", lambda route: route.fulfill(status=422, json=error))
    page.keyboard.press("r")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".notice")).to_have_text("span 3 does not fit")
    assert spans_on(page) == CROWD[1:]
    expect(page.get_by_role("button", name="Submit")).to_be_enabled()


def test_a_calm_page_wakes_up_by_itself(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """Nothing to do is told without hurry; a sentence that needs an expert appears."""
    desk = Desk(admin, tmp_path, [NEWS, SPORT])
    one = visit()
    one.expected = ("409",)
    page = one.enter(desk.expert())
    expect(page.get_by_role("heading", name="No sentence needs an expert now")).to_be_visible()
    assert_state_accessible(page)
    desk.answer([NEWS_ANSWERS, SPORT_ANSWERS])
    expect(page.get_by_role("option", name="Ana")).to_be_focused(timeout=20_000)
    expect(page.get_by_role("button", name="Juventus beat")).to_be_visible()
    page.keyboard.press("Shift+A")
    expect(page.get_by_role("option", name="Juventus")).to_be_visible()
    desk.campaign.finish()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="The campaign is over")).to_be_visible()


def test_a_window_that_nobody_looks_at_takes_no_sentence(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """It only marks its title; whoever comes back gets the sentence at once."""
    desk = Desk(admin, tmp_path, [NEWS, SPORT])
    page = visit().page()
    page.clock.install()
    page.goto(desk.expert())
    expect(page.get_by_role("heading", name="No sentence needs an expert now")).to_be_visible()
    hide = "is => Object.defineProperty(document, 'hidden', { value: is, configurable: true })"
    page.evaluate(hide, True)
    desk.answer([NEWS_ANSWERS, SPORT_ANSWERS])
    page.clock.fast_forward(20_000)
    expect(page).to_have_title("● Expert desk · spancrew")
    assert [line for line in desk.campaign.all_events() if line.kind == "Claimed"] == []
    page.evaluate(hide, False)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_role("option", name="Ana")).to_be_visible()
    expect(page).to_have_title("Expert desk · spancrew")


def test_a_sheet_stays_with_somebody_who_is_still_at_it(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Whoever does something is given more time; whoever does nothing asks for none."""
    page = visit().page()
    page.clock.install()
    page.goto(news(admin, tmp_path).expert())
    expect(page.get_by_role("option", name="Ana")).to_be_visible()
    asked: list[object] = []
    page.on(
        "request",
        lambda request: (
            asked.append(request.post_data_json) if request.url.endswith("/expert/next") else None
        ),
    )
    page.keyboard.press("r")
    with page.expect_response("**/expert/next"):
        page.clock.fast_forward(100_000)
    with page.expect_response("**/expert/queue"):
        page.clock.fast_forward(100_000)
    assert asked == [{"sentence": 0}]
    assert spans_on(page) == CROWD[1:]
