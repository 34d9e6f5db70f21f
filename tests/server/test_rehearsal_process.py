"""A rehearsal ends with whoever asked for it, and with the server."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.serving import Serving, serving
from tests.waiting import wait_until


def ask(server: Serving, client: httpx.Client) -> httpx.Request:
    """Return a request for a rehearsal that takes a while."""
    return client.build_request(
        "POST",
        f"{server.url}/api/v1/rehearsals",
        files={"data": (None, "demo"), "runs": (None, "50")},
        headers={"Authorization": f"Bearer {server.admin_token()}"},
    )


@contextmanager
def rehearsing(server: Serving) -> Iterator[int]:
    """Ask for a rehearsal and listen while the block runs; yield its process."""
    with httpx.Client(timeout=120) as client:
        answer = client.send(ask(server, client), stream=True)
        # It has a name because httpx hangs up once nobody holds it.
        lines = answer.iter_lines()
        assert '"done": 0' in next(lines)
        (child,) = server.children()
        yield child


def is_there(pid: int) -> bool:
    """Tell whether a process runs."""
    path = Path(f"/proc/{pid}/stat")
    return path.exists() and ") Z " not in path.read_text()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    """Return a server that a test may kill."""
    with serving(tmp_path) as running:
        yield running


def test_it_ends_when_the_caller_goes_away(server: Serving) -> None:
    """In the middle of the stream, and before the first line."""
    with rehearsing(server) as child:
        assert is_there(child)
    wait_until(lambda: not is_there(child))
    with httpx.Client(timeout=0.7) as client, pytest.raises(httpx.ReadTimeout):
        client.send(ask(server, client), stream=True)
    wait_until(lambda: not server.children())

    assert httpx.get(f"{server.url}/health/ready").is_success


def test_it_ends_when_the_server_is_killed(server: Serving) -> None:
    """Even if nobody can tell it."""
    with rehearsing(server) as child:
        assert os.getpriority(os.PRIO_PROCESS, child) > 0
        server.kill()
        wait_until(lambda: not is_there(child))


def test_it_does_not_hold_up_a_server_that_stops(server: Serving) -> None:
    """The stream ends at once, and long before the time that requests have to end."""
    with rehearsing(server) as child:
        began = time.monotonic()
        server.stop()
        assert time.monotonic() - began < 15
        wait_until(lambda: not is_there(child))
