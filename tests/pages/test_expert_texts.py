"""The expert's desk with other sentences: long, right-to-left, Chinese, questions, warm-ups."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from spancrew.client import Client
from tests.browser import assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors
from tests.pages.desks import NEWS, SPORT, Desk, at_desk, news, spans_on

pytestmark = pytest.mark.browser

LONG = [f"word{k}" for k in range(200)]
ARABIC = ["التقى", "أحمد", "حسن", "وفد", "بنك", "مصر", "في", "القاهرة", "اليوم"]
CHINESE = "王小明👩🏽‍🔬在北京"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def test_a_long_sentence_on_a_small_phone(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """Rows show only the words near a border, all the same ones; nothing sticks out sideways."""
    answers = [
        [(0, 2, "PER"), (100, 140, "ORG"), (199, 200, "LOC")],
        [(0, 2, "PER"), (100, 140, "ORG")],
        [(0, 1, "PER"), (120, 140, "LOC"), (199, 200, "LOC")],
    ]
    desk = Desk(admin, tmp_path, [LONG]).answer([answers])
    page = at_desk(visit(**PHONE), desk.expert())
    rows = page.locator(".row-text").all_inner_texts()
    assert len(rows) == 4
    for text in rows:
        assert text.count("…") == 4
        assert "word6 " in text
        assert "word50 " not in text
    queued = page.get_by_role("button", name="word0 word1 word2")
    expect(queued).to_be_hidden()
    assert_accessible_in_both_themes(page)
    page.locator("#queue summary").tap()
    expect(queued).to_be_visible()
    page.get_by_role("button", name="Accept LOC word120").tap()
    assert (120, 140, "LOC") in spans_on(page)
    page.get_by_role("button", name="Submit").tap()
    expect(page.get_by_role("heading", name="The campaign is over")).to_be_visible()
    assert desk.decided["0"] == [(0, 2, "PER"), (120, 140, "LOC"), (199, 200, "LOC")]


def test_arabic_runs_from_right_to_left(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """In the editor, in the rows and in the queue; spans are where they were marked."""
    answers = [
        [(1, 3, "PER"), (4, 6, "ORG"), (7, 8, "LOC")],
        [(1, 3, "PER"), (4, 6, "ORG"), (7, 8, "LOC")],
        [(1, 2, "PER"), (5, 6, "LOC")],
    ]
    desk = Desk(admin, tmp_path, [ARABIC]).answer([answers])
    page = at_desk(visit(), desk.expert())
    for part in (".sentence", ".row-text >> nth=2", ".queued-text >> nth=0"):
        assert page.locator(part).evaluate("e => getComputedStyle(e).direction") == "rtl"
    expect(page.locator(".row-mark.missing")).to_have_text(["القاهرة\N{MINUS SIGN} LOC"])
    page.keyboard.press("r")
    page.keyboard.press("a")
    assert spans_on(page) == [(1, 2, "PER"), (4, 6, "ORG"), (7, 8, "LOC")]
    assert_state_accessible(page)


def test_chinese_sentences_and_a_chinese_desk(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Every word of the page is Chinese, and a joined emoji is one token."""
    answers = [[(0, 3, "PER"), (5, 7, "LOC")], [(0, 3, "PER"), (5, 7, "LOC")], [(0, 4, "PER")]]
    desk = Desk(admin, tmp_path, [CHINESE]).answer([answers])
    page = visit(locale="zh-CN").enter(desk.expert())
    expect(page.get_by_role("heading", name="分歧之处")).to_be_visible(timeout=20_000)
    page.get_by_role("button", name="采纳 PER 王小明👩🏽‍🔬", exact=True).click()
    assert spans_on(page) == [(0, 4, "PER"), (5, 7, "LOC")]
    assert_state_accessible(page)
    page.get_by_role("button", name="提交").click()
    expect(page.get_by_role("heading", name="项目已结束")).to_be_visible()
    expect(page.get_by_role("region", name="您上一次裁定的影响")).to_contain_text("首次得分 0.50")


def test_questions_are_decided_vote_by_vote(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Choices work alike: votes for each question, accept with a key, each row can be taken."""
    questions = ["Which is better?", "Is it polite?", "Is it true?"]
    answers = [
        [(0, 1, "yes"), (1, 2, "yes"), (2, 3, "yes")],
        [(0, 1, "yes"), (1, 2, "no"), (2, 3, "yes")],
        [(0, 1, "yes"), (1, 2, "no"), (2, 3, "no")],
    ]
    desk = Desk(admin, tmp_path, [questions], kind="choices", labels=["no", "yes"])
    page = at_desk(visit(), desk.answer([answers]).expert())
    places = page.get_by_role("region", name="Disagreements").get_by_role("listitem")
    expect(places).to_have_count(4)
    expect(page.get_by_text("1 question has the same answer from everybody.")).to_be_visible()
    expect(page.get_by_role("button", name="Reject")).to_have_count(0)
    assert_state_accessible(page)
    page.get_by_role("button", name="Accept yes Is it polite?").click()
    page.get_by_role("button", name="Use the answer of w2").click()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="The campaign is over")).to_be_visible()
    assert desk.decided["0"] == [tuple(mark) for mark in answers[2]]


def test_a_warm_up_is_labelled_without_answers(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """It comes first: the expert is not swayed by new workers."""
    desk = Desk(admin, tmp_path, [NEWS, SPORT], warm_up="own", answers=3)
    desk.answer([[[]] * 3] * 2)
    page = at_desk(visit(), desk.expert())
    expect(page.get_by_role("listitem").first).to_contain_text("To label on your own")
    expect(page.get_by_text("Label this sentence on your own.")).to_be_visible()
    expect(page.get_by_role("region", name="All answers")).to_have_count(0)
    assert spans_on(page) == []
    assert_state_accessible(page)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".sheet-card .notice")).to_contain_text("If there is nothing to mark")
    page.keyboard.press("Control+Shift+Enter")
    panel = page.get_by_role("region", name="Scores after your last answer")
    expect(panel.get_by_role("listitem").first).to_contain_text("first score, 1.00")


def test_instructions_are_at_hand(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """In a dialog that Escape closes, whether there are any or not."""
    page = at_desk(visit(caught=True), news(admin, tmp_path).expert())
    page.get_by_role("button", name="Instructions").click()
    dialog = page.get_by_role("dialog", name="Instructions")
    expect(dialog).to_contain_text("There are no instructions for this campaign yet.")
    page.keyboard.press("Escape")
    example = {
        "sentence": {"id": "e", "text": "Ana left", "tokens": [[0, 3], [4, 8]]},
        "spans": [{"start": 0, "end": 1, "label": "PER"}],
        "note": "A first name is enough.",
    }
    guide = {
        "instructions": "# Names\n\nMark **every** name.", "examples": [example],
        "training": 0, "trained": True, "practice": None,
    }  # fmt: skip
    page.route("**/guide", lambda route: route.fulfill(json=guide))
    page.get_by_role("button", name="Instructions").click()
    expect(dialog.get_by_role("heading", name="Names")).to_be_visible()
    expect(dialog).to_contain_text("A first name is enough.")
    assert_state_accessible(page)
