"""Responses on the worker page: beside each other, with little markdown, and never as HTML."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from spancrew.client import CampaignClient, Client
from tests.browser import assert_accessible_in_both_themes
from tests.pages.conftest import Visitors
from tests.pages.shifts import campaign_on

pytestmark = pytest.mark.browser

HOSTILE = (
    "<script>window.hit = 1</script>",
    "<img src=x onerror='window.hit = 1'>",
    "[click](javascript:window.hit=1)",
    "![x](x' onerror='window.hit=1)",
    "<a href=javascript:window.hit=1>x</a>",
    "<math><mi//xlink:href='data:x,<script>window.hit=1</script>'>",
    "&lt;script&gt;window.hit = 1&lt;/script&gt;",
    "`<svg onload=window.hit=1>`",
    "**<iframe srcdoc='<script>parent.hit=1</script>'>**",
    "# <style>body{display:none}</style>",
    "- <details open ontoggle=window.hit=1>",
    "```html\n<script>window.hit = 1</script>\n```",
)
PLAIN = 7
"""So many of them are shown as they stand; the rest is markdown around markup."""


def pair_on(admin: Client, folder: Path, first: str, second: str) -> CampaignClient:
    """Return a campaign on one pair of responses with two questions."""
    body = f"Explain **it**.\n\nA:\n{first}\n\nB:\n{second}\n\n"
    at = len(body)
    tokens = [[at, at + 7], [at + 8, at + 15]]
    sheet = {"id": "s0", "text": f"{body}better?\nkinder?", "tokens": tokens}
    return campaign_on(admin, folder, [sheet], kind="choices", labels=("A", "B", "tie"))


def corner(response: Locator) -> tuple[float, float]:
    """Return where a response begins."""
    box = response.bounding_box()
    assert box is not None
    return box["x"], box["y"]


def responses(page: Page) -> list[Locator]:
    """Return both responses."""
    return [page.get_by_role("region", name=f"Response {name}") for name in "AB"]


def test_responses_stand_beside_each_other_and_on_a_phone_below(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Code, Chinese and 3,000 words; 0 is a tie, and one press hands all in, with a note."""
    markdown = "# Title\n\n- 你好\n\n```py\nx = '<b>'\n```"
    campaign = pair_on(admin, tmp_path, markdown, " ".join(["word"] * 3000))
    page = visit().enter(campaign.invite_worker().url)
    first, second = responses(page)

    expect(first.locator("pre code")).to_have_text("x = '<b>'")
    expect(first.locator("li")).to_have_text("你好")
    expect(page.locator(".sheet-body > .sheet-text strong")).to_have_text("it")
    assert corner(first)[1] == corner(second)[1]
    assert_accessible_in_both_themes(page)
    page.set_viewport_size({"width": 360, "height": 700})
    assert corner(first)[0] == corner(second)[0]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("group", name="1. better?").get_by_role("radio").first.focus()
    for key in ("0", "2"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Note or flag").press("Enter")
    page.get_by_label("Note to the expert").fill("in short, B")
    page.get_by_role("button", name="Keep").press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The campaign is finished")).to_be_visible()
    [line] = [line for line in campaign.all_events() if line.kind == "Answered"]
    assert line.body["spans"] == [[0, 1, "tie"], [1, 2, "B"]]
    assert line.body["note"] == "in short, B"


def test_markup_in_responses_stays_text(visit: Visitors, admin: Client, tmp_path: Path) -> None:
    """Nothing of it runs, and no element of it is made."""
    campaign = pair_on(admin, tmp_path, "fine", "\n\n".join(HOSTILE))
    page = visit().enter(campaign.invite_worker().url)
    _, second = responses(page)

    for line in HOSTILE[:PLAIN]:
        expect(second).to_contain_text(line)
    expect(second.locator("strong")).to_have_text(HOSTILE[8].strip("*"))
    assert second.locator("script, img, a, svg, iframe, style, details, math").count() == 0
    assert page.evaluate("window.hit") is None
