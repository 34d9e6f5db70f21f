"""Chinese, Arabic, emoji and very long sentences: what is stored is what was marked."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from spancrew.client import Client
from spancrew.formats import read
from tests.browser import assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors
from tests.pages.shifts import PHONE, Seat, campaign_on, row, stored, words

pytestmark = pytest.mark.browser


def test_chinese_is_marked_character_by_character(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Characters stand without gaps, and a drag over three of them marks three tokens."""
    text = "王小明从北京飞往上海。"
    campaign = campaign_on(admin, tmp_path, [row("s0", text, list(text))])
    seat = Seat.of(visit(), campaign)
    assert seat.text == text
    seat.drag(0, 2)
    seat.label("PER").click()
    seat.drag(4, 5)
    seat.label("LOC").click()
    seat.drag(8, 9)
    seat.label("LOC").click()
    seat.submit()
    expect(seat.page.get_by_role("heading", name="The campaign is finished")).to_be_visible()
    assert stored(campaign) == {0: [(0, 3, "PER"), (4, 6, "LOC"), (8, 10, "LOC")]}


def test_arabic_runs_from_right_to_left(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """The sentence begins on the right; the left arrow goes on to the next word."""
    text = "سافرت آنا روسي من روما إلى لندن"
    campaign = campaign_on(admin, tmp_path, words(text))
    seat = Seat.of(visit(), campaign)
    first, last = seat.token(0).bounding_box(), seat.token(6).bounding_box()
    assert first is not None
    assert last is not None
    assert first["x"] > last["x"]
    seat.presses("ArrowLeft", "Shift+ArrowLeft", "1", "ArrowLeft", "ArrowLeft", "2")
    assert seat.spans == [(1, 3, "PER"), (4, 5, "LOC")]
    seat.presses("End", "ArrowRight", "ArrowLeft", "2")
    direction = seat.page.locator(".sentence").evaluate("(e) => getComputedStyle(e).direction")
    assert direction == "rtl"
    assert_accessible_in_both_themes(seat.page)
    seat.submit()
    expect(seat.page.get_by_role("heading", name="The campaign is finished")).to_be_visible()
    assert stored(campaign) == {0: [(1, 3, "PER"), (4, 5, "LOC"), (6, 7, "LOC")]}


def test_emoji_count_as_code_points(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """Signs of several code points are one token each, and the export has the right text."""
    text = "👨‍👩‍👧 and Zoe\u0301 love 🇮🇹 Rome👍🏽!"
    tokens = ["👨‍👩‍👧", "and", "Zoe\u0301", "love", "🇮🇹", "Rome", "👍🏽", "!"]
    campaign = campaign_on(admin, tmp_path, [row("s0", text, tokens)])
    seat = Seat.of(visit(), campaign)
    assert [seat.token(k).inner_text() for k in range(8)] == tokens
    seat.mark(0, 1, "PER")
    seat.mark(2, 3, "PER")
    seat.mark(4, 6, "LOC")
    seat.submit()
    expect(seat.page.get_by_role("heading", name="The campaign is finished")).to_be_visible()
    campaign.export(tmp_path / "out.jsonl")
    dataset = read(tmp_path / "out.jsonl").dataset
    spans = dataset.answer(0).spans
    assert [dataset.sentences[0].quote(span) for span in spans] == [
        "👨‍👩‍👧",
        "Zoe\u0301",
        "🇮🇹 Rome",
    ]


def test_two_hundred_tokens_on_a_small_phone(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """The page scrolls, labels and buttons stay in reach, and nothing jumps."""
    text = " ".join(f"word{k}" for k in range(200))
    campaign = campaign_on(admin, tmp_path, words(text, text))
    seat = Seat.of(visit(**PHONE), campaign)
    page = seat.page
    assert_state_accessible(page)
    for name in ("Submit", "Nothing to mark here", "Undo"):
        expect(seat.button(name)).to_be_in_viewport(ratio=1)
    expect(seat.label("ORG")).to_be_in_viewport(ratio=1)
    seat.token(198).scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 500
    seat.token(198).tap()
    seat.token(199).tap()
    seat.label("ORG").tap()
    assert seat.spans == [(198, 200, "ORG")]
    assert abs(page.evaluate("scrollY") - before) < 60
    expect(seat.button("Submit")).to_be_in_viewport(ratio=1)
    seat.button("Submit").tap()
    expect(seat.token(0)).to_be_in_viewport()
    seat.sent()
    assert list(stored(campaign).values()) == [[(198, 200, "ORG")]]
