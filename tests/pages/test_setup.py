"""Setting up a campaign: four steps, a rehearsal, and nothing lost on the way."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from spancrew.client import Client
from spancrew.formats import read, write
from tests.browser import (
    assert_accessible,
    assert_accessible_in_both_themes,
    assert_state_accessible,
)
from tests.pages.conftest import Visitors
from tests.pages.setups import choose, heading, open_details, press_next, step, wait_for_dashboard

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


def test_a_campaign_from_the_demo_data(admins: Visitors, admin: Client) -> None:
    """One click for the data, defaults for the rest; every step is accessible in both themes."""
    page = admins().page("/campaigns/new")
    look_at_demo(page)
    press_next(page)
    heading(page, "Which labels do you use?")
    expect(page.locator("#label-list li")).to_have_count(4)
    page.get_by_role("button", name="Move PER up").click()
    expect(page.get_by_role("button", name="Move PER up")).to_be_focused()
    describe_labels(page)
    assert_accessible_in_both_themes(page)
    press_next(page)
    plan_crew(page)
    press_next(page)
    expect(page.get_by_label("Campaign name")).to_have_value("Demo: news")
    page.get_by_label("Campaign name").fill("From the demo")
    assert_state_accessible(page)
    page.get_by_role("button", name="Create campaign").click()
    details = admin.campaign(wait_for_dashboard(page)).details()

    assert (details.name, details.sentences, details.phase) == ("From the demo", 597, "draft")
    assert details.plan["labels"] == ["LOC", "PER", "ORG", "WORK"]
    assert details.plan["instruction"] == "Mark every name."
    per = {"meaning": "a person", "colour": "teal", "key": "q"}
    assert details.plan["legend"] == {"PER": per, "WORK": {"key": "w"}}
    assert details.plan["feedback"] == "gate:threshold=0.55"
    assert (details.plan["answers"], details.plan["crew"]) == (3, "auto")
    assert (details.plan["budget"], details.plan["lease"]) == (150, 300)
    assert admin.campaign(details.id).status().settled == 0
    assert page.evaluate("sessionStorage.length") == 0


def describe_labels(page: Page) -> None:
    """Say what is to be done and what labels mean; a key that does something else is not taken."""
    page.get_by_label("Instruction in one line").fill("Mark every name.")
    page.get_by_label("Meaning of PER").fill("a person")
    page.get_by_label("Colour of PER").select_option("teal")
    page.get_by_label("Key for PER").fill("Q")
    page.get_by_label("Key for LOC").fill("n")
    expect(page.get_by_label("Key for LOC")).to_have_value("")
    page.get_by_label("Key for WORK").fill("w")
    expect(page.locator("#label-list .label-chip").nth(1)).to_have_attribute("data-colour", "6")


def look_at_demo(page: Page) -> None:
    """Choose the demo data and see what is in them."""
    expect(page.locator("#summary")).to_contain_text("Choose the data")
    page.get_by_role("radio", name="Demo: news").check()
    preview = page.locator("#preview")
    expect(preview).to_contain_text("11,264 tokens")
    expect(preview).to_contain_text("by 30 workers")
    expect(preview.locator("mark").first).to_contain_text("Amberwick Packet")
    for part in ("600 sentences", "4 answers", "0.10 = 240.00", "experts at 1.00"):
        expect(page.locator("#summary")).to_contain_text(part)
    assert_state_accessible(page)


def plan_crew(page: Page) -> None:
    """Change some of the usual plan, and see what that costs."""
    heading(page, "What do you want, and who is there?")
    open_details(page)
    page.get_by_label("Answers per sentence").fill("3")
    page.get_by_role("radio", name="An expert where workers disagree").check()
    page.get_by_label("Agreement threshold").fill("0.55")
    page.get_by_label("Budget").fill("150")
    for part in ("3 answers", "= 180.00", "150.00", "threshold 0.55"):
        expect(page.locator("#summary")).to_contain_text(part)
    page.get_by_text("More settings").click()
    page.get_by_label("Minutes per sentence").fill("5")
    assert_state_accessible(page)


def test_a_campaign_from_a_file(admins: Visitors, admin: Client, tmp_path: Path) -> None:
    """Plain lines have no labels, so they are added; the plan is otherwise the usual one."""
    path = tmp_path / "lines.txt"
    path.write_text("Ana left Rome.\n\nגרה בחפה.\n今天天气很好。\n", "utf-8")
    page = admins().page("/campaigns/new")
    choose(page, path)
    expect(page.locator("#preview")).to_contain_text("none yet")
    expect(page.locator(".examples p")).to_have_count(3)
    press_next(page)
    press_next(page)
    expect(page.get_by_role("alert")).to_contain_text("Add at least one label.")
    for name in ("PER", "PER"):
        page.get_by_label("Add a label").fill(name)
        page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("PER already exists.")
    for name in ("地名", "mistake"):
        page.get_by_label("Add a label").fill(name)
        page.get_by_label("Add a label").press("Enter")
    page.get_by_role("button", name="Remove mistake").click()
    press_next(page)
    press_next(page)
    expect(page.locator("#rehearse-more")).to_contain_text("needs sentences with known labels")
    expect(page.get_by_role("button", name="Rehearse", exact=True)).to_be_hidden()
    expect(page.get_by_label("Campaign name")).to_have_value("lines")
    page.get_by_label("Campaign name").press("Enter")
    details = admin.campaign(wait_for_dashboard(page)).details()

    assert (details.sentences, details.plan["labels"]) == (3, ["PER", "地名"])
    assert details.plan["feedback"] == "expected-error"
    assert details.plan["policy"] == "difficulty-thompson"


def test_a_format_is_recognised_or_chosen(admins: Visitors, pilot: Path, tmp_path: Path) -> None:
    """A wrong one says which line it cannot read, at the data; the right one mends it."""
    path = tmp_path / "data.conll"
    write(read(pilot).dataset.without_answers(), path)
    one = admins()
    one.expected = ("422",)
    page = one.page("/campaigns/new")
    choose(page, path, "spancrew")
    expect(page.locator("#step-data > .problem")).to_contain_text("line 1")
    page.get_by_label("Format").select_option("")
    expect(page.locator("#preview")).to_contain_text("Read as conll.")
    expect(page.locator("#step-data > .problem")).to_be_empty()
    expect(page.get_by_role("radio", name="Keep them out of the campaign")).to_be_checked()
    page.get_by_role("radio", name="Use them as final labels").check()
    press_next(page)
    expect(page.get_by_role("alert")).to_contain_text("there is nothing left to label")


def test_a_file_can_be_dropped(admins: Visitors) -> None:
    """As it can be chosen."""
    page = admins().page("/campaigns/new")
    page.get_by_role("radio", name="My own file").check()
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File(["Ana left Rome.\\n"], "one.txt"));
          const options = { dataTransfer: data, bubbles: true, cancelable: true };
          document.querySelector("#drop").dispatchEvent(new DragEvent("drop", options));
        }"""
    )
    expect(page.locator("#file-name")).to_have_text("one.txt")
    expect(page.locator("#preview")).to_contain_text("Ana left Rome.")


