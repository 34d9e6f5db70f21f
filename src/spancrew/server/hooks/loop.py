"""The deliverer: in every process, but at most one at a time for each webhook."""

import asyncio
import secrets

import httpx
from numpy.random import Generator, default_rng

from spancrew.errors import SpancrewError
from spancrew.server.hooks.delivery import (
    Batch,
    Outcome,
    batch_of,
    body_of,
    delivery_of,
    pause_after,
    send,
)
from spancrew.server.people.values import Webhook
from spancrew.server.services import Services
from spancrew.server.threads import in_thread

_HOUR = 3600.0
_AT_ONCE = 50
"""Deliveries to one receiver before others get their turn."""


class Deliverer:
    """Sends events to webhooks until it is cancelled.

    How far a webhook is stands in the directory and moves on only after the receiver has said that
    the events arrived: a crash delivers some twice, and none never.
    """

    def __init__(self, services: Services, rng: Generator | None = None) -> None:
        self._services = services
        self._holder = secrets.token_hex(8)
        self._rng = rng or default_rng()

    async def run(self) -> None:
        """Look for events to deliver, again and again."""
        settings = self._services.settings
        async with httpx.AsyncClient(
            timeout=settings.hook_timeout, trust_env=False, follow_redirects=False
        ) as client:
            while True:
                await self._turn(client)
                await asyncio.sleep(settings.hook_poll)

    async def _turn(self, client: httpx.AsyncClient) -> None:
        hooks = self._services.directory.webhooks
        try:
            due = await in_thread(hooks.due, self._services.now)
            await asyncio.gather(*(self._serve(client, hook) for hook in due))
        except SpancrewError as error:
            self._services.log.warning("webhooks wait", problem=type(error).__name__)

    async def _serve(self, client: httpx.AsyncClient, due: Webhook) -> None:
        """Deliver what there is for one webhook, as long as it is ours and all goes well."""
        services = self._services
        hooks, store = services.directory.webhooks, services.desk.store
        if await in_thread(store.version, due.campaign) <= due.cursor:
            return
        hook = await self._held(due)
        try:
            for _ in range(_AT_ONCE):
                if hook is None or hook.stopped:
                    return
                batch = await in_thread(batch_of, store, hook)
                if batch.last == hook.cursor or not await self._deliver(client, hook, batch):
                    return
                hook = await self._held(hook)
        finally:
            await in_thread(hooks.release, due.id, self._holder)

    async def _held(self, hook: Webhook) -> Webhook | None:
        settings, now = self._services.settings, self._services.now
        until = now + 2 * settings.hook_timeout + 10.0
        hold = self._services.directory.webhooks.hold
        return await in_thread(hold, hook.id, self._holder, now, until)

    async def _deliver(self, client: httpx.AsyncClient, hook: Webhook, batch: Batch) -> bool:
        """Deliver a batch and note what became of it; tell whether to go on."""
        services = self._services
        hooks = services.directory.webhooks
        if batch.events:
            outcome = await send(client, hook, body_of(hook, batch), services.settings)
            services.metrics.deliveries.labels("ok" if outcome.ok else "failed").inc()
            await in_thread(hooks.log, delivery_of(hook, batch, outcome, services.now))
            if not outcome.ok:
                await self._failed(hook, outcome)
                return False
        await in_thread(hooks.passed, hook.id, batch.last)
        return True

    async def _failed(self, hook: Webhook, outcome: Outcome) -> None:
        services, now = self._services, self._services.now
        since = now if hook.failing_since is None else hook.failing_since
        stopped = now - since >= services.settings.hook_hours * _HOUR
        pause = pause_after(hook.failures, self._rng.random)
        fail = services.directory.webhooks.failed
        await in_thread(fail, hook, now, now + pause, stopped=stopped)
        services.log.warning(
            "delivery failed", webhook=hook.id, status=outcome.status, stopped=stopped
        )
