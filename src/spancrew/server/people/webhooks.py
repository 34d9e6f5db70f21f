"""Where events are sent, how far each receiver is, and the result of every attempt."""

import json
from typing import Any

from sqlalchemy import Engine, delete, insert, or_, select, update

from spancrew.server.people.schema import deliveries, webhooks
from spancrew.server.people.values import Delivery, Webhook
from spancrew.stores import reading, writing

_HOOK = tuple(webhooks.c[name] for name in Webhook.__slots__)
_DELIVERY = tuple(deliveries.c[name] for name in Delivery.__slots__)
_KEPT = 200
"""Attempts that are remembered of each webhook."""


class Webhooks:
    """The webhooks of all campaigns; of all processes, one at a time holds a webhook."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

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
        with writing(self._engine) as connection:
            key = connection.execute(insert(webhooks).values(values)).inserted_primary_key
        assert key is not None  # noqa: S101  a single row was inserted
        return int(key[0])

    def of_campaign(self, campaign: str) -> list[Webhook]:
        """Return the webhooks of a campaign."""
        return self._all(webhooks.c.campaign == campaign)

    def due(self, now: float) -> list[Webhook]:
        """Return the webhooks that may be tried now and that nobody holds."""
        return self._all(
            webhooks.c.stopped.is_(False), webhooks.c.try_at <= now, webhooks.c.held_until <= now
        )

    def remove(self, id_: int, campaign: str) -> bool:
        """Remove a webhook with its attempts; tell whether it was there."""
        gone = delete(webhooks).where(webhooks.c.id == id_, webhooks.c.campaign == campaign)
        with writing(self._engine) as connection:
            if not connection.execute(gone).rowcount:
                return False
            connection.execute(delete(deliveries).where(deliveries.c.webhook == id_))
        return True

    def resume(self, id_: int, campaign: str) -> bool:
        """Try a webhook that was given up again, from where it stopped."""
        again = (
            update(webhooks)
            .where(webhooks.c.id == id_, webhooks.c.campaign == campaign)
            .values(stopped=False, failures=0, failing_since=None, try_at=0.0)
        )
        with writing(self._engine) as connection:
            return connection.execute(again).rowcount > 0

    def hold(self, id_: int, holder: str, now: float, until: float) -> Webhook | None:
        """Return the webhook if from now on we are its only deliverer; None if another is."""
        free = or_(webhooks.c.held_until <= now, webhooks.c.holder == holder)
        take = (
            update(webhooks)
            .where(webhooks.c.id == id_, free)
            .values(holder=holder, held_until=until)
        )
        with writing(self._engine) as connection:
            if not connection.execute(take).rowcount:
                return None
        return next(iter(self._all(webhooks.c.id == id_)), None)

    def release(self, id_: int, holder: str) -> None:
        """Let others deliver a webhook."""
        ours = (webhooks.c.id == id_, webhooks.c.holder == holder)
        with writing(self._engine) as connection:
            connection.execute(update(webhooks).where(*ours).values(holder=None, held_until=0.0))

    def passed(self, id_: int, cursor: int) -> None:
        """Note that everything up to a version is delivered, or not wanted."""
        done = {"cursor": cursor, "failures": 0, "failing_since": None, "try_at": 0.0}
        with writing(self._engine) as connection:
            connection.execute(update(webhooks).where(webhooks.c.id == id_).values(**done))

    def failed(self, hook: Webhook, now: float, try_at: float, *, stopped: bool) -> None:
        """Note that an attempt failed and when the next one is due."""
        values = {
            "failures": hook.failures + 1,
            "failing_since": now if hook.failing_since is None else hook.failing_since,
            "try_at": try_at,
            "stopped": stopped,
        }
        with writing(self._engine) as connection:
            connection.execute(update(webhooks).where(webhooks.c.id == hook.id).values(**values))

    def log(self, delivery: Delivery) -> None:
        """Remember an attempt, and forget those of long ago."""
        values = {name: getattr(delivery, name) for name in Delivery.__slots__}
        old = (
            select(deliveries.c.id)
            .where(deliveries.c.webhook == delivery.webhook)
            .order_by(deliveries.c.id.desc())
            .offset(_KEPT)
            .limit(1)
        )
        with writing(self._engine) as connection:
            connection.execute(insert(deliveries).values(values))
            last = connection.execute(old).scalar()
            if last is not None:
                mine = deliveries.c.webhook == delivery.webhook
                connection.execute(delete(deliveries).where(mine, deliveries.c.id <= last))

    def deliveries(self, id_: int, limit: int) -> list[Delivery]:
        """Return the last attempts, the newest first."""
        query = (
            select(*_DELIVERY)
            .where(deliveries.c.webhook == id_)
            .order_by(deliveries.c.id.desc())
            .limit(limit)
        )
        with reading(self._engine) as connection:
            return [Delivery(*row) for row in connection.execute(query)]

    def _all(self, *conditions: Any) -> list[Webhook]:
        query = select(*_HOOK).where(*conditions).order_by(webhooks.c.id)
        with reading(self._engine) as connection:
            return [_hook(row) for row in connection.execute(query)]


def _hook(row: Any) -> Webhook:
    id_, campaign, url, secret, kinds, *rest = row
    return Webhook(id_, campaign, url, secret, tuple(json.loads(kinds)), *rest)
