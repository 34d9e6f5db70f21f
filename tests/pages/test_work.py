"""A worker's day: instructions, training, sentences, pauses, the end."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from spancrew.client import CampaignClient, Client
from spancrew.core import Sentence, Span
from spancrew.wire import SolvedView
from tests.browser import assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors
from tests.pages.shifts import PHONE, Seat, campaign_on, happened, stored, words

pytestmark = pytest.mark.browser

TEXTS = [f"Ana {name} lives in Rome" for name in ("Rossi", "Bianchi", "Verdi", "Russo")]


def solved(text: str, *spans: tuple[int, int, str], note: str = "") -> SolvedView:
    """Return a sentence with its right spans."""
    marks = tuple(Span(*span) for span in spans)
    return SolvedView(sentence=Sentence.from_text("x", text), spans=marks, note=note)


def with_guide(campaign: CampaignClient, *practice: SolvedView) -> None:
    """Give a campaign instructions, an example and a training."""
    example = solved("Bo went to Oslo", (0, 1, "PER"), (3, 4, "LOC"), note="Cities are LOC.")
    campaign.set_guide("# Names\n\nMark **every** name.\n- people\n- places", [example], practice)


def test_the_whole_story_by_keyboard_alone(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """From the link to the end without a mouse: instructions, training, answers, nothing, skip."""
    campaign = campaign_on(admin, tmp_path, words(*TEXTS))
    practice = solved("Cy saw Lima", (0, 1, "PER"), (2, 3, "LOC"), note="Lima is a city.")
    with_guide(campaign, practice)
    page = visit().enter(campaign.invite_worker().url)
    seat = Seat(page)
    expect(seat.button("Start the training")).to_be_focused()
    assert_accessible_in_both_themes(page)
    seat.presses("Enter")
    expect(seat.token(0)).to_be_focused()
    seat.presses("2", "Enter")
    expect(page.locator("#told")).to_contain_text("Not quite.")
    expect(page.locator("#told")).to_contain_text("Lima is a city.")
    assert told(page) == {"Missing": ["PER Cy", "LOC Lima"], "Not needed": ["LOC Cy"]}
    assert_state_accessible(page)
    seat.presses("Tab", "Enter")
    seat.presses("Home", "1", "End", "2", "Enter")
    expect(page.locator("#told")).to_contain_text("All correct!")
    expect(seat.button("Start labelling")).to_be_focused()
    seat.presses("Enter")
    seat.ready()
    label_by_keyboard(seat)
    expect(page.get_by_role("heading", name="No sentence for you right now")).to_be_visible()
    marks = [(0, 2, "PER"), (4, 5, "LOC")]
    assert sorted(stored(campaign).values()) == [[], marks, marks]
    [skipped] = happened(campaign, "Skipped")
    assert skipped["reason"] == "broken: half of it is missing"


def told(page: Page) -> dict[str, list[str]]:
    """Return what the training says of an answer."""
    rows = page.locator(".told-row")
    texts = [rows.nth(k).locator("> *").all_inner_texts() for k in range(rows.count())]
    return {first: [" ".join(each.split()) for each in rest] for first, *rest in texts}


def label_by_keyboard(seat: Seat) -> None:
    """Skip the first sentence, find nothing in the second, mark the others."""
    page = seat.page
    first = seat.text
    expect(seat.token(0)).to_be_focused()
    for _ in range(12):
        if page.evaluate("document.activeElement.textContent") == "Skip…":
            break
        seat.presses("Tab")
    seat.presses("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Space")
    seat.presses("ArrowDown", "ArrowDown", "Tab")
    page.keyboard.type("half of it is missing")
    seat.presses("Enter")
    expect(page.locator(".sentence")).not_to_have_text(first)
    expect(seat.token(0)).to_be_focused()
    second = seat.text
    seat.presses("Enter")
    expect(page.locator(".desk-message")).to_contain_text("Nothing is marked")
    assert seat.text == second
    seat.presses("Shift+Enter")
    expect(page.locator(".sentence")).not_to_have_text(second)
    for _ in range(2):
        before = seat.text
        seat.presses("Shift+ArrowRight", "1", "End", "2")
        assert seat.spans == [(0, 2, "PER"), (4, 5, "LOC")]
        seat.presses("Enter")
        expect(page.locator("#stage")).not_to_contain_text(before)
    seat.sent()


def test_nothing_to_mark_is_said_on_purpose(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Submit does nothing without a mark; the button for nothing is off when there is one."""
    campaign = campaign_on(admin, tmp_path, words(*TEXTS[:2]))
    seat = Seat.of(visit(), campaign)
    expect(seat.button("Submit")).to_be_disabled()
    seat.button("Submit").click(force=True)
    expect(seat.page.locator(".desk-message")).to_contain_text("Nothing is marked")
    seat.mark(0, 2, "PER")
    expect(seat.button("Nothing to mark here")).to_be_disabled()
    seat.token(0).press("Shift+Enter")
    expect(seat.page.locator(".desk-message")).to_contain_text("Something is marked")
    seat.presses("Control+z")
    before = seat.text
    seat.button("Nothing to mark here").click()
    expect(seat.page.locator(".sentence")).not_to_have_text(before)
    seat.sent()
    assert list(stored(campaign).values()) == [[]]


