"""Hear from a labelling tool that something has happened there."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from urllib.parse import urlsplit

from spancrew.errors import ToolError

_MOST = 1 << 20


@contextmanager
def listening(address: str) -> Iterator[Event]:
    """Yield an event that is set whenever somebody posts to an address on this machine.

    What they post is thrown away: a bridge looks itself, so nobody can make it believe anything.
    """
    parts = urlsplit(address)
    if parts.scheme != "http" or parts.hostname is None or parts.port is None:
        raise ToolError(f"{address!r} is no address to listen at, such as http://127.0.0.1:9000")
    wake = Event()

    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length") or ""
            self.rfile.read(min(int(length), _MOST) if length.isdigit() else 0)
            wake.set()
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    try:
        server = ThreadingHTTPServer((parts.hostname, parts.port), Handler)
    except OSError as error:
        raise ToolError(f"nobody can listen at {address}: {error.strerror or error}") from None
    with server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2})
        thread.start()
        try:
            yield wake
        finally:
            server.shutdown()
            thread.join()
