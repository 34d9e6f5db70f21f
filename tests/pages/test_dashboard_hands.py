"""What an admin does on the dashboard: the threshold and the workers."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from spancrew.client import Client
from tests.browser import assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.admins import as_admin
from tests.pages.conftest import Visitors
from tests.pages.dashboards import Watched, dashboard, watched
from tests.serving import Serving
from tests.waiting import wait_until

pytestmark = pytest.mark.browser


@pytest.fixture
def crew(admin: Client, tmp_path: Path) -> Iterator[Watched]:
    """Yield a running campaign with sentences judged either way."""
    with watched(admin, tmp_path) as made:
        made.work(8, experts=False)
        yield made


def preview(page: Page) -> str:
    """Return what the card of the threshold says once it has heard from the server."""
    expect(page.get_by_role("button", name="Apply")).to_be_enabled()
    return page.locator(".preview").inner_text()


def test_a_threshold_by_keyboard(server: Serving, crew: Watched, visit: Visitors) -> None:
    """Arrows move it, the preview counts, Reset takes it back, Apply changes the rule."""
    page = dashboard(visit(**as_admin(server)), crew.client.id)
    handle = page.get_by_role("slider", name="Threshold")
    expect(handle).to_have_attribute("aria-valuetext", "threshold 0.5")
    expect(page.get_by_role("button", name="Apply")).to_be_disabled()
    handle.focus()
    page.keyboard.press("End")
    expect(page.locator(".preview")).to_have_text(
        re.compile(r"At 1, \d+ more would go to experts")
    )
    told = preview(page)
    found = re.search(r"At 1, (\d+) more would go to experts \(\+(\d+\.\d\d)\)", told)
    assert found, told
    assert float(found[2]) == int(found[1]) > 0
    assert_accessible_in_both_themes(page)
    page.get_by_role("button", name="Reset").click()
    expect(handle).to_have_attribute("aria-valuetext", "threshold 0.5")
    assert crew.client.details().plan["feedback"] == "gate:threshold=0.5"
    handle.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("PageUp")
    value = handle.get_attribute("aria-valuetext")
    preview(page)
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#events")).to_contain_text("The rule is now gate:threshold=")
    expect(handle).to_have_attribute("aria-valuetext", value or "")
    expect(page.get_by_role("button", name="Apply")).to_be_disabled()
    rule = crew.client.details().plan["feedback"]
    assert float(rule.split("=")[1]) == pytest.approx(float((value or "").split()[1]), abs=0.006)


@pytest.mark.parametrize("touch", [False, True])
def test_a_threshold_by_hand(server: Serving, crew: Watched, visit: Visitors, touch: bool) -> None:
    """It is dragged by mouse, and by a finger on a phone; nothing changes before Apply."""
    phone = {"viewport": {"width": 390, "height": 800}, "has_touch": True} if touch else {}
    page = dashboard(visit(**as_admin(server), **phone), crew.client.id)
    handle = page.get_by_role("slider")
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + 30
    if touch:
        _swipe(page, x, y, x + 60)
    else:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 60, y + 5, steps=4)
        page.mouse.up()
    moved = handle.get_attribute("aria-valuenow")
    assert float(moved or 0) > 0.55
    assert re.match(r"At 0\.\d+, (\d+ more|one more|the same number)", preview(page))
    assert crew.client.details().plan["feedback"] == "gate:threshold=0.5"
    crew.work(1)
    expect(page.locator("#figures")).to_contain_text(f"{crew.client.ledger().spent:.2f}")
    assert handle.get_attribute("aria-valuenow") == moved, "figures move, the handle does not"


def test_there_is_no_handle_before_the_figures_have_come(
    server: Serving, crew: Watched, visit: Visitors
) -> None:
    """It would have nothing to move along, and ask the server about no number."""
    one = visit(caught=True, **as_admin(server))
    page = one.page()
    held: list[Route] = []
    page.route("**/threshold", lambda route: held.append(route))  # noqa: PLW0108  Playwright marks it
    page.goto(f"{server.url}/campaigns/{crew.client.id}")
    wait_until(lambda: page.evaluate("1") and held)

    expect(page.get_by_role("slider")).to_have_count(0)
    for route in held:
        route.continue_()
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "threshold 0.5")


def _swipe(page: Page, x: float, y: float, to: float) -> None:
    """Drag a finger; Playwright has no word for it."""
    wire = page.context.new_cdp_session(page)
    start = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    wire.send("Input.dispatchTouchEvent", start)
    for step in (0.3, 0.7, 1.0):
        points = [{"x": x + step * (to - x), "y": y}]
        wire.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
    wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_rule_without_a_threshold_has_no_handle(
    server: Serving, admin: Client, tmp_path: Path, visit: Visitors
) -> None:
    """The card says why there is nothing to move."""
    with watched(admin, tmp_path, feedback="crowd") as made:
        page = dashboard(visit(**as_admin(server)), made.client.id)
        card = page.locator("#threshold")
        expect(card).to_contain_text("The rule crowd decides without a threshold")
        expect(page.get_by_role("slider")).to_have_count(0)


def chosen(row: Locator, entry: str) -> None:
    """Choose from the menu of a worker."""
    row.get_by_role("button", name="Actions").click()
    row.get_by_role("button", name=entry).click()
    expect(row.get_by_role("group")).to_have_count(0)


def test_workers_are_paused_capped_and_banned(
    server: Serving, crew: Watched, visit: Visitors
) -> None:
    """Each from its row; a ban asks and takes a reason, and leaves no buttons."""
    page = dashboard(visit(**as_admin(server)), crew.client.id)
    row = page.locator(".workers tbody tr").filter(has_text="Bo")
    row.get_by_role("button", name="Actions").click()
    assert_state_accessible(page)
    page.keyboard.press("Escape")
    chosen(row, "Pause: Bo (w1)")
    expect(row.locator("td.state")).to_have_text("Paused")
    chosen(row, "Resume: Bo (w1)")
    expect(row.locator("td.state")).to_have_text("Ready")
    chosen(row, "Cap: Bo (w1)")
    page.get_by_role("spinbutton", name="Answer cap").fill("33")
    page.get_by_role("button", name="Save").click()
    expect(row.locator("td.answers")).to_contain_text("/ 33")
    chosen(row, "Ban: Bo (w1)")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    chosen(row, "Ban: Bo (w1)")
    assert_state_accessible(page)
    page.get_by_label("Reason").fill("clicks at random")
    page.get_by_role("dialog").get_by_role("button", name="Ban").click()
    expect(row.locator("td.state")).to_have_text("Banned")
    expect(row.get_by_role("button")).to_have_count(0)
    expect(page.locator("#events")).to_contain_text("Bo (w1) was banned: clicks at random")
    standing = crew.client.standings()[1]
    assert (standing.state, standing.cap) == ("banned", 33)


def test_workers_are_sorted_by_what_is_asked(
    server: Serving, crew: Watched, visit: Visitors
) -> None:
    """A column sorts down, then up, and says so to those who cannot see."""
    page = dashboard(visit(**as_admin(server)), crew.client.id)
    rows = page.locator(".workers tbody tr")
    expect(rows).to_have_count(4)
    head = page.get_by_role("columnheader", name="Score")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    cells = page.locator(".workers tbody td.score > span:first-of-type")
    down = [float(text) for text in cells.all_inner_texts()]
    assert down == sorted(down, reverse=True)
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    up = [float(text) for text in cells.all_inner_texts()]
    assert up == sorted(up)
    assert len(set(up)) > 1


def test_whoever_needs_a_look_is_named_with_why(
    server: Serving, crew: Watched, visit: Visitors
) -> None:
    """In the headline and in their row; another order offers the way back."""

    def answer(route: Route) -> None:
        found = route.fetch().json()
        workers = [each for each in found["workers"] if each["person"]["name"] == "Dora"]
        workers[0] |= {"attention": ["twin", "idle"], "twin": "w1"}
        route.fulfill(json={**found, "attention": 1, "left_out": 2, "crew": 20})

    crew.work(3)
    one = visit(**as_admin(server))
    one.context.route("**/workers/page?*", answer)
    page = dashboard(one, crew.client.id)
    state = page.locator(".workers tbody tr").filter(has_text="Dora").locator("td.state")
    expect(state).to_have_text("Same mistakes as BoAway for a day")
    link = page.locator("#headline").get_by_role("link", name="1 worker needs attention")
    expect(link).to_have_attribute("href", "#workers-card")
    alarm = page.get_by_role("button", name="1 worker needs attention")
    expect(alarm).to_have_count(0)
    note = page.locator("#workers-note")
    expect(note).to_have_text(re.compile(r"workers · 2 workers wait: the crew of 20 is full"))
    head = page.get_by_role("columnheader", name="Speed").get_by_role("button")
    expect(head).to_have_attribute("title", "Median time of the latest answers")
    page.get_by_role("columnheader", name="Score").get_by_role("button").click()
    alarm.click()
    expect(alarm).to_have_count(0)
    assert_state_accessible(page)


def test_a_phone_shows_workers_as_cards(server: Serving, crew: Watched, visit: Visitors) -> None:
    """Nothing sticks out, and everything can be done."""
    phone = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True}
    page = dashboard(visit(**as_admin(server), **phone), crew.client.id)
    row = page.locator(".workers tbody tr").filter(has_text="Dora")
    chosen(row, "Pause: Dora (w3)")
    expect(row.locator("td.state")).to_have_text("Paused")
    assert_state_accessible(page)
