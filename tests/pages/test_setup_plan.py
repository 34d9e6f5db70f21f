"""Planning in the set-up: from a target and people to a plan in the form, with its forecast."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from spancrew.client import Client
from tests.browser import Visit, assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors
from tests.pages.setups import open_details, press_next, step, wait_for_dashboard
from tests.pages.test_setup_rehearsal import SLOW, kept

pytestmark = pytest.mark.browser


def expected(mean: float, low: float, high: float) -> dict[str, float]:
    """Return a figure with its interval."""
    return {"mean": mean, "low": low, "high": high}


def way(name: str, feedback: str | None, cost: float, **changes: Any) -> dict[str, Any]:
    """Return a way to run a campaign, as the API tells it."""
    figures = {
        "f1": expected(0.95, 0.92, 0.98),
        "cost": expected(cost, 0.9 * cost, 1.1 * cost),
        "expert_share": expected(0.213, 0.2, 0.25),
        "days": expected(4.25, 3.5, 5.0),
    }
    plan = {
        "policy": "difficulty-thompson",
        "feedback": feedback,
        "consensus": "auto",
        "answers": 3,
        "crew": 20,
        "warm_up": "shared",
        "audit": 0.05,
        "prices": {"answer": 0.1, "expert": 1.0},
        "forecast": {"sentences": 62, **figures, "currency": "EUR"},
        **changes,
    }
    return {
        "name": name,
        "plan": plan if feedback else None,
        **figures,
        "expert_hours": expected(6.5, 6, 7),
        "bottleneck": "experts",
        "answers": 200,
        "experts": {"gate": 13, "warm_up": 1, "audit": 3},
    }


PILOT = {
    "name": "pilot",
    "sentences": 60,
    "workers": 8,
    "answers_per_sentence": 4.1,
    "seconds": "assumed",
    "correction": {"f1": 0.012, "expert_share": -0.03},
    "more_sentences": 240,
    "extrapolated": True,
    "assumption": None,
    "recommended_pilot": None,
}
FOUND = {
    "recommended": way("recommended", "expected-error:expert_share=0.213", 31.5),
    "alternatives": [
        way("crowd only", "crowd", 18.6, consensus="mv", answers=2, audit=0.0),
        way("fastest", "gate:threshold=0.605", 40.0, policy="cucb:scale=0.2"),
        way("experts only", None, 62.0),
    ],
    "pilot": PILOT,
    "notes": [],
    "currency": "EUR",
}


def lines(*records: dict[str, Any]) -> str:
    """Return what the server sends."""
    return "".join(json.dumps(each) + "\n" for each in records)


def at_crew(one: Visit, data: str = "demo-zh", name: str = "Crew and quality") -> Page:
    """Go to the step of the target with demo data."""
    page = one.page(f"/campaigns/new?data={data}")
    expect(page.locator("#preview")).to_contain_text("62")
    step(page, name)
    return page


def answered(page: Page, found: dict[str, Any]) -> None:
    """Let the server find this plan."""
    body = lines({"done": 500, "of": 1000, "phase": "search", "left": 40.0}, {"plan": found})
    page.route("**/api/v1/plans", lambda route: route.fulfill(status=200, body=body))


def test_a_plan_is_found_and_becomes_a_campaign(admins: Visitors, admin: Client) -> None:
    """By a real search on the pilot; the campaign keeps its forecast."""
    page = at_crew(admins())
    page.get_by_label("Target quality").fill("45")
    page.get_by_label("Workers", exact=True).fill("2")  # who leave few ways to try
    page.get_by_label("Experts", exact=True).fill("0")
    page.get_by_label("Currency").fill("EUR")
    page.get_by_role("button", name="Find a plan").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.locator("#planned dl")).to_contain_text("Total cost (EUR)", timeout=SLOW)
    expect(page.get_by_role("progressbar")).to_be_hidden()
    found = kept(page)["planned"]["recommended"]
    expect(page.locator("#planned")).to_contain_text("and take what they say")
    expect(page.locator("#planned .tiles")).to_contain_text(f"{found['cost']['mean']:.2f}")
    open_details(page)
    expect(page.get_by_role("radio", name="No experts")).to_be_checked()
    expect(page.get_by_label("Answers per sentence")).to_have_value(str(found["plan"]["answers"]))
    press_next(page)
    page.get_by_role("button", name="Create campaign").click()
    made = admin.campaign(wait_for_dashboard(page)).details().plan

    assert made["forecast"] == found["plan"]["forecast"]
    assert (made["feedback"], made["crew"]) == ("crowd", found["plan"]["crew"])


MODELS = {
    "pays": True,
    "with": {"people_per_sentence": 2.02, "expert_share": 0.104, "cost": 212.4, "f1": 0.95},
    "without": {"people_per_sentence": 3.94, "expert_share": 0.2, "cost": 330.0, "f1": 0.951},
}


def test_models_of_the_pilot_have_a_price(admins: Visitors) -> None:
    """It goes with the wishes, and the plan says whether they pay; suggestions go to the plan."""
    one = admins(caught=True)
    page = at_crew(one)
    expect(page.locator("#f-model_price")).to_be_hidden()
    page.evaluate(
        """() => { const key = "spancrew.new-campaign", kept = JSON.parse(sessionStorage[key]);
        kept.found.models = 1; sessionStorage[key] = JSON.stringify(kept); }"""
    )
    page.reload()
    page.get_by_label("Price per model answer").fill("0.002")
    answered(page, {**FOUND, "models": MODELS})
    with page.expect_request("**/api/v1/plans") as sent:
        page.get_by_role("button", name="Find a plan").click()
    expect(page.locator("#planned")).to_contain_text("with them, 2 people a sentence and experts")
    expect(page.locator("#planned")).to_contain_text("without, 3.9 people and experts on 20%")
    open_details(page)
    page.get_by_text("More settings").click()
    page.get_by_label("Suggestions, in %").fill("80")
    press_next(page)
    with page.expect_request(re.compile(r"/api/v1/campaigns$")) as made:
        page.get_by_role("button", name="Create campaign").click()

    assert '"model_price":0.002' in (sent.value.post_data or "")
    assert '"suggestions":0.8' in (made.value.post_data or "")


def test_another_plan_is_chosen_with_a_click(admins: Visitors) -> None:
    """Time and cost first; the form follows, and says when it no longer is the plan."""
    page = at_crew(admins(caught=True))
    answered(page, FOUND)
    page.get_by_role("button", name="Find a plan").click()
    card = page.locator("#planned")
    expect(card.locator("dt").nth(0)).to_have_text("Days")
    expect(card.locator("dt").nth(1)).to_have_text("Total cost (EUR)")
    expect(card.locator(".tiles")).to_contain_text(re.compile(r"31\.50.*28\.35 . 34\.65"))
    expect(card).to_contain_text("send the 21.3% with the most expected errors to an expert")
    for note in ("label 240 more sentences", "F1 by +1.2 points", "no times", "Extrapolated"):
        expect(card.locator("ul")).to_contain_text(note)
    rows = card.locator("tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("Chosen")
    expect(rows.nth(3).get_by_role("button")).to_have_count(0)
    assert_accessible_in_both_themes(page)
    rows.nth(2).get_by_role("button", name="Choose this plan: Fastest").click()
    expect(rows.nth(2)).to_contain_text("Chosen")
    open_details(page)
    expect(page.get_by_label("Agreement threshold")).to_have_value("0.605")
    expect(page.locator("#f-policy")).to_have_value("cucb:scale=0.2")
    page.get_by_label("Answers per sentence").fill("4")
    expect(card.locator(".notice")).to_contain_text("no longer belongs to them")
    page.reload()
    expect(card.locator(".notice")).to_contain_text("no longer belongs to them")
    rows.nth(0).get_by_role("button").click()
    expect(card.locator(".notice")).to_have_count(0)
    expect(page.locator("#f-expert_share")).to_have_value("21.3")
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


def test_without_a_pilot_a_plan_is_an_assumption(admins: Visitors) -> None:
    """In Chinese: it is labelled so, before and after, and the data stay where they are."""
    one = admins(caught=True, locale="zh-CN")
    page = one.page("/campaigns/new")
    page.locator("[name=source][value=text]").check()
    page.locator("#f-pasted").fill("今天天气很好。\n明天会下雨。")
    expect(page.locator(".examples p")).to_have_count(2)
    page.locator("#steps button").nth(1).click()
    page.locator("#label-name").fill("POS, NEG")
    page.locator("#label-name").press("Enter")
    expect(page.locator("#label-list li")).to_have_count(2)
    page.locator("#steps button").nth(2).click()
    expect(page.locator("#f-assume")).to_have_value("names-in-news")
    expect(page.locator("#assumed")).to_contain_text("这只是假设")
    page.locator("#f-assume").select_option("own")
    page.locator("#f-worker_f1").fill("70")
    assumed = {**PILOT, "assumption": "workers with F1 0.7", "recommended_pilot": 250}
    answered(page, {**FOUND, "pilot": assumed})
    with page.expect_request("**/api/v1/plans") as sent:
        page.locator("#find-plan").click()
    expect(page.locator("#planned")).to_contain_text("请先做一个 250 句的试点")
    expect(page.locator("#planned")).to_contain_text("预计错误最多的 21.3% 交给专家")
    assert_state_accessible(page)
    body = sent.value.post_data or ""
    assert "worker_f1=0.7" in body
    assert '"sentences":2' in body
    assert "今天" not in body


def test_a_search_is_stopped_refused_or_not_possible(admins: Visitors) -> None:
    """The form stays as it is, and the reason is told."""
    one = admins(caught=True)
    one.expected = ("422", "429")
    page = at_crew(one)
    page.get_by_label("Target quality").fill("")
    page.get_by_role("button", name="Find a plan").click()
    expect(page.get_by_label("Target quality")).to_be_focused()
    page.get_by_label("Target quality").fill("80")
    page.get_by_role("button", name="Find a plan").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("alert")).to_contain_text("The search was stopped.")
    for status, code, says in (
        (422, "plan", "no plan reaches F1 0.8"),
        (429, "too_many_rehearsals", "Other rehearsals are running"),
    ):
        error = {"error": {"code": code, "message": "no plan reaches F1 0.8"}}
        page.route("**/api/v1/plans", lambda route: route.fulfill(status=status, json=error))  # noqa: B023
        page.get_by_role("button", name="Find a plan").click()
        expect(page.get_by_role("alert")).to_contain_text(says)
        page.unroute("**/api/v1/plans")
    open_details(page)
    page.get_by_text("More settings").click()
    page.locator("#f-kind").select_option("choices")
    expect(page.get_by_role("button", name="Find a plan")).to_be_disabled()
    expect(page.locator("#plan-more")).to_contain_text("Only campaigns with spans")
