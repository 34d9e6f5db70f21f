"""Lost connections, two tabs, ended sessions: nothing is lost and nothing comes twice."""

from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from spancrew.client import CampaignClient, Client
from spancrew.server.settings import real_clock
from tests.browser import Visit, assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors
from tests.pages.shifts import Seat, campaign_on, happened, stored, words
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

TEXTS = [f"Ana {name} lives in Rome" for name in ("Rossi", "Bianchi", "Verdi", "Russo", "Conti")]
BROKEN = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "ERR_CONNECTION")


@pytest.fixture
def campaign(admin: Client, tmp_path: Path) -> CampaignClient:
    """Return a campaign of five sentences."""
    return campaign_on(admin, tmp_path, words(*TEXTS))


def other(seat: Seat, before: str) -> None:
    """Wait for another sentence."""
    expect(seat.page.locator(".sentence")).not_to_have_text(before)


def test_offline_in_the_middle_of_a_sentence(visit: Visitors, campaign: CampaignClient) -> None:
    """Two answers are given without a connection; both arrive once it is back, once each."""
    one = visit()
    one.expected = BROKEN
    page = one.page()
    seat = Seat(page)
    with page.expect_response(lambda r: "ahead" in (r.request.post_data or "")):
        page.goto(campaign.invite_worker().url)
    seat.ready()
    seat.token(0).click()
    one.context.set_offline(True)
    seat.token(1).click()
    seat.label("PER").click()
    before = seat.text
    seat.submit()
    other(seat, before)
    expect(page.locator("#saved")).to_have_text("1 answer is waiting for the connection")
    seat.mark(4, 5, "LOC")
    seat.submit()
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.locator("#saved")).to_have_text("2 answers are waiting for the connection")
    assert_accessible_in_both_themes(page)
    assert stored(campaign) == {}
    one.context.set_offline(False)
    seat.ready()
    seat.sent()
    assert sorted(stored(campaign).values()) == [[(0, 2, "PER")], [(4, 5, "LOC")]]
    expect(page.locator("#saved")).to_have_text("Saved")
    expect(page.locator("#answers")).to_have_text("2")


def test_unsent_work_survives_a_reload(visit: Visitors, campaign: CampaignClient) -> None:
    """An answer that never got out is sent by the next page that is opened."""
    one = visit(caught=True)
    one.expected = BROKEN
    seat = Seat.of(one, campaign)
    seat.page.route("**/answers", lambda route: route.abort())
    seat.mark(0, 2, "PER")
    before = seat.text
    seat.submit()
    other(seat, before)
    expect(seat.page.locator("#saved")).to_have_text("1 answer is waiting for the connection")
    seat.page.unroute_all()
    seat.page.reload()
    seat.ready()
    seat.sent()
    assert list(stored(campaign).values()) == [[(0, 2, "PER")]]


def test_an_answer_whose_receipt_is_lost_counts_once(
    visit: Visitors, campaign: CampaignClient
) -> None:
    """The server takes it, the page never hears of it, and sends it again under the same key."""
    one = visit(caught=True)
    one.expected = BROKEN
    seat = Seat.of(one, campaign)
    tries: list[int] = []

    def lose(route: Route) -> None:
        tries.append(route.fetch().status)
        if len(tries) == 1:
            route.abort()
        else:
            route.fulfill(response=route.fetch())

    seat.page.route("**/answers", lose)
    seat.mark(0, 2, "PER")
    seat.submit()
    seat.sent()
    assert len(tries) > 1
    assert list(stored(campaign).values()) == [[(0, 2, "PER")]]
    expect(seat.page.locator("#earned")).to_have_text("0.00")
    seat.page.unroute_all()
    seat.page.reload()
    expect(seat.page.locator("#earned")).to_have_text("0.10")


def test_a_busy_server_is_asked_again(visit: Visitors, campaign: CampaignClient) -> None:
    """An answer that meets a failure of the server waits and is sent again by itself."""
    one = visit(caught=True)
    one.expected = ("503",)
    seat = Seat.of(one, campaign)
    failed: list[str] = []

    def fail(route: Route) -> None:
        if failed:
            route.continue_()
            return
        failed.append(route.request.url)
        route.fulfill(status=503, json={"error": {"code": "store", "message": "away"}})

    seat.page.route("**/answers", fail)
    seat.mark(0, 2, "PER")
    seat.submit()
    seat.sent()
    assert len(failed) == 1
    assert list(stored(campaign).values()) == [[(0, 2, "PER")]]


def test_two_tabs_of_one_worker(visit: Visitors, campaign: CampaignClient) -> None:
    """Both show one sentence; what one hands in the other leaves, and nothing counts twice."""
    one = visit()
    first = Seat.of(one, campaign)
    second = Seat(one.page("/work"))
    second.ready()
    assert first.text == second.text
    before = first.text
    first.mark(0, 2, "PER")
    first.submit()
    other(first, before)
    other(second, before)
    expect(second.page.locator(".desk-message")).to_contain_text("in another tab")
    second.mark(4, 5, "LOC")
    again = second.text
    second.submit()
    other(second, again)
    first.sent()
    second.sent()
    assert sorted(stored(campaign).values()) == [[(0, 2, "PER")], [(4, 5, "LOC")]]


