"""One delivery: events of a journal go to a receiver, who says whether they arrived."""

import json
import time
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

import httpx

from spancrew.server.hooks.address import target_of
from spancrew.server.hooks.signature import headers_of
from spancrew.server.people.values import Delivery, Webhook
from spancrew.server.settings import ServerSettings
from spancrew.stores import EventStore, Recorded

MOST_EVENTS = 100
"""Events in one delivery."""
_LOOK_AT = 5000
"""Events that are looked through at a time for those that a webhook wants."""


class Batch(NamedTuple):
    """Events that a webhook wants, and the last version that was looked at."""

    events: list[Recorded]
    last: int


class Outcome(NamedTuple):
    """What became of an attempt; no ``status`` where nobody answered."""

    status: int | None
    problem: str | None
    seconds: float

    @property
    def ok(self) -> bool:
        """Tell whether the receiver has the events."""
        return self.status is not None and 200 <= self.status < 300


def batch_of(store: EventStore, hook: Webhook) -> Batch:
    """Return the next events for a webhook."""
    events: list[Recorded] = []
    last = hook.cursor
    for recorded in islice(store.read(hook.campaign, after=hook.cursor), _LOOK_AT):
        if not hook.kinds or recorded.entry.kind in hook.kinds:
            if len(events) == MOST_EVENTS:
                break
            events.append(recorded)
        last = recorded.version
    return Batch(events, last)


def body_of(hook: Webhook, batch: Batch) -> bytes:
    """Return what is sent: the campaign and its events, each as the API shows it."""
    events = [
        {
            "version": version,
            "kind": entry.kind,
            "at": entry.at,
            "body": json.loads(entry.body),
        }
        for version, entry in batch.events
    ]
    content = {"campaign": hook.campaign, "webhook": hook.id, "events": events}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


async def send(
    client: httpx.AsyncClient, hook: Webhook, body: bytes, settings: ServerSettings
) -> Outcome:
    """Send a body to a webhook and return what became of it; nothing is followed or read."""
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
        return Outcome(response.status_code, problem, time.perf_counter() - began)
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        text = str(error)[:300] or type(error).__name__
        return Outcome(None, text, time.perf_counter() - began)


def delivery_of(hook: Webhook, batch: Batch, outcome: Outcome, now: float) -> Delivery:
    """Return an attempt as it is remembered."""
    return Delivery(
        hook.id,
        now,
        batch.events[0].version,
        batch.events[-1].version,
        len(batch.events),
        hook.failures + 1,
        outcome.status,
        outcome.problem,
        outcome.seconds,
    )


def pause_after(failures: int, draw: Callable[[], float]) -> float:
    """Return the seconds until the next attempt: twice as long each time, up to ten minutes.

    ``draw`` gives numbers from 0 to 1, so that many webhooks do not come back at once.
    """
    return float(min(600.0, 2.0**failures) * (0.5 + draw() / 2))
