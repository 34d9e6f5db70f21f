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


def test_the_queue_says_why_a_sentence_waits(house: House, admin: Visitor, campaign: str) -> None:
    """How it begins, how much the answers agree, what to expect, and who is at it now."""
    expert = invite(admin, campaign, "experts")
    sheet = sheet_of(expert, campaign)
    queue = expert.ok("GET", f"/campaigns/{campaign}/expert/queue")
    house.clock.now += 10_000.0
    later = expert.ok("GET", f"/campaigns/{campaign}/expert/queue")
    first = queue[0]

    assert first["text"] == sheet["sentence"]["text"][:120]
    assert all(len(each["text"]) <= 120 for each in queue)
    assert {each["answers"] for each in queue} == {2}
    assert all(each["agreement"] <= 1.0 and each["errors"] == each["loss"] for each in queue)
    assert len({each["agreement"] for each in queue}) > 1
    assert (first["claimed_by"], queue[1]["claimed_by"]) == (expert.me["pseudonym"], None)
    assert [each["claimed_by"] for each in later] == [None] * len(later)
    assert sheet["doubt"] == first
    assert (sheet["rule"], sheet["decides_by"]) == ("expert", "nothing")


def test_a_sheet_has_initials_and_no_names(house: House, admin: Visitor, tmp_path: Path) -> None:
    """Whoever has no name, or whose name was erased, goes by their pseudonym."""
    made = create(admin, tmp_path, feedback="expert", answers=3, crew=3)
    admin.ok("POST", f"/campaigns/{made}/start")
    workers = [invite(admin, made, name=name) for name in ("Ana Maria Silva", None, "Bo Berg")]
    for worker in workers * 3:
        _answer(worker, made, [])
    admin.ok("DELETE", f"/campaigns/{made}/workers/w2/data")
    answer = invite(admin, made, "experts").call("POST", f"/campaigns/{made}/expert/next")
    answers = answer.json()["sheet"]["answers"]

    assert sorted((each["worker"], each["initials"]) for each in answers) == [
        ("w0", "AS"),
        ("w1", "w1"),
        ("w2", "w2"),
    ]
    assert "Silva" not in answer.text


def test_an_expert_takes_a_certain_sentence(house: House, admin: Visitor, campaign: str) -> None:
    """The one before is free again; one that another expert is at is refused."""
    one, other = invite(admin, campaign, "experts"), invite(admin, campaign, "experts")
    path = f"/campaigns/{campaign}/expert/next"
    first = sheet_of(one, campaign)["number"]
    wanted = one.ok("GET", f"/campaigns/{campaign}/expert/queue")[-1]["sentence"]
    taken = one.ok("POST", path, json={"sentence": wanted})["sheet"]
    refused = other.call("POST", path, json={"sentence": wanted})

    assert taken["number"] == wanted != first
    assert sheet_of(one, campaign)["number"] == wanted
    assert refused.status_code == 409
    assert "another expert is at sentence" in refused.json()["error"]["message"]
    assert sheet_of(other, campaign)["number"] == first


@pytest.mark.parametrize(
    ("body", "status"),
    [({"sentence": 10**6}, 409), ({"sentence": -1}, 422), ({"sentence": "1"}, 422), ([], 422)],
)
def test_a_sentence_that_nobody_can_take_is_refused(
    house: House, admin: Visitor, campaign: str, body: Any, status: int
) -> None:
    """Whatever it is called."""
    expert = invite(admin, campaign, "experts")

    assert (
        expert.call("POST", f"/campaigns/{campaign}/expert/next", json=body).status_code == status
    )


def test_a_sentence_can_be_left_to_another_expert(
    house: House, admin: Visitor, campaign: str
) -> None:
    """Whoever puts it back gets another one, and so does everybody else the one put back."""
    one, other = invite(admin, campaign, "experts"), invite(admin, campaign, "experts")
    hard = sheet_of(one, campaign)["number"]
    path, body = f"/campaigns/{campaign}/expert/put-back", {"sentence": hard}
    instead = one.ok("POST", path, json=body)["sheet"]["number"]
    again = one.ok("POST", path, json=body)["sheet"]["number"]

    assert instead == again != hard
    assert sheet_of(other, campaign)["number"] == hard
    assert one.call("POST", path, json={}).status_code == 422


def test_labels_say_whose_score_they_moved(house: House, admin: Visitor, campaign: str) -> None:
    """Before and after are what the standings say; the same again taught nothing more."""
    expert = invite(admin, campaign, "experts")
    path = f"/campaigns/{campaign}/expert/answers"
    for key in ("first", "second"):
        sheet = sheet_of(expert, campaign)
        before = means(admin, campaign)
        body = {"sentence": sheet["number"], "spans": sheet["answers"][0]["spans"], "key": key}
        taught = expert.ok("POST", path, json=body)["taught"]
        after = means(admin, campaign)

        assert [each["worker"] for each in taught] == [g["worker"] for g in sheet["answers"]]
        assert [each["before"] for each in taught] == [before[g["worker"]] for g in taught]
        assert [each["after"] for each in taught] == [after[g["worker"]] for g in taught]
        assert taught[0]["reward"] == 1.0
        assert expert.ok("POST", path, json=body)["taught"] == []


def means(admin: Visitor, campaign: str) -> dict[str, float | None]:
    """Return the mean rewards of all workers."""
    standings = admin.ok("GET", f"/campaigns/{campaign}/standings")
    return {each["worker"]: each["mean"] for each in standings}
