"""Rehearsing before a campaign is created: watched, compared, stopped."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import assert_accessible_in_both_themes
from tests.pages.conftest import Visitors
from tests.pages.setups import choose, open_details, press_next, step

pytestmark = pytest.mark.browser

KEPT = "spancrew.new-campaign"
SAID = {
    "usable": "behave much like the real ones",
    "with care": "so use this forecast with care",
    "not usable": "differ too much from the real ones",
}
"""What the page says of the verdict on the simulated workers."""

SLOW = 1_200_000
"""Milliseconds for a rehearsal: the first one compiles, perhaps on a machine that is busy."""


def test_a_rehearsal_and_its_comparison(admins: Visitors, pilot: Path) -> None:
    """Progress, a forecast with its spread and fidelity, a second one beside it, and a reload."""
    page = admins().page("/campaigns/new")
    choose(page, pilot)
    expect(page.locator("#preview")).to_contain_text("Read as spancrew.")
    step(page, "Crew and quality")
    open_details(page)
    page.get_by_label("Crew size").fill("6")
    page.get_by_role("radio", name="An expert where workers disagree").check()
    press_next(page)
    page.get_by_label("Runs").fill("2")
    page.get_by_role("button", name="Rehearse", exact=True).click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    see_forecast(page)
    forecast = kept(page)["forecasts"][-1]["forecast"]
    tiles = page.locator("#forecast dl")
    assert (forecast["crew"], forecast["feedback"]) == (6, "gate")
    expect(tiles).to_contain_text(f"{forecast['cost']['mean']:.2f}")
    expect(tiles).to_contain_text(f"{round(100 * forecast['f1']['mean'], 1):g}%")
    total = f"In total about {forecast['cost']['mean']:.2f}, as rehearsed."
    expect(page.locator("#summary")).to_contain_text(total)
    compare(page)


def kept(page: Page) -> dict[str, Any]:
    """Return what the page keeps for a reload."""
    found: dict[str, Any] = json.loads(page.evaluate(f"sessionStorage.getItem('{KEPT}')"))
    return found


def see_forecast(page: Page) -> None:
    """Wait for a forecast and look at all of it."""
    expect(page.locator("#forecast")).to_contain_text("over 2 runs", timeout=SLOW)
    expect(page.get_by_role("progressbar")).to_be_hidden()
    seen = ("Quality of the labels (F1)", "Cost", "±", "crowd ", "Against experts alone")
    for text in (*seen, "1 for the warm-up"):
        expect(page.locator("#forecast dl")).to_contain_text(text)
    verdict = kept(page)["forecasts"][-1]["forecast"]["fidelity"]["verdict"]
    expect(page.locator("#forecast .notice")).to_contain_text(SAID[verdict])
    page.get_by_text("Assumptions").click()
    expect(page.locator("#forecast details")).to_contain_text("real answers of")
    assert_accessible_in_both_themes(page)


def compare(page: Page) -> None:
    """Rehearse something else; both forecasts stay, and the first plan can be had again."""
    step(page, "Crew and quality")
    page.get_by_label("Answers per sentence").fill("2")
    page.get_by_role("radio", name="No experts").check()
    press_next(page)
    page.get_by_role("button", name="Rehearse again").click()
    rows = page.locator("#comparison tbody tr")
    expect(rows).to_have_count(2, timeout=SLOW)
    expect(rows.nth(0)).to_contain_text("threshold 0.65")
    expect(rows.nth(1)).to_contain_text("No experts")
    page.reload()
    expect(rows).to_have_count(2)
    see_verdicts(page)
    rows.nth(0).get_by_role("button").click()
    step(page, "Crew and quality")
    open_details(page)
    expect(page.get_by_label("Answers per sentence")).to_have_value("4")
    expect(page.get_by_role("radio", name="An expert where workers disagree")).to_be_checked()


def see_verdicts(page: Page) -> None:
    """See what is said of each verdict; of none, as before an upgrade, it is care."""
    notice = page.locator("#forecast .notice.small")
    for verdict, text in ((None, SAID["with care"]), *SAID.items()):
        found = kept(page)
        found["forecasts"][-1]["forecast"]["fidelity"]["verdict"] = verdict
        page.evaluate(f"(text) => sessionStorage.setItem('{KEPT}', text)", json.dumps(found))
        page.reload()
        expect(notice).to_contain_text(text)


def test_a_rehearsal_is_stopped_or_refused(admins: Visitors) -> None:
    """By the person, and by a server that has no room; the form stays as it is."""
    one = admins(caught=True)
    one.expected = ("429",)
    page = one.page("/campaigns/new?data=demo-zh")
    expect(page.locator("#preview")).to_contain_text("62")
    step(page, "Rehearse and create")
    page.get_by_label("Runs").fill("50")
    page.get_by_label("Runs").press("Enter")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("alert")).to_contain_text("The rehearsal was stopped.")
    body = {"error": {"code": "too_many_rehearsals", "message": "2 are running"}}
    page.route("**/api/v1/rehearsals", lambda route: route.fulfill(status=429, json=body))
    page.get_by_role("button", name="Rehearse", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Other rehearsals are running.")
    page.unroute("**/api/v1/rehearsals")
    broken = json.dumps({"done": 1, "of": 3, "phase": "runs"}) + "\n"
    page.route("**/api/v1/rehearsals", lambda route: route.fulfill(status=200, body=broken))
    page.get_by_role("button", name="Rehearse", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    expect(page.get_by_label("Runs")).to_have_value("50")
