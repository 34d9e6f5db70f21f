"""The way in for the workers of crowd platforms."""

from pathlib import Path

import pytest

from tests.server.conftest import House, Visitor, create


@pytest.fixture
def campaign(admin: Visitor, tmp_path: Path) -> str:
    """Return a campaign."""
    return create(admin, tmp_path, cap=1)


def entry(admin: Visitor, campaign: str, platform: str = "prolific") -> str:
    """Open the way in and return the path of its address."""
    body = {
        "platform": platform,
        "completion_code": "C0FFEE",
        "completion_url": "https://app.prolific.com/submissions/complete?cc=C0FFEE",
    }
    made = admin.ok("PUT", f"/campaigns/{campaign}/entry", json=body)
    return str(made["url"]).removeprefix("http://crew.test")


def test_a_worker_of_prolific_comes_in_and_back(
    house: House, admin: Visitor, campaign: str
) -> None:
    """As the same worker, by GET or POST."""
    path = entry(admin, campaign)
    query = "?PROLIFIC_PID=abc123&STUDY_ID=s1&SESSION_ID=x1"
    first = house.nobody.call("GET", path + query).json()
    again = house.nobody.call("POST", path + query).json()
    other = house.nobody.call("GET", f"{path}?PROLIFIC_PID=def456").json()

    assert first["me"]["pseudonym"] == again["me"]["pseudonym"] == "w0"
    assert other["me"]["pseudonym"] == "w1"
    assert entry(admin, campaign) == path


def test_tabs_that_come_at_once_are_one_worker(
    house: House, admin: Visitor, campaign: str
) -> None:
    """Whichever is first."""
    path = f"{entry(admin, campaign)}?PROLIFIC_PID=abc123"

    answers = house.at_once(house.nobody, [("GET", path, None)] * 10)

    assert {each.status_code for each in answers} == {200}
    assert len({each.json()["me"]["pseudonym"] for each in answers}) == 1
    assert len(admin.ok("GET", f"/campaigns/{campaign}/workers")) == 1


def test_a_preview_on_mturk_registers_nobody(house: House, admin: Visitor, campaign: str) -> None:
    """Until the worker accepts."""
    path = entry(admin, campaign, "mturk")
    preview = house.nobody.call("GET", f"{path}?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=h")
    accepted = house.nobody.call("GET", f"{path}?workerId=A1&assignmentId=B2&hitId=h")

    assert preview.json() == {"preview": True, "me": None}
    assert "set-cookie" not in preview.headers
    assert accepted.json()["me"]["role"] == "worker"
    assert len(admin.ok("GET", f"/campaigns/{campaign}/workers")) == 1


@pytest.mark.parametrize(
    "query", ["", "?PROLIFIC_PID=", "?PROLIFIC_PID=a%0d%0ab", "?PROLIFIC_PID=" + "a" * 200]
)
def test_a_worker_without_a_good_id_is_refused(
    house: House, admin: Visitor, campaign: str, query: str
) -> None:
    """With what is missing."""
    assert house.nobody.call("GET", entry(admin, campaign) + query).status_code == 422


def test_a_key_that_is_not_there_leads_nowhere(house: House) -> None:
    """As any other address."""
    assert house.nobody.call("GET", "/join/nothing?PROLIFIC_PID=a").status_code == 404


def test_the_completion_code_comes_when_the_worker_is_done(
    house: House, admin: Visitor, campaign: str
) -> None:
    """Not a moment before, and not to workers who came by a link."""
    response = house.nobody.call("GET", f"{entry(admin, campaign)}?PROLIFIC_PID=abc")
    worker = house.nobody.known_by(response, response.json()["me"])
    admin.ok("POST", f"/campaigns/{campaign}/start")
    before = worker.ok("GET", f"/campaigns/{campaign}/progress")
    work = worker.ok("POST", f"/campaigns/{campaign}/next")["assignment"]
    body = {"assignment": work["assignment"], "spans": []}
    worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)
    after = worker.ok("GET", f"/campaigns/{campaign}/progress")

    assert before["completion"] is None
    assert after["completion"]["code"] == "C0FFEE"
    assert (after["answers"], after["earned"]) == (1, 0.1)


def test_payments_have_the_ids_of_the_platform(
    house: House, admin: Visitor, campaign: str
) -> None:
    """Which is what it wants to see."""
    house.nobody.call("GET", f"{entry(admin, campaign)}?PROLIFIC_PID=abc123")

    table = admin.call("GET", f"/campaigns/{campaign}/payments.csv").text

    assert "w0,prolific,abc123,,0,0.0000" in table


def test_ids_of_the_platform_are_not_in_the_log(
    house: House, admin: Visitor, campaign: str
) -> None:
    """Nor anything else of the address."""
    path = entry(admin, campaign)
    house.nobody.call("GET", f"{path}?PROLIFIC_PID=abc123xyz")

    assert "abc123xyz" not in house.log.getvalue()
    assert path.rpartition("/")[2] not in house.log.getvalue()
