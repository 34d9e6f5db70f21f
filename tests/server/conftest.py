"""A server with everything real: SQLite in a folder of its own, a desk, people with sessions."""

import asyncio
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient, Client, Response
from starlette.testclient import TestClient

from spancrew.core import Dataset
from spancrew.formats import read, write
from spancrew.server.desk.desk import Desk
from spancrew.server.people.directory import Directory, create_admin_link
from spancrew.server.people.sessions import COOKIE
from spancrew.server.settings import ServerSettings
from spancrew.server.start.app import create_app
from spancrew.stores import SqlStore, open_sql

API = "/api/v1"


@dataclass
class HandClock:
    """A clock that stands still until it is moved."""

    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@dataclass
class Visitor:
    """Somebody who calls the server, with a session or without."""

    client: TestClient | Client
    secret: str | None = None
    csrf: str | None = None
    token: str | None = None
    me: dict[str, Any] = field(default_factory=dict)

    def call(self, method: str, path: str, **options: Any) -> Response:
        """Send a request with the session of this visitor and nobody else's."""
        headers = {**self.headers, **options.pop("headers", {})}
        self.client.cookies.clear()
        address = path if path.startswith(("/health", "/metrics")) else API + path
        response: Any = self.client.request(method, address, headers=headers, **options)
        self.client.cookies.clear()
        return response  # type: ignore[no-any-return]

    def ok(self, method: str, path: str, **options: Any) -> Any:
        """Send a request that must succeed and return the JSON of the answer."""
        response = self.call(method, path, **options)
        assert response.status_code < 300, (method, path, response.status_code, response.text)
        return response.json()

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers that say who this is."""
        if self.token:
            return {"Authorization": f"Bearer {self.token}"}
        if self.secret is None:
            return {}
        return {"Cookie": f"{COOKIE}={self.secret}", "X-CSRF-Token": self.csrf or ""}

    def enter(self, link: str) -> "Visitor":
        """Exchange a link for a session."""
        response = self.call("POST", "/session/link", json={"token": link})
        assert response.status_code == 200, response.text
        return self.known_by(response)

    def known_by(self, response: Response, me: dict[str, Any] | None = None) -> "Visitor":
        """Return the visitor whose session a response began."""
        known = me or response.json()
        return Visitor(self.client, response.cookies[COOKIE], known["csrf"], me=known)


@dataclass
class House:
    """A running server with its parts."""

    app: FastAPI
    client: TestClient
    store: SqlStore
    directory: Directory
    clock: HandClock
    log: io.StringIO
    path: Path

    @property
    def nobody(self) -> Visitor:
        """Return a visitor without a session."""
        return Visitor(self.client)

    def at_once(self, visitor: Visitor, calls: list[tuple[str, str, Any]]) -> list[Response]:
        """Send requests of a visitor at the same moment: method, path and JSON."""

        async def send() -> list[Response]:
            transport = ASGITransport(self.app)
            async with AsyncClient(transport=transport, base_url="http://crew.test") as client:
                return await asyncio.gather(
                    *(
                        client.request(method, API + path, json=body, headers=visitor.headers)
                        for method, path, body in calls
                    )
                )

        assert self.client.portal is not None
        return self.client.portal.call(send)

    def admin(self) -> Visitor:
        """Return a visitor who came by the link that the server prints."""
        return self.nobody.enter(create_admin_link(self.directory, self.clock()))


@pytest.fixture(params=["sqlite", "postgresql"])
def elsewhere(request: pytest.FixtureRequest) -> str | None:
    """Return where a started server keeps its store: in its folder, or in PostgreSQL."""
    if request.param == "sqlite":
        return None
    return str(request.getfixturevalue("postgres").database())


@pytest.fixture
def clock() -> HandClock:
    """Return a clock that is moved by hand."""
    return HandClock()


@pytest.fixture
def settings(clock: HandClock) -> ServerSettings:
    """Return the settings; a test that needs others overrides this."""
    return ServerSettings(clock=clock, hook_poll=0.02)


@pytest.fixture
def house(tmp_path: Path, clock: HandClock, settings: ServerSettings) -> Iterator[House]:
    """Yield a running server."""
    with running(tmp_path, clock, settings) as made:
        yield made


@contextmanager
def running(
    folder: Path, clock: HandClock, settings: ServerSettings, address: str | None = None
) -> Iterator[House]:
    """Run a server on the store in a folder, or at an address; it hashes passwords quickly."""
    path = folder / "crew.db"
    if address is None and not path.exists():
        path.write_bytes(_empty_store())
    store = open_sql(address or path)
    desk = Desk(store, clock)
    directory = Directory(store.engine)
    log = io.StringIO()
    app = create_app(desk, directory, replace(settings, password_kibibytes=1024), log=log)
    with TestClient(app, base_url="http://crew.test") as client:
        yield House(app, client, store, directory, clock, log, path)
        assert client.portal is not None
        client.portal.call(desk.close)
    store.close()


@cache
def _empty_store() -> bytes:
    """Return a store in which nothing is: to make its tables takes as long as many a test."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        store = open_sql(path)
        Directory(store.engine)
        store.close()
        return path.read_bytes()


