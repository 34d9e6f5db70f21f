"""What admins are told on the pages: alerts, and that an export has no labels."""

import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from spancrew.client import CampaignClient, Client
from spancrew.server.alerts.book import AlertBook
from spancrew.server.alerts.rules import Alert, AlertKey
from spancrew.stores import open_sql
from spancrew.wire import WorkerAssignment
from tests.browser import assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors
from tests.serving import Serving

pytestmark = pytest.mark.browser

PLAN = {"crew": 2, "answers": 2, "feedback": "gate", "warm_up": "none", "budget": 1.25}
FACTS = {"share": 0.96, "budget": 1.25, "left": 62}


@pytest.fixture(scope="module")
def campaign(server: Serving, admin: Client) -> CampaignClient:
    """Return a campaign whose budget is spent, as the server will find; here it has already."""
    made = admin.create("Short of money", "demo-zh", PLAN, gold="ignore")
    made.start()
    links = [made.invite_worker().url for _ in range(2)]
    with Client.from_link(links[0]) as guest, Client.from_link(links[1]) as other:
        other.worker().next()
        assert isinstance(guest.worker().next(), WorkerAssignment)
    raise_alert(server.folder / "spancrew.db", made.id)
    return made


def raise_alert(path: Path, campaign: str) -> None:
    """Note an alert as the watch of the server does."""
    store = open_sql(path)
    book, key = AlertBook(store.engine), AlertKey("budget", campaign)
    alert = Alert(key, time.time(), "the budget", FACTS)  # noqa: TID251  a real server
    book.replace(book.all() | {key: alert}, [], alert.since)
    store.close()


def told(page: Page) -> str:
    """Return what the page says needs a look."""
    expect(page.locator("#alerts li").first).to_be_visible()
    return page.locator("#alerts").inner_text()


def test_alerts_stand_above_the_list_with_the_campaign(
    admins: Visitors, campaign: CampaignClient
) -> None:
    """With a link to it; and nobody is kept from reading them."""
    page = admins().page("/campaigns")
    text = told(page)
    link = page.locator("#alerts").get_by_role("link", name="Short of money")

    assert "of the budget of 1.25 is spent or committed" in text
    assert link.get_attribute("href") == f"/campaigns/{campaign.id}"
    assert_accessible_in_both_themes(page)


def test_a_dashboard_shows_its_own_alerts(
    admins: Visitors, admin: Client, campaign: CampaignClient
) -> None:
    """In the language of the reader; those of other campaigns are not shown."""
    other = admin.create("Another", "demo-zh", PLAN, gold="ignore")
    page = admins(locale="zh-CN").page(f"/campaigns/{campaign.id}")
    text = told(page)
    elsewhere = admins().page(f"/campaigns/{other.id}")
    expect(elsewhere.locator("#phase")).to_have_text("Draft")

    assert "预算 1.25 已支出或预留" in text
    assert_state_accessible(page)
    assert "budget" not in elsewhere.locator("#alerts").inner_text()


def test_a_download_without_labels_says_so(admins: Visitors, campaign: CampaignClient) -> None:
    """The file is there all the same: it may hold answers."""
    page = admins().page(f"/campaigns/{campaign.id}")
    page.locator("#export-title").scroll_into_view_if_needed()
    with page.expect_download() as caught:
        page.get_by_role("button", name="Download").click()
    expect(page.locator("#export")).to_contain_text("0 of 62 sentences are settled")

    assert caught.value.suggested_filename == "Short-of-money.jsonl"
