"""Sentences: looked for, looked at, and corrected."""

from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import House, Visitor, create, demo, invite

DATA = demo()
PER: list[dict[str, Any]] = [{"start": 0, "end": 1, "label": DATA.labels.names[0]}]


@pytest.fixture
def campaign(admin: Visitor, tmp_path: Path) -> str:
    """Return a running campaign with two workers who agree on all sentences but a few."""
    made = create(admin, tmp_path, feedback="gate", answers=2, crew=2, warm_up="none", audit=0)
    admin.ok("POST", f"/campaigns/{made}/start")
    workers = [invite(admin, made) for _ in range(2)]
    for turn in range(8):
        for number, worker in enumerate(workers):
            work = worker.ok("POST", f"/campaigns/{made}/next")["assignment"]
            spans = PER if turn != 3 or number == 0 else []
            body = {"assignment": work["assignment"], "spans": spans, "key": f"{turn}"}
            worker.ok("POST", f"/campaigns/{made}/answers", json=body)
    return made


def found(who: Visitor, campaign: str, **wanted: Any) -> dict[str, Any]:
    """Return a page of sentences."""
    page: dict[str, Any] = who.ok("GET", f"/campaigns/{campaign}/sentences", params=wanted)
    return page


def test_sentences_are_found_by_what_is_known_of_them(admin: Visitor, campaign: str) -> None:
    """By state, decider, label, worker, dispute, doubt and text, alone and together."""
    everything = found(admin, campaign)
    settled = found(admin, campaign, state="settled", by="crowd")
    text = settled["sentences"][0]["sentence"]["text"]

    assert everything["total"] == len(DATA)
    assert len(everything["sentences"]) == min(50, len(DATA))
    assert settled["total"] == 7
    assert {each["by"] for each in settled["sentences"]} == {"crowd"}
    assert found(admin, campaign, disputed=True)["total"] == 1
    assert found(admin, campaign, state="at_expert")["total"] == 1
    assert found(admin, campaign, label=PER[0]["label"], by="crowd")["total"] == 7
    assert found(admin, campaign, label="%")["total"] == 0
    assert found(admin, campaign, worker="w1")["total"] == 8
    assert found(admin, campaign, worker="w9")["total"] == 0
    assert found(admin, campaign, text=text.upper(), by="crowd")["total"] >= 1
    assert found(admin, campaign, text="no such thing 9")["total"] == 0
    doubtful = found(admin, campaign, sort="doubt")["sentences"]
    assert doubtful[0]["doubt"] == max(each["doubt"] or 0 for each in doubtful)


def test_one_sentence_shows_how_its_labels_came_about(admin: Visitor, campaign: str) -> None:
    """Answers with scores, votes, who was asked and why, and all events."""
    number = found(admin, campaign, state="settled")["sentences"][0]["number"]
    detail = admin.ok("GET", f"/campaigns/{campaign}/sentences/{number}")

    assert [each["worker"] for each in detail["answers"]] == ["w0", "w1"]
    assert [each["reward"] for each in detail["answers"]] == [1.0, 1.0]
    assert detail["hit"]["labels"][0]["voters"] == ["w0", "w1"]
    assert all(each["reason"] for each in detail["assignments"])
    kinds = [each["kind"] for each in detail["events"]]
    assert kinds == ["Assigned", "Answered", "Assigned", "Answered", "Judged", "Settled"]
    assert detail["may_correct"]
    missing = admin.call("GET", f"/campaigns/{campaign}/sentences/999999")
    assert missing.status_code == 404


def test_an_admin_overrules_and_reopens(house: House, admin: Visitor, campaign: str) -> None:
    """Both are in the journal, in the index, in the export and in the audit log."""
    first, second = found(admin, campaign, state="settled")["sentences"][:2]
    path = f"/campaigns/{campaign}/sentences"
    admin.ok("POST", f"{path}/{first['number']}/overrule", json={"spans": [], "note": "none"})
    admin.ok("POST", f"{path}/{second['number']}/reopen", json={"note": "look"})
    expert = invite(admin, campaign, "experts")
    sheet = expert.ok(
        "POST", f"/campaigns/{campaign}/expert/next", json={"sentence": second["number"]}
    )["sheet"]
    body = {"sentence": second["number"], "spans": []}
    expert.ok("POST", f"/campaigns/{campaign}/expert/answers", json=body)
    corrected = found(admin, campaign, corrected=True)["sentences"]
    standings = admin.ok("GET", f"/campaigns/{campaign}/standings")
    log = admin.ok("GET", "/audit", params={"action": "sentences"})["entries"]

    assert [each["worker"] for each in sheet["answers"]] == ["w0", "w1"]
    assert [each["number"] for each in corrected] == [first["number"], second["number"]]
    assert all(each["by"] == "expert" and not each["labels"] for each in corrected)
    assert all(0 < each["mean"] < 1 for each in standings)
    assert [each["action"] for each in log] == ["sentences.reopen", "sentences.overrule"]
    assert log[0]["target"] == str(second["number"])
    again = admin.call("POST", f"{path}/{len(DATA) - 1}/overrule", json={"spans": []})
    assert again.status_code == 409


