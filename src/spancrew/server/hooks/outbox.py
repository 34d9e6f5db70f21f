"""Messages for webhooks that are no events of a journal: each waits until it has arrived."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, delete, func, insert, select

from spancrew.server.people.alert_tables import outbox
from spancrew.server.people.schema import Statements, webhooks

MOST_KEPT = 100
"""Messages that wait for one webhook; of more, the oldest are dropped."""


class Message(NamedTuple):
    """Something that happened outside of any journal."""

    kind: str
    at: float
    body: dict[str, Any]


class Outbox:
    """Messages by webhook, the oldest first."""

    def __init__(self, engine: Engine) -> None:
        self._tables = Statements(engine)

    def waiting(self) -> frozenset[int]:
        """Return the webhooks for which there is something."""
        return frozenset(row[0] for row in self._tables.all(select(outbox.c.webhook).distinct()))

    def of(self, webhook: int) -> dict[int, Message]:
        """Return the messages for a webhook by their numbers."""
        query = select(outbox.c.id, outbox.c.kind, outbox.c.at, outbox.c.body)
        mine = query.where(outbox.c.webhook == webhook).order_by(outbox.c.id).limit(MOST_KEPT)
        rows = self._tables.all(mine)
        return {id_: Message(kind, at, json.loads(body)) for id_, kind, at, body in rows}

    def drop(self, numbers: Sequence[int]) -> None:
        """Forget messages that have arrived."""
        self._tables.change(delete(outbox).where(outbox.c.id.in_(numbers)))


def put_messages(connection: Connection, messages: Iterable[tuple[int, Message]]) -> None:
    """Leave messages for webhooks, in a transaction that is open."""
    rows = [
        {"webhook": webhook, "kind": each.kind, "at": each.at, "body": json.dumps(each.body)}
        for webhook, each in messages
    ]
    if rows:
        connection.execute(insert(outbox), rows)


def tidy_outbox(connection: Connection) -> None:
    """Drop what is for webhooks that are gone, and what is too much for one that is away."""
    gone = outbox.c.webhook.not_in(select(webhooks.c.id))
    connection.execute(delete(outbox).where(gone))
    later = outbox.alias()
    newer = select(func.count()).where(
        later.c.webhook == outbox.c.webhook, later.c.id > outbox.c.id
    )
    connection.execute(delete(outbox).where(newer.scalar_subquery() >= MOST_KEPT))
