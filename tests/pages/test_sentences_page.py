"""The page on which every label can be seen, and every mistake corrected."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from spancrew.client import Client
from tests.browser import assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors
from tests.pages.desks import NEWS, NEWS_ANSWERS, SPORT, SPORT_ANSWERS, Desk, at_desk
from tests.spread import often

pytestmark = pytest.mark.browser

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True}
MOST = 100_000


@pytest.fixture
def desk(admin: Client, tmp_path: Path) -> Desk:
    """Return a campaign in which the crowd settles both of its sentences."""
    made = Desk(admin, tmp_path, [NEWS, SPORT], feedback="crowd")
    return made.answer([NEWS_ANSWERS, SPORT_ANSWERS])


def opened(admins: Visitors, desk: Desk, query: str = "", **options: Any) -> Page:
    """Open the sentences of a campaign."""
    return admins(**options).page(f"/campaigns/{desk.campaign.id}/sentences{query}")


@pytest.mark.parametrize("options", often([PHONE], [PHONE, {}]))
def test_sentences_are_found_and_opened(
    admins: Visitors, desk: Desk, options: dict[str, Any]
) -> None:
    """By text and filters that stand in the address; both views can be read by everybody."""
    page = opened(admins, desk, **options)
    expect(page.locator("#found > li")).to_have_count(2)
    assert_accessible_in_both_themes(page)
    page.get_by_label("Text").fill("juve")
    expect(page.locator("#found > li")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"text=juve"))
    expect(page.locator("#found mark").first).to_contain_text("Juventus")
    page.locator("#found a").click()
    expect(page.get_by_role("heading", level=1, name="s1")).to_be_focused()
    expect(page.locator(".said > li")).to_have_count(3)
    expect(page.locator(".happened > li")).to_have_count(8)
    assert_state_accessible(page)
    page.go_back()
    expect(page.locator("#found > li")).to_have_count(1)
    page.get_by_label("Text").fill("nowhere")
    expect(page.get_by_role("status").filter(has_text="0 sentences")).to_be_visible()


def test_more_sentences_come_from_a_file(admins: Visitors, desk: Desk) -> None:
    """What is there already is counted and not added again; a file that does not fit is told."""
    visit = admins()
    visit.expected = ("422",)
    page = visit.page(f"/campaigns/{desk.campaign.id}/sentences")
    expect(page.locator("#found > li")).to_have_count(2)
    page.locator("summary", has_text="Add sentences").click()
    assert_state_accessible(page)
    told = page.locator("#added")
    for name, text, words in (
        ("more.txt", "It rained in Turin .\nNobody came .\n", "2 sentences added."),
        ("again.txt", "It rained in Turin .\nAll left .\n", "One sentence added. One was in"),
        ("bad.csv", "text,start,end,label\nYes.,0,x,A\n", "line 2"),
    ):
        file = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
        page.locator("#add input").set_input_files(file)  # type: ignore[arg-type]
        page.get_by_role("button", name="Add sentences").click()
        expect(told).to_contain_text(words)
    expect(page.locator("#found > li")).to_have_count(5)
    expect(page.get_by_text("All left .")).to_be_visible()


def test_an_admin_overrules_labels_where_they_stand(admins: Visitors, desk: Desk) -> None:
    """Asked once more, as scores follow; then the sentence is an expert's."""
    page = opened(admins, desk, "?sentence=1")
    page.get_by_role("button", name="Change the labels").click()
    page.locator(".sentence .token").first.click()
    page.keyboard.press("Delete")
    page.get_by_label("Why?").fill("a club, not here")
    page.get_by_role("button", name="Save these labels").click()
    page.get_by_role("dialog").get_by_role("button", name="Save these labels").click()
    expect(page.locator(".facts")).to_contain_text("an expert")
    expect(page.locator(".facts")).to_contain_text("corrected")
    detail = desk.campaign.sentences.one(1)

    assert detail.hit.by == "expert"
    assert [each.label for each in detail.hit.labels] == ["ORG", "LOC"]
    assert detail.events[-1].body["note"] == "a club, not here"
    assert all(each.reward is not None and each.reward < 1 for each in detail.answers)


def test_the_page_stays_light(admins: Visitors, desk: Desk) -> None:
    """All of HTML, styles and scripts of the list is below 100 kB, unpacked."""
    visit = admins(alone=True)
    sizes: list[int] = []
    page = visit.page("/campaigns")
    page.on(
        "response",
        lambda answer: sizes.append(len(answer.body()) if "/api/" not in answer.url else 0),
    )
    page.goto(f"{page.url.rpartition('/')[0]}/campaigns/{desk.campaign.id}/sentences")
    expect(page.locator("#found > li")).to_have_count(2)

    assert 20_000 < sum(sizes) < MOST


def test_an_expert_looks_and_corrects_their_last_labels(
    admin: Client, tmp_path: Path, visit: Visitors
) -> None:
    """An empty submission must be meant, and what was said can be said better."""
    desk = Desk(admin, tmp_path, [NEWS]).answer([NEWS_ANSWERS])
    page = at_desk(visit(), desk.expert())
    while page.locator(".sentence .token.first").count():
        page.locator(".sentence .token.first").first.click()
        page.keyboard.press("Delete")
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".sheet-card .notice")).to_contain_text("If there is nothing to mark")
    assert desk.decided == {}
    page.get_by_role("button", name="Nothing to mark").click()
    expect(page.locator(".calm h2")).to_be_visible()
    assert desk.decided == {"0": []}
    page.locator("#mine summary").click()
    page.locator("#mine button").first.click()
    page.get_by_role("dialog").locator(".token").nth(10).click()
    page.keyboard.press("3")
    page.get_by_role("button", name="Save the correction").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert [each.label for each in desk.campaign.sentences.one(0).hit.labels] == ["LOC"]
    assert_state_accessible(page)
    page.get_by_role("link", name="All sentences").click()
    expect(page.locator("#found > li")).to_have_count(1)
    page.locator("#found a").click()
    expect(page.locator(".said > li")).to_have_count(3)
    expect(page.get_by_role("button", name="Change the labels")).to_have_count(0)
