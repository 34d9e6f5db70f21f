"""What webhooks are sent: journals of campaigns, and the audit log as if it were one."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Protocol

from spancrew.campaign import Entry
from spancrew.server.people.audit import AuditLog
from spancrew.stores import Recorded

AUDIT = "(audit)"
"""Stands in the place of a campaign for webhooks that get the audit log; no campaign has it."""
AUDITED = "Audited"
"""The kind of an entry of the audit log, among those of events."""


class EventSource(Protocol):
    """Where events are read from, in order, by numbers without gaps."""

    def version(self, campaign: str) -> int:
        """Return the number of the last event."""
        ...

    def read(self, campaign: str, *, after: int = 0) -> Iterator[Recorded]:
        """Yield the events after a number."""
        ...


class WithAuditLog:
    """Journals, and the audit log under a name of its own."""

    def __init__(self, journals: EventSource, audit: AuditLog) -> None:
        self._journals = journals
        self._audit = audit

    def version(self, campaign: str) -> int:
        """Return the number of the last event, or of the last entry of the audit log."""
        return self._audit.last() if campaign == AUDIT else self._journals.version(campaign)

    def read(self, campaign: str, *, after: int = 0) -> Iterator[Recorded]:
        """Yield what comes after a number."""
        if campaign != AUDIT:
            yield from self._journals.read(campaign, after=after)
            return
        for row in self._audit.read(after=after):
            body = json.dumps({**asdict(row.entry), "id": row.id, "hash": row.hash})
            yield Recorded(row.id, Entry(AUDITED, row.entry.at, body))
