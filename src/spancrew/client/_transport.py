"""Requests that survive a server that is busy, restarts or is gone for a moment."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any

from spancrew.client._failures import failure_of
from spancrew.errors import MissingPackageError, StoreError

if TYPE_CHECKING:
    import httpx

PATIENCE = 60.0
"""Seconds of waiting in all, after which a server counts as gone."""

_BUSY = frozenset({429, 502, 503, 504})
_FIRST, _LONGEST = 0.1, 5.0


def http() -> Any:
    """Return the package ``httpx``; say how to install it where it is missing."""
    try:
        return import_module("httpx")
    except ModuleNotFoundError as error:
        if error.name != "httpx":
            raise
        raise MissingPackageError(
            "the client needs the package 'httpx'; install it with "
            "'pip install \"spancrew[server]\"'",
            name="httpx",
        ) from None


@cache
def _certificates() -> Any:
    """Return whom to trust; reading it takes a tenth of a second, so all clients share it."""
    return http().create_ssl_context()


@dataclass(frozen=True)
class Retries:
    """How long to go on trying; ``pause`` sleeps for some seconds."""

    patience: float = PATIENCE
    pause: Callable[[float], None] = time.sleep
    rng: Random = field(default_factory=Random)


class Transport:
    """One server, reached over HTTP, with whatever says who is asking."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        retries: Retries | None = None,
        over: "httpx.BaseTransport | None" = None,
    ) -> None:
        self._retries = retries or Retries()
        self._httpx = http()
        headers = {"Accept": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        self._http = self._httpx.Client(
            base_url=url.rstrip("/"),
            headers=headers,
            timeout=60.0,
            transport=over,
            verify=_certificates(),
        )

    @property
    def url(self) -> str:
        """Return the address of the server."""
        return str(self._http.base_url).rstrip("/")

    def say(self, header: str, value: str) -> None:
        """Send a header along from now on."""
        self._http.headers[header] = value

    def call(
        self, method: str, path: str, *, again: bool | None = None, **request: Any
    ) -> "httpx.Response":
        """Send a request until there is an answer; raise what the server refuses it with.

        ``again`` says that doing it twice does no harm; GET, PUT and DELETE never do.
        """
        harmless = method in {"GET", "PUT", "DELETE"} if again is None else again
        waited, wait = 0.0, _FIRST
        while True:
            answer, problem = self._try(method, path, harmless, request)
            if answer is not None and not _is_busy(answer):
                return self._accepted(answer)
            if waited >= self._retries.patience or not _may_retry(answer, harmless):
                break
            pause = max(wait, _retry_after(answer)) * self._retries.rng.uniform(0.7, 1.3)
            self._retries.pause(pause)
            waited, wait = waited + pause, min(2 * wait, _LONGEST)
        if answer is not None:
            return self._accepted(answer)
        raise StoreError(f"no answer from {self.url} ({problem}): is the server running?")

    def _try(
        self, method: str, path: str, harmless: bool, request: Mapping[str, Any]
    ) -> tuple["httpx.Response | None", str]:
        """Return the answer, or None and why there is none yet."""
        try:
            return self._http.request(method, path, **request), ""
        except self._httpx.ConnectError as error:
            # The request never arrived, so that it can be sent again whatever it is.
            return None, str(error) or "no connection"
        except self._httpx.TransportError as error:
            said = str(error) or type(error).__name__
            if harmless:
                return None, said
            raise StoreError(
                f"the connection to {self.url} broke ({said}) before it was known whether this "
                "was done: look before you do it again"
            ) from None

    def _accepted(self, answer: "httpx.Response") -> "httpx.Response":
        if answer.is_success:
            return answer
        raise failure_of(answer.status_code, answer.content, self.url)

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()


def _is_busy(answer: "httpx.Response") -> bool:
    # A server that stops cuts off what takes too long, with a status of 500 that is not ours.
    return answer.status_code in _BUSY or (
        answer.status_code == 500 and b'"error"' not in answer.content
    )


def _may_retry(answer: "httpx.Response | None", harmless: bool) -> bool:
    # Who is told to slow down (429) has been refused; with 502 and 503 that is not so sure.
    return answer is None or harmless or answer.status_code == 429


def _retry_after(answer: "httpx.Response | None") -> float:
    said = "" if answer is None else answer.headers.get("Retry-After", "")
    return float(said) if said.replace(".", "", 1).isdigit() else 0.0