def test_the_same_sentence_answered_on_two_devices(
    visit: Visitors, campaign: CampaignClient
) -> None:
    """The second answer is refused calmly: it is told and shown, and work goes on."""
    link = campaign.invite_worker().url
    phone, laptop = visit(), visit()
    laptop.expected = ("409",)
    seats = [Seat(each.enter(link)) for each in (phone, laptop)]
    for seat in seats:
        seat.ready()
    before = seats[0].text
    assert seats[1].text == before
    seats[0].mark(0, 2, "PER")
    seats[0].submit()
    seats[0].sent()
    seats[1].mark(4, 5, "LOC")
    seats[1].submit()
    refused = seats[1].page.locator("#refused")
    expect(refused).to_contain_text("The first answer counts.")
    expect(refused.locator(".mark")).to_have_text("LOC Rome")
    other(seats[1], before)
    assert_state_accessible(seats[1].page)
    seats[1].page.reload()
    seats[1].ready()
    seats[1].button("Dismiss").click()
    expect(refused).to_be_empty()
    assert list(stored(campaign).values()) == [[(0, 2, "PER")]]


def test_a_session_that_ended_keeps_what_waits(visit: Visitors, campaign: CampaignClient) -> None:
    """The page says what to do; the same link in the same browser sends what was kept."""
    one = visit()
    one.expected = ("401", "403")
    link = campaign.invite_worker().url
    seat = Seat(one.enter(link))
    seat.ready()
    seat.mark(0, 2, "PER")
    one.context.clear_cookies()
    seat.submit()
    expect(seat.page.locator("#ended")).to_contain_text("1 answer is kept on this device")
    assert_state_accessible(seat.page)
    assert stored(campaign) == {}
    seat = Seat(one.enter(link))
    seat.ready()
    seat.sent()
    assert list(stored(campaign).values()) == [[(0, 2, "PER")]]


def test_a_refused_answer_does_not_hold_up_the_others(
    visit: Visitors, campaign: CampaignClient
) -> None:
    """What the server will never take is told with its text; the next answer gets through."""
    one = visit(caught=True)
    one.expected = ("422",)
    seat = Seat.of(one, campaign)
    refusals: list[str] = []

    def refuse(route: Route) -> None:
        if refusals:
            route.continue_()
            return
        refusals.append(route.request.url)
        told = {"code": "answer_refused", "message": "label FOO is not known"}
        route.fulfill(status=422, json={"error": told})

    seat.page.route("**/answers", refuse)
    seat.mark(0, 2, "PER")
    before = seat.text
    seat.submit()
    expect(seat.page.locator("#refused")).to_contain_text("label FOO is not known")
    expect(seat.page.locator("#refused .marked")).to_contain_text(before.split()[1])
    other(seat, before)
    seat.mark(4, 5, "LOC")
    seat.submit()
    seat.sent()
    assert list(stored(campaign).values()) == [[(4, 5, "LOC")]]


def test_a_laptop_that_slept_asks_again(visit: Visitors, campaign: CampaignClient) -> None:
    """What was fetched ahead hours ago is not shown before the server has given it again."""
    page = visit().page()
    page.clock.install()
    with page.expect_response(lambda r: "ahead" in (r.request.post_data or "")):
        page.goto(campaign.invite_worker().url)
    seat = Seat(page)
    seat.ready()
    seat.mark(0, 2, "PER")
    page.clock.fast_forward("03:00:00")
    before = seat.text
    with page.expect_request(lambda r: r.url.endswith("/next") and r.post_data == "{}"):
        seat.submit()
    other(seat, before)
    seat.sent()
    assert list(stored(campaign).values()) == [[(0, 2, "PER")]]


def frozen(one: Visit, campaign: CampaignClient) -> Seat:
    """Let a new worker in whose page has a clock that stands still until it is moved."""
    page = one.page()
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.goto(campaign.invite_worker().url)
    seat = Seat(page)
    seat.ready()
    return seat


def end_lease(campaign: CampaignClient) -> None:
    """Wait until the lease of the first assignment is over for the server."""
    first, *_ = happened(campaign, "Assigned")
    wait_until(lambda: real_clock() > first["until"])


def test_a_lease_that_is_over_gives_another_sentence(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Who has marked nothing gets a fresh one and is told why."""
    campaign = campaign_on(admin, tmp_path, words(*TEXTS), lease=1)
    seat = frozen(visit(), campaign)
    end_lease(campaign)
    seat.page.clock.fast_forward("00:06")
    expect(seat.page.locator(".desk-message")).to_contain_text("Here is another one")
    assert happened(campaign, "Expired")


def test_what_was_marked_can_be_handed_in_late(
    visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Who has marked something keeps it, is told, and is paid."""
    campaign = campaign_on(admin, tmp_path, words(*TEXTS), lease=1)
    seat = frozen(visit(), campaign)
    seat.mark(0, 2, "PER")
    end_lease(campaign)
    seat.page.clock.fast_forward("00:06")
    expect(seat.page.locator(".desk-message")).to_contain_text("still submit")
    seat.submit()
    expect(seat.page.locator("#earned")).to_have_text("0.10")
    [given] = happened(campaign, "Answered")
    assert (given["late"], given["spans"]) == (True, [[0, 2, "PER"]])


def test_somebody_at_work_keeps_the_lease(visit: Visitors, campaign: CampaignClient) -> None:
    """While keys are pressed the page says so; `test_work` of the server has what comes of it."""
    seat = frozen(visit(), campaign)
    before = seat.text
    first, *_ = happened(campaign, "Assigned")
    seat.presses("ArrowRight")
    with seat.page.expect_response("**/heartbeat") as beat:
        seat.page.clock.fast_forward("01:01")
    assert beat.value.request.post_data_json == {"assignment": first["assignment"]}
    assert 590 < beat.value.json()["left"] < 600
    assert seat.text == before
