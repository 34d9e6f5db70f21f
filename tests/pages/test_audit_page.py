"""The page on which admins see what admins did."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from spancrew.client import CampaignClient, Client
from spancrew.errors import SpancrewError
from tests.browser import assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors
from tests.serving import Serving
from tests.spread import often

pytestmark = pytest.mark.browser

PLAN: dict[str, Any] = {"crew": 4, "answers": 3, "warm_up": "none"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True}


@pytest.fixture
def campaign(admin: Client) -> CampaignClient:
    """Return a campaign with something to tell."""
    made = admin.create("What was done", "demo", PLAN, gold="ignore")
    made.start()
    made.set_budget(120)
    with pytest.raises(SpancrewError):
        made.set_rule("nonsense")
    return made


def opened(admins: Visitors, campaign: CampaignClient, **options: Any) -> Page:
    """Open the log of a campaign."""
    page = admins(**options).page(f"/audit?campaign={campaign.id}")
    expect(page.locator("#entries tr").first).to_be_visible()
    return page


@pytest.mark.parametrize("options", often([PHONE], [PHONE, {}]))
def test_entries_are_shown_with_what_changed(
    admins: Visitors, campaign: CampaignClient, options: dict[str, Any]
) -> None:
    """The newest first; a refusal is one, and everything can be read by everybody."""
    page = opened(admins, campaign, **options)
    rows = page.locator("#entries tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("Refused")
    expect(rows.nth(3)).to_contain_text("Create a campaign")
    rows.nth(1).get_by_text("Details").click()
    expect(rows.nth(1)).to_contain_text('{"budget":120}')
    expect(rows.nth(1).get_by_role("link", name="What was done")).to_be_visible()
    assert_accessible_in_both_themes(page)


def test_entries_are_found(admins: Visitors, campaign: CampaignClient) -> None:
    """By what was done and by whom; the file that can be downloaded has the same ones."""
    page = opened(admins, campaign)
    assert_state_accessible(page)
    rows = page.locator("#entries tr")
    page.locator("[name=action]").select_option("people")
    expect(page.get_by_text("No entries.")).to_be_visible()
    page.locator("[name=action]").select_option("campaigns")
    expect(rows).to_have_count(4)
    rows.first.get_by_role("button", name="admin").click()
    expect(page.get_by_role("button", name="Only admin")).to_be_visible()
    address = page.get_by_role("link", name="JSON lines").get_attribute("href") or ""

    assert f"campaign={campaign.id}&action=campaigns&person=" in address


def test_the_log_can_be_checked_from_the_list_of_campaigns(
    admins: Visitors,
    campaign: CampaignClient,
) -> None:
    """One click there, one click to check."""
    page = admins().page("/campaigns")
    page.get_by_role("link", name="Audit log").click()
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("The log is whole")).to_be_visible()


def test_a_page_lets_nobody_in_before_it_is_ready(admins: Visitors, server: Serving) -> None:
    """What is clicked then would be lost."""
    page = admins(caught=True).page()
    held: list[Route] = []
    page.route("**/audit.js", lambda route: held.append(route))  # noqa: PLW0108  it must be a function
    page.goto(f"{server.url}/audit", wait_until="commit")
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("body")).to_have_attribute("inert", "")
    expect(page.locator("#entries tr")).to_have_count(0)
    held[0].continue_()
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("The log is whole")).to_be_visible()
