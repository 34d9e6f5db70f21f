"""A real server on a real port: what only shows on a wire."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from uvicorn import Config, Server

from spancrew.server.settings import ServerSettings
from tests.server.conftest import HandClock, House, running


@contextmanager
def serving(house: House) -> Iterator[tuple[str, int]]:
    """Serve an application on a free port."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        server = Server(Config(house.app, log_config=None, lifespan="off"))
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def address(tmp_path: Path, clock: HandClock) -> Iterator[tuple[str, int]]:
    """Yield the address of a server with small limits."""
    settings = ServerSettings(clock=clock, body_limit=10_000, upload_limit=50_000)
    with running(tmp_path, clock, settings) as house, serving(house) as found:
        yield found


def exchange(address: tuple[str, int], head: str, chunks: list[bytes]) -> tuple[bytes, int]:
    """Send a request piece by piece; return the answer and how many bytes could be sent."""
    sent = 0
    with socket.create_connection(address, timeout=10) as wire:
        wire.sendall(head.replace("\n", "\r\n").encode())
        try:
            for chunk in chunks:
                wire.sendall(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
                sent += len(chunk)
            wire.sendall(b"0\r\n\r\n")
        except OSError:
            pass
        answer = b""
        try:
            while part := wire.recv(65536):
                answer += part
        except OSError:
            pass
    return answer, sent


HEAD = """POST /api/v1/{path} HTTP/1.1
Host: crew.test
Content-Type: application/json
Transfer-Encoding: chunked
Connection: close

"""


def test_a_body_without_a_length_is_cut_at_the_limit(address: tuple[str, int]) -> None:
    """While it is read, not afterwards."""
    answer, _ = exchange(address, HEAD.format(path="session"), [b" " * 1000] * 20)

    assert answer.startswith(b"HTTP/1.1 413")
    assert b"too_large" in answer


def test_a_body_below_the_limit_is_read(address: tuple[str, int]) -> None:
    """Without a length as well."""
    body = b'{"name": "ada", "password": "wrong"}'
    answer, _ = exchange(address, HEAD.format(path="session"), [body])

    assert answer.startswith(b"HTTP/1.1 401")


def test_an_announced_body_above_the_limit_is_not_waited_for(address: tuple[str, int]) -> None:
    """The answer comes before the body."""
    head = HEAD.format(path="session").replace(
        "Transfer-Encoding: chunked", "Content-Length: 10000000"
    )
    answer, _ = exchange(address, head, [])

    assert answer.startswith(b"HTTP/1.1 413")


def test_strangers_cannot_make_the_server_read_an_upload(address: tuple[str, int]) -> None:
    """They are refused before it is looked at."""
    answer, _ = exchange(address, HEAD.format(path="campaigns"), [b"x" * 1000] * 10)

    assert answer.startswith(b"HTTP/1.1 401")


def test_a_header_cannot_be_smuggled_into_an_answer(address: tuple[str, int]) -> None:
    """Nor does an odd request line do more than fail."""
    head = "GET /api/v1/join/x%0d%0aSet-Cookie:%20a=b HTTP/1.1\nHost: x\nConnection: close\n\n"
    answer, _ = exchange(address, head, [])

    assert answer.startswith(b"HTTP/1.1 404")
    assert b"set-cookie" not in answer.lower()
