"""Workers and experts: what is known of them, and how it is forgotten."""

import json
from pathlib import Path
from typing import Any

from sqlalchemy import inspect, text

from spancrew.server.settings import ServerSettings
from tests.server.conftest import HandClock, House, Visitor, create, invite, running

NAME, PID = "Rosalind Elsie", "5f3c0d2b9a7e4d0012345678"


def answered(admin: Visitor, campaign: str, worker: Visitor) -> None:
    """Let a worker answer once."""
    work = worker.ok("POST", f"/campaigns/{campaign}/next")["assignment"]
    body = {"assignment": work["assignment"], "spans": [], "seconds": 3.0}
    worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)


def dump(house: House) -> str:
    """Return every row of every table."""
    with house.directory.engine.connect() as connection:
        tables = inspect(connection).get_table_names()
        rows = [
            [str(row) for row in connection.execute(text(f'SELECT * FROM "{name}"'))]  # noqa: S608
            for name in tables
        ]
    return json.dumps(rows)


def test_all_data_of_a_worker_can_be_exported(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Who they are, what they answered and when, and what is thought of it."""
    campaign = create(admin, tmp_path)
    admin.ok("POST", f"/campaigns/{campaign}/start")
    worker = invite(admin, campaign, name=NAME)
    answered(admin, campaign, worker)

    data = admin.ok("GET", f"/campaigns/{campaign}/workers/w0/data")

    assert data["person"]["name"] == NAME
    assert data["standing"]["answers"] == len(data["answers"]) == data["assignments"] == 1
    assert data["answers"][0]["seconds"] == 3.0
    assert data["answers"][0]["paid"] == 0.1
    assert data["sessions"] == [house.clock()]


def test_an_erased_worker_is_named_nowhere(house: House, admin: Visitor, tmp_path: Path) -> None:
    """Not in the raw database either; the answers stay under the pseudonym."""
    campaign = create(admin, tmp_path)
    admin.ok("PUT", f"/campaigns/{campaign}/entry", json={"platform": "prolific"})
    key = admin.ok("GET", f"/campaigns/{campaign}")["entry"]["url"].rpartition("/")[2]
    admin.ok("POST", f"/campaigns/{campaign}/start")
    named = invite(admin, campaign, name=NAME)
    response = house.nobody.call("GET", f"/join/{key}?PROLIFIC_PID={PID}&STUDY_ID=studyXYZ")
    crowd = house.nobody.known_by(response, response.json()["me"])
    for worker in (named, crowd):
        answered(admin, campaign, worker)
        worker.ok("POST", "/tokens", json={"name": f"token of {NAME}"})
    named.ok("PUT", "/me/password", json={"name": "rosalind", "password": "a long password"})

    assert NAME in dump(house)
    assert PID in dump(house)

    for pseudonym in ("w0", "w1"):
        admin.ok("DELETE", f"/campaigns/{campaign}/workers/{pseudonym}/data")

    left = dump(house)
    for secret in (NAME, PID, "studyXYZ", "rosalind", "Rosalind"):
        assert secret not in left
    assert named.call("GET", "/me").status_code == 401
    assert crowd.call("POST", f"/campaigns/{campaign}/next").status_code == 401
    exported = admin.call("GET", f"/campaigns/{campaign}/export?names=true").text
    assert '"worker":"w0"' in exported
    assert '"worker":"w1"' in exported


def test_nothing_of_an_erased_worker_is_left_in_the_file(
    tmp_path: Path, clock: HandClock, settings: ServerSettings
) -> None:
    """Pages that SQLite does not use any more are overwritten, too."""
    with running(tmp_path, clock, settings) as house:
        admin = house.admin()
        campaign = create(admin, tmp_path)
        invite(admin, campaign, name=NAME)
        admin.ok("DELETE", f"/campaigns/{campaign}/workers/w0/data")

    files = list(tmp_path.glob("crew.db*"))
    assert files
    assert NAME.encode() not in b"".join(path.read_bytes() for path in files)


def test_what_an_erased_worker_had_in_hand_goes_to_others(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """They get nothing any more."""
    campaign = create(admin, tmp_path)
    admin.ok("POST", f"/campaigns/{campaign}/start")
    worker = invite(admin, campaign)
    worker.ok("POST", f"/campaigns/{campaign}/next")

    admin.ok("DELETE", f"/campaigns/{campaign}/workers/w0/data")

    found: list[dict[str, Any]] = admin.ok("GET", f"/campaigns/{campaign}/workers")
    assert found[0]["person"]["erased"]
    assert found[0]["standing"]["state"] == "banned"


def test_a_dismissed_expert_is_out_and_their_number_stays_theirs(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """The next expert is somebody else."""
    campaign = create(admin, tmp_path)
    first = invite(admin, campaign, "experts", name="Eva")
    admin.ok("DELETE", f"/campaigns/{campaign}/experts/e0")
    second = invite(admin, campaign, "experts", name="Ben")

    assert first.call("GET", "/me").status_code == 401
    assert second.me["pseudonym"] == "e1"
    known = admin.ok("GET", f"/campaigns/{campaign}/experts")
    assert [each["name"] for each in known] == [None, "Ben"]


def test_workers_and_experts_that_are_not_there_are_not_found(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Whatever is to be done with them."""
    campaign = create(admin, tmp_path)
    statuses = [
        admin.call(method, f"/campaigns/{campaign}/{path}", json=body).status_code
        for method, path, body in (
            ("PATCH", "workers/w9", {"state": "paused"}),
            ("GET", "workers/w9/data", None),
            ("DELETE", "workers/w9/data", None),
            ("POST", "workers/w9/link", None),
            ("DELETE", "experts/e9", None),
            ("GET", "workers/nonsense/data", None),
            ("GET", "assignments/99", None),
        )
    ]

    assert statuses == [404] * 7


def test_workers_and_experts_are_seen_when_they_come(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Whatever they do first; an expert does not stand in for the worker of the same number."""
    campaign = create(admin, tmp_path)
    worker, expert = invite(admin, campaign), invite(admin, campaign, "experts")
    before = admin.ok("GET", f"/campaigns/{campaign}/experts")[0]["seen_at"]
    expert.ok("POST", f"/campaigns/{campaign}/expert/next")
    services = house.app.state.services
    heard = dict(services.presence._rooms[campaign].heard)
    seen = admin.ok("GET", f"/campaigns/{campaign}/experts")[0]["seen_at"]
    worker.ok("GET", f"/campaigns/{campaign}/progress")
    (listed,) = admin.ok("GET", f"/campaigns/{campaign}/workers")

    assert before is None
    assert heard == {}
    assert seen == listed["person"]["seen_at"] == house.clock()
