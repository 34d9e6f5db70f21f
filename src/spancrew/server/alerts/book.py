"""The alerts that are raised, shared by all processes; each is told of once."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlsplit

from sqlalchemy import Connection, Engine, delete, insert, select
from sqlalchemy.exc import IntegrityError

from spancrew.server.alerts.rules import Alert, AlertKey
from spancrew.server.hooks.outbox import Message, put_messages, tidy_outbox
from spancrew.server.people.alert_tables import alerts, watch
from spancrew.server.people.schema import Statements
from spancrew.server.people.values import WebhookRow
from spancrew.stores import writing

ALERT = "Alert"
"""The kind of a message that an alert is raised or cleared."""
_ONLY = 1


class AlertNews(NamedTuple):
    """What has changed: alerts that were raised, and those that are over."""

    raised: list[Alert]
    cleared: list[Alert]


class AlertBook:
    """Raised alerts in the directory."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._tables = Statements(engine)

    def all(self) -> dict[AlertKey, Alert]:
        """Return the alerts that are raised, the oldest first."""
        rows = self._tables.all(select(alerts).order_by(alerts.c.since, alerts.c.kind))
        return {
            key: Alert(key, row.since, row.message, json.loads(row.facts))
            for row in rows
            for key in (AlertKey(row.kind, row.campaign),)
        }

    def hold(self, holder: str, now: float, until: float) -> bool:
        """Tell whether it is this process that watches until then; one at a time does."""
        if self._tables.first(select(watch.c.id)) is None:
            nobody = insert(watch).values(id=_ONLY, holder="", held_until=0.0)
            with suppress(IntegrityError):  # another process was quicker
                self._tables.change(nobody)
        return self._tables.hold(watch, _ONLY, holder, now, until)

    def replace(
        self, found: Mapping[AlertKey, Alert], hooks: Iterable[WebhookRow], now: float
    ) -> AlertNews:
        """Note the alerts that there are now, and leave a message of every change."""
        before = self.all()
        news = AlertNews(
            [each for key, each in found.items() if key not in before],
            [each for key, each in before.items() if key not in found],
        )
        with writing(self._engine) as connection:
            for key in (*found, *before):
                is_this = alerts.c.kind == key.kind, alerts.c.campaign == key.campaign
                connection.execute(delete(alerts).where(*is_this))
            for each in found.values():
                connection.execute(insert(alerts).values(_row(each)))
            _tell(connection, news, list(hooks), now)
            tidy_outbox(connection)
        return news


def _row(alert: Alert) -> dict[str, object]:
    return {
        **alert.key._asdict(),
        "since": alert.since,
        "message": alert.message,
        "facts": json.dumps(alert.facts),
    }


def _tell(connection: Connection, news: AlertNews, hooks: list[WebhookRow], now: float) -> None:
    for state, changed in (("raised", news.raised), ("cleared", news.cleared)):
        for alert in changed:
            body = {"state": state, "alert": alert.key.kind, **_told(alert)}
            message = Message(ALERT, now, body)
            put_messages(connection, ((hook.id, message) for hook in _receivers(alert, hooks)))


def _told(alert: Alert) -> dict[str, object]:
    about = {"campaign": alert.key.campaign} if alert.key.campaign else {}
    return {**about, "since": alert.since, "message": alert.message, "facts": alert.facts}


def _receivers(alert: Alert, hooks: list[WebhookRow]) -> Iterator[WebhookRow]:
    """Yield whom to tell: of the server as a whole, every address that asks for alerts once."""
    if alert.key.campaign:
        yield from (
            hook
            for hook in hooks
            if hook.campaign == alert.key.campaign and (not hook.kinds or ALERT in hook.kinds)
        )
        return
    told = set()
    for hook in hooks:
        address = urlsplit(hook.url).geturl()
        if ALERT in hook.kinds and address not in told:
            told.add(address)
            yield hook