def test_progress_earnings_and_time_are_shown(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Figures grow with each answer, and the time spent is handed in with it."""
    campaign = campaign_on(admin, tmp_path, words(*TEXTS), prices={"answer": 0.25, "expert": 1})
    seat = Seat.of(visit(), campaign)
    expect(seat.page.locator("#time")).to_have_text(re.compile(r"0:(0[2-9]|[1-5]\d)"))
    seat.mark(0, 2, "PER")
    seat.submit()
    expect(seat.page.locator("#earned")).to_have_text("0.25")
    expect(seat.page.locator("#answers")).to_have_text("1")
    expect(seat.page.locator("#saved")).to_have_text("Saved")
    [given] = happened(campaign, "Answered")
    assert 2 <= given["seconds"] < 30


def test_a_reload_in_the_middle_of_a_sentence_loses_nothing(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Marks and time are there again, the same sentence too, and steps can still be undone."""
    campaign = campaign_on(admin, tmp_path, words(*TEXTS))
    seat = Seat.of(visit(), campaign)
    seat.mark(0, 2, "PER")
    seat.mark(4, 5, "LOC")
    before = seat.text
    expect(seat.page.locator("#time")).not_to_have_text("0:00")
    seat.page.reload()
    seat.ready()
    assert (seat.text, seat.spans) == (before, [(0, 2, "PER"), (4, 5, "LOC")])
    expect(seat.page.locator("#time")).not_to_have_text("0:00")
    seat.submit()
    seat.sent()
    assert list(stored(campaign).values()) == [[(0, 2, "PER"), (4, 5, "LOC")]]
    seat.page.reload()
    seat.ready()
    assert seat.spans == []


def test_waiting_says_why_and_wakes_up_by_itself(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """A pause is told in plain words, and ends without a click."""
    campaign = campaign_on(admin, tmp_path, words(*TEXTS))
    campaign.pause()
    page = visit().page()
    page.clock.install()
    page.goto(campaign.invite_worker().url)
    expect(page.get_by_role("heading", name="The campaign is paused")).to_be_visible()
    assert_state_accessible(page)
    campaign.start()
    page.clock.fast_forward(31_000)
    Seat(page).ready()


def test_a_page_that_nobody_sees_asks_nothing(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Hidden, it is quiet; seen again, it looks at once."""
    campaign = campaign_on(admin, tmp_path, words(*TEXTS))
    campaign.pause()
    page = visit().page()
    page.clock.install()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(campaign.invite_worker().url)
    expect(page.get_by_role("heading", name="The campaign is paused")).to_be_visible()
    hide(page, "hidden")
    asked.clear()
    page.clock.fast_forward(600_000)
    assert asked == []
    campaign.start()
    hide(page, "visible")
    Seat(page).ready()


def hide(page: Page, state: str) -> None:
    """Let the page believe that it is hidden or seen."""
    page.evaluate(
        """(state) => {
          const set = (name, value) =>
            Object.defineProperty(document, name, { value, configurable: true });
          set("visibilityState", state);
          set("hidden", state === "hidden");
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )


def test_the_end_thanks_and_gives_the_code_of_the_platform(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """A worker of a platform gets the completion code and the link back."""
    campaign = campaign_on(admin, tmp_path, words(TEXTS[0]))
    entry = campaign.set_entry("prolific", "C0DE42", "https://app.prolific.com/done")
    one = visit(permissions=["clipboard-read", "clipboard-write"])
    page = one.page()
    page.goto(f"{entry.url}?PROLIFIC_PID=p1&STUDY_ID=s&SESSION_ID=x")
    page.goto(f"{one.base}/work")
    seat = Seat(page)
    seat.ready()
    seat.mark(0, 2, "PER")
    seat.submit()
    expect(page.get_by_role("heading", name="The campaign is finished")).to_be_visible()
    expect(page.locator("#stage")).to_contain_text("You have given 1 answer and earned 0.10.")
    expect(page.locator("#completion-code")).to_have_text("C0DE42")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "C0DE42"
    link = page.get_by_role("link", name="Finish on the platform")
    expect(link).to_have_attribute("href", "https://app.prolific.com/done")
    assert_state_accessible(page)


def test_the_interface_speaks_chinese(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """Labels stay as they are; everything around them is Chinese, on a phone too."""
    campaign = campaign_on(admin, tmp_path, words(*TEXTS))
    with_guide(campaign)
    page = visit(locale="zh-CN", **PHONE).enter(campaign.invite_worker().url)
    page.get_by_role("button", name="开始标注").tap()
    seat = Seat(page)
    seat.ready()
    expect(page.locator(".editor-hint")).to_contain_text("再选择标签")
    page.get_by_role("button", name="标注说明").tap()
    expect(page.get_by_role("dialog")).to_contain_text("Cities are LOC.")
    assert_state_accessible(page)
    page.get_by_role("button", name="关闭").tap()
    seat.token(0).tap()
    seat.label("PER").tap()
    before = seat.text
    page.get_by_role("button", name="提交").tap()
    expect(page.locator(".sentence")).not_to_have_text(before)
    assert_state_accessible(page)


def test_no_hint_of_others_or_of_known_labels(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """A sentence with gold looks and comes like any other; nothing on the wire tells it apart."""
    rows: list[dict[str, Any]] = words(*TEXTS)
    rows[0]["gold"] = [[0, 2, "PER"]]
    campaign = campaign_on(admin, tmp_path, rows, gold_share=0.9)
    one = visit()
    page = one.page()
    found: list[Response] = []
    page.on("response", lambda r: found.append(r) if r.url.endswith("/next") else None)
    page.goto(campaign.invite_worker().url)
    Seat(page).ready()
    assert "gold" in {body["purpose"] for body in happened(campaign, "Assigned")}
    answers = [each.json() for each in found]
    given = [each["assignment"] for each in answers if each["assignment"]]
    keys = {key for each in given for key in each}
    assert keys == {"assignment", "until", "left", "sentence", "turned", "suggested"}
    assert {each["suggested"] for each in given} == {None}
    assert "gold" not in str(answers)
    assert "gold" not in page.content()
