"""The expert's desk: decide by mouse, by keyboard, with others at the same desk."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from spancrew.client import Client
from spancrew.wire import SheetView
from tests.browser import assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors
from tests.pages.desks import NEWS_ANSWERS, SPORT_ANSWERS, at_desk, news, spans_on

pytestmark = pytest.mark.browser

CROWD = NEWS_ANSWERS[0]


def disputes(page: Page) -> list[str]:
    """Return the disputed spans as they are read, without their buttons."""
    rows = page.get_by_role("region", name="Disagreements").get_by_role("listitem").all()
    return [" ".join(row.inner_text().split("Accept")[0].split()) for row in rows]


def test_an_expert_decides_by_mouse(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """The consensus is the start, a span is taken over, and all is settled as it was on screen."""
    desk = news(admin, tmp_path)
    page = at_desk(visit(), desk.expert())

    assert spans_on(page) == CROWD
    expect(page.get_by_role("listitem").filter(has_text="open on your desk")).to_have_text(
        "Ana Silva met the board of Banco do Brasil in Lisbon ."
        "agreement 0.64, 1.3 errors expectedopen on your desk"
    )
    assert disputes(page) == [
        "✓ 2 of 3 ★ (Consensus) PER Ana Silva AS, BB",
        "○ or 1 of 3 PER Ana w2",
        "✓ 2 of 3 ★ (Consensus) ORG Banco do Brasil AS, BB",
        "○ or 1 of 3 LOC Brasil w2",
    ]
    assert_accessible_in_both_themes(page)
    page.get_by_role("button", name="Accept PER Ana", exact=True).click()
    page.get_by_role("button", name="Reject ORG Banco do Brasil").click()
    assert spans_on(page) == [(0, 1, "PER"), (10, 11, "LOC")]
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("option", name="Juventus")).to_be_visible()
    page.get_by_role("button", name="Accept the consensus").click()
    expect(page.get_by_role("heading", name="The campaign is over")).to_be_visible()
    assert_state_accessible(page)
    assert desk.decided == {"0": [(0, 1, "PER"), (10, 11, "LOC")], "1": list(SPORT_ANSWERS[0])}
    assert desk.campaign.status().by_expert == 2


def test_an_expert_decides_by_keyboard_alone(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """One key accepts or rejects the next span, digits label, Ctrl+Enter sends, Shift+A agrees."""
    desk = news(admin, tmp_path)
    page = at_desk(visit(), desk.expert())
    keys = page.keyboard
    for key in ("r", "a", "a"):
        keys.press(key)
    assert spans_on(page) == [(0, 1, "PER"), (6, 9, "ORG"), (10, 11, "LOC")]
    keys.press("Control+z")
    assert spans_on(page) == [(6, 9, "ORG"), (10, 11, "LOC")]
    for key in ("Shift+ArrowRight", "1"):
        keys.press(key)
    assert spans_on(page) == CROWD
    keys.press("r")
    keys.press("Control+Enter")
    expect(page.get_by_role("option", name="Juventus")).to_be_focused()
    keys.press("r")
    keys.press("Shift+A")
    expect(page.locator(".notice", has_text="The labels are the consensus again")).to_be_visible()
    assert spans_on(page) == SPORT_ANSWERS[0]
    keys.press("Shift+A")
    expect(page.get_by_role("heading", name="The campaign is over")).to_be_visible()
    assert desk.decided == {"0": [(6, 9, "ORG"), (10, 11, "LOC")], "1": list(SPORT_ANSWERS[0])}


def test_letters_are_left_alone_where_somebody_types_or_reads(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Keys of the sheet work in the sheet only, so that they are in nobody's way."""
    page = at_desk(visit(), news(admin, tmp_path).expert())
    page.get_by_label("Menu", exact=True).focus()
    for key in ("r", "Shift+A"):
        page.keyboard.press(key)
    page.get_by_role("option", name="met").focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Accept the next disputed")
    assert_state_accessible(page)
    for key in ("r", "Shift+A", "Control+Enter"):
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    assert spans_on(page) == CROWD


