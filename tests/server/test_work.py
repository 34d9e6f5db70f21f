"""Answers that are sent twice, at once, late, or above the budget."""

from pathlib import Path
from typing import Any

from tests.server.conftest import House, Visitor, create, invite


def next_of(worker: Visitor, campaign: str) -> dict[str, Any]:
    """Return what a worker gets."""
    found: dict[str, Any] = worker.ok("POST", f"/campaigns/{campaign}/next")
    return found


def started(admin: Visitor, folder: Path, workers: int, **plan: Any) -> tuple[str, list[Visitor]]:
    """Return a running campaign with workers."""
    campaign = create(admin, folder, **plan)
    admin.ok("POST", f"/campaigns/{campaign}/start")
    return campaign, [invite(admin, campaign) for _ in range(workers)]


def test_an_answer_after_its_time_is_taken_and_marked_late(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """And it is in the export, with the mark."""
    campaign, (worker,) = started(admin, tmp_path, 1)
    work = next_of(worker, campaign)["assignment"]
    house.clock.now += 3600

    body = {"assignment": work["assignment"], "spans": []}
    receipt = worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)["receipt"]

    assert receipt["late"]
    assert receipt["paid"] == 0.1
    exported = admin.call("GET", f"/campaigns/{campaign}/export").text
    assert '"source":"late' in exported


def test_a_heartbeat_keeps_an_assignment(house: House, admin: Visitor, tmp_path: Path) -> None:
    """For another lease."""
    campaign, (worker,) = started(admin, tmp_path, 1)
    work = next_of(worker, campaign)["assignment"]
    house.clock.now += 500

    kept = worker.ok(
        "POST", f"/campaigns/{campaign}/heartbeat", json={"assignment": work["assignment"]}
    )

    assert kept == {"until": house.clock.now + 600, "left": 600}
    assert work["left"] == 600

    house.clock.now += 700
    over = worker.ok(
        "POST", f"/campaigns/{campaign}/heartbeat", json={"assignment": work["assignment"]}
    )

    assert over["left"] == 0


def test_a_skipped_sentence_goes_to_somebody_else(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """And never back to the one who skipped it."""
    campaign, (worker,) = started(admin, tmp_path, 1)
    seen = set()
    for _ in range(12):
        work = next_of(worker, campaign)["assignment"]
        if work is None:
            break
        seen.add(work["sentence"]["id"])
        body = {"assignment": work["assignment"], "reason": "unclear"}
        worker.ok("POST", f"/campaigns/{campaign}/skip", json=body)

    assert len(seen) == 12
    waiting = next_of(worker, campaign)["waiting"]
    assert (waiting["code"], waiting["reason"]) == (
        "none",
        "there is no sentence for you right now",
    )


def test_the_next_sentence_can_be_fetched_ahead(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """It is another one, and the same one later."""
    campaign, (worker,) = started(admin, tmp_path, 1)
    first = next_of(worker, campaign)["assignment"]
    ahead = worker.ok("POST", f"/campaigns/{campaign}/next", json={"ahead": 1})["assignment"]
    body = {"assignment": first["assignment"], "spans": [], "next": True}
    answer = worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)

    assert ahead["assignment"] != first["assignment"]
    assert answer["next"]["assignment"]["assignment"] == ahead["assignment"]


def test_a_paused_campaign_hands_nothing_out(house: House, admin: Visitor, tmp_path: Path) -> None:
    """But takes what is in hand; a finished one is over."""
    campaign, (worker, other) = started(admin, tmp_path, 2)
    work = next_of(worker, campaign)["assignment"]
    admin.ok("POST", f"/campaigns/{campaign}/pause")

    waiting = next_of(other, campaign)["waiting"]
    assert (waiting["over"], waiting["code"]) == (False, "campaign_paused")

    body = {"assignment": work["assignment"], "spans": []}
    worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)
    admin.ok("POST", f"/campaigns/{campaign}/finish", json={"reason": "enough"})

    waiting = next_of(other, campaign)["waiting"]
    assert (waiting["over"], waiting["code"]) == (True, "over")
    assert admin.ok("GET", f"/campaigns/{campaign}/status")["reason"] == "enough"
    assert admin.call("POST", f"/campaigns/{campaign}/start").status_code == 409


def test_a_paused_worker_gets_nothing_and_their_work_goes_to_others(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Until they are readmitted; a cap holds, too."""
    campaign, (worker, _other) = started(admin, tmp_path, 2)
    next_of(worker, campaign)
    admin.ok("PATCH", f"/campaigns/{campaign}/workers/w0", json={"state": "paused"})

    assert next_of(worker, campaign)["waiting"]["code"] == "paused"

    changed = admin.ok(
        "PATCH", f"/campaigns/{campaign}/workers/w0", json={"state": "active", "cap": 1}
    )
    work = next_of(worker, campaign)["assignment"]
    worker.ok(
        "POST",
        f"/campaigns/{campaign}/answers",
        json={"assignment": work["assignment"], "spans": []},
    )

    assert changed["standing"]["cap"] == 1
    waiting = next_of(worker, campaign)["waiting"]
    assert (waiting["over"], waiting["code"]) == (True, "capped")
    assert worker.ok("GET", f"/campaigns/{campaign}/progress")["over"] is True


def test_budget_and_rule_can_be_changed(house: House, admin: Visitor, tmp_path: Path) -> None:
    """One at a time; what cannot be is refused and changes nothing."""
    campaign, _ = started(admin, tmp_path, 1)
    admin.ok("PATCH", f"/campaigns/{campaign}", json={"budget": 50})
    changed = admin.ok("PATCH", f"/campaigns/{campaign}", json={"feedback": "gate:threshold=0.9"})
    bad = admin.call("PATCH", f"/campaigns/{campaign}", json={"budget": 60, "feedback": "gate"})

    assert "threshold=0.9" in changed["plan"]["feedback"]
    assert bad.status_code == 422
    assert admin.ok("GET", f"/campaigns/{campaign}/ledger")["budget"] == 50
    for odd in ({"feedback": "no-such-rule"}, {"feedback": "crowd"}, {"budget": -1}):
        assert admin.call("PATCH", f"/campaigns/{campaign}", json=odd).status_code == 422

    admin.ok("PATCH", f"/campaigns/{campaign}", json={"budget": None})

    assert admin.ok("GET", f"/campaigns/{campaign}/ledger")["budget"] is None


def test_a_deleted_campaign_is_gone_for_everybody(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Its people cannot come in any more."""
    campaign, (worker,) = started(admin, tmp_path, 1)
    admin.ok("DELETE", f"/campaigns/{campaign}")

    assert worker.call("GET", "/me").status_code == 401
    assert admin.call("GET", f"/campaigns/{campaign}").status_code == 404
    assert admin.call("DELETE", f"/campaigns/{campaign}").status_code == 404
    assert admin.ok("GET", "/campaigns") == []
