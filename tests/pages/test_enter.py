"""The way in: links, passwords, language, colours, and pages that are not there."""

from playwright.sync_api import expect

from tests.browser import assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors


def test_a_stranger_is_asked_to_sign_in(visit: Visitors) -> None:
    """Every page of somebody sends strangers to sign in, and a wrong password is told."""
    one = visit()
    one.expected = ("401",)
    page = one.page("/work")
    assert page.url.endswith("/sign-in?next=/work")
    assert_accessible_in_both_themes(page)
    page.get_by_label("Name").fill("nobody")
    page.get_by_label("Password").fill("wrong password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("Wrong name or password")


def test_a_link_without_its_secret_says_what_is_missing(visit: Visitors) -> None:
    """Half an address says so, and a worthless secret says whom to ask."""
    one = visit()
    one.expected = ("401",)
    page = one.page("/enter")
    expect(page.get_by_role("heading")).to_have_text("This address is incomplete")
    assert_state_accessible(page)
    page = one.page("/enter#nothing")
    expect(page.get_by_role("heading")).to_have_text("This link no longer works")


def test_language_and_colours_are_remembered(visit: Visitors) -> None:
    """Chinese and dark are chosen in the menu and stay; a browser in Chinese gets it at once."""
    page = visit().page("/sign-in")
    page.get_by_label("Menu", exact=True).click()
    page.get_by_label("Colours").select_option("dark")
    page.get_by_label("Language").select_option("zh")
    expect(page.get_by_role("heading", level=1)).to_have_text("登录")
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("document.documentElement.lang") == "zh"
    chinese = visit(locale="zh-CN").page("/sign-in")
    expect(chinese.get_by_role("heading", level=1)).to_have_text("登录")
