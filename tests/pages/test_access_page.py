"""The page on admins and on the tokens of everybody."""

import pytest
from playwright.sync_api import expect

from spancrew.client import Client
from tests.browser import assert_accessible_in_both_themes
from tests.pages.conftest import Visitors

pytestmark = pytest.mark.browser


def test_an_owner_invites_an_admin_and_ends_a_token(
    admins: Visitors, visit: Visitors, admin: Client
) -> None:
    """The new admin has the chosen campaign alone; a revoked token is gone from the list."""
    mine = admin.create("Theirs", "demo-zh", gold="ignore")
    admin.create("Not theirs", "demo-zh", gold="ignore")
    with Client.from_link(mine.invite_worker("Wu").url) as worker:
        worker.create_token("of a worker")
    page = admins().page("/access")
    page.get_by_label("Name", exact=True).fill("Ada")
    page.get_by_label("Campaigns").select_option(mine.id)
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_role("textbox", name="Link of Ada").input_value()
    assert_accessible_in_both_themes(page)
    expect(page.locator("#admins")).to_contain_text("Theirs")
    page.get_by_role("button", name="Revoke: of a worker").click()
    expect(page.locator("#tokens")).not_to_contain_text("of a worker")

    theirs = visit().enter(link)
    expect(theirs.locator(".campaign")).to_have_count(1)
    theirs.goto(theirs.url.replace("/campaigns", "/access"))
    expect(theirs.get_by_role("heading", name="API tokens of everybody")).to_be_visible()
    expect(theirs.locator("#admins")).to_have_count(0)
