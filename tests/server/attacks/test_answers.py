"""What a worker with bad intentions might send, and what they might see of others."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.attacks.conftest import SCRIPT, work_of
from tests.server.conftest import Visitor, create, demo, gold_spans, invite


def submit(worker: Visitor, campaign: str, body: Any) -> int:
    """Hand in an answer and return the status."""
    return worker.call("POST", f"/campaigns/{campaign}/answers", json=body).status_code


def test_the_assignment_of_another_worker_is_not_there(
    admin: Visitor, campaign: str, worker: Visitor
) -> None:
    """Neither to answer nor to skip nor to keep."""
    other = invite(admin, campaign)
    work = work_of(worker, campaign)
    number = {"assignment": work["assignment"]}

    assert submit(other, campaign, {**number, "spans": []}) == 404
    for route in ("skip", "heartbeat"):
        assert other.call("POST", f"/campaigns/{campaign}/{route}", json=number).status_code == 404


def test_a_foreign_campaign_is_not_there(
    admin: Visitor, campaign: str, worker: Visitor, tmp_path: Path
) -> None:
    """It answers as one that does not exist."""
    other = create(admin, tmp_path)

    foreign = worker.call("POST", f"/campaigns/{other}/next")
    missing = worker.call("POST", "/campaigns/0000000000000000/next")

    assert foreign.status_code == missing.status_code == 404
    assert foreign.json() == missing.json()


def test_a_foreign_campaign_does_not_tell_what_it_would_take(
    admin: Visitor, worker: Visitor, tmp_path: Path
) -> None:
    """A body that is invalid is not looked at where the campaign is not the caller's."""
    assert submit(worker, create(admin, tmp_path), {"nonsense": 1}) == 404


def test_a_replayed_answer_counts_once(admin: Visitor, campaign: str, worker: Visitor) -> None:
    """With its key it is the same receipt; without one, or changed, a conflict."""
    work = work_of(worker, campaign)
    before = admin.ok("GET", f"/campaigns/{campaign}/ledger")["answers"]
    body = {"assignment": work["assignment"], "spans": [], "key": "k1"}
    first = worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)["receipt"]
    again = worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)["receipt"]

    assert (first["again"], again["again"]) == (False, True)
    assert first["paid"] == again["paid"]
    assert submit(worker, campaign, {**body, "key": None}) == 409
    assert submit(worker, campaign, {**body, "key": "k2"}) == 409
    assert admin.ok("GET", f"/campaigns/{campaign}/ledger")["answers"] == before + 1


def test_a_huge_body_is_refused(admin: Visitor, campaign: str, worker: Visitor) -> None:
    """Before it is read."""
    answer = worker.call(
        "POST",
        f"/campaigns/{campaign}/answers",
        content=b" " * 1_000_001,
        headers={"Content-Type": "application/json"},
    )

    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too_large"


def test_an_answer_of_ten_thousand_spans_is_refused(campaign: str, worker: Visitor) -> None:
    """At most a thousand are looked at."""
    spans = [{"start": k, "end": k + 1, "label": "PER"} for k in range(10_000)]
    work = work_of(worker, campaign)

    assert submit(worker, campaign, {"assignment": work["assignment"], "spans": spans}) == 422


@pytest.mark.parametrize(
    "span",
    [
        {"start": 0, "end": 10_000, "label": "PER"},
        {"start": 2**31 - 2, "end": 2**31 - 1, "label": "PER"},
        {"start": -1, "end": 1, "label": "PER"},
        {"start": 1, "end": 1, "label": "PER"},
        {"start": 0, "end": 1, "label": "NO-SUCH-LABEL"},
        {"start": 0, "end": 1, "label": SCRIPT},
        {"start": 0, "end": 1, "label": "PER", "gold": True},
        {"start": 0.5, "end": 1, "label": "PER"},
        {"start": "0", "end": 1, "label": "PER"},
        {"start": True, "end": 2, "label": "PER"},
        {"start": 2**70, "end": 2**71, "label": "PER"},
        {"start": 0, "end": 1, "label": None},
        None,
    ],
)
def test_spans_that_do_not_fit_are_refused(campaign: str, worker: Visitor, span: Any) -> None:
    """And the assignment is still there to be answered."""
    work = work_of(worker, campaign)
    body = {"assignment": work["assignment"], "spans": [span]}

    assert submit(worker, campaign, body) == 422
    assert submit(worker, campaign, {**body, "spans": []}) == 200


