"""The page on which an admin invites people and lets them go."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from spancrew.client import CampaignClient, Client
from tests.browser import Visit, assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.admins import as_admin
from tests.pages.conftest import Visitors
from tests.serving import Serving
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

PLAN: dict[str, Any] = {"crew": 4, "answers": 3, "warm_up": "none"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True}


@pytest.fixture
def campaign(admin: Client) -> CampaignClient:
    """Return a campaign on the demo data."""
    return admin.create("Names in the news", "demo", PLAN, gold="ignore")


def opened(visit: Visitors, server: Serving, campaign: CampaignClient, **options: Any) -> Page:
    """Open the page and wait until it knows who is there."""
    page = visit(**as_admin(server), **options).page(f"/campaigns/{campaign.id}/people")
    expect(page.locator("#experts-count")).not_to_be_empty()
    return page


def is_let_in(guest: Visit, link: str) -> bool:
    """Open a link in a browser of its own and tell whether it let somebody in."""
    page = guest.page()
    page.goto(link)
    refused = page.locator("#problem .notice")
    wait_until(lambda: refused.is_visible() or "/enter" not in page.url)
    return "/enter" not in page.url


def test_an_empty_campaign_says_what_to_do(
    visit: Visitors, server: Serving, campaign: CampaignClient
) -> None:
    """With no workers, no experts and no platform."""
    page = opened(visit, server, campaign)
    expect(page.get_by_text("No workers yet.")).to_be_visible()
    expect(page.get_by_text("No experts yet.")).to_be_visible()
    assert_accessible_in_both_themes(page)


def test_a_link_that_was_copied_lets_its_worker_in(
    visit: Visitors, server: Serving, campaign: CampaignClient
) -> None:
    """It is shown once; the worker is seen in the list afterwards."""
    page = opened(visit, server, campaign, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_label("Names, one per line").fill("Ann Lee")
    page.get_by_role("button", name="Make links").click()
    page.get_by_role("button", name="Copy the link of Ann Lee").click()
    link = page.evaluate("navigator.clipboard.readText()")
    workers = page.get_by_role("region", name="Workers")
    expect(workers.locator(".chip").get_by_text("Invited")).to_be_visible()
    expect(page.get_by_role("textbox", name="Link of Ann Lee")).to_have_value(link)
    assert_state_accessible(page)

    assert is_let_in(visit(), link)
    with Client.from_link(link) as ann:
        ann.worker().progress()
    page.reload()
    expect(workers.get_by_text("Ann Lee")).to_be_visible()
    expect(page.get_by_role("textbox", name="Link of Ann Lee")).to_have_count(0)


def test_many_are_invited_at_once(
    visit: Visitors, server: Serving, campaign: CampaignClient
) -> None:
    """Some with names, all links copied as text with whose they are."""
    page = opened(visit, server, campaign, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_label("How many").fill("12")
    page.get_by_label("Names, one per line").fill("Ann\n李华")
    page.get_by_role("button", name="Make links").click()
    expect(page.locator(".link")).to_have_count(12)
    page.get_by_role("button", name="Copy all links").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    lines = [
        line.split("\t") for line in page.evaluate("navigator.clipboard.readText()").split("\n")
    ]

    assert [name for name, _ in lines] == ["Ann", "李华", *(f"w{n}" for n in range(2, 12))]
    assert len({url for _, url in lines}) == 12
    expect(page.locator("#workers-count")).to_have_text("12")
    page.get_by_label("Find a worker").fill("李")
    expect(page.locator("#workers .person")).to_have_count(1)
    page.get_by_role("button", name="I have saved them").click()
    expect(page.locator(".link")).to_have_count(0)


def invite_by_file(page: Page, file: Path, *lines: str) -> None:
    """Send a CSV with these lines."""
    file.write_text("\n".join(lines), encoding="utf-8")
    page.get_by_label("Or many by a file: CSV").set_input_files(file)
    page.get_by_role("button", name="Invite all in the file").click()


def links_saved(page: Page, file: Path) -> list[dict[str, str]]:
    """Download the links that were made, and put them away."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as CSV").click()
    download.value.save_as(file)
    page.get_by_role("button", name="I have saved them").click()
    with file.open(encoding="utf-8-sig", newline="") as opened_file:
        return list(csv.DictReader(opened_file))