@pytest.fixture
def admin(house: House) -> Visitor:
    """Return an admin with a session."""
    return house.admin()


@cache
def demo(sentences: int = 12) -> Dataset:
    """Return the first sentences of the bundled data set, with gold and no answers."""
    return read("demo").dataset.without_answers().take(np.arange(sentences))


def last_unknown(dataset: Dataset) -> Dataset:
    """Return a data set without the gold of its last sentence."""
    gold = {s.id: dataset.gold_spans(k) or () for k, s in enumerate(dataset.sentences)}
    gold.popitem()
    return Dataset.of(list(dataset.sentences), gold, [], dataset.labels)


def upload(dataset: Dataset, folder: Path) -> bytes:
    """Return a data set as a file that can be uploaded."""
    path = folder / "upload.jsonl"
    write(dataset, path)
    return path.read_bytes()


PLAN: dict[str, Any] = {
    "crew": 4,
    "answers": 3,
    "warm_up": "none",
    "audit": 0,
    "feedback": "gate:threshold=0.5",
    "prices": {"answer": 0.1, "expert": 1},
}


def create(
    admin: Visitor, folder: Path, *, gold: str = "ignore", sentences: int = 12, **plan: Any
) -> str:
    """Create a campaign on some sentences of the demo data and return its id.

    If gold is used, the last sentence has none: else there would be nothing to label.
    """
    data = demo(sentences) if gold == "ignore" else last_unknown(demo(sentences))
    made = admin.ok(
        "POST",
        "/campaigns",
        data={"name": "Names in news", "plan": json.dumps({**PLAN, **plan}), "gold": gold},
        files={"file": ("news.jsonl", upload(data, folder))},
    )
    return str(made["id"])


def invite(admin: Visitor, campaign: str, role: str = "workers", **values: Any) -> Visitor:
    """Invite somebody and return them with a session."""
    made = admin.ok("POST", f"/campaigns/{campaign}/{role}", json=values)
    return Visitor(admin.client).enter(made["token"])


def invite_admin(owner: Visitor, *campaigns: str) -> Visitor:
    """Invite an admin of some campaigns and return them with a session."""
    made = owner.ok("POST", "/admins", json={"name": "Ada", "campaigns": list(campaigns)})
    return Visitor(owner.client).enter(made["token"])


def gold_spans(dataset: Dataset, id_: str) -> list[dict[str, Any]]:
    """Return the gold of a sentence as spans on the wire."""
    found = dataset.gold_spans(dataset.sentences.index(id_)) or ()
    return [{"start": s.start, "end": s.end, "label": s.label} for s in found]
