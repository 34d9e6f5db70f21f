"""A store that is away: clear errors, and recovery without loss."""

from pathlib import Path

import pytest

from spancrew import errors
from tests.server.conftest import House, Visitor, create, invite

PLAIN = "the server cannot save right now; nothing is lost, so keep your work and try again soon"


def test_while_the_store_is_away_everything_says_so_and_goes_on_afterwards(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """503 with Retry-After; an answer that was not taken can be sent again."""
    campaign = create(admin, tmp_path)
    admin.ok("POST", f"/campaigns/{campaign}/start")
    worker = invite(admin, campaign)
    work = worker.ok("POST", f"/campaigns/{campaign}/next")["assignment"]
    body = {"assignment": work["assignment"], "spans": [], "key": "k"}

    house.path.rename(tmp_path / "away.db")
    answers = [
        worker.call("POST", f"/campaigns/{campaign}/answers", json=body),
        admin.call("GET", f"/campaigns/{campaign}/status"),
        house.nobody.call("GET", "/health/ready"),
        house.nobody.call("POST", "/session/link", json={"token": "x"}),
    ]
    alive = house.nobody.call("GET", "/health")
    (tmp_path / "away.db").rename(house.path)

    for answer in answers:
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "2"
        assert answer.json()["error"]["code"] == "store"
    for answer in (answers[0], *answers[2:]):
        assert answer.json()["error"]["message"] == PLAIN
    assert str(house.path) in answers[1].json()["error"]["message"]
    assert str(house.path) in house.log.getvalue()
    assert alive.status_code == 200
    receipt = worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)["receipt"]
    assert receipt["again"] is False
    assert house.nobody.call("GET", "/health/ready").json() == {"status": "ready"}
    assert "spancrew_store_errors_total 4.0" in admin.call("GET", "/metrics").text


@pytest.mark.parametrize(
    "kind",
    [errors.StoreError, errors.JournalError, errors.VersionError, errors.MissingPackageError],
)
def test_only_admins_and_the_log_are_told_where_the_trouble_is(
    house: House,
    admin: Visitor,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: type[errors.SpancrewError],
) -> None:
    """Workers and experts get one plain sentence, whatever is wrong inside."""
    campaign = create(admin, tmp_path)
    worker, expert = invite(admin, campaign), invite(admin, campaign, "experts")
    place = "/var/lib/spancrew/crew.db: malformed"

    async def fail(*_: object) -> None:
        raise kind(place)

    for name in ("do", "look"):
        monkeypatch.setattr(house.app.state.services.desk, name, fail)
    refused = [
        worker.call("POST", f"/campaigns/{campaign}/next"),
        worker.call("GET", f"/campaigns/{campaign}/progress"),
        expert.call("POST", f"/campaigns/{campaign}/expert/next"),
        house.nobody.call("GET", f"/campaigns/{campaign}/status"),
    ]
    told = admin.call("GET", f"/campaigns/{campaign}/status")

    for answer in refused[:3]:
        assert answer.status_code >= 500
        assert answer.json()["error"]["message"] == PLAIN
    assert refused[3].status_code == 401
    assert told.json()["error"]["message"] == place
    assert place in house.log.getvalue()
