"""What makes labelling quick and safe: nothing moves, few keys, doubts and notes that arrive."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from spancrew.client import CampaignClient, Client
from tests.browser import (
    assert_accessible,
    assert_accessible_in_both_themes,
    assert_state_accessible,
)
from tests.pages.conftest import Visitors
from tests.pages.shifts import LABELS, PHONE, Seat, campaign_on, happened, row, stored, words
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

TEXT = "Ana Rossi left the Bank of England for Rome and Milan today ."
LEGEND = {
    "PER": {"meaning": "a person or a family", "colour": "teal"},
    "LOC": {"meaning": "a place", "key": "l"},
}
INSTRUCTION = "Mark every name."
_PLACES = """() => [...document.querySelectorAll(".token, .palette-label, .actions button")]
  .map((each) => Object.values(each.getBoundingClientRect().toJSON()).join())"""
_WATCH = """() => {
  window.texts = [];
  const saved = document.querySelector("#saved");
  new MutationObserver(() => window.texts.push(saved.textContent))
    .observe(saved, { childList: true, characterData: true, subtree: true });
}"""


def places(seat: Seat) -> list[str]:
    """Return where everything is that somebody aims at."""
    found: list[str] = seat.page.evaluate(_PLACES)
    return found


@pytest.mark.parametrize("phone", [{}, PHONE], ids=["laptop", "phone"])
def test_nothing_moves_when_something_is_marked(
    visit: Visitors, admin: Client, tmp_path: Path, phone: dict[str, Any]
) -> None:
    """Words, labels and buttons stay where they are, whatever is selected, marked or said."""
    text = "安娜住在罗马和米兰。"
    rows = [*words(TEXT), row("z", text, list(text))]
    campaign = campaign_on(admin, tmp_path, rows, labels=("PERSON-OR-FAMILY", "LOC", "ORG"))
    seat = Seat.of(visit(**phone), campaign)
    for _ in range(2):
        before = places(seat)
        seat.presses("Enter")
        expect(seat.page.locator(".desk-message")).to_contain_text("Nothing is marked")
        assert places(seat) == before
        for acts in (["Shift+ArrowRight"], ["1"], ["u"], ["End"], ["2"], ["Home"], ["n"]):
            seat.presses(*acts)
            assert places(seat) == before, acts
        assert [label for *_, label in seat.spans] == ["PERSON-OR-FAMILY", "LOC"]
        seat.presses("Escape")
        told = seat.text
        seat.presses("Enter")
        expect(seat.page.locator("#stage")).not_to_contain_text(told)


def test_few_keys_and_clicks_are_enough(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """Two keys for a name that stands alone; two clicks for a word like the one before."""
    seat = Seat.of(visit(), campaign_on(admin, tmp_path, words(TEXT, TEXT)))
    keys = ["n", "1", "n", "3", "n", "2", "n", "2"]
    seat.presses(*keys)
    marks = [(0, 2, "PER"), (4, 7, "ORG"), (8, 9, "LOC"), (10, 11, "LOC")]
    assert seat.spans == marks
    assert len(keys) / len(marks) <= 4
    seat.presses("Home", "Delete", "p", "Control+ArrowRight", "Control+Shift+ArrowRight", "1")
    assert (1, 3, "PER") in seat.spans
    seat.page.locator(".token[data-k='11']").dblclick()
    assert seat.spans[-1] == (11, 12, "PER")
    seat.presses("2")
    assert seat.spans[-1] == (11, 12, "LOC")


def test_an_overlap_is_never_lost_in_silence(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """The first press asks, Escape keeps all, the second press does it."""
    seat = Seat.of(visit(), campaign_on(admin, tmp_path, words(TEXT)))
    seat.mark(5, 6, "LOC")
    seat.drag(4, 6)
    seat.label("ORG").click()
    assert seat.spans == [(5, 6, "LOC")]
    hint = seat.page.locator(".editor-hint")
    expect(hint).to_contain_text("Choose ORG once more")
    assert_accessible(seat.page)
    seat.presses("Escape")
    expect(hint).not_to_contain_text("once more")
    seat.drag(4, 6)
    seat.label("ORG").click()
    seat.label("ORG").click()
    assert seat.spans == [(4, 7, "ORG")]
    expect(hint).to_contain_text("in place of 1 span")
    seat.drag(6, 8)
    seat.label("LOC").click()
    assert seat.spans == [(4, 6, "ORG"), (6, 9, "LOC")]


def test_doubts_notes_and_flags_reach_the_expert(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """They survive a reload, travel with the answer, which is paid, and stand on the desk."""
    plan = {"feedback": "expert", "legend": LEGEND, "instruction": INSTRUCTION}
    campaign = campaign_on(admin, tmp_path, words(TEXT, TEXT), **plan)
    seat = Seat.of(visit(), campaign)
    page = seat.page
    for text in ("A test", INSTRUCTION, "a person or a family"):
        expect(page.locator(".desk")).to_contain_text(text)
    seat.presses("n", "1", "n", "l", "u")
    seat.button("Note or flag…").click()
    page.get_by_label("Note to the expert").fill("Is a bank a place?")
    page.get_by_label("The text is broken").check()
    assert_accessible_in_both_themes(page)
    seat.button("Keep").click()
    page.reload()
    seat.ready()
    assert seat.spans == [(0, 2, "PER"), (4, 7, "LOC")]
    expect(page.locator(".remarked")).to_contain_text("Flagged: The text is broken")
    expect(seat.token(4)).to_have_attribute("aria-label", "Bank, LOC begins, unsure")
    expect(seat.label("PER")).to_have_attribute("data-colour", "6")
    assert_state_accessible(page)
    seat.submit()
    seat.sent()
    [body] = happened(campaign, "Answered")
    assert (body["unsure"], body["note"], body["flag"]) == ([4], "Is a bank a place?", "broken")
    assert body["paid"] > 0
    assert_on_the_desk(visit().enter(campaign.invite_expert("Eve").url))


def assert_on_the_desk(page: Page) -> None:
    """Assert that an expert sees what a worker said of their answer."""
    answers = page.locator(".answer:not(.consensus)")
    expect(answers).to_contain_text("Note: Is a bank a place?")
    expect(answers).to_contain_text("Flagged: the text is broken")
    expect(answers).to_contain_text("LOC ?")
    for text in (INSTRUCTION, "a person or a family"):
        expect(page.locator(".sheet-card")).to_contain_text(text)
    assert_state_accessible(page)


def test_an_answer_on_its_way_is_not_said_to_wait(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Only one that failed is; and the page with all its parts is light."""
    campaign = campaign_on(admin, tmp_path, words(TEXT, TEXT, TEXT))
    sizes: dict[str, int] = {}

    def weigh(answer: Response) -> None:
        if answer.ok and not re.search("/api/|/enter", answer.url):
            sizes[answer.url] = len(answer.body())

    page = visit(alone=True).page()
    page.on("response", weigh)
    page.goto(campaign.invite_worker().url)
    seat = Seat(page)
    seat.ready()
    page.evaluate(_WATCH)
    for _ in range(2):
        told = page.locator("#answers").inner_text()
        seat.presses("n", "1", "Enter")
        expect(page.locator("#answers")).not_to_have_text(told)
        seat.sent()
    assert set(page.evaluate("window.texts")) == {"Saved"}
    assert 50_000 < sum(sizes.values()) < 100_000, sizes


