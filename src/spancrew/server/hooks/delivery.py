"""One delivery: events of a journal go to a receiver, signed, and never into a private network."""

import asyncio
import hashlib
import hmac
import ipaddress
import json
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

import httpx

from spancrew.server.hooks.outbox import Message
from spancrew.server.hooks.sources import EventSource
from spancrew.server.people.values import DeliveryRow, WebhookRow
from spancrew.server.people.webhooks import longest_pause
from spancrew.server.refusals import checked_url, invalid
from spancrew.server.settings import ServerSettings
from spancrew.stores import Recorded

TIMESTAMP = "X-Spancrew-Timestamp"
SIGNATURE = "X-Spancrew-Signature"


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Return the HMAC-SHA256 over the timestamp, a dot and the body, in hex.

    >>> signature("secret", "1700000000", b"{}")[:16]
    'b8569b78799ff9e3'
    """
    signed = timestamp.encode("ascii") + b"." + body
    return hmac.new(secret.encode("utf-8"), signed, hashlib.sha256).hexdigest()


def headers_of(secret: str, now: float, body: bytes) -> dict[str, str]:
    """Return the headers of a delivery."""
    timestamp = str(int(now))
    return {TIMESTAMP: timestamp, SIGNATURE: f"sha256={signature(secret, timestamp, body)}"}


Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Target(NamedTuple):
    """Where a delivery goes: ``url`` with the address that was checked, and the name asked for."""

    url: str
    host: str
    name: str


def checked_hook(url: str, *, private: bool) -> str:
    """Return an address for webhooks; https only, but http to this machine itself."""
    checked_url(url, "url")
    parts = urlsplit(url)
    if parts.fragment:
        raise invalid("url: an address without # is expected")
    if private or parts.scheme == "https" or is_loopback(parts.hostname or ""):
        return url
    raise invalid("url: events go over https only", "use an address that begins with https://")


async def target_of(url: str, *, private: bool) -> Target:
    """Look a name up and return where to connect; refuse private addresses with an OSError.

    The connection goes to the address that was checked, so that a name that means something else a
    moment later leads nowhere.
    """
    parts = urlsplit(url)
    name = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    found = await asyncio.get_running_loop().getaddrinfo(name, port, type=socket.SOCK_STREAM)
    addresses = [ipaddress.ip_address(str(each[4][0]).partition("%")[0]) for each in found]
    if not private and not is_loopback(name):
        bad = [str(address) for address in addresses if not _is_public(address)]
        if bad:
            raise OSError(f"{name} is {bad[0]}, an address of a private network")
    return Target(_with_host(parts, addresses[0], port), parts.netloc, name)


def is_loopback(name: str) -> bool:
    """Tell whether a name means this machine without asking a name server.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _is_public(address: Address) -> bool:
    inner = getattr(address, "ipv4_mapped", None) or address
    return bool(inner.is_global) and not inner.is_multicast


def _with_host(parts: SplitResult, address: Address, port: int) -> str:
    host = f"[{address}]" if address.version == 6 else str(address)
    return parts._replace(netloc=f"{host}:{port}").geturl()


MOST_EVENTS = 100
"""Events in one delivery."""
_LOOK_AT = 5000
"""Events that are looked through at a time for those that a webhook wants."""


class PendingEvents(NamedTuple):
    """Events that a webhook wants, and the last version that was looked at."""

    events: list[Recorded]
    last: int


class DeliveryAttempt(NamedTuple):
    """The result of an attempt; no ``status`` where nobody answered."""

    status: int | None
    problem: str | None
    seconds: float

    @property
    def ok(self) -> bool:
        """Tell whether the receiver has the events."""
        return self.status is not None and 200 <= self.status < 300


def pending_events(store: EventSource, hook: WebhookRow) -> PendingEvents:
    """Return the next events for a webhook."""
    events: list[Recorded] = []
    last = hook.cursor
    for recorded in islice(store.read(hook.campaign, after=hook.cursor), _LOOK_AT):
        if not hook.kinds or recorded.entry.kind in hook.kinds:
            if len(events) == MOST_EVENTS:
                break
            events.append(recorded)
        last = recorded.version
    return PendingEvents(events, last)


def message_body(hook: WebhookRow, messages: Iterable[Message]) -> bytes:
    """Return what is sent of messages: as of events, but without a version."""
    return _body(
        hook,
        [
            {"version": None, "kind": each.kind, "at": each.at, "body": each.body}
            for each in messages
        ],
    )


def body_of(hook: WebhookRow, pending: PendingEvents) -> bytes:
    """Return what is sent: the campaign and its events, each as the API shows it."""
    events = [
        {
            "version": version,
            "kind": entry.kind,
            "at": entry.at,
            "body": json.loads(entry.body),
        }
        for version, entry in pending.events
    ]
    return _body(hook, events)


def _body(hook: WebhookRow, events: list[dict[str, Any]]) -> bytes:
    content = {"campaign": hook.campaign, "webhook": hook.id, "events": events}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


async def send(
    client: httpx.AsyncClient, hook: WebhookRow, body: bytes, settings: ServerSettings
) -> DeliveryAttempt:
    """Send a body to a webhook and return the result; redirects and answers are ignored."""
    began = time.perf_counter()
    try:
        target = await target_of(hook.url, private=settings.private_hooks)
        headers = {
            "Content-Type": "application/json",
            "Host": target.host,
            "User-Agent": "spancrew",
            **headers_of(hook.secret, settings.clock(), body),
        }
        request = client.build_request(
            "POST",
            target.url,
            content=body,
            headers=headers,
            extensions={"sni_hostname": target.name},
        )
        response = await client.send(request, stream=True, follow_redirects=False)
        await response.aclose()
        problem = None if response.is_success else f"status {response.status_code}"
        return DeliveryAttempt(response.status_code, problem, time.perf_counter() - began)
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        text = str(error)[:300] or type(error).__name__
        return DeliveryAttempt(None, text, time.perf_counter() - began)


def delivery_of(
    hook: WebhookRow, versions: Sequence[int], attempt: DeliveryAttempt, now: float
) -> DeliveryRow:
    """Return an attempt as it is remembered; messages outside of the journal have version 0."""
    return DeliveryRow(
        hook.id,
        now,
        versions[0],
        versions[-1],
        len(versions),
        hook.failures + 1,
        attempt.status,
        attempt.problem,
        attempt.seconds,
    )


def pause_after(failures: int, draw: Callable[[], float]) -> float:
    """Return the seconds until the next attempt: twice as long each time, up to ten minutes.

    ``draw`` gives numbers from 0 to 1, so that many webhooks do not come back at once.
    """
    return longest_pause(failures) * (0.5 + draw() / 2)
