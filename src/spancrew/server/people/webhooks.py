"""Where events are sent, how far each receiver is, and the result of every attempt."""

import json
from typing import Any

from sqlalchemy import Engine, delete, func, insert, select, update

from spancrew.campaign import is_up
from spancrew.server.people.schema import Statements, deliveries, time_is_up, webhooks
from spancrew.server.people.values import DeliveryRow, WebhookRow

_HOOK = tuple(webhooks.c[name] for name in WebhookRow.__slots__)
_DELIVERY = tuple(deliveries.c[name] for name in DeliveryRow.__slots__)
_KEPT = 200
"""Attempts that are remembered of each webhook."""
_GOOD = {"failures": 0, "failing_since": None, "try_at": 0.0}
"""A webhook whose receiver answers."""


def longest_pause(failures: int) -> float:
    """Return the most seconds until the next attempt: twice as many each time, up to 600.

    >>> [longest_pause(failures) for failures in (0, 1, 5, 10_000)]
    [1.0, 2.0, 32.0, 600.0]
    """
    return min(2.0 ** min(failures, 10), 600.0)


class Webhooks:
    """The webhooks of all campaigns; of all processes, one at a time holds a webhook."""

    def __init__(self, engine: Engine) -> None:
        self._tables = Statements(engine)

    def add(
        self,
        campaign: str,
        url: str,
        secret: str,
        kinds: tuple[str, ...],
        now: float,
        *,
        cursor: int = 0,
    ) -> int:
        """Add a webhook for what comes after ``cursor`` and return its id."""
        values = {
            "campaign": campaign,
            "url": url,
            "secret": secret,
            "kinds": json.dumps(kinds),
            "created_at": now,
            "cursor": cursor,
        }
        return self._tables.add(webhooks, values)

    def all(self) -> list[WebhookRow]:
        """Return the webhooks of all campaigns."""
        return self._all()

    def of_campaign(self, campaign: str) -> list[WebhookRow]:
        """Return the webhooks of a campaign."""
        return self._all(webhooks.c.campaign == campaign)

    def due(self, now: float, longest_hold: float) -> list[WebhookRow]:
        """Return the webhooks that may be tried now and that nobody holds."""
        is_free = time_is_up(webhooks.c.held_until, now, longest_hold)
        found = self._all(webhooks.c.stopped.is_(False), is_free)
        # A pause that lasts longer than it can was noted before the clock was set back.
        return [hook for hook in found if is_up(hook.try_at, now, longest_pause(hook.failures))]

    def remove(self, id_: int, campaign: str) -> bool:
        """Remove a webhook with its attempts; tell whether it was there."""
        this = webhooks.c.id == id_, webhooks.c.campaign == campaign
        ours = deliveries.c.webhook.in_(select(webhooks.c.id).where(*this))
        gone = delete(deliveries).where(ours), delete(webhooks).where(*this)
        return self._tables.change(*gone) > 0

    def resume(self, id_: int, campaign: str) -> bool:
        """Try a webhook that was given up again, from where it stopped."""
        this = webhooks.c.id == id_, webhooks.c.campaign == campaign
        again = {"stopped": False, **_GOOD}
        return self._tables.change(update(webhooks).where(*this).values(again)) > 0

    def hold(self, id_: int, holder: str, now: float, until: float) -> WebhookRow | None:
        """Return the webhook if from now on we are its only deliverer; None if another is."""
        if not self._tables.hold(webhooks, id_, holder, now, until):
            return None
        return next(iter(self._all(webhooks.c.id == id_)), None)

    def release(self, id_: int, holder: str) -> None:
        """Let others deliver a webhook."""
        ours = webhooks.c.id == id_, webhooks.c.holder == holder
        self._tables.change(update(webhooks).where(*ours).values(holder=None, held_until=0.0))

    def passed(self, id_: int, cursor: int) -> None:
        """Note that everything up to a version is delivered, or not wanted."""
        self._set(id_, {"cursor": cursor, **_GOOD})

    def failed(self, hook: WebhookRow, now: float, try_at: float, *, stopped: bool) -> None:
        """Note that an attempt failed and when the next one is due."""
        since = now if hook.failing_since is None else hook.failing_since
        values = {"failures": hook.failures + 1, "failing_since": since}
        self._set(hook.id, {**values, "try_at": try_at, "stopped": stopped})

    def log(self, delivery: DeliveryRow) -> None:
        """Remember an attempt, and forget those of long ago."""
        mine = deliveries.c.webhook == delivery.webhook
        newest = select(deliveries.c.id).where(mine).order_by(deliveries.c.id.desc()).limit(_KEPT)
        oldest = select(func.min(newest.subquery().c.id)).scalar_subquery()
        self._tables.change(
            insert(deliveries).values({n: getattr(delivery, n) for n in DeliveryRow.__slots__}),
            delete(deliveries).where(mine, deliveries.c.id < oldest),
        )

    def deliveries(self, id_: int, limit: int) -> list[DeliveryRow]:
        """Return the last attempts, the newest first."""
        query = select(*_DELIVERY).where(deliveries.c.webhook == id_)
        newest = query.order_by(deliveries.c.id.desc()).limit(limit)
        return [DeliveryRow(*row) for row in self._tables.all(newest)]

    def _set(self, id_: int, values: dict[str, Any]) -> None:
        self._tables.change(update(webhooks).where(webhooks.c.id == id_).values(values))

    def _all(self, *conditions: Any) -> list[WebhookRow]:
        query = select(*_HOOK).where(*conditions).order_by(webhooks.c.id)
        return [_hook(row) for row in self._tables.all(query)]


def _hook(row: Any) -> WebhookRow:
    id_, campaign, url, secret, kinds, *rest = row
    return WebhookRow(id_, campaign, url, secret, tuple(json.loads(kinds)), *rest)
