"""When there is an alert: rules on the figures of campaigns and of the machine.

An alert is raised at one limit and cleared at another, so that it does not come and go.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from spancrew.campaign import Ledger, Status
from spancrew.server.alerts.limits import AlertKind, AlertLimits

Facts = dict[str, float]

_HOUR = 3600.0


class AlertKey(NamedTuple):
    """What an alert is about; ``campaign`` is empty for the server as a whole."""

    kind: AlertKind
    campaign: str = ""


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that needs a look, since when, and what to do; ``facts`` are its numbers."""

    key: AlertKey
    since: float
    message: str
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WatchedCampaign:
    """What the rules know of a campaign.

    ``settled_at`` is when a sentence was last settled, or the campaign was started; ``asked_at``
    is the time of the oldest question to experts.
    """

    id: str
    status: Status
    ledger: Ledger
    leases: int
    present: int
    settled_at: float
    asked_at: float | None


@dataclass(frozen=True, slots=True)
class MachineFigures:
    """What the rules know of the machine and the store; None where nothing can be said.

    ``saved_at`` is the time of the last backup or, if there was none, of the oldest campaign.
    """

    disk_free: int | None = None
    disk_size: int | None = None
    saved_at: float | None = None


class _Finding(NamedTuple):
    key: AlertKey
    is_bad: bool
    is_good: bool
    message: str
    facts: Facts


def alerts(
    machine: MachineFigures,
    campaigns: Iterable[WatchedCampaign],
    limits: AlertLimits,
    now: float,
    before: Mapping[AlertKey, Alert],
) -> dict[AlertKey, Alert]:
    """Return all alerts, those ``before`` among them that are not over.

    Some are too young to be told of: see :func:`is_ripe`.
    """
    found = [*_of_machine(machine, limits, now)]
    for each in campaigns:
        found += _of_campaign(each, limits, now)
    return {
        each.key: Alert(
            each.key,
            before[each.key].since if each.key in before else now,
            each.message,
            each.facts,
        )
        for each in found
        if (each.is_bad or (each.key in before and not each.is_good))
        and each.key.kind not in limits.off
    }


def is_ripe(alert: Alert, limits: AlertLimits, now: float) -> bool:
    """Tell whether an alert has lasted: for a moment, workers often have nothing to do."""
    return alert.key.kind != "idle" or now - alert.since >= limits.idle_seconds


def _of_campaign(figures: WatchedCampaign, limits: AlertLimits, now: float) -> Iterator[_Finding]:
    status = figures.status
    if status.phase in {"running", "paused"}:
        yield _experts(figures, limits, now)
    if status.phase == "running" and status.settled < status.sentences:
        yield from _budget(figures, limits)
        if figures.present:
            yield _stalled(figures, limits, now)
            yield _idle(figures, limits)


def _budget(figures: WatchedCampaign, limits: AlertLimits) -> Iterator[_Finding]:
    ledger = figures.ledger
    if not ledger.budget:
        return
    share = (ledger.spent + ledger.committed) / ledger.budget
    is_over = figures.status.reason == "the budget is spent"
    left = figures.status.sentences - figures.status.settled
    yield _Finding(
        AlertKey("budget", figures.id),
        is_bad=share >= limits.budget[0] or is_over,
        is_good=share < limits.budget[1],
        message=f"{share:.0%} of the budget of {ledger.budget:,.2f} is spent or committed, and "
        f"{left:,} sentences are not settled; raise the budget, or the campaign stops",
        facts={"share": share, "budget": ledger.budget, "left": left},
    )


def _stalled(figures: WatchedCampaign, limits: AlertLimits, now: float) -> _Finding:
    seconds = now - figures.settled_at
    left = figures.status.sentences - figures.status.settled
    is_bad = seconds >= limits.stalled_seconds
    return _Finding(
        AlertKey("stalled", figures.id),
        is_bad,
        not is_bad,
        f"no sentence was settled for {_span(seconds)}, though {left:,} are not settled and "
        f"{figures.present:,} workers are there; look at the experts' queue and the budget",
        {"seconds": seconds, "left": left, "present": figures.present},
    )


def _idle(figures: WatchedCampaign, limits: AlertLimits) -> _Finding:
    waiting = figures.status.waiting
    idle = max(figures.present - figures.leases, 0)
    share = idle / figures.present if waiting else 0.0
    return _Finding(
        AlertKey("idle", figures.id),
        share >= limits.idle[0],
        share < limits.idle[1],
        f"{idle:,} of {figures.present:,} workers who are there have nothing to do, though "
        f"{waiting:,} sentences wait; look at the budget, the crew and their caps",
        {"idle": idle, "present": figures.present, "waiting": waiting},
    )


def _experts(figures: WatchedCampaign, limits: AlertLimits, now: float) -> _Finding:
    seconds = 0.0 if figures.asked_at is None else now - figures.asked_at
    is_bad = seconds >= limits.experts_seconds
    queue = figures.status.at_expert
    return _Finding(
        AlertKey("experts", figures.id),
        is_bad,
        not is_bad,
        f"the oldest of {queue:,} questions to experts waits for {_span(seconds)}; ask an expert "
        "to decide, or invite one more",
        {"seconds": seconds, "queue": queue},
    )


def _of_machine(machine: MachineFigures, limits: AlertLimits, now: float) -> Iterator[_Finding]:
    if machine.disk_free is not None and machine.disk_size:
        share = machine.disk_free / machine.disk_size
        yield _Finding(
            AlertKey("disk"),
            share < limits.disk[0],
            share >= limits.disk[1],
            f"{share:.0%} of the disk of the store is free ({machine.disk_free / 1e9:,.1f} GB); "
            "make room, or nothing can be saved soon",
            {"share": share, "free": machine.disk_free},
        )
    if machine.saved_at is not None:
        seconds = now - machine.saved_at
        is_bad = seconds >= limits.backup_seconds
        yield _Finding(
            AlertKey("backup"),
            is_bad,
            not is_bad,
            f"there was no backup for {_span(seconds)}; make one with 'spancrew store backup'",
            {"seconds": seconds},
        )


def _span(seconds: float) -> str:
    """Return a time as people say it.

    >>> _span(2400), _span(3 * 3600), _span(3 * 24 * 3600)
    ('40 minutes', '3 hours', '3 days')
    """
    if seconds < 2 * _HOUR:
        return f"{seconds / 60:.0f} minutes"
    return (
        f"{seconds / _HOUR:.0f} hours" if seconds < 48 * _HOUR else f"{seconds / 86400:.0f} days"
    )
