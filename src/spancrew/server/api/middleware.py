"""What happens to every request: it is counted, logged, bounded, and answered with headers."""

import secrets
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spancrew.server.api.content_policy import API_CSP, may_be_framed
from spancrew.server.api.errors import answer_of, failure
from spancrew.server.logs import Log, Metrics, frames, route_of
from spancrew.server.refusals import too_large
from spancrew.server.settings import ServerSettings

UPLOADS = {("POST", f"/api/v1/{each}") for each in ("campaigns", "inspections", "rehearsals")}
_HEADERS = (
    (b"content-security-policy", API_CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
LONG = ("text/event-stream", "application/x-ndjson")
"""Types of answers that go on for as long as somebody reads them."""
_SECURE = ((b"strict-transport-security", b"max-age=31536000"),)


class RequestLog:
    """Counts and logs requests, and answers for whatever nobody else could answer for."""

    def __init__(self, app: ASGIApp, log: Log, metrics: Metrics) -> None:
        self._app = app
        self._log = log
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and note what became of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        id_ = secrets.token_hex(8)
        status, is_long = 0, False

        async def note(message: Message) -> None:
            nonlocal status, is_long
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = id_
                is_long = headers.get("content-type", "").startswith(LONG)
                if is_long:
                    # How long somebody watches says nothing of how quick the server is.
                    self._note(scope, id_, status, time.perf_counter() - began)
            await send(message)

        scope.setdefault("state", {})
        try:
            await self._app(scope, receive, note)
        except Exception as error:  # noqa: BLE001  the last place that can answer
            self._log.error(
                "failed", request=id_, problem=type(error).__name__, where=frames(error)
            )
            if not status:
                await failure(Request(scope))(scope, receive, note)
        seconds = time.perf_counter() - began
        if is_long:
            self._log.info("ended", request=id_, seconds=round(seconds, 1))
        else:
            self._note(scope, id_, status, seconds)

    def _note(self, scope: Scope, id_: str, status: int, seconds: float) -> None:
        route, method = route_of(dict(scope)), str(scope["method"])[:10]
        known = method if route != "(none)" else "(any)"
        self._metrics.requests.labels(route, known, str(status)).inc()
        self._metrics.latency.labels(route).observe(seconds)
        caller = scope["state"].get("caller")
        self._log.info(
            "request",
            request=id_,
            method=known,
            route=route,
            status=status,
            ms=round(seconds * 1000, 1),
            role=caller.person.role if caller else None,
            who=caller.person.pseudonym if caller else None,
        )


class SecurityHeaders:
    """Puts the headers of a careful server on every answer that has not its own."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and add headers to its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        secure = self._settings.is_secure(scope.get("scheme", "http"))
        headers = (*_HEADERS, *_SECURE) if secure else _HEADERS

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = dict(message["headers"])
                if may_be_framed(known.get(b"content-security-policy", b"").decode("latin-1")):
                    known[b"x-frame-options"] = b""
                added = [header for header in headers if header[0] not in known]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        await self._app(scope, receive, add)


class BodyLimit:
    """Refuses to read more of a request than its limit, whatever it announces."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, as far as it is not too large."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_upload = (scope["method"], scope["path"].rstrip("/")) in UPLOADS
        limit = self._settings.upload_limit if is_upload else self._settings.body_limit
        if _announced(scope) <= limit:
            await self._app(scope, _bounded(receive, limit), send)
            return
        answer = answer_of(too_large(limit))
        answer.headers["Connection"] = "close"
        await answer(scope, receive, send)


def _announced(scope: Scope) -> int:
    """Return how long the body is said to be; what is no number, the server has refused."""
    length = Headers(scope=scope).get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0


def _bounded(receive: Receive, limit: int) -> Receive:
    """Return a receive that refuses to go on above a limit, whatever was announced."""
    read = 0

    async def bounded() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > limit:
            raise HTTPException(413, too_large(limit).message, {"Connection": "close"})
        return message

    return bounded
