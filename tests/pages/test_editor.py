"""Marking spans with mouse, keyboard and finger, on a real page."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from spancrew.client import Client
from tests.browser import assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors
from tests.pages.shifts import LABELS, PHONE, Seat, campaign_on, words

pytestmark = pytest.mark.browser

TEXT = "Ana Rossi left the Bank of England for Rome and Milan today ."


@pytest.fixture
def seat(visit: Visitors, admin: Client, tmp_path: Path) -> Seat:
    """Return the page of a worker with one sentence."""
    return Seat.of(visit(), campaign_on(admin, tmp_path, words(TEXT, TEXT)))


def centre(seat: Seat, k: int) -> tuple[float, float]:
    """Return the middle of a token."""
    box = seat.token(k).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def said(page: Page) -> str:
    """Return what a screen reader would say."""
    return page.locator("#say").inner_text()


def test_drag_then_choose_a_label(seat: Seat) -> None:
    """Dragging selects, in both directions, and the palette labels the selection."""
    seat.drag(0, 1)
    expect(seat.token(1)).to_have_attribute("aria-selected", "true")
    seat.label("PER").click()
    seat.drag(6, 4)
    seat.label("ORG").click()

    assert seat.spans == [(0, 2, "PER"), (4, 7, "ORG")]
    expect(seat.page.locator("#say")).to_have_text("Bank of England: ORG")
    assert_accessible_in_both_themes(seat.page)


def test_click_the_first_and_the_last_token(seat: Seat) -> None:
    """Two clicks select; a label that is on marks at once, a single token with two clicks."""
    seat.mark(4, 7, "ORG")
    seat.label("LOC").click()
    expect(seat.label("LOC")).to_have_attribute("aria-pressed", "true")
    seat.token(8).click()
    seat.token(8).click()
    seat.token(10).click()
    seat.token(11).click()

    assert seat.spans == [(4, 7, "ORG"), (8, 9, "LOC"), (10, 12, "LOC")]
    seat.label("LOC").click()
    expect(seat.label("LOC")).to_have_attribute("aria-pressed", "false")


def test_relabel_remove_undo_and_redo(seat: Seat) -> None:
    """A click on a span chooses it; its label changes, it goes, and steps can be taken back."""
    seat.mark(0, 2, "LOC")
    seat.token(1).click()
    expect(seat.label("LOC")).to_have_attribute("aria-pressed", "true")
    seat.label("PER").click()
    assert seat.spans == [(0, 2, "PER")]
    seat.token(0).click()
    seat.button("Remove the span").click()
    assert seat.spans == []
    seat.button("Undo").click()
    seat.button("Undo").click()
    assert seat.spans == [(0, 2, "LOC")]
    seat.presses("Control+z")
    assert seat.spans == []
    expect(seat.button("Undo")).to_have_attribute("aria-disabled", "true")
    seat.presses("Control+Shift+Z", "Control+y")
    assert seat.spans == [(0, 2, "PER")]
    seat.button("Redo").click()
    assert seat.spans == []


def test_a_border_is_dragged_as_one_step(seat: Seat) -> None:
    """Handles at both ends of the chosen span move its borders; one undo takes one drag back."""
    seat.mark(4, 7, "ORG")
    seat.token(5).click()
    for side, to in (("start", 3), ("end", 5)):
        seat.page.locator(f".handle[data-side={side}]").hover()
        seat.page.mouse.down()
        seat.page.mouse.move(*centre(seat, to), steps=6)
        seat.page.mouse.up()

    assert seat.spans == [(3, 6, "ORG")]
    seat.presses("Control+z")
    assert seat.spans == [(3, 7, "ORG")]


def test_spans_that_touch_stay_two(seat: Seat) -> None:
    """Two spans of one label beside each other have names, ends and a gap of their own."""
    seat.mark(8, 10, "LOC")
    seat.mark(10, 11, "LOC")

    assert seat.spans == [(8, 10, "LOC"), (10, 11, "LOC")]
    names = [seat.token(k).get_attribute("data-tag") for k in (8, 9, 10)]
    assert names == ["LOC", None, "LOC"]
    rims, gap = seat.page.evaluate(
        """() => {
          const token = (k) => document.querySelector(`.token[data-k="${k}"]`);
          const [left, right] = [token(9), token(10)];
          const rims = [left, right].map((each) =>
            getComputedStyle(each).boxShadow.match(/-?2px 0px 0px 0px(?! inset)/g));
          return [rims, right.getBoundingClientRect().left - left.getBoundingClientRect().right];
        }"""
    )
    assert rims == [["2px 0px 0px 0px"], ["-2px 0px 0px 0px", "2px 0px 0px 0px"]]
    assert gap > 5  # both rims, of two pixels each, and a line between them
    between = seat.token(10).evaluate(
        "(token) => getComputedStyle(token.previousSibling).backgroundColor"
    )
    assert between == "rgba(0, 0, 0, 0)"


def test_the_keyboard_alone_marks_changes_and_removes(seat: Seat) -> None:
    """Arrows, Shift, digits, brackets, Delete and Escape do all that a mouse can do."""
    expect(seat.token(0)).to_be_focused()
    seat.presses("Shift+ArrowRight", "1")
    assert seat.spans == [(0, 2, "PER")]
    expect(seat.token(1)).to_have_attribute("aria-label", "Rossi, in PER")
    seat.presses("End", "ArrowLeft", "ArrowLeft", "ArrowLeft", "2")
    assert seat.spans == [(0, 2, "PER"), (9, 10, "LOC")]
    seat.presses("]", "Shift+{", "Shift+{")
    assert seat.spans == [(0, 2, "PER"), (7, 11, "LOC")]
    seat.presses("[", "Shift+}", "3")
    assert seat.spans == [(0, 2, "PER"), (8, 10, "ORG")]
    seat.presses("Delete", "Home", "Space", "ArrowRight")
    assert seat.spans == [(0, 2, "PER")]
    seat.presses("Shift+End")
    expect(seat.page.locator(".token[aria-selected=true]")).to_have_count(12)
    seat.presses("Escape")
    expect(seat.page.locator(".token[aria-selected=true]")).to_have_count(0)
    seat.presses("ArrowDown", "ArrowUp", "Home", "Backspace")
    assert seat.spans == []
    expect(seat.page.locator("#say")).to_have_text("Removed from Ana Rossi")


def test_the_keys_are_listed_and_the_dialog_gives_the_focus_back(seat: Seat) -> None:
    """The question mark opens the help; Escape closes it and the sentence has the focus."""
    seat.presses("Shift+?")
    dialog = seat.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Move the end of the selection or span")
    assert_state_accessible(seat.page)
    seat.presses("Escape")
    expect(dialog).to_be_hidden()
    expect(seat.token(0)).to_be_focused()


def test_a_finger_marks_by_taps_and_by_a_long_press(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Tap, tap, label; a long press goes on with the selection; a swipe marks nothing."""
    seat = Seat.of(visit(**PHONE), campaign_on(admin, tmp_path, words(TEXT)))
    seat.token(0).tap()
    seat.token(1).tap()
    seat.label("PER").tap()
    assert seat.spans == [(0, 2, "PER")]
    seat.token(4).tap()
    touch(seat, [centre(seat, 6)], hold=600)
    expect(seat.page.locator(".token[aria-selected=true]")).to_have_count(3)
    seat.label("ORG").tap()
    touch(seat, [centre(seat, 8), centre(seat, 9), centre(seat, 10)], hold=600)
    seat.label("LOC").tap()
    assert seat.spans == [(0, 2, "PER"), (4, 7, "ORG"), (8, 11, "LOC")]
    x, y = centre(seat, 3)
    touch(seat, [(x, y), (x, y - 40), (x, y - 80)], hold=0)
    expect(seat.page.locator(".token[aria-selected=true]")).to_have_count(0)
    seat.token(9).tap()
    seat.button("Remove the span").tap()
    assert seat.spans == [(0, 2, "PER"), (4, 7, "ORG")]


