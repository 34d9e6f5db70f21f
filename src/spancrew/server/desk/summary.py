"""Summaries: how a campaign stands, kept with its journal, so that lists need not load it."""

import json
from dataclasses import fields
from typing import Any, NamedTuple

from spancrew.campaign import Anchoring, Campaign, Ledger, Status
from spancrew.stores import JournalSummary


class LiveStatus(NamedTuple):
    """How far a campaign is, what it costs, and how many assignments are out.

    ``asked_at`` is the time of the oldest question to experts.
    """

    status: Status
    ledger: Ledger
    leases: int
    asked_at: float | None = None


def status_of(campaign: Campaign) -> LiveStatus:
    """Return how a campaign stands."""
    state = campaign.state
    # The first is the oldest: one that is put back keeps its place.
    asked = next((each.since for each in state.questions.values()), None)
    return LiveStatus(campaign.status(), campaign.ledger(), len(state.leases), asked)


def summarised(campaign: Campaign) -> tuple[float | None, str]:
    """Return when time changes a campaign next, and how it stands as JSON.

    Only the end of a lease does, and only while the campaign runs.
    """
    runs = campaign.phase == "running"
    ends = (lease.until for lease in campaign.state.leases.values())
    due = min(ends, default=None) if runs else None
    status, ledger, leases, asked = status_of(campaign)
    body = {"status": _flat(status), "ledger": _flat(ledger), "leases": leases, "asked": asked}
    return due, json.dumps(body)


def _flat(record: Status | Ledger | Anchoring) -> dict[str, Any]:
    """Return a record of plain values as a dictionary; ``asdict`` would copy each of them."""
    found = {field.name: getattr(record, field.name) for field in fields(record)}
    if isinstance(record, Status) and record.anchoring is not None:
        found["anchoring"] = _flat(record.anchoring)
    return found


def status_in(summary: JournalSummary) -> LiveStatus | None:
    """Return how a campaign stood; None if another version wrote it in another way."""
    found: dict[str, Any] = json.loads(summary.body)
    try:
        drawn = found["status"].pop("anchoring", None)
        anchoring = None if drawn is None else Anchoring(**drawn)
        status = Status(**found["status"], anchoring=anchoring)
        ledger = Ledger(**found["ledger"])
        return LiveStatus(status, ledger, found["leases"], found.get("asked"))
    except (KeyError, TypeError):
        return None
