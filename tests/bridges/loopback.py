"""An HTTP server on this machine that stands for a platform, and can be told to fail."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, Literal, NamedTuple
from urllib.parse import parse_qs, urlsplit


class Request(NamedTuple):
    """What has arrived; ``route`` is the method and the path."""

    route: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any


class Answer(NamedTuple):
    """What is answered."""

    status: int
    body: Any


@dataclass
class Fault:
    """What goes wrong with the next request whose name contains some text.

    Without a status the connection drops: before the request is carried out, or after.
    """

    name: str
    status: int = 0
    when: Literal["before", "after"] = "before"
    retry_after: str | None = None
    body: Any = field(default_factory=dict)
    cut: int = 0
    """How many bytes at the end of the answer never come."""


class Dropped(Exception):  # noqa: N818  what happens, not what is wrong
    """A request that is not carried out, as nobody waits for it."""


@dataclass
class Loopback:
    """A server with its faults; ``watch`` hears the name of a request, and how far it is."""

    answer: Callable[[Request], Answer]
    name: Callable[[Request], str] = lambda request: request.route
    url: str = ""
    faults: list[Fault] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    watch: Callable[[str, str], None] = lambda _name, _phase: None
    lock: Lock = field(default_factory=Lock)

    def take(self, request: Request) -> tuple[Answer | None, Fault | None]:
        """Carry a request out; no answer is a connection that drops."""
        name = self.name(request)
        self.watch(name, "arrived")
        with self.lock:
            self.seen.append(name)
            fault = next((each for each in self.faults if each.name in name), None)
            if fault is not None:
                self.faults.remove(fault)
                if fault.when == "before":
                    return (Answer(fault.status, fault.body) if fault.status else None), fault
            answer = self.answer(request)
        self.watch(name, "done")
        if fault is not None and not fault.cut:
            return (Answer(fault.status, fault.body) if fault.status else None), fault
        return answer, fault


def _content(body: Any) -> bytes:
    """Return JSON; bytes stay as they are."""
    return body if isinstance(body, bytes) else json.dumps(body).encode()


@contextmanager
def running(loopback: Loopback) -> Iterator[Loopback]:
    """Run a server on a free port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            text = self.rfile.read(length)
            if len(text) < length:
                return  # the sender was killed
            parts = urlsplit(self.path)
            query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = json.loads(text) if text else None
            request = Request(f"{self.command} {parts.path}", query, headers, body)
            try:
                answer, fault = loopback.take(request)
            except Dropped:
                answer, fault = None, None
            if answer is None:
                self.close_connection = True
                return
            content = _content(answer.body)
            self.send_response(answer.status)
            if fault is not None and fault.retry_after is not None:
                self.send_header("Retry-After", fault.retry_after)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            cut = 0 if fault is None else fault.cut
            self.close_connection = self.close_connection or cut > 0
            self.wfile.write(content[: len(content) - cut])
            loopback.watch(loopback.name(request), "answered")

        do_POST = do_PATCH = do_DELETE = do_GET  # noqa: N815  the names that http.server wants

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Say nothing of those who were killed while they were answered."""

    with Server(("127.0.0.1", 0), Handler) as server:
        loopback.url = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield loopback
        finally:
            server.shutdown()
            thread.join()