def test_problems_stand_beside_their_fields(admins: Visitors) -> None:
    """Nothing goes on before they are mended; the first one has the focus."""
    page = admins().page("/campaigns/new")
    step(page, "Rehearse and create")
    heading(page, "What should be labelled?")
    expect(page.get_by_role("alert")).to_contain_text("Choose the data first.")
    page.get_by_role("radio", name="Demo: opinions").check()
    expect(page.locator("#preview")).to_contain_text("62")
    step(page, "Crew and quality")
    open_details(page)
    crew, price = page.get_by_label("Crew size"), page.get_by_label("Price per answer")
    crew.fill("2")
    price.fill("-1")
    press_next(page)
    expect(price).to_have_attribute("aria-invalid", "true")
    expect(price).to_be_focused()
    expect(page.locator("#p-price_answer")).to_contain_text("Enter a number from 0")
    price.fill("0.2")
    press_next(page)
    expect(page.locator("#p-crew")).to_contain_text("A crew of 2 cannot give 4 answers")
    expect(crew).to_have_attribute("aria-describedby", "h-crew p-crew")
    assert_state_accessible(page)
    crew.fill("8")
    press_next(page)
    heading(page, "Rehearse, then create")


def test_what_the_server_refuses_stands_there_too(admins: Visitors) -> None:
    """The page goes to the step that it is about, and nothing typed is lost."""
    one = admins(caught=True)
    one.expected = ("422",)
    page = one.page("/campaigns/new?data=demo-zh")
    expect(page.locator("#preview")).to_contain_text("62")
    step(page, "Rehearse and create")
    page.get_by_label("Campaign name").fill(" ")
    page.get_by_role("button", name="Create campaign").click()
    expect(page.locator("#p-name")).to_have_text("This field is required.")
    page.get_by_label("Campaign name").fill("Refused")
    refuse_once(page, "plan budget: Input should be less than or equal to 5")
    page.get_by_role("button", name="Create campaign").click()
    heading(page, "What do you want, and who is there?")
    expect(page.locator("#p-budget")).to_contain_text("less than or equal to 5")
    expect(page.get_by_label("Budget")).to_be_focused()
    step(page, "Rehearse and create")
    expect(page.get_by_label("Campaign name")).to_have_value("Refused")
    refuse_once(page, "the sky is falling")
    page.get_by_role("button", name="Create campaign").click()
    expect(page.locator("#step-check > .problem")).to_contain_text("the sky is falling")


