"""Routes for workers are called without FastAPI, and nobody can tell the difference."""

from pathlib import Path
from typing import Any

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

from spancrew.server.api import work
from spancrew.server.api.quick import WorkerRoute
from tests.server.conftest import House, Visitor, create, invite

PLAIN = "/plain"
DEEP = "[" * 50_000 + "]" * 50_000


@pytest.fixture
def both(house: House) -> House:
    """Return a server that has all routes for workers twice: quick ones, and FastAPI's own."""
    plain = APIRouter(prefix=f"/api/v1{PLAIN}")
    for route in work.router.routes:
        assert isinstance(route, WorkerRoute)
        path = route.path.removeprefix("/api/v1")
        plain.add_api_route(path, route.endpoint, methods=list(route.methods or ()))
    house.app.include_router(plain)
    return house


BODIES: list[dict[str, Any]] = [
    {},
    {"json": {}},
    {"json": None},
    {"json": []},
    {"json": "text"},
    {"json": {"assignment": 0, "spans": []}},
    {"json": {"assignment": "0", "spans": [{"start": 0, "end": 1}]}},
    {"json": {"assignment": 0, "spans": [{"start": 1, "end": 0, "label": "PER"}]}},
    {"json": {"assignment": 2**70, "spans": [], "surprise": 1}},
    {"json": {"assignment": 12345, "reason": "x" * 10_000}},
    {"json": {"ahead": 99}},
    {"content": b'{"assignment": 0, "spans": []', "headers": {"Content-Type": "application/json"}},
    {"content": b"\xff\xfe", "headers": {"Content-Type": "application/json"}},
    {"content": b'{"assignment": NaN}', "headers": {"Content-Type": "application/json"}},
    {"content": DEEP.encode(), "headers": {"Content-Type": "application/json"}},
    {"content": b'{"assignment": 0}', "headers": {"Content-Type": "text/plain"}},
    {"content": b'{"ahead": 0}', "headers": {"Content-Type": "application/json; charset=utf-8"}},
    {"content": b'{"ahead": 0}', "headers": {"Content-Type": "application/vnd.x+json"}},
    {"content": b"x" * 1_100_000},
]


@pytest.mark.parametrize("name", ["next", "answers", "skip", "heartbeat"])
def test_every_answer_is_that_of_fastapi(
    both: House, admin: Visitor, tmp_path: Path, name: str
) -> None:
    """Whatever is sent by whom; the first answer to a submission is tested elsewhere."""
    campaign = create(admin, tmp_path)
    worker, expert = invite(admin, campaign), invite(admin, campaign, "experts")
    admin.ok("POST", f"/campaigns/{campaign}/start")
    worker.ok("POST", f"/campaigns/{campaign}/next", json={})
    forged = Visitor(worker.client, worker.secret, csrf="wrong")
    for who in (worker, expert, admin, both.nobody, forged):
        for place in (campaign, "other", "NO_ID", "x" * 41):
            for sent in BODIES if place == campaign else BODIES[:2]:
                path = f"/campaigns/{place}/{name}"
                quick, plain = (who.call("POST", p + path, **sent) for p in ("", PLAIN))

                assert (quick.status_code, quick.json()) == (plain.status_code, plain.json()), sent
                assert quick.headers["content-type"] == plain.headers["content-type"]


def test_a_route_without_a_body_is_answered(both: House, admin: Visitor, tmp_path: Path) -> None:
    """And described as any other."""
    campaign = create(admin, tmp_path)
    worker = invite(admin, campaign)
    quick, plain = (
        worker.ok("GET", f"{start}/campaigns/{campaign}/progress") for start in ("", PLAIN)
    )

    assert quick == plain
    assert all(isinstance(each, APIRoute) for each in work.router.routes)
