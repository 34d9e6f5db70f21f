"""The list of campaigns, and the account of whoever runs them."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from spancrew.client import Client
from spancrew.server.people.totp import code_at
from spancrew.wire import WorkerAssignment
from tests.browser import (
    Visit,
    assert_accessible,
    assert_accessible_in_both_themes,
    assert_state_accessible,
)
from tests.pages.admins import as_admin
from tests.pages.conftest import Visitors
from tests.serving import Serving, serving

pytestmark = pytest.mark.browser

PLAN = {"crew": 2, "answers": 1, "feedback": "crowd", "warm_up": "none"}
PASSWORD = "a password of some length"  # noqa: S105  of a server that lives for a minute
HTML = "News of <b>spring</b>"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    """Serve for one test alone: here it counts who has been in before, and with what."""
    with serving(tmp_path) as running:
        yield running


def test_an_admin_comes_in_looks_around_and_stays(visit: Visitors, server: Serving) -> None:
    """From the link that works once: an empty list, a password, a token, campaigns, one end."""
    assert server.link is not None
    page = visit().enter(server.link)
    expect(page.get_by_role("heading", name="No campaign yet")).to_be_visible()
    expect(page.get_by_role("link", name="Try the demo data")).to_be_visible()
    assert_accessible_in_both_themes(page)
    page.get_by_role("button", name="Set a password").click()
    set_password(page)
    server.know(made_token(page))
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(page.locator("#no-password")).to_have_count(0)
    with server.admin() as client:
        started(client, HTML)
        started(client, "点评")
    page.reload()
    see_both(page)
    delete(page, HTML)
    expect(page.locator(".campaign")).to_have_count(1)
    with server.admin() as client:
        assert [each.name for each in client.campaigns()] == ["点评"]


def set_password(page: Page) -> None:
    """Choose a name and a password; one that is too short is refused."""
    account = page.get_by_role("dialog")
    account.get_by_label("Name", exact=True).fill("boss")
    account.get_by_label("New password").fill("too short")
    account.get_by_role("button", name="Save").click()
    expect(account).to_contain_text("A password needs at least 12 characters.")
    account.get_by_label("New password").fill(PASSWORD)
    account.get_by_role("button", name="Save").click()
    expect(account).to_contain_text("Sign in with this name and password next time.")
    expect(account.get_by_label("Current password")).to_be_visible()


def made_token(page: Page) -> str:
    """Make two tokens, revoke one, and return the other."""
    account = page.get_by_role("dialog")
    tokens = []
    for name in ("no use", "tests"):
        account.get_by_label("What the token is for").fill(name)
        account.get_by_role("button", name="Make a token").click()
        expect(account.locator("#tokens")).to_contain_text(name)
        tokens.append(account.locator("#token-new code").inner_text())
    account.get_by_role("button", name="Revoke no use").click()
    expect(account.locator("#tokens li")).to_have_count(1)
    assert_state_accessible(page)
    return tokens[-1]


def see_both(page: Page) -> None:
    """Look at both campaigns, the newest first, with their figures."""
    rows = page.get_by_role("list", name="Campaigns").get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("点评")
    expect(rows.nth(1)).to_contain_text(HTML)
    expect(rows.nth(1)).to_contain_text("1 of 62 settled")
    expect(rows.nth(1).locator(".spent")).to_have_text("0.10")
    expect(rows.nth(1).locator(".phase")).to_have_text("Running")
    assert_state_accessible(page)


def delete(page: Page, name: str) -> None:
    """Delete a campaign; only its whole name lets one do so."""
    page.get_by_role("button", name=f"Delete {name}").click()
    dialog = page.get_by_role("dialog")
    sure = dialog.get_by_role("button", name="Delete for good")
    expect(sure).to_be_disabled()
    dialog.get_by_label("Type its name").fill(name[:-1])
    expect(sure).to_be_disabled()
    dialog.get_by_label("Type its name").fill(name)
    assert_state_accessible(page)
    sure.click()


def started(client: Client, name: str) -> None:
    """Create a campaign in which one sentence is settled."""
    campaign = client.create(name, "demo-zh", PLAN, gold="ignore")
    links = [campaign.invite_worker().url for _ in range(2)]
    campaign.start()
    with Client.from_link(links[0]) as guest, Client.from_link(links[1]) as other:
        other.worker().next()
        worker = guest.worker()
        sheet = worker.next()
        assert isinstance(sheet, WorkerAssignment)
        worker.submit(sheet, ())


def test_many_campaigns_are_found_by_name(visit: Visitors, server: Serving) -> None:
    """Figures come for those that are seen; the others wait until they are."""
    with server.admin() as client:
        for k in range(14):
            client.create(f"Campaign {k}", "demo-zh", PLAN, gold="ignore")
    one = visit(**as_admin(server), viewport={"width": 360, "height": 640})
    asked: list[str] = []
    page = one.page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server.url}/campaigns")
    rows = page.locator(".campaign")
    expect(rows.first.locator(".phase")).to_have_text("Draft")
    expect(rows.last.locator(".phase")).to_be_hidden()
    seen = [url for url in asked if "/api/v1/figures" in url]
    assert len(seen) == 1
    assert seen[0].count("campaign=") < 10
    assert_accessible(page)
    rows.last.scroll_into_view_if_needed()
    expect(rows.last.locator(".phase")).not_to_be_empty()
    page.get_by_label("Find a campaign by name").fill("campaign 1")
    expect(page.locator(".campaign:visible")).to_have_count(5)
    page.get_by_label("Find a campaign by name").fill("nothing like this")
    expect(page.get_by_role("alert")).to_contain_text("No campaign name contains this.")


def test_a_second_factor_is_asked_for(visit: Visitors, server: Serving) -> None:
    """Once it was set up."""
    assert server.link is not None
    with Client.from_link(server.link) as guest:
        guest.set_password("boss", PASSWORD)
    page = visit().page("/sign-in")
    page.get_by_label("Name").fill("boss")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Account").click()
    sign_in_with_code(visit(), set_factor(page))


def set_factor(page: Page) -> str:
    """Set up a second factor and return a code that nobody has used."""
    account = page.get_by_role("dialog")
    account.get_by_role("button", name="Set up").click()
    secret = account.locator("#factor-new code").inner_text()
    step = int(time.time() // 30)  # noqa: TID251  a real server
    account.get_by_label("Code of the app").fill(code_at(secret, step))
    account.get_by_label("Your password").fill(PASSWORD)
    account.get_by_role("button", name="Confirm").click()
    expect(account).to_contain_text("From now on signing in needs a code.")
    assert_state_accessible(page)
    return code_at(secret, step + 1)


def sign_in_with_code(someone: Visit, code: str) -> None:
    """Sign in; the field for the code comes when it is needed."""
    someone.expected = ("401",)
    page = someone.page("/sign-in")
    expect(page.get_by_label("Code of your app")).to_be_hidden()
    page.get_by_label("Name").fill("boss")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#problem")).to_contain_text("authenticator app")
    page.get_by_label("Code of your app").fill(code)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Account")).to_be_visible()
