"""Prolific's HTTP API: requests, refusals and pages."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from spancrew.bridges._retries import LostError, NotDoneError, persist
from spancrew.calling import (
    Retries,
    certificates,
    json_of,
    needed,
    reason_of,
    rows_of,
    seconds_of,
    secret,
)
from spancrew.errors import PaymentRefusedError, PlatformError

PROLIFIC = "https://api.prolific.com/api/v1"
_PAGE = 100
_MAKE_ONE = "make an API token in the settings of your account at Prolific"
_LOCKED_OUT = {
    401: "PROLIFIC_TOKEN is wrong or has ended",
    403: "this account may not do that",
    404: "there is no such study or submission in this account",
}


class ProlificApi:
    """Prolific over HTTP, with the token of the environment variable ``PROLIFIC_TOKEN``."""

    def __init__(self, url: str = PROLIFIC, retries: Retries | None = None) -> None:
        self._httpx = needed("httpx", "server")
        self._retries = retries or Retries()
        token = secret("PROLIFIC_TOKEN", _MAKE_ONE, PlatformError)
        self._http = self._httpx.Client(
            base_url=_checked(url),
            headers={"Authorization": f"Token {token}"},
            timeout=60.0,
            verify=certificates(),
            # On a connection that is kept, the other side may hang up just when we pay.
            limits=self._httpx.Limits(max_keepalive_connections=0),
        )

    def call(
        self,
        method: str,
        path: str,
        *,
        harmless: bool = True,
        may_lack: bool = False,
        **options: Any,
    ) -> Any:
        """Send a request and return the JSON of the answer, None if there is none.

        What ``may_lack`` is None, too, where Prolific has no such thing.
        """
        answer = persist(
            lambda: self._answer(method, path, options),
            self._retries,
            "Prolific",
            harmless=harmless,
        )
        if may_lack and answer.status_code == 404:
            return None
        if not answer.is_success:
            raise _refusal(answer, method, path)
        return json_of(answer)

    def pages(self, path: str, **params: Any) -> Iterator[dict[str, Any]]:
        """Yield the rows of a list, page by page; pages may be shorter than asked for."""
        seen, first, page = 0, 0, 1
        while True:
            wanted = {**params, "page": page, "page_size": _PAGE}
            found = self.call("GET", path, params=wanted, may_lack=page > 1)
            if found is None:
                return
            rows = rows_of(found, "results", f"Prolific's {path}", PlatformError)
            yield from rows
            seen, first = seen + len(rows), first or len(rows)
            count = found.get("meta", {}).get("count")
            if not rows or (seen >= count if isinstance(count, int) else len(rows) < first):
                return
            page += 1

    def _answer(self, method: str, path: str, options: dict[str, Any]) -> Any:
        try:
            answer = self._http.request(method, path, **options)
        except (self._httpx.ConnectError, self._httpx.ConnectTimeout) as error:
            raise NotDoneError(str(error) or "no connection") from None
        except self._httpx.TransportError as error:
            raise LostError(str(error) or type(error).__name__) from None
        if answer.status_code == 429:
            raise NotDoneError("too many requests", seconds_of(answer.headers.get("Retry-After")))
        if answer.status_code >= 500:
            raise LostError(f"HTTP status {answer.status_code}")
        return answer


def _checked(url: str) -> str:
    parts = urlsplit(url)
    is_here = parts.hostname in {"127.0.0.1", "::1", "localhost"}
    if parts.scheme != "https" and not (parts.scheme == "http" and is_here):
        raise PlatformError(f"{url!r} is no https address: a token would be sent in the clear")
    return url.rstrip("/")


def _refusal(answer: Any, method: str, path: str) -> PlatformError:
    status = answer.status_code
    said = f"Prolific refuses {method} {path}: {reason_of(answer)} (HTTP status {status})"
    if status in _LOCKED_OUT:
        return PlatformError(f"{said}; {_LOCKED_OUT[status]}")
    return PaymentRefusedError(said)