def refuse_once(page: Page, message: str) -> None:
    """Let the server refuse the next campaign for a reason of ours."""
    error = {"error": {"code": "plan", "message": message}}
    page.route(
        "**/api/v1/campaigns",
        lambda route: route.fulfill(status=422, json=error),
        times=1,
    )


def test_nothing_is_lost_by_going_back_or_reloading(admins: Visitors, pilot: Path) -> None:
    """The file, the order of labels, what was typed and the step are all there again."""
    page = admins().page("/campaigns/new")
    choose(page, pilot)
    expect(page.locator("#preview")).to_contain_text("Read as spancrew.")
    press_next(page)
    page.get_by_role("button", name="Move WORK up").click()
    press_next(page)
    page.get_by_label("Price per expert decision").fill("2.5")
    open_details(page)
    page.get_by_role("radio", name="Adaptive").check()
    page.get_by_label("Target", exact=True).select_option("quality")
    page.get_by_label("Quality of the labels").fill("97")
    page.go_back()
    heading(page, "Which labels do you use?")
    page.go_forward()
    heading(page, "What do you want, and who is there?")
    page.reload()
    heading(page, "What do you want, and who is there?")
    expect(page.get_by_label("Price per expert decision")).to_have_value("2.5")
    open_details(page)
    expect(page.get_by_role("radio", name="Adaptive")).to_be_checked()
    expect(page.get_by_label("Quality of the labels")).to_have_value("97")
    expect(page.locator("#summary")).to_contain_text("quality 97%")
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#label-list .label-chip")).to_have_text(["LOC", "ORG", "WORK", "PER"])
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#file-name")).to_have_text("pilot.jsonl")
    press_next(page)
    heading(page, "Which labels do you use?")


def test_by_keyboard_alone(admins: Visitors, admin: Client) -> None:
    """From the first choice to the campaign, without a mouse."""
    page = admins().page("/campaigns/new")
    tab_to(page, "input[name=source]")
    page.keyboard.press("Space")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Demo: opinions")).to_be_checked()
    expect(page.locator("#preview")).to_contain_text("62")
    tab_to(page, "#next")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Which labels do you use?")).to_be_focused()
    tab_to(page, "#next")
    page.keyboard.press("Enter")
    tab_to(page, "#detailed > summary")
    page.keyboard.press("Enter")
    tab_to(page, "[name=answers]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    heading(page, "Rehearse, then create")
    tab_to(page, "[name=name]")
    page.keyboard.press("Control+a")
    page.keyboard.type("By keys")
    page.keyboard.press("Enter")
    details = admin.campaign(wait_for_dashboard(page)).details()

    assert (details.name, details.sentences, details.plan["answers"]) == ("By keys", 59, 3)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(40):
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {selector}")


def test_on_a_phone_in_chinese(admins: Visitors) -> None:
    """Every step fits 360 pixels, with nothing left in English but data."""
    page = admins(locale="zh-CN", **PHONE).page("/campaigns/new")
    expect(page.get_by_role("heading", level=1)).to_have_text("新建项目")
    page.get_by_role("radio", name="评价").check()
    expect(page.locator("#preview mark").first).to_be_visible()
    for title in ("要标注什么数据", "有哪些标签", "目标与人员"):
        heading(page, title)
        assert_accessible(page)
        page.get_by_role("button", name="下一步").click()
    heading(page, "再创建")
    assert_accessible(page)
    expect(page.locator("#summary")).to_contain_text("62 个句子")
