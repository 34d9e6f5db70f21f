"""A store that is away: clear errors, and recovery without loss."""

from pathlib import Path

from tests.server.conftest import House, Visitor, create, invite


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
        assert "db" not in answer.json()["error"]["message"]
    assert alive.status_code == 200
    receipt = worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)["receipt"]
    assert receipt["again"] is False
    assert house.nobody.call("GET", "/health/ready").json() == {"status": "ready"}
    assert "spancrew_store_errors_total 4.0" in admin.call("GET", "/metrics").text
