"""Experts: the queue, sheets, and labels that count as true."""

from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import House, Visitor, create, demo, gold_spans, invite

DATA = demo()


@pytest.fixture
def campaign(admin: Visitor, tmp_path: Path) -> str:
    """Return a running campaign in which an expert has to decide on every sentence."""
    made = create(admin, tmp_path, feedback="expert", answers=2, crew=2)
    admin.ok("POST", f"/campaigns/{made}/start")
    for spans in ([], [{"start": 0, "end": 1, "label": "PER"}]):
        worker = invite(admin, made)
        for _ in range(3):
            _answer(worker, made, spans)
    other = invite(admin, made)
    for _ in range(6):
        _answer(other, made, [])
    return made


def _answer(worker: Visitor, campaign: str, spans: list[Any]) -> None:
    work = worker.ok("POST", f"/campaigns/{campaign}/next")["assignment"]
    if work is not None:
        body = {"assignment": work["assignment"], "spans": spans}
        worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)


def sheet_of(expert: Visitor, campaign: str) -> dict[str, Any]:
    """Return the next sheet of an expert."""
    sheet: dict[str, Any] = expert.ok("POST", f"/campaigns/{campaign}/expert/next")["sheet"]
    assert sheet is not None
    return sheet


def test_a_sheet_lays_all_answers_side_by_side(
    house: House, admin: Visitor, campaign: str
) -> None:
    """By pseudonym, without names and without gold."""
    expert = invite(admin, campaign, "experts")
    queue = expert.ok("GET", f"/campaigns/{campaign}/expert/queue")
    sheet = sheet_of(expert, campaign)

    assert len(queue) >= 2
    assert sheet["number"] == queue[0]["sentence"]
    assert sheet["sentence"]["id"] == queue[0]["id"]
    assert len(sheet["answers"]) == 2
    assert all(each["worker"].startswith("w") for each in sheet["answers"])
    assert sheet["labels"] == list(DATA.labels)
    assert "gold" not in sheet
    assert "gold" not in sheet["sentence"]


def test_two_experts_get_two_sentences(house: House, admin: Visitor, campaign: str) -> None:
    """Each the same again until it is decided."""
    one, other = invite(admin, campaign, "experts"), invite(admin, campaign, "experts")
    first, second = sheet_of(one, campaign), sheet_of(other, campaign)

    assert first["number"] != second["number"]
    assert sheet_of(one, campaign)["number"] == first["number"]


def test_the_labels_of_an_expert_are_taken_once(
    house: House, admin: Visitor, campaign: str
) -> None:
    """The same key is the same answer; another expert comes too late."""
    one, other = invite(admin, campaign, "experts"), invite(admin, campaign, "experts")
    sheet = sheet_of(one, campaign)
    spans = gold_spans(DATA, sheet["sentence"]["id"])
    body = {"sentence": sheet["number"], "spans": spans, "seconds": 4.0, "key": "mine"}
    path = f"/campaigns/{campaign}/expert/answers"
    first = one.ok("POST", path, json={**body, "next": True})
    again = one.ok("POST", path, json=body)
    late = other.call("POST", path, json={**body, "key": "theirs"})

    assert first["receipt"] == {"sentence": sheet["number"], "again": False}
    assert first["next"]["sheet"]["number"] != sheet["number"]
    assert again["receipt"]["again"] is True
    assert late.status_code == 409
    ledger = admin.ok("GET", f"/campaigns/{campaign}/ledger")
    assert ledger["experts"] == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"sentence": 10**6, "spans": []}, 409),
        ({"sentence": 2**63, "spans": []}, 422),
        ({"sentence": -1, "spans": []}, 422),
        ({"spans": []}, 422),
    ],
)
def test_a_sentence_that_does_not_wait_is_refused(
    house: House, admin: Visitor, campaign: str, body: dict[str, Any], status: int
) -> None:
    """Whatever its number."""
    expert = invite(admin, campaign, "experts")

    assert (
        expert.call("POST", f"/campaigns/{campaign}/expert/answers", json=body).status_code
        == status
    )


def test_an_expert_without_work_is_told_to_wait(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Or that it is over."""
    empty = create(admin, tmp_path)
    expert = invite(admin, empty, "experts")
    waiting = expert.ok("POST", f"/campaigns/{empty}/expert/next")["waiting"]
    admin.ok("POST", f"/campaigns/{empty}/finish")
    over = expert.ok("POST", f"/campaigns/{empty}/expert/next")["waiting"]

    assert (waiting["over"], over["over"]) == (False, True)
    assert waiting["retry_after"] > 0