def touch(seat: Seat, points: list[tuple[float, float]], hold: int) -> None:
    """Touch the screen at a point, wait, and go on to the others."""
    session = seat.page.context.new_cdp_session(seat.page)

    def send(type_: str, *at: tuple[float, float]) -> None:
        spots = [{"x": x, "y": y} for x, y in at]
        session.send("Input.dispatchTouchEvent", {"type": type_, "touchPoints": spots})

    send("touchStart", points[0])
    seat.page.wait_for_timeout(hold)
    for point in points[1:]:
        send("touchMove", point)
    send("touchEnd")
    session.detach()


def test_twenty_labels_are_within_reach(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """The slash leads to a filter; Enter takes the first that fits, arrows any other."""
    labels = [*LABELS, *(f"KIND-{k}" for k in range(17))]
    seat = Seat.of(visit(), campaign_on(admin, tmp_path, words(TEXT), labels=labels))
    seat.presses("Shift+ArrowRight", "/")
    seat.page.keyboard.type("d-14")
    seat.presses("Enter")
    assert seat.spans == [(0, 2, "KIND-14")]
    expect(seat.token(1)).to_be_focused()
    seat.presses("End", "/", "ArrowDown", "ArrowRight", "ArrowRight", "Enter")
    assert seat.spans == [(0, 2, "KIND-14"), (12, 13, "ORG")]
    assert_state_accessible(seat.page)


def test_choices_ask_one_label_for_each_token(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """A sheet of questions is answered with digits, and handed in once all have an answer."""
    sheet = {"id": "s0", "text": "Which is kinder? Which is truer?", "tokens": [[0, 16], [17, 32]]}
    campaign = campaign_on(admin, tmp_path, [sheet], kind="choices", labels=("A", "B"))
    page = visit().enter(campaign.invite_worker().url)
    first = page.get_by_role("group", name="1. Which is kinder?")
    expect(first.get_by_role("radio").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Answer every question first.").first).to_be_visible()
    assert_state_accessible(page)
    first.get_by_role("radio", name="A").focus()
    for key in ("2", "1", "ArrowUp", "ArrowUp", "Control+z", "ArrowDown", "1"):
        page.keyboard.press(key)
    expect(first.get_by_role("radio", name="B")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The campaign is finished")).to_be_visible()
    [line] = [line for line in campaign.all_events() if line.kind == "Answered"]
    assert line.body["spans"] == [[0, 1, "B"], [1, 2, "A"]]
