"""A real receiver of webhooks on this machine, which can be told to fail."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any


@dataclass
class Receiver:
    """What has arrived, and what to answer: a status for each delivery, then 200."""

    url: str = ""
    statuses: list[int] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    accepted: list[dict[str, Any]] = field(default_factory=list)
    held: Event | None = None
    """What a delivery waits for; nothing if there is none."""

    def take(self, body: bytes, headers: dict[str, str]) -> int:
        """Take a delivery and return the status of the answer."""
        self.bodies.append(body)
        self.headers.append(headers)
        if self.held is not None:
            self.held.wait(600)
        status = self.statuses.pop(0) if self.statuses else 200
        if status == 200:
            self.accepted += json.loads(body)["events"]
        return status


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Run a receiver on a free port."""
    found = Receiver()
    with listening(found.take) as found.url:
        yield found


@contextmanager
def listening(take: Callable[[bytes, dict[str, str]], int]) -> Iterator[str]:
    """Hand deliveries to a function, which returns the status of the answer; yield the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            body = self.rfile.read(length)
            if len(body) < length:
                return  # the sender was killed
            status = take(body, {k.lower(): v for k, v in self.headers.items()})
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", f"{url}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    url = f"http://127.0.0.1:{server.server_port}/hook"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield url
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