def pause_selected(page: Page, count: int) -> None:
    """Pause those who are selected."""
    page.get_by_role("group", name="Selected workers").get_by_role("button", name="Pause").click()
    dialog = page.get_by_role("dialog", name=f"Pause {count} workers?")
    dialog.get_by_label("Reason").fill("a break")
    dialog.get_by_role("button", name="Pause").click()
    expect(page.locator("#bulk-told")).to_have_text(f"{count} workers changed.")


def test_hundreds_are_invited_by_a_file_and_paused_at_once(
    visit: Visitors, server: Serving, campaign: CampaignClient, tmp_path: Path
) -> None:
    """A CSV up and a CSV down; found by name and state, selected beyond the page, paused."""
    browser = visit(**as_admin(server))
    browser.expected = ("422",)
    page = browser.page(f"/campaigns/{campaign.id}/people")
    invite_by_file(page, tmp_path / "people.csv", "name,cap", "Ann,many")
    expect(page.locator("#roll-problem")).to_contain_text("line 2: found the cap 'many'")
    crowd = [f"{'North' if k < 60 else 'South'} {k:03},{k or ''}" for k in range(120)]
    invite_by_file(page, tmp_path / "people.csv", "name,cap", *crowd)
    expect(page.locator("#workers-count")).to_have_text("120")
    rows = links_saved(page, tmp_path / "links.csv")
    expect(page.locator("#workers .person")).to_have_count(50)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Page 2 of 3")).to_be_visible()
    page.get_by_label("Find a worker").fill("south")
    expect(page.get_by_text("60 workers found")).to_be_visible()
    page.get_by_label("Select all on this page").check()
    expect(page.get_by_text("50 selected")).to_be_visible()
    assert_state_accessible(page)
    page.get_by_role("button", name="Select all 60 found").click()
    pause_selected(page, 60)
    page.get_by_label("Find a worker").fill("")
    page.get_by_label("State").select_option("paused")
    page.get_by_label("Select South 060").check()
    page.get_by_role("button", name="Readmit").click()
    expect(page.get_by_text("59 workers found")).to_be_visible()
    states = [each.state for each in campaign.standings()]

    assert list(rows[0].values())[:3] == ["w0", "North 000", "invited"]
    assert is_let_in(visit(), rows[7]["link"])
    assert [states[:60].count("paused"), states[60], *{*states[61:]}] == [0, "ready", "paused"]