def test_fourteen_labels_on_a_phone_and_at_twice_the_size(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """All are on the screen at once, with room for the sentence above them."""
    labels = [*LABELS, *(f"KIND-{k}" for k in range(11))]
    campaign = campaign_on(admin, tmp_path, words(TEXT, TEXT), labels=labels)
    seat = Seat.of(visit(**PHONE), campaign)
    boxes = [seat.label(name).first.bounding_box() for name in labels]
    assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 360 for box in boxes)
    assert all(box and box["y"] > 200 and box["y"] + box["height"] <= 640 for box in boxes)
    seat.token(0).tap()
    seat.label("KIND-10").tap()
    assert seat.spans == [(0, 1, "KIND-10")]
    assert_state_accessible(seat.page)
    seat.page.set_viewport_size({"width": 640, "height": 360})
    assert_accessible(seat.page)


@pytest.fixture
def ten(admin: Client, tmp_path: Path) -> CampaignClient:
    """Return a campaign in which ten sentences wait on a page."""
    texts = [f"Ana {k} lives in Rome" for k in range(14)]
    return campaign_on(admin, tmp_path, words(*texts), ahead=9)


def test_ten_sentences_without_a_connection_and_a_reload(
    visit: Visitors, ten: CampaignClient
) -> None:
    """The page comes back, goes on where it was, and all answers arrive, once each."""
    one = visit(service_workers="allow")
    one.expected = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED")
    page = one.page()
    seat = Seat(page)
    page.goto(ten.invite_worker().url)
    seat.ready()
    kept = """async () => {
      const key = Object.keys(localStorage).find((each) => each.endsWith(".kept.sentences"));
      const parts = await (await caches.open("spancrew-work")).keys();
      const isKept = parts.some(({ url }) => url.endsWith("/work"));
      return isKept && JSON.parse(localStorage.getItem(key)).length === 10;
    }"""
    wait_until(lambda: page.evaluate(kept), "the page was not kept")
    one.context.set_offline(True)
    seen = set()
    for k in range(10):
        seen.add(seat.text)
        seat.presses("n", "1")
        if k == 4:
            page.reload()
            seat.ready()
            assert len(seat.spans) == 1
        told = seat.text
        seat.presses("Enter")
        expect(page.locator("#stage")).not_to_contain_text(told)
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    # Chromium may let one request of a page pass that is just loading, though it is offline.
    assert len(seen) == 10
    assert len(stored(ten)) <= 1
    one.context.set_offline(False)
    seat.ready()
    seat.sent()
    assert len(stored(ten)) == 10