def test_overlapping_spans_are_refused(campaign: str, worker: Visitor) -> None:
    """With both of them named."""
    work = work_of(worker, campaign)
    spans = [{"start": 0, "end": 2, "label": "PER"}, {"start": 1, "end": 3, "label": "PER"}]

    answer = worker.call(
        "POST",
        f"/campaigns/{campaign}/answers",
        json={"assignment": work["assignment"], "spans": spans},
    )

    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "answer_refused"


@pytest.mark.parametrize(
    "value", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000, "1e-999999"]
)
def test_numbers_that_are_none_are_refused(campaign: str, worker: Visitor, value: str) -> None:
    """Wherever JSON would take them."""
    work = work_of(worker, campaign)
    text = f'{{"assignment": {work["assignment"]}, "spans": [], "seconds": {value}}}'
    answer = worker.call(
        "POST",
        f"/campaigns/{campaign}/answers",
        content=text,
        headers={"Content-Type": "application/json"},
    )

    assert answer.status_code in ({200} if value == "1e-999999" else {400, 422})


@pytest.mark.parametrize("number", [2**63, 2**64, -1, 10**100, 1.5, "1", None, True, [1]])
def test_assignments_are_numbers_of_63_bits(campaign: str, worker: Visitor, number: Any) -> None:
    """Larger ones would not fit a database."""
    assert submit(worker, campaign, {"assignment": number, "spans": []}) == 422


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000, '"\\ud800"', "{", "", "null"])
def test_deep_or_broken_json_is_refused(campaign: str, worker: Visitor, text: str) -> None:
    """Without an error of the server."""
    answer = worker.call(
        "POST",
        f"/campaigns/{campaign}/answers",
        content=text,
        headers={"Content-Type": "application/json"},
    )

    assert answer.status_code == 422
    assert set(answer.json()) == {"error"}


def test_a_worker_never_sees_what_is_known_or_who_else_is_there(
    admin: Visitor, tmp_path: Path
) -> None:
    """Gold, purposes, reasons and others are in no answer to a worker."""
    data = demo()
    campaign = create(admin, tmp_path, gold="use", gold_share=0.5, warm_up="shared")
    sentences = demo().sentences
    admin.ok("POST", f"/campaigns/{campaign}/start")
    workers = [invite(admin, campaign, name=f"Name {k}") for k in range(4)]
    seen: list[Any] = [worker.me for worker in workers]
    for _ in range(6):
        for worker in workers:
            seen.append(worker.ok("POST", f"/campaigns/{campaign}/next"))
            seen.append(worker.ok("POST", f"/campaigns/{campaign}/next", json={"ahead": 1}))
            work = seen[-2]["assignment"]
            if work is None:
                continue
            body = {"assignment": work["assignment"], "next": True}
            spans = gold_spans(data, work["sentence"]["id"])
            seen.append(
                worker.ok(
                    "POST",
                    f"/campaigns/{campaign}/heartbeat",
                    json={"assignment": work["assignment"]},
                )
            )
            seen.append(
                worker.ok("POST", f"/campaigns/{campaign}/answers", json={**body, "spans": spans})
            )
            seen.append(worker.ok("GET", f"/campaigns/{campaign}/progress"))
            seen.append(worker.ok("GET", "/me"))

    forbidden = {"gold", "purpose", "reason", "worker_number", "workers", "others", "standings"}
    forbidden |= {"votes", "voters", "crew", "score", "reward", "spans", "sentence_number", "meta"}
    keys = {key for each in seen for key in _keys(each)}
    assert len(sentences) == 12
    assert not keys & forbidden
    for worker, others in ((w, [o for o in workers if o is not w]) for w in workers):
        own = json.dumps(worker.ok("GET", f"/campaigns/{campaign}/progress"))
        assert not [o for o in others if f'"{o.me["pseudonym"]}"' in own]


def _keys(value: Any) -> set[str]:
    """Return all names in a value; why a worker has to wait is for them to know."""
    if isinstance(value, dict):
        rest = (each for name, each in value.items() if name != "waiting")
        return {*value, *(key for each in rest for key in _keys(each))}
    if isinstance(value, list):
        return {key for each in value for key in _keys(each)}
    return set()
