"""A real server with one process or several, and people who call it from outside."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from httpx import AsyncClient, Response

from tests.server.conftest import API, Visitor
from tests.serving import serving

_TIMEOUT = 600.0
"""Seconds; where nothing is compiled yet, a first request may wait for long."""

# Each request comes by a connection of its own, so that any process may get it.
_APART = httpx.Limits(max_keepalive_connections=0)


@dataclass
class Premises:
    """A server that runs, and its first admin."""

    client: httpx.Client
    admin: Visitor
    folder: Path

    @property
    def nobody(self) -> Visitor:
        """Return a visitor without a session."""
        return Visitor(self.client)

    @property
    def origin(self) -> str:
        """Return what a browser says of our own pages."""
        return str(self.client.base_url).rstrip("/")

    def at_once(self, visitor: Visitor, calls: list[tuple[str, str, Any]]) -> list[Response]:
        """Send requests of a visitor at the same moment: method, path and JSON."""

        async def send() -> list[Response]:
            async with AsyncClient(
                base_url=self.origin, limits=_APART, timeout=_TIMEOUT
            ) as client:
                return await asyncio.gather(
                    *(
                        client.request(method, API + path, json=body, headers=visitor.headers)
                        for method, path, body in calls
                    )
                )

        return asyncio.run(send())


@contextmanager
def premises_of(folder: Path, processes: int) -> Iterator[Premises]:
    """Run a server and let its admin in."""
    with (
        serving(folder, workers=processes, options=["--quiet"]) as server,
        httpx.Client(base_url=server.url, limits=_APART, timeout=_TIMEOUT) as client,
    ):
        assert server.link is not None
        admin = Visitor(client).enter(server.link.partition("#")[2])
        yield Premises(client, admin, folder)
