"""The page on which an admin writes the guide."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from spancrew.client import CampaignClient, Client
from spancrew.core import Sentence, Span
from spancrew.wire import SolvedView
from tests.browser import assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.admins import as_admin
from tests.pages.conftest import Visitors
from tests.serving import Serving

pytestmark = pytest.mark.browser

MARKS = [re.compile("PER ?Ada"), re.compile("LOC ?Oslo")]
PLAN: dict[str, Any] = {"crew": 4, "answers": 3, "warm_up": "none"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}


@pytest.fixture
def campaign(admin: Client) -> CampaignClient:
    """Return a campaign on the demo data."""
    return admin.create("Names in the news", "demo", PLAN, gold="ignore")


def solved(id_: str, text: str, *spans: tuple[int, int, str], note: str = "") -> SolvedView:
    """Return a sentence with its right spans."""
    marks = tuple(Span(*span) for span in spans)
    return SolvedView(sentence=Sentence.from_text(id_, text), spans=marks, note=note)


def opened(visit: Visitors, server: Serving, campaign: CampaignClient, **options: Any) -> Page:
    """Open the page and wait until the guide is there."""
    page = visit(**as_admin(server), **options).page(f"/campaigns/{campaign.id}/guide")
    expect(page.locator("#state")).not_to_be_empty()
    return page


def test_instructions_are_shown_as_they_are_written(
    visit: Visitors, server: Serving, campaign: CampaignClient
) -> None:
    """As workers will see them, with what is saved and what is not."""
    page = opened(visit, server, campaign)
    expect(page.locator("#state")).to_have_text("Saved")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    page.get_by_role("textbox", name="Instructions").fill("# Names\n\nMark **all** <b>names</b>.")
    preview = page.get_by_role("region", name="Preview")
    expect(preview.get_by_role("heading", name="Names")).to_be_visible()
    expect(preview.locator("strong")).to_have_text("all")
    expect(preview.locator("b")).to_have_count(0)
    expect(page.locator("#state")).to_have_text("Not saved")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#state")).to_have_text("Saved")

    assert campaign.guide().instructions == "# Names\n\nMark **all** <b>names</b>."


def test_examples_are_added_marked_and_saved(
    visit: Visitors, server: Serving, campaign: CampaignClient
) -> None:
    """By mouse and keyboard; what is saved is what comes back."""
    page = opened(visit, server, campaign)
    examples = page.get_by_role("region", name="Examples")
    examples.get_by_label("New sentences").fill("Ada met Bo in Oslo.\n\nIt rained.")
    examples.get_by_role("button", name="Add").click()
    examples.locator(".token", has_text="Ada").click()
    examples.get_by_role("button", name="PER").click()
    examples.locator(".token", has_text="Oslo").click()
    page.keyboard.press("1")
    examples.get_by_label("Note for workers").fill("People and places.")
    assert_accessible_in_both_themes(page)
    examples.get_by_role("button", name="Done").click()
    expect(examples.get_by_role("button", name="Edit sentence 1")).to_be_focused()
    expect(examples.locator("mark")).to_have_text(MARKS)
    page.keyboard.press("Control+s")
    expect(page.locator("#state")).to_have_text("Saved")
    page.reload()
    expect(examples.locator("mark")).to_have_text(MARKS)
    assert_state_accessible(page)

    found = campaign.guide().examples
    assert [each.sentence.text for each in found] == ["Ada met Bo in Oslo.", "It rained."]
    assert found[0].spans == (Span(0, 1, "PER"), Span(4, 5, "LOC"))
    assert found[0].note == "People and places."


def test_sentences_are_ordered_moved_and_put_back(
    visit: Visitors, server: Serving, campaign: CampaignClient
) -> None:
    """By buttons that keep the keyboard; only what is saved counts."""
    texts = ("One.", "Two.", "Three.")
    campaign.set_guide(practice=[solved(text, text) for text in texts])
    page = opened(visit, server, campaign)
    practice = page.get_by_role("region", name="Practice")
    shown = practice.locator(".marked")
    expect(shown).to_have_text(list(texts))
    practice.get_by_role("button", name="Down: sentence 1").press("Enter")
    expect(shown).to_have_text(["Two.", "One.", "Three."])
    expect(practice.get_by_role("button", name="Down: sentence 2")).to_be_focused()
    practice.get_by_role("button", name="Remove sentence 3").click()
    expect(shown).to_have_text(["Two.", "One."])
    practice.get_by_role("button", name="Restore").click()
    expect(shown).to_have_text(["Two.", "One.", "Three."])
    practice.get_by_role("button", name="To examples: sentence 1").click()
    expect(page.get_by_role("region", name="Examples").locator(".marked")).to_have_text("Two.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#state")).to_have_text("Saved")

    guide = campaign.guide()
    assert [each.sentence.text for each in guide.examples] == ["Two."]
    assert [each.sentence.text for each in guide.practice or ()] == ["One.", "Three."]


def test_an_admin_sees_it_as_workers_do(
    visit: Visitors, server: Serving, campaign: CampaignClient
) -> None:
    """Instructions, examples with their labels, and how much there is to practise."""
    example = solved("e", "李华住在北京。", (0, 2, "PER"), (4, 6, "LOC"), note="两个名称。")
    campaign.set_guide("Read **this**.", [example], [solved("p", "One."), solved("q", "Two.")])
    page = opened(visit, server, campaign)
    page.get_by_role("button", name="Show as workers see it").click()
    dialog = page.get_by_role("dialog", name="As workers see it")
    expect(dialog.locator("strong")).to_have_text("this")
    expect(dialog.locator("mark")).to_have_text([re.compile("PER ?李华"), re.compile("LOC ?北京")])
    expect(dialog).to_contain_text("practise on 2 sentences")
    assert_state_accessible(page)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


def test_a_sentence_of_the_campaign_is_refused_where_it_is(
    visit: Visitors, server: Serving, campaign: CampaignClient
) -> None:
    """When it is added, and with the reason; the text stays to be changed."""
    browser = visit(**as_admin(server))
    browser.expected = ("422",)
    page = browser.page(f"/campaigns/{campaign.id}/guide")
    practice = page.get_by_role("region", name="Practice")
    practice.get_by_label("New sentences").fill("Fine.\nClosed for repairs.")
    practice.get_by_role("button", name="Add").click()
    alert = practice.get_by_role("alert")
    expect(alert).to_contain_text("“Closed for repairs.”: this is sentence")
    expect(practice.get_by_label("New sentences")).to_have_value("Fine.\nClosed for repairs.")
    expect(practice.locator(".lesson")).to_have_count(0)


def test_what_the_server_refuses_is_shown_at_its_place(
    visit: Visitors, server: Serving, campaign: CampaignClient
) -> None:
    """The page stays as it is, and can be saved once it is mended."""
    campaign.set_guide(examples=[solved("a", "One.")], practice=[solved("b", "Two.")])
    browser = visit(**as_admin(server))
    browser.expected = ("422",)
    page = browser.page(f"/campaigns/{campaign.id}/guide")
    practice = page.get_by_role("region", name="Practice")
    practice.get_by_label("New sentences").fill("one.")
    practice.get_by_role("button", name="Add").click()
    practice.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Save", exact=True).click()
    wrong = practice.locator(".lesson").nth(1)
    expect(wrong.get_by_role("alert")).to_contain_text("this sentence is at examples.0, too")
    expect(page.locator("#state")).to_have_text("Not saved")
    assert_state_accessible(page)
    practice.get_by_role("button", name="Remove sentence 2").click()
    page.get_by_role("textbox", name="Instructions").fill("Now it fits.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#state")).to_have_text("Saved")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_leaving_without_saving_is_asked_about(
    visit: Visitors, server: Serving, campaign: CampaignClient
) -> None:
    """By the browser; with everything saved it lets go at once."""
    page = opened(visit, server, campaign)
    page.get_by_role("textbox", name="Instructions").press_sequentially("New")
    asked: list[str] = []

    def answer(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    page.get_by_role("link", name="People").click()
    page.wait_for_url("**/people")
    assert asked == ["beforeunload"]
    page.get_by_role("link", name="Guide").click()
    expect(page.locator("#state")).to_have_text("Saved")
    page.get_by_role("link", name="People").click()
    page.wait_for_url("**/people")
    assert asked == ["beforeunload"]


def test_the_page_on_a_phone_in_chinese(
    visit: Visitors, server: Serving, campaign: CampaignClient
) -> None:
    """Everything fits the screen, and a Chinese sentence is marked by its characters."""
    page = opened(visit, server, campaign, locale="zh-CN", **PHONE)
    practice = page.get_by_role("region", name="练习")
    practice.get_by_label("新句子").fill("李华住在北京。")
    practice.get_by_role("button", name="添加").click()
    practice.locator(".token", has_text="李").tap()
    practice.locator(".token", has_text="华").tap()
    practice.get_by_role("button", name="PER").tap()
    assert_state_accessible(page)
    page.get_by_role("button", name="保存", exact=True).tap()
    expect(page.locator("#state")).to_have_text("已保存")

    (saved,) = campaign.guide().practice or ()
    assert saved.spans == (Span(0, 2, "PER"),)
