"""A small identity provider on loopback: it signs whatever claims a test wants."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey


@cache
def _key() -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": "one"})


CLIENT, SECRET, CODE = "spancrew", "between us", "c0de"


@dataclass
class Provider:
    """What the provider says, and what it was asked."""

    url: str
    key: RSAKey = field(default_factory=_key)
    shown: RSAKey | None = None
    header: dict[str, Any] = field(default_factory=lambda: {"alg": "RS256", "kid": "one"})
    claims: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    exchanged: dict[str, str] = field(default_factory=dict)

    def answer(self, path: str) -> dict[str, Any]:
        """Return what is at an address."""
        if path == "/jwks":
            return dict(KeySet([self.shown or self.key]).as_dict(private=False))
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
        }

    def exchange(self, given: dict[str, str]) -> dict[str, Any]:
        """Return the token for a code."""
        self.exchanged = given
        token = jwt.encode(self.header, self.claims, self.key)
        return {"access_token": "unused", "token_type": "Bearer", "id_token": token}


@contextmanager
def providing() -> Iterator[Provider]:
    """Run a provider."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(provider.answer(self.path))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            self._send(provider.exchange({k: v[0] for k, v in parse_qs(body).items()}))

        def _send(self, value: dict[str, Any]) -> None:
            content = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider = Provider(f"http://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def asked(location: str) -> dict[str, str]:
    """Return the parameters with which a browser was sent somewhere."""
    return {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}
