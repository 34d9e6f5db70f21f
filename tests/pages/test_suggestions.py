"""Marks that a model suggests: a worker sees them, changes them, and hands in their own."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from spancrew.client import Client
from spancrew.core import Span
from spancrew.wire import WorkerAssignment
from tests.pages.conftest import Visitors
from tests.pages.shifts import Seat, campaign_on, happened, words
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

TAUGHT = 50
"""Sentences after which the consensus method is fitted, and models are heard."""

NAMES = ("Ana", "Bo", "Cleo", "Dirk")
SAID = "A model suggests these marks."


def work(link: str, most: int) -> int:
    """Let somebody mark the first word of some sentences."""
    done = 0
    with Client.from_link(link) as client:
        worker = client.worker()
        while done < most and isinstance(sheet := worker.next(), WorkerAssignment):
            worker.submit(sheet, [Span(0, 1, "PER")])
            done += 1
    return done


def test_a_worker_changes_what_a_model_suggests(
    visit: Visitors, admins: Visitors, admin: Client, tmp_path: Path
) -> None:
    """Both are in the journal; status and dashboard tell how far people follow suggestions."""
    texts = [f"{NAMES[k % 4]} saw Rome {k} times ." for k in range(TAUGHT + 6)]
    campaign = campaign_on(
        admin, tmp_path, words(*texts), consensus="ds", suggestions=0.9, crew="auto", seed=0
    )
    model = campaign.people.add_model("first").url
    assert work(model, TAUGHT) == TAUGHT
    assert work(campaign.invite_worker().url, TAUGHT) == TAUGHT
    assert work(model, len(texts)) == len(texts) - TAUGHT
    wait_until(lambda: bool(happened(campaign, "Fitted")), "the method was not fitted")
    seat = Seat.of(visit(), campaign)
    message = seat.page.locator(".desk-message")

    expect(message).to_contain_text(SAID)
    assert seat.spans == [(0, 1, "PER")]

    seat.mark(2, 3, "LOC")
    expect(message).not_to_contain_text(SAID)
    seat.page.reload()
    seat.ready()
    assert seat.spans == [(0, 1, "PER"), (2, 3, "LOC")]

    seat.submit()
    seat.sent()
    asked = [each for each in happened(campaign, "Assigned") if each.get("shown")]
    (*_, answer) = happened(campaign, "Answered")
    found = campaign.status().anchoring

    assert asked[0]["suggested"] == [[0, 1, "PER"]]
    assert answer["spans"] == [[0, 1, "PER"], [2, 3, "LOC"]]
    assert found is not None
    assert (found.seen, found.unseen) == (1, 0)
    assert found.agreed_seen == pytest.approx(2 / 3)
    card = admins().page(f"/campaigns/{campaign.id}").locator("#suggested")
    expect(card).to_contain_text("too few answers of both kinds")
    expect(card).to_contain_text("66.7% in 1 answers that saw it")
