"""The dashboard beside the forecast: when it is done, how fast, and what leaves the interval."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from spancrew.client import Client
from tests.browser import assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors
from tests.pages.dashboards import dashboard, watched

pytestmark = pytest.mark.browser

FORECAST: dict[str, Any] = {
    "sentences": 30,
    "cost": {"mean": 0.9, "low": 0.8, "high": 1.0},
    "expert_share": {"mean": 0.4, "low": 0.0, "high": 1.0},
    "days": {"mean": 3.0, "low": 2.0, "high": 5.0},
    "f1": {"mean": 0.95, "low": 0.9, "high": 0.98},
    "currency": "EUR",
}


def row(page: Page, name: str) -> Any:
    """Return the row of a figure."""
    return page.locator("#outlook tbody tr").filter(has=page.get_by_role("rowheader", name=name))


def test_a_campaign_that_leaves_its_forecast_is_warned_of(
    admins: Visitors, admin: Client, tmp_path: Path
) -> None:
    """What is spent is more than the forecast's interval allows; the rest is too early to tell."""
    with watched(admin, tmp_path, forecast=FORECAST) as made:
        page = dashboard(admins(), made.client.id)
        outlook = page.locator("#outlook")
        expect(row(page, "Cost (EUR)")).to_contain_text(re.compile(r"0\.90 0\.80 . 1\.00"))
        expect(row(page, "Cost")).to_contain_text("Too early")
        expect(outlook.locator(".notice")).to_have_count(0)
        made.work(8)
        spent = made.client.ledger().spent

        assert spent > 1
        expect(row(page, "Cost")).to_contain_text(f"{spent:.2f}")
        expect(row(page, "Cost")).to_contain_text("Above")
        expect(outlook.locator(".notice.warn")).to_have_text(
            "The campaign will cost more than forecast."
        )
        expect(outlook.locator("dl")).to_contain_text("Too early to tell")
        total = f"{made.client.ledger().forecast:.2f} EUR in total, planned 0.90"
        expect(page.locator("#headline")).to_contain_text(total)
        expect(page.locator("#headline")).to_contain_text("guess, not measured")
        made.client.set_budget(made.client.ledger().spent + made.client.ledger().committed)
        expect(page.locator("#headline")).to_contain_text("more than the budget of")
        expect(page.locator("#figures")).to_contain_text("Money (EUR)")
        assert_accessible_in_both_themes(page)
        page.set_viewport_size({"width": 320, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


def test_a_campaign_without_a_forecast_has_no_table(
    admins: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Its pace and its end are told all the same."""
    with watched(admin, tmp_path) as made:
        page = dashboard(admins(), made.client.id)
        expect(page.locator("#outlook dt")).to_have_count(3)
        expect(page.locator("#outlook table")).to_have_count(0)


def after_days(route: Route) -> None:
    """Answer as a server would on the third day of a campaign."""
    found = route.fetch()
    told = found.json()
    forecast = told["forecast"]
    forecast["cost"] |= {"so_far": 0.5, "expected": 0.9, "place": "within"}
    forecast["days"] |= {"so_far": 2.4, "expected": 6.5, "place": "above"}
    forecast["expert_share"] |= {"expected": 0.05, "place": "below"}
    pace = {"seconds": 172800.0, "answers": 1234.4, "settled": 7.26}
    day = 1893456000.0  # the first of 2030
    route.fulfill(response=found, json=told | {"days": 2.4, "pace": pace, "done_at": day})


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        (
            "en-GB",
            (
                "Jan 1",
                "2030",
                "as in the last 2 days",
                "1,234",
                "a day; 7.3 sentences settled a day",
                "It will take longer than forecast. Fewer sentences go to experts than forecast",
                "As forecast",
            ),
        ),
        (
            "zh-CN",
            ("2030年1月1日", "最近 2天的速度", "每天定稿 7.3 句", "所需时间将长于预测", "偏低"),
        ),
    ],
)
def test_the_expected_day_and_the_pace(
    admins: Visitors, admin: Client, tmp_path: Path, language: str, texts: tuple[str, ...]
) -> None:
    """In both languages, with all figures beside the forecast."""
    with watched(admin, tmp_path, forecast=FORECAST) as made:
        one = admins(caught=True, locale=language)
        page = one.page()
        page.route("**/outlook", after_days)
        page.goto(f"{one.base}/campaigns/{made.client.id}")
        for text in texts:
            expect(page.locator("#outlook")).to_contain_text(text)
        assert_state_accessible(page)
