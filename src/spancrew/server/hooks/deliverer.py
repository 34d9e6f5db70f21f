"""The deliverer: in every process, but at most one at a time for each webhook."""

import asyncio
import secrets
import ssl
from functools import cache

import httpx
from numpy.random import Generator, default_rng

from spancrew.errors import SpancrewError
from spancrew.server.hooks.delivery import (
    DeliveryAttempt,
    PendingEvents,
    body_of,
    delivery_of,
    message_body,
    pause_after,
    pending_events,
    send,
)
from spancrew.server.hooks.outbox import Outbox
from spancrew.server.hooks.sources import EventSource, WithAuditLog
from spancrew.server.logs import Log, Metrics, frames
from spancrew.server.people.directory import Directory
from spancrew.server.people.values import WebhookRow
from spancrew.server.processes import in_thread
from spancrew.server.settings import ServerSettings

_HOUR = 3600.0
_OFTEN = 20
"""Failures before a webhook is stopped; a day alone may be only a clock that was wrong."""
_IN_A_ROW = 50
"""Deliveries to one receiver before it lets others have its place."""
_AT_ONCE = 32
"""Receivers that are served at a time."""
_LAST_SECONDS = 3.0
"""How long a delivery under way may take when the server stops; cut off, it would be repeated."""


@cache
def _certificates() -> ssl.SSLContext:
    """Return whom to trust; reading it takes a tenth of a second."""
    return httpx.create_ssl_context(trust_env=False)


class Deliverer:
    """Sends events to webhooks until it is cancelled.

    How far a webhook is stands in the directory and moves on only after the receiver has confirmed
    the events: after a crash some are delivered twice, none is lost.
    """

    def __init__(
        self,
        directory: Directory,
        store: EventSource,
        settings: ServerSettings,
        log: Log,
        metrics: Metrics,
        rng: Generator | None = None,
    ) -> None:
        self._hooks = directory.webhooks
        self._outbox = Outbox(directory.engine)
        # Webhooks for which there is something that stands in no journal.
        self._waiting: frozenset[int] = frozenset()
        self._store = WithAuditLog(store, directory.audit)
        self._settings = settings
        self._log = log
        self._metrics = metrics
        self._rng = rng or default_rng()
        self._holder = secrets.token_hex(8)
        # One task for each webhook, so that a slow receiver delays nobody but itself. Tasks wait
        # for a place in the order in which they came.
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(_AT_ONCE)
        self._stops = False

    async def run(self) -> None:
        """Look for events to deliver, again and again."""
        settings = self._settings
        async with httpx.AsyncClient(
            timeout=settings.hook_timeout,
            trust_env=False,
            follow_redirects=False,
            verify=_certificates(),
        ) as client:
            try:
                while True:
                    await self._start_due(client)
                    await asyncio.sleep(settings.hook_poll)
            finally:
                self._stops = True
                if tasks := list(self._tasks.values()):
                    _, late = await asyncio.wait(tasks, timeout=_LAST_SECONDS)
                    for task in late:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)

    async def _start_due(self, client: httpx.AsyncClient) -> None:
        """Start a task for every webhook that may be tried now and has none."""
        try:
            due = await in_thread(self._hooks.due, self._settings.clock(), self._hold_seconds)
            self._waiting = await in_thread(self._outbox.waiting)
        except SpancrewError as error:
            self._log.warning("webhooks wait", problem=type(error).__name__)
            return
        for hook in due:
            if hook.id not in self._tasks:
                self._tasks[hook.id] = asyncio.create_task(self._serve(client, hook))

    async def _serve(self, client: httpx.AsyncClient, hook: WebhookRow) -> None:
        """Deliver to one webhook; whatever goes wrong with it stays with it."""
        try:
            async with self._places:
                await self._deliver_all(client, hook)
        except SpancrewError as error:
            self._log.warning("webhook waits", webhook=hook.id, problem=type(error).__name__)
        except Exception as error:  # noqa: BLE001  logged; the next look tries again
            self._log.error(
                "webhook failed",
                webhook=hook.id,
                problem=type(error).__name__,
                where=frames(error),
            )
        finally:
            del self._tasks[hook.id]

    async def _deliver_all(self, client: httpx.AsyncClient, due: WebhookRow) -> None:
        """Deliver what there is for one webhook, as long as it is ours and all goes well."""
        has_messages = due.id in self._waiting
        if not has_messages and await in_thread(self._store.version, due.campaign) <= due.cursor:
            return
        hook = await self._held(due)
        try:
            if has_messages and hook and not await self._deliver_messages(client, hook):
                return
            for _ in range(_IN_A_ROW):
                if hook is None or hook.stopped or self._stops:
                    return
                pending = await in_thread(pending_events, self._store, hook)
                if pending.last == hook.cursor or not await self._deliver(client, hook, pending):
                    return
                hook = await self._held(hook)
        finally:
            await in_thread(self._hooks.release, due.id, self._holder)

    async def _held(self, hook: WebhookRow) -> WebhookRow | None:
        """Return the webhook if no other process delivers it for now; None if one does."""
        now = self._settings.clock()
        until = now + self._hold_seconds
        return await in_thread(self._hooks.hold, hook.id, self._holder, now, until)

    @property
    def _hold_seconds(self) -> float:
        """Return for how long a webhook is held: as long as a delivery takes at most."""
        return 2 * self._settings.hook_timeout + 10.0

    async def _deliver(
        self, client: httpx.AsyncClient, hook: WebhookRow, pending: PendingEvents
    ) -> bool:
        """Deliver some events and note the result; tell whether to continue."""
        if pending.events:
            versions = [version for version, _ in pending.events]
            if not await self._send(client, hook, body_of(hook, pending), versions):
                return False
        await in_thread(self._hooks.passed, hook.id, pending.last)
        return True

    async def _deliver_messages(self, client: httpx.AsyncClient, hook: WebhookRow) -> bool:
        """Deliver what stands in no journal; tell whether to continue."""
        if hook.stopped:
            return False
        messages = await in_thread(self._outbox.of, hook.id)
        if messages:
            body = message_body(hook, messages.values())
            if not await self._send(client, hook, body, [0] * len(messages)):
                return False
            await in_thread(self._outbox.drop, list(messages))
            await in_thread(self._hooks.passed, hook.id, hook.cursor)
        return True

    async def _send(
        self, client: httpx.AsyncClient, hook: WebhookRow, body: bytes, versions: list[int]
    ) -> bool:
        """Make an attempt and note its result; tell whether the receiver has it."""
        attempt = await send(client, hook, body, self._settings)
        self._metrics.deliveries.labels("ok" if attempt.ok else "failed").inc()
        now = self._settings.clock()
        await in_thread(self._hooks.log, delivery_of(hook, versions, attempt, now))
        if not attempt.ok:
            await self._failed(hook, attempt)
        return attempt.ok

    async def _failed(self, hook: WebhookRow, attempt: DeliveryAttempt) -> None:
        now = self._settings.clock()
        since = now if hook.failing_since is None else hook.failing_since
        is_long = now - since >= self._settings.hook_hours * _HOUR
        stopped = is_long and hook.failures >= _OFTEN
        pause = pause_after(hook.failures, self._rng.random)
        await in_thread(self._hooks.failed, hook, now, now + pause, stopped=stopped)
        self._log.warning(
            "delivery failed", webhook=hook.id, status=attempt.status, stopped=stopped
        )
