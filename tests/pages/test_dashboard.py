"""The dashboard: it moves by itself, and nothing it shows is made up."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from spancrew.client import Client
from spancrew.formats import read
from tests.browser import assert_accessible_in_both_themes, assert_state_accessible, visiting
from tests.pages.admins import as_admin
from tests.pages.conftest import Visitors
from tests.pages.dashboards import Watched, dashboard, watched
from tests.serving import Serving, start

pytestmark = pytest.mark.browser


@pytest.fixture
def crew(admin: Client, tmp_path: Path) -> Iterator[Watched]:
    """Yield a running campaign with some work done."""
    with watched(admin, tmp_path) as made:
        made.work(8, experts=False)
        yield made


def figure(page: Page, name: str) -> str:
    """Return the big number of a card."""
    card = page.locator("#figures .card").filter(has=page.get_by_role("heading", name=name))
    return card.locator(".big span").first.inner_text()


def test_figures_move_while_workers_answer(
    server: Serving, crew: Watched, visit: Visitors
) -> None:
    """Settled, money, quality, workers, labels and events follow the journal without a reload."""
    page = dashboard(visit(**as_admin(server)), crew.client.id)
    expect(page.get_by_role("heading", level=1)).to_have_text("Names in the news")
    expect(page.locator("#phase")).to_have_text("Running")
    page.evaluate("window.stays = true")
    crew.work(12)
    status, ledger = crew.client.status(), crew.client.ledger()
    card = page.locator("#figures .card")
    expect(card.nth(0).locator(".big span").first).to_have_text(str(status.settled))
    expect(card.nth(0)).to_contain_text(f"By the crowd {status.by_crowd}")
    expect(card.nth(0)).to_contain_text(f"By experts {status.by_expert}")
    expect(card.nth(2).locator(".big span").first).to_have_text(f"{ledger.spent:.2f}")
    quality = crew.client.certificate()
    shown = f"{100 * quality.f1.estimate:.1f}".removesuffix(".0")
    expect(card.nth(1).locator(".big span").first).to_contain_text(shown)
    expect(card.nth(1)).to_contain_text("The model's guess, not a measurement")
    rows = page.locator(".workers tbody tr")
    expect(rows).to_have_count(4)
    standing = crew.client.standings()[0]
    expect(rows.nth(0).locator("td.answers")).to_have_text(str(standing.answers))
    expect(rows.nth(0).locator("td.earned")).to_have_text(f"{standing.earned:.2f}")
    expect(rows.nth(0).locator("td.speed")).to_have_text("4 s")
    page.locator("#labels-title").scroll_into_view_if_needed()
    expect(page.locator("#labels .bars li")).to_have_count(len(crew.data.labels))
    expect(page.locator("#events")).to_contain_text("is settled by the crowd")
    expect(page.locator("#events")).to_contain_text("Ana (w0) answered")
    assert page.evaluate("window.stays") is True


def test_everything_can_be_read_in_both_themes(
    server: Serving, crew: Watched, visit: Visitors
) -> None:
    """No violation, with the table of the drawing open, on a laptop and on a phone."""
    crew.work(6)
    page = dashboard(visit(**as_admin(server)), crew.client.id)
    page.get_by_text("Show as a table").click()
    expect(page.locator("#progress table tbody tr").last).to_be_visible()
    assert_accessible_in_both_themes(page)
    page.set_viewport_size({"width": 390, "height": 800})
    assert_state_accessible(page)
    page.set_viewport_size({"width": 320, "height": 640})
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0


def test_a_draft_says_what_to_do_next(
    server: Serving, admin: Client, tmp_path: Path, visit: Visitors
) -> None:
    """Invite, write the guide, start; the button starts it, and the rest appears."""
    with watched(admin, tmp_path, start=False) as made:
        page = dashboard(visit(**as_admin(server)), made.client.id)
        steps = page.get_by_role("region", name="Next steps")
        expect(steps.get_by_role("link")).to_have_text(["Invite people", "Write the guide"])
        expect(steps).to_contain_text("4 workers have joined")
        expect(page.locator("[data-watch]").first).to_be_hidden()
        assert_state_accessible(page)
        page.get_by_role("button", name="Start").click()
        expect(page.locator("#phase")).to_have_text("Running")
        expect(steps).to_be_hidden()
        expect(page.locator("#progress svg")).to_be_visible()
        assert made.client.status().phase == "running"


def test_phases_by_buttons(server: Serving, crew: Watched, visit: Visitors) -> None:
    """Pause and go on at once; finishing asks first, and then nothing can be changed any more."""
    page = dashboard(visit(**as_admin(server)), crew.client.id)
    controls = page.locator("#controls")
    controls.get_by_role("button", name="Pause").click()
    expect(page.locator("#phase")).to_have_text("Paused")
    controls.get_by_role("button", name="Resume").click()
    expect(page.locator("#phase")).to_have_text("Running")
    controls.get_by_role("button", name="Finish").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Cancel").click()
    assert crew.client.status().phase == "running"
    controls.get_by_role("button", name="Finish").click()
    assert_state_accessible(page)
    dialog.get_by_role("button", name="Finish").click()
    expect(page.locator("#phase")).to_have_text("Finished")
    expect(page.locator("#reason")).to_have_text("Finished by an admin")
    expect(controls.get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("slider")).to_have_attribute("aria-disabled", "true")
    assert_state_accessible(page)


def test_the_budget_is_changed_and_refused(
    server: Serving, crew: Watched, visit: Visitors
) -> None:
    """A new budget shows up by itself; one below what is promised is refused with the reason."""
    one = visit(**as_admin(server))
    one.expected = ("422",)
    page = dashboard(one, crew.client.id)
    money = page.locator("#figures .card").nth(2)
    expect(money).to_contain_text("No limit")
    money.get_by_role("button", name="Change budget").click()
    page.get_by_role("spinbutton", name="Budget").fill("250")
    page.get_by_role("button", name="Save").click()
    expect(money).to_contain_text("250.00")
    money.get_by_role("button", name="Change budget").click()
    page.get_by_role("spinbutton", name="Budget").fill("0.01")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("spent or promised")
    assert crew.client.ledger().budget == 250


def test_the_stream_of_events_is_filtered_and_halted(
    server: Serving, crew: Watched, visit: Visitors
) -> None:
    """Trouble alone, decisions alone; while it is halted, news is only counted."""
    sheet = crew.workers[1].next()
    crew.workers[1].skip(sheet, "the text is cut off")  # type: ignore[arg-type]
    page = dashboard(visit(**as_admin(server)), crew.client.id)
    events = page.locator("#events")
    expect(events).to_contain_text("the text is cut off")
    page.get_by_label("Show events").select_option("trouble")
    expect(events.locator("li")).to_have_count(1)
    page.get_by_label("Show events").select_option("decisions")
    expect(events.get_by_text(re.compile("goes to an expert: agreement")).first).to_be_visible()
    expect(events.get_by_text("answered")).to_have_count(0)
    page.get_by_label("Show events").select_option("all")
    halt = page.locator("#events-controls").get_by_role("button")
    halt.click()
    first = events.locator("li").first.inner_text()
    crew.work(1)
    expect(halt).to_have_text(re.compile(r"Resume \(\d+ new\)"))
    assert events.locator("li").first.inner_text() == first
    halt.click()
    expect(events.locator("li").first).not_to_have_text(first)
    crew.work(20)
    assert events.locator("li").count() <= 100


def test_why_a_worker_got_a_sentence(server: Serving, crew: Watched, visit: Visitors) -> None:
    """A click on an assignment tells score, rank and crew in plain words; Escape goes back."""
    page = dashboard(visit(**as_admin(server)), crew.client.id)
    event = page.locator("#events button.event").filter(has_text="Bo (w1) answered").first
    event.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text(re.compile(r"Why did Bo \(w1\) get .+\?"))
    expect(dialog).to_contain_text("chose a crew of 4")
    expect(dialog).to_contain_text(re.compile(r"Score at that time: \d\.\d\d|had no score yet"))
    assert_state_accessible(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(event).to_be_focused()


def test_an_export_is_what_was_settled(
    server: Serving, crew: Watched, visit: Visitors, tmp_path: Path
) -> None:
    """The file has the final labels of the journal; names and answers only if wanted."""
    crew.work(12)
    page = dashboard(visit(**as_admin(server)), crew.client.id)
    page.locator("#export-title").scroll_into_view_if_needed()
    page.get_by_label("Recompute the labels of the crowd").uncheck()
    page.get_by_label("Use names of workers").check()
    with page.expect_download() as caught:
        page.get_by_role("button", name="Download").click()
    path = tmp_path / caught.value.suggested_filename
    caught.value.save_as(path)
    found = read(path).dataset
    assert "Ana" in found.workers
    assert found.finals is not None
    settled = int((found.finals.codes.lengths > 0).sum())
    assert settled == crew.client.status().settled
    page.get_by_label("Format").select_option("conll")
    expect(page.locator("#format-about")).to_contain_text("two columns")
    with page.expect_download() as caught:
        page.get_by_role("button", name="Download").click()
    assert caught.value.suggested_filename.endswith(".conll")
    expect(page.locator("#export [role=status]")).to_contain_text("cannot hold")
    with page.expect_download() as caught:
        page.get_by_role("link", name="Payments").click()
    assert caught.value.suggested_filename == "payments.csv"


def test_it_is_there_in_chinese(server: Serving, crew: Watched, visit: Visitors) -> None:
    """Every word of the page, and of the events, has its Chinese."""
    crew.work(4)
    page = dashboard(visit(**{**as_admin(server), "locale": "zh-CN"}), crew.client.id)
    expect(page.locator("#phase")).to_have_text("进行中")
    expect(page.locator("#events")).to_contain_text("完成")
    expect(page.locator(".workers tbody tr")).to_have_count(4)
    expect(page.locator(".workers")).to_contain_text("陈伟")
    assert_state_accessible(page)


def test_a_deleted_campaign_ends_its_dashboard(
    server: Serving, crew: Watched, visit: Visitors
) -> None:
    """Whoever watches is told, and nothing is tried again."""
    one = visit(**as_admin(server))
    one.expected = ("404",)
    page = dashboard(one, crew.client.id)
    crew.client.delete()
    expect(page.get_by_role("alert")).to_contain_text("has been deleted")
    expect(page.locator("#connection")).to_have_text("Not live")


def test_it_comes_back_when_the_server_does(browser: Browser, tmp_path: Path) -> None:
    """The server is restarted on its port: the page says so, and goes on without a reload."""
    server = start(tmp_path)
    try:
        with server.admin() as admin:
            with watched(admin, tmp_path) as made:
                made.work(2)
            options, token = as_admin(server), server.admin_token()
        with visiting(browser, server.url, **options) as one:
            one.expected = ("ERR_", "Failed to load")
            page = dashboard(one, made.client.id)
            page.evaluate("window.stays = true")
            server.stop()
            expect(page.locator("#connection")).to_have_text("Reconnecting")
            server = start(tmp_path, port=server.port)
            server.know(token)
            expect(page.locator("#connection")).to_have_text("Live")
            with server.admin() as admin:
                admin.campaign(made.client.id).set_budget(77)
            expect(page.locator("#figures")).to_contain_text("77.00")
            expect(page.locator("#events")).to_contain_text("The budget is now 77.00")
            assert page.evaluate("window.stays") is True
    finally:
        server.stop()


def test_a_page_weighs_less_than_a_photograph(
    server: Serving, crew: Watched, visit: Visitors
) -> None:
    """All of HTML, styles and scripts is below 100 kB, unpacked."""
    page = visit(alone=True, **as_admin(server)).page()
    sizes: list[int] = []
    page.on("response", lambda answer: sizes.append(_weight(answer)))
    page.goto(f"{server.url}/campaigns/{crew.client.id}")
    expect(page.locator(".workers tbody tr").first).to_be_visible()

    assert 30_000 < sum(sizes) < 100_000


def _weight(answer: object) -> int:
    url = str(getattr(answer, "url", ""))
    return 0 if "/api/" in url else len(getattr(answer, "body", bytes)())
