"""Crowd workers come in through the page of their platform."""

from contextlib import suppress

import pytest
from playwright.sync_api import Error, Route, expect

from spancrew.client import CampaignClient, Client
from spancrew.server.people.sessions import COOKIE
from tests.browser import Visit, assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors

pytestmark = pytest.mark.browser

MTURK = "https://worker.mturk.com"


@pytest.fixture
def campaign(admin: Client) -> CampaignClient:
    """Return a campaign on the demo data."""
    plan = {"crew": 4, "answers": 3, "warm_up": "none"}
    made = admin.create("Names in the news", "demo", plan, gold="ignore")
    made.set_guide("# Names\n\nMark **all** names.")
    return made


def test_a_worker_of_prolific_lands_at_their_work(
    visit: Visitors, campaign: CampaignClient
) -> None:
    """With a session that lasts, and no trace of who they are in the address."""
    url = campaign.set_entry("prolific").url
    browser = visit()
    page = browser.page()
    page.goto(f"{url}?PROLIFIC_PID=abc&STUDY_ID=s&SESSION_ID=x")
    assert page.url == f"{browser.base}/work"
    page.goto(f"{browser.base}/")
    assert page.url == f"{browser.base}/work"
    assert [w.person.platform_id for w in campaign.people.workers()] == ["abc"]


def test_a_worker_without_an_id_reads_what_to_do(
    visit: Visitors, campaign: CampaignClient
) -> None:
    """And nobody is registered."""
    url = campaign.set_entry("prolific").url
    browser = visit()
    browser.expected = ("422",)
    page = browser.page()
    page.goto(url)
    expect(page.get_by_role("heading", level=1)).to_have_text("We do not know who you are")
    assert_accessible_in_both_themes(page)
    assert campaign.people.workers() == []


def framed(browser: Visit, site: str, address: str) -> None:
    """Let every page of a site be one that shows an address in a frame."""
    html = f"<!doctype html><title>HIT</title><iframe title=HIT src='{address}' height=700>"

    def answer(route: Route) -> None:
        route.fulfill(body=html, content_type="text/html")

    browser.context.route(f"{site}/**", answer)
    # Browsers ask before a site of the web may reach this machine; older ones know no such thing.
    with suppress(Error):
        browser.context.grant_permissions(["local-network-access"])


def test_mturk_shows_a_page_in_its_frame_and_the_work_in_a_window(
    visit: Visitors, campaign: CampaignClient
) -> None:
    """The frame needs no cookie; the window has one, and lands at the work."""
    url = campaign.set_entry("mturk", "C0FFEE").url
    browser = visit(caught=True)
    browser.expected = ("outside: worker.mturk.com", "Mixed Content")
    framed(browser, MTURK, f"{url}?workerId=A1&assignmentId=B2&hitId=h&turkSubmitTo={MTURK}")
    page = browser.page()
    page.goto(f"{MTURK}/hit")
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading", name="Names")).to_be_visible()
    expect(frame.locator("form")).to_have_attribute("action", f"{MTURK}/mturk/externalSubmit")
    assert browser.context.cookies(url) == []
    with browser.context.expect_page() as opened:
        frame.get_by_role("link", name="Open the work").click()
    opened.value.wait_for_url(f"{browser.base}/work")
    assert [each["name"] for each in browser.context.cookies(url)] == [COOKIE]
    assert len(campaign.people.workers()) == 1


def test_no_other_site_can_show_our_pages_in_a_frame(
    visit: Visitors, campaign: CampaignClient
) -> None:
    """Neither the page for MTurk elsewhere, nor the way to sign in within MTurk."""
    url = campaign.set_entry("mturk").url
    for site, address in (
        ("https://evil.example", f"{url}?workerId=A1&assignmentId=B2"),
        (MTURK, url.partition("/join")[0] + "/sign-in"),
    ):
        browser = visit(caught=True)
        browser.expected = ("outside: ", "frame-ancestors", "Mixed Content")
        framed(browser, site, address)
        page = browser.page()
        page.goto(f"{site}/trap")
        expect(page.frame_locator("iframe").get_by_role("heading", level=1)).to_have_count(0)
        assert any("frame-ancestors" in problem for problem in browser.problems)


def test_a_preview_shows_the_instructions(visit: Visitors, campaign: CampaignClient) -> None:
    """Before anybody has accepted anything, on a phone, too."""
    url = campaign.set_entry("mturk").url
    page = visit(viewport={"width": 390, "height": 844}).page()
    page.goto(f"{url}?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=h")
    expect(page.get_by_text("This is a preview.")).to_be_visible()
    expect(page.get_by_role("heading", name="Names")).to_be_visible()
    assert_state_accessible(page)
    assert campaign.people.workers() == []


def test_an_address_without_a_page_leads_home(visit: Visitors) -> None:
    """In the language of the browser."""
    browser = visit(locale="zh-CN")
    browser.expected = ("404",)
    page = browser.page("/nothing/here")
    expect(page.get_by_role("heading", level=1)).to_have_text("这里什么都没有")
    assert_state_accessible(page)
    page.get_by_role("link", name="回到首页").click()
    assert page.url == f"{browser.base}/sign-in"
