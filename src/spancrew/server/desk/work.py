"""What the desk is made of: works, and how campaigns are made."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from spancrew.campaign import Campaign, Event, Material, Plan
from spancrew.errors import StoreError

AT_ONCE = 1_000
"""Rows of evidence on which a fit takes a tenth of a second, so that it is made at once."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How a desk works.

    At most ``batch`` works share a turn, ``waiting`` works wait in all; beyond, new ones are
    refused. ``threads`` campaigns are worked on at once. A snapshot is made after ``snapshot``
    events or a tenth of all, whichever is more; leases are looked at every ``tick`` seconds.
    """

    batch: int = 200
    waiting: int = 4_000
    threads: int = 4
    snapshot: int = 5_000
    tick: float = 5.0


class CampaignFactory(Protocol):
    """CampaignFactory campaigns: new ones, and those that have happened."""

    def open(self, plan: Plan, material: Material, now: float) -> Campaign:
        """Set up a campaign."""
        ...

    def replay(self, material: Material, events: Iterable[Event]) -> Campaign:
        """Return the campaign of which these are all events."""
        ...

    def restore(self, material: Material, snapshot: bytes) -> Campaign:
        """Return the campaign of which this is a snapshot."""
        ...


@dataclass(frozen=True, slots=True)
class LiveCampaigns:
    """Campaigns whose fits the desk makes in the background: those on more than so many rows."""

    at_once: int = AT_ONCE

    def open(self, plan: Plan, material: Material, now: float) -> Campaign:
        """Set up a campaign."""
        return Campaign.open(plan, material, now, fits=self.at_once)

    def replay(self, material: Material, events: Iterable[Event]) -> Campaign:
        """Return the campaign of which these are all events."""
        return Campaign.replay(material, events, fits=self.at_once)

    def restore(self, material: Material, snapshot: bytes) -> Campaign:
        """Return the campaign of which this is a snapshot."""
        return Campaign.restore(material, snapshot, fits=self.at_once)


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """Something to do with a campaign, and who waits for it."""

    run: Callable[[Campaign], Any]
    writes: bool
    future: "Future[Any]"

    def begins(self) -> bool:
        """Tell whether somebody still waits for it; from then on it cannot be called off."""
        return self.future.set_running_or_notify_cancel()

    def fail(self, error: BaseException) -> None:
        """Tell every waiting caller that it was not done; each gets its own error."""
        own = StoreError(str(error)) if type(error) is StoreError else error
        self.future.set_exception(own)


class BrokenWorkError(Exception):
    """A work failed in a way that nobody foresaw: it may have left the campaign half changed."""

    def __init__(self, work: Work, error: Exception) -> None:
        super().__init__(str(error))
        self.work = work
        self.error = error


class StaleError(Exception):
    """The journal is shorter than what is in memory: it was deleted, or an older one put back."""