def test_spans_and_whole_answers_are_taken_over(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """From the rows of the workers, which stand under each other word by word."""
    page = at_desk(visit(), news(admin, tmp_path).expert())
    rows = page.get_by_role("region", name="All answers").get_by_role("listitem")
    own = rows.filter(has_text="w2")
    expect(own).to_contain_text("PER Ana, differs from the consensus")
    expect(own).to_contain_text("LOC Lisbon")
    own.locator(".row-mark", has_text="Brasil").click()
    assert spans_on(page) == [(0, 2, "PER"), (8, 9, "LOC"), (10, 11, "LOC")]
    take = page.get_by_role("button", name="Use the answer of w2")
    take.click()
    assert spans_on(page) == list(NEWS_ANSWERS[2])
    expect(take).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Use the consensus").click()
    assert spans_on(page) == CROWD
    places = page.locator(".row-text").evaluate_all(
        """rows => rows.map(row => {
          const range = document.createRange();
          range.selectNodeContents(row);
          return [...range.getClientRects()].at(-1).right;
        })"""
    )
    assert len(places) == 4
    assert max(places) - min(places) < 1


def test_what_an_answer_taught_is_what_the_standings_say(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Whose score moved, up or down, in figures and in words; until the next answer."""
    desk = news(admin, tmp_path)
    page = at_desk(visit(), desk.expert())
    panel = page.get_by_role("region", name="Scores after your last answer")
    expect(panel).to_be_hidden()
    page.keyboard.press("Shift+A")
    expect(panel.get_by_role("listitem")).to_have_count(3)
    first = {each.worker: each.mean for each in desk.campaign.standings()}
    words = [line.split("\n")[-1] for line in panel.get_by_role("listitem").all_inner_texts()]
    assert words == [
        f"{who}: first score, {first[name]:.2f}"
        for who, name in (("AS (w0)", "w0"), ("BB (w1)", "w1"), ("w2", "w2"))
    ]
    page.get_by_role("button", name="Use the answer of w2").click()
    page.keyboard.press("Control+Enter")
    expect(panel).to_contain_text("Juventus")
    then = {each.worker: each.mean for each in desk.campaign.standings()}
    words = [line.split("\n")[-1] for line in panel.get_by_role("listitem").all_inner_texts()]
    assert words == [
        f"AS (w0): from {first['w0']:.2f} down to {then['w0']:.2f}",
        f"BB (w1): from {first['w1']:.2f} down to {then['w1']:.2f}",
        f"w2: from {first['w2']:.2f} up to {then['w2']:.2f}",
    ]
    assert_state_accessible(page)


def test_in_rounds_the_desk_says_that_scores_move_later(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """It does not show a score that has not moved as one that stays."""
    desk = news(admin, tmp_path, mode="rounds", answers=1)
    page = at_desk(visit(), desk.expert())
    page.keyboard.press("Shift+A")
    panel = page.get_by_role("region", name="Scores after your last answer")
    expect(panel.get_by_role("listitem")).to_contain_text("1.00 here, counted when the step ends")
    page.keyboard.press("Shift+A")
    expect(panel.get_by_role("listitem")).to_contain_text("first score, 1.00")


def test_a_sentence_of_the_queue_can_be_chosen(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """By mouse or keyboard; the one before is free, what another expert is at is not."""
    desk = news(admin, tmp_path)
    page = at_desk(visit(), desk.expert())
    page.get_by_role("button", name="Juventus beat").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("option", name="Juventus")).to_be_focused()
    other = at_desk(visit(), desk.expert())
    expect(other.get_by_role("option", name="Ana")).to_be_visible()
    theirs = other.get_by_role("button", name="Juventus beat")
    expect(theirs).to_contain_text("is working on it")
    expect(theirs).to_have_attribute("aria-disabled", "true")
    theirs.click(force=True)
    expect(other.get_by_role("option", name="Ana")).to_be_visible()


def test_a_sentence_that_somebody_else_took_meanwhile_is_told(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """The sheet in hand stays as it is."""
    desk = news(admin, tmp_path)
    one = visit()
    one.expected = ("409",)
    page = at_desk(one, desk.expert())
    page.keyboard.press("r")
    with Client.from_link(desk.expert()) as guest:
        assert isinstance(guest.expert().next(), SheetView)
        page.get_by_role("button", name="Juventus beat").click()
    notice = page.locator(".notice", has_text="Another expert is working on that sentence")
    expect(notice).to_be_visible()
    assert spans_on(page) == CROWD[1:]


def test_the_slower_of_two_experts_is_told_calmly(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """And gets the next sheet."""
    desk = news(admin, tmp_path)
    link = desk.expert()
    one = visit()
    one.expected = ("409",)
    page = at_desk(one, link)
    other = one.page("/expert")
    expect(other.get_by_role("option", name="Ana")).to_be_visible()
    other.keyboard.press("Shift+A")
    expect(other.get_by_role("option", name="Juventus")).to_be_visible()
    page.keyboard.press("r")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".notice", has_text="has already been decided")).to_be_visible()
    expect(page.get_by_role("option", name="Juventus")).to_be_visible()
    assert desk.decided == {"0": list(CROWD)}


def test_a_sentence_can_be_left_to_somebody_else(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Another one comes; the last one comes again, and that is told."""
    desk = news(admin, tmp_path)
    page = at_desk(visit(), desk.expert())
    page.get_by_role("button", name="Leave it to another expert").click()
    expect(page.locator(".notice", has_text="The sentence is back in the queue.")).to_be_visible()
    expect(page.get_by_role("option", name="Juventus")).to_be_visible()
    page.keyboard.press("Shift+A")
    expect(page.get_by_role("option", name="Ana")).to_be_visible()
    page.get_by_role("button", name="Leave it to another expert").click()
    expect(page.locator(".notice", has_text="No other sentence is waiting")).to_be_visible()
    assert list(desk.decided) == ["1"]
