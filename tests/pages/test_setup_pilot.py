"""A pilot in the pages: raw text, labelled by people, then planned and set up as a campaign."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from spancrew.client import CampaignClient, Client
from spancrew.core import Sentence, Span
from spancrew.formats import read
from spancrew.wire import SheetView, WorkerAssignment
from tests.browser import Visit, assert_accessible_in_both_themes, assert_state_accessible
from tests.pages.conftest import Visitors
from tests.pages.setups import add_labels, choose, heading, press_next, wait_for_dashboard
from tests.pages.shifts import PHONE, Seat
from tests.pages.test_setup_rehearsal import SLOW, kept

pytestmark = pytest.mark.browser

SIZE, ALL, WORKERS, ANSWERS = 20, 26, 5, 2


def test_a_pilot_is_labelled_then_planned_and_set_up(
    admins: Visitors, visit: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Raw text goes in, no file comes out in between, and the campaign labels what is left."""
    page = admins().page("/campaigns/new")
    pilot = admin.campaign(set_up(page, tmp_path))
    card = page.locator("#pilot")
    expect(card).to_contain_text("20 of 20 sentences still need labels")
    look_at_it_on_a_phone(admins(**PHONE), page.url)
    page.get_by_role("button", name="Start").first.click()
    answer_but_one(pilot)
    label_what_waits(pilot)
    expect(card).to_contain_text("1 of 20 sentences still needs labels")
    for link in (pilot.invite_worker("Mia").url, pilot.invite_expert("Eve").url):
        label_by_hand(Seat(visit().enter(link)))
    card.get_by_role("link", name="Plan the whole campaign with this pilot").click()
    sent = planned(page)
    press_next(page)
    expect(page.locator("#rehearse")).to_be_visible()
    expect(page.get_by_label("Campaign name")).to_have_value("News")
    page.get_by_role("button", name="Create campaign").click()
    made = admin.campaign(wait_for_dashboard(page))
    plan, status = made.details().plan, made.status()

    assert sent == {"sentences": SIZE, "workers": WORKERS}
    assert (plan["instruction"], plan["labels"]) == ("Mark every name.", ["NAME", "OTHER"])
    assert plan["legend"]["NAME"]["meaning"] == "of anybody"
    assert plan["forecast"]["sentences"] == ALL - SIZE
    assert (status.sentences, status.by_gold, status.waiting) == (ALL, SIZE, ALL - SIZE)


def set_up(page: Page, folder: Path) -> str:
    """Create a pilot from raw text, and return its id."""
    file = folder / "News.txt"
    file.write_text("\n".join(read("demo").dataset.sentences.texts[:ALL]), "utf-8")
    choose(page, file)
    page.get_by_role("radio", name="Label a pilot first").check()
    page.get_by_label("Sentences of the pilot").fill(str(SIZE))
    page.get_by_label("Answers on a sentence in the pilot").fill(str(ANSWERS))
    expect(page.locator("#summary")).to_contain_text(f"{ALL - SIZE} sentences wait")
    assert_accessible_in_both_themes(page)
    press_next(page)
    page.get_by_label("Instruction in one line").fill("Mark every name.")
    add_labels(page, "NAME, OTHER")
    page.locator(".label-meaning").first.fill("of anybody")
    press_next(page)
    expect(page.locator("#find-plan")).to_be_hidden()
    expect(page.get_by_label("Price per answer")).to_be_visible()
    press_next(page)
    expect(page.get_by_label("Campaign name")).to_have_value("Pilot for News")
    page.get_by_role("button", name="Create pilot").click()
    return wait_for_dashboard(page)


def look_at_it_on_a_phone(visit: Visit, url: str) -> None:
    """All of HTML, styles and scripts of its dashboard is below 100 kB, unpacked."""
    page = visit.page()
    sizes: list[int] = []
    page.on(
        "response",
        lambda answer: sizes.append(0 if "/api/" in answer.url else len(answer.body())),
    )
    page.goto(url)
    expect(page.locator("#pilot")).to_contain_text("Invite at least 5 workers")
    assert_state_accessible(page)
    assert 50_000 < sum(sizes) < 100_000


def names(sentence: Sentence) -> list[Span]:
    """Return what is to be marked: every word with a capital."""
    words = [sentence.text[start:end] for start, end in sentence.bounds]
    return [Span(k, k + 1, "NAME") for k, word in enumerate(words) if word[0].isupper()]


def answer_but_one(pilot: CampaignClient) -> None:
    """Let workers give all answers but the last, in turn; now and then they miss something."""
    with ExitStack() as stack:
        links = [pilot.invite_worker().url for _ in range(WORKERS - 1)]
        workers = [stack.enter_context(Client.from_link(link)).worker() for link in links]
        given = turn = 0
        while given < ANSWERS * SIZE - 1:
            worker, turn = workers[turn % len(workers)], turn + 1
            sheet = worker.next()
            if isinstance(sheet, WorkerAssignment):
                worker.submit(sheet, names(sheet.sentence)[given % 3 == 0 :])
                given += 1


def label_what_waits(pilot: CampaignClient) -> None:
    """Let an expert label all that has its answers."""
    with Client.from_link(pilot.invite_expert().url) as guest:
        expert = guest.expert()
        while isinstance(sheet := expert.next(), SheetView):
            assert not sheet.answers
            expert.submit(sheet, names(sheet.sentence))


def label_by_hand(seat: Seat) -> None:
    """Mark the first word in the browser."""
    seat.ready()
    seat.mark(0, 1, "NAME")
    seat.submit()
    expect(seat.page.locator(".token")).to_have_count(0)


def planned(page: Page) -> dict[str, int]:
    """Let a plan be sought with the pilot, and return what it rests on."""
    heading(page, "What should be labelled?")
    expect(page.get_by_role("radio", name="Pilot for News")).to_be_checked()
    expect(page.locator("#summary")).to_contain_text(f"{ALL - SIZE} sentences")
    assert_state_accessible(page)
    page.get_by_label("Practice sentences").fill("0")
    press_next(page)
    press_next(page)
    page.get_by_label("Target quality").fill("30")
    page.get_by_label("Workers", exact=True).fill("2")  # who leave few ways to try
    page.get_by_label("Experts", exact=True).fill("0")
    page.get_by_role("button", name="Find a plan").click()
    expect(page.locator("#planned dl")).to_contain_text("Total cost", timeout=SLOW)
    rests: dict[str, int] = kept(page)["planned"]["pilot"]
    return {name: rests[name] for name in ("sentences", "workers")}