def test_a_new_link_ends_the_old_one(
    visit: Visitors, server: Serving, campaign: CampaignClient
) -> None:
    """After it was asked whether it should."""
    old = campaign.invite_worker("Ann").url
    page = opened(visit, server, campaign)
    page.get_by_role("button", name="New link: Ann").click()
    dialog = page.get_by_role("dialog", name="A new link for Ann?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()
    expect(page.locator(".link")).to_have_count(0)
    page.get_by_role("button", name="New link: Ann").click()
    assert_state_accessible(page)
    dialog.get_by_role("button", name="Make a new link").click()
    new = page.get_by_role("textbox", name="Link of Ann").input_value()
    late = visit()
    late.expected = ("401",)

    assert new != old
    assert is_let_in(visit(), new)
    assert not is_let_in(late, old)


def test_data_are_given_and_erased(
    visit: Visitors, server: Serving, campaign: CampaignClient, tmp_path: Path
) -> None:
    """A file with everything; then the name is gone, here and on the server."""
    campaign.invite_worker("Ann Lee")
    page = opened(visit, server, campaign)
    with page.expect_download() as download:
        page.get_by_role("link", name="Data: Ann Lee").click()
    download.value.save_as(tmp_path / "ann.json")
    with page.expect_download() as download:
        page.get_by_role("link", name="Payments").click()
    download.value.save_as(tmp_path / "payments.csv")
    page.get_by_role("button", name="Erase: Ann Lee").click()
    dialog = page.get_by_role("dialog", name="Erase the identity of Ann Lee?")
    expect(dialog).to_contain_text("Pay first")
    dialog.get_by_role("button", name="Erase for good").click()
    expect(page.locator("#workers").get_by_text("Erased")).to_be_visible()
    expect(page.get_by_text("Ann Lee")).to_have_count(0)

    assert json.loads((tmp_path / "ann.json").read_text())["person"]["name"] == "Ann Lee"
    assert "Ann Lee" in (tmp_path / "payments.csv").read_text()
    assert campaign.people.workers()[0].person.name is None


def test_experts_come_and_go(visit: Visitors, server: Serving, campaign: CampaignClient) -> None:
    """By a link of their own; dismissed ones are gone."""
    page = opened(visit, server, campaign)
    page.get_by_label("Role").select_option("experts")
    page.get_by_label("Names, one per line").fill("Eva")
    page.get_by_role("button", name="Make links").click()
    link = page.get_by_role("textbox", name="Link of Eva").input_value()
    experts = page.get_by_role("region", name="Experts")
    expect(experts.get_by_text("Eva")).to_be_visible()
    dismissed = visit()
    dismissed.expected = ("401",)  # their page may ask for something at that moment
    guest = dismissed.enter(link)
    assert guest.url == f"{server.url}/expert"
    experts.get_by_role("button", name="Dismiss: Eva").click()
    page.get_by_role("dialog").get_by_role("button", name="Dismiss").click()
    expect(experts.get_by_text("Eva")).to_have_count(0)
    guest.goto(f"{server.url}/expert")
    assert guest.url.startswith(f"{server.url}/sign-in")


def test_the_way_in_for_a_platform_is_opened_and_changed(
    visit: Visitors, server: Serving, campaign: CampaignClient
) -> None:
    """With what to paste into the study; a wrong address is told where it is."""
    browser = visit(**as_admin(server))
    browser.expected = ("422",)
    page = browser.page(f"/campaigns/{campaign.id}/people")
    page.get_by_label("Completion code").fill("C0FFEE")
    page.get_by_label("Completion address").fill("ftp://x.example")
    page.get_by_role("button", name="Open access").click()
    card = page.get_by_role("region", name="Crowd platforms")
    expect(card.get_by_role("alert")).to_contain_text("an address that begins with https://")
    page.get_by_label("Completion address").fill("https://app.prolific.com/x?cc=C0FFEE")
    page.get_by_role("button", name="Open access").click()
    address = card.get_by_role("textbox", name="For the platform")
    expect(address).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    entry = campaign.details().entry
    assert entry is not None
    expect(address).to_have_value(
        f"{entry.url}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&STUDY_ID={{{{%STUDY_ID%}}}}"
        "&SESSION_ID={{%SESSION_ID%}}"
    )
    assert_state_accessible(page)
    card.get_by_role("combobox", name="Platform").select_option("mturk")
    page.get_by_role("button", name="Save changes").click()
    expect(card).to_contain_text("ExternalQuestion")
    expect(address).to_have_value(
        "<ExternalQuestion xmlns="
        '"http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd">'
        f"<ExternalURL>{entry.url}</ExternalURL><FrameHeight>0</FrameHeight></ExternalQuestion>"
    )


def test_the_page_on_a_phone_in_chinese(
    visit: Visitors, server: Serving, campaign: CampaignClient
) -> None:
    """Long names and links stay on the screen."""
    campaign.invite_worker("Wolfeschlegelsteinhausenbergerdorff" * 3)
    page = opened(visit, server, campaign, locale="zh-CN", **PHONE)
    page.get_by_role("button", name="生成链接").click()
    expect(page.locator(".link")).to_have_count(1)
    expect(page.locator("#workers .person")).to_have_count(2)
    assert_state_accessible(page)