def test_an_expert_corrects_their_last_labels(admin: Visitor, campaign: str) -> None:
    """Nobody else can, and a key makes it one correction."""
    expert, other = (invite(admin, campaign, "experts") for _ in range(2))
    sheet = expert.ok("POST", f"/campaigns/{campaign}/expert/next")["sheet"]
    body = {"sentence": sheet["number"], "spans": []}
    expert.ok("POST", f"/campaigns/{campaign}/expert/answers", json=body)
    (mine,) = expert.ok("GET", f"/campaigns/{campaign}/expert/labels")
    path = f"/campaigns/{campaign}/expert/corrections"
    correction = {"sentence": sheet["number"], "spans": PER, "key": "k"}
    first, second = (expert.ok("POST", path, json=correction) for _ in range(2))

    assert (mine["number"], mine["spans"]) == (sheet["number"], [])
    assert (first["again"], second["again"]) == (False, True)
    assert other.call("POST", path, json=correction).status_code == 409
    assert other.ok("GET", f"/campaigns/{campaign}/expert/labels") == []
    (hit,) = found(admin, campaign, corrected=True)["sentences"]
    assert hit["labels"][0]["label"] == PER[0]["label"]


def test_experts_look_at_what_they_may_and_change_nothing(admin: Visitor, campaign: str) -> None:
    """Settled sentences; workers see none at all."""
    expert, worker = invite(admin, campaign, "experts"), invite(admin, campaign)
    page = found(expert, campaign)
    path = f"/campaigns/{campaign}/sentences"
    number = page["sentences"][0]["number"]
    hidden = found(admin, campaign, state="at_expert")["sentences"][0]["number"]

    assert {each["state"] for each in page["sentences"]} == {"settled"}
    assert expert.ok("GET", f"{path}/{number}")["events"] == []
    assert not expert.ok("GET", f"{path}/{number}")["may_correct"]
    assert expert.call("GET", f"{path}/{hidden}").status_code == 404
    assert worker.call("GET", path).status_code == 403
    for what in ("overrule", "reopen"):
        for who in (expert, worker):
            answer = who.call("POST", f"{path}/{number}/{what}", json={"spans": []})
            assert answer.status_code in {403, 422}


def test_a_worker_changes_their_last_answer_until_it_is_judged(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """From Python, through the client."""
    made = create(admin, tmp_path, feedback="gate", answers=2, crew=2, warm_up="none", audit=0)
    admin.ok("POST", f"/campaigns/{made}/start")
    first, second = invite(admin, made), invite(admin, made)
    path = f"/campaigns/{made}/last-answer"
    nothing = first.ok("GET", path)
    work = first.ok("POST", f"/campaigns/{made}/next")["assignment"]
    body = {"assignment": work["assignment"], "spans": PER}
    first.ok("POST", f"/campaigns/{made}/answers", json=body)
    last = first.ok("GET", path)
    change = {"assignment": work["assignment"], "spans": [], "key": "c"}
    changed = first.ok("POST", path, json=change)
    theirs = second.ok("POST", f"/campaigns/{made}/next")["assignment"]
    refused = second.call("POST", path, json=change)
    same = {"assignment": theirs["assignment"], "spans": []}
    second.ok("POST", f"/campaigns/{made}/answers", json=same)

    assert nothing["assignment"] is None
    assert (last["assignment"], last["spans"]) == (work["assignment"], PER)
    assert changed["paid"] == 0
    assert refused.status_code == 404
    assert first.ok("GET", path)["assignment"] is None
    assert first.call("POST", path, json={**change, "key": "d"}).status_code == 409
    (hit,) = found(admin, made, state="settled", by="crowd")["sentences"]
    assert hit["labels"] == []


def test_the_index_follows_a_journal_that_was_written_before_it(
    house: House, admin: Visitor, campaign: str
) -> None:
    """It is made from the journal at the first look, whoever wrote it, and goes with it."""
    before = found(admin, campaign, by="crowd")
    house.store.engine.dispose()
    with house.store.engine.begin() as connection:
        for table in ("states", "labels", "events", "marks"):
            connection.exec_driver_sql(f"DELETE FROM sentence_{table}")  # noqa: S608  a name of ours
    again = found(admin, campaign, by="crowd")
    admin.ok("DELETE", f"/campaigns/{campaign}")
    with house.store.engine.begin() as connection:
        left = connection.exec_driver_sql("SELECT count(*) FROM sentence_events").scalar()

    assert again == before
    assert left == 0
