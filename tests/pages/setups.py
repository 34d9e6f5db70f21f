"""Steps through the set-up of a campaign, for tests of the page."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect


def choose(page: Page, path: Path, format_: str = "") -> None:
    """Choose a file of one's own."""
    page.get_by_role("radio", name="My own file").check()
    page.locator("input[type=file]").set_input_files(path)
    if format_:
        page.get_by_text("More choices").click()
        page.get_by_label("Format").select_option(format_)


def add_labels(page: Page, *names: str) -> None:
    """Add labels in the second step."""
    for name in names:
        page.get_by_label("Add a label").fill(name)
        page.get_by_label("Add a label").press("Enter")


def column(page: Page, role: str) -> Locator:
    """Return where the column of a role is chosen."""
    return page.locator("#columns").get_by_label(role, exact=True)


def press_next(page: Page) -> None:
    """Go to the next step."""
    page.get_by_role("button", name="Next").click()


def open_details(page: Page) -> None:
    """Open the detailed settings of a plan."""
    page.locator("#detailed > summary").click()


def heading(page: Page, text: str) -> None:
    """Expect the step with this question to be shown, and no other."""
    expect(page.locator("fieldset:visible > legend")).to_contain_text(text)


def step(page: Page, name: str) -> None:
    """Go to a step by its name."""
    page.get_by_role("navigation").get_by_role("button", name=name).click()


def wait_for_dashboard(page: Page) -> str:
    """Wait until the campaign is there and return its id."""
    page.wait_for_url(re.compile(r"/campaigns/[0-9a-f]{16}$"))
    return page.url.rpartition("/")[2]
