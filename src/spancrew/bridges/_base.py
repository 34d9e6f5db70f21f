"""What a crowd platform must be able to do, so that people can be found and paid there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

PlatformName = Literal["prolific", "mturk"]
State = Literal["working", "waiting", "approved", "closed"]
Ticket = dict[str, Any]
"""What a platform needs to make prepared payments, and to find them again; kept as JSON."""


@dataclass(frozen=True, slots=True)
class PlatformSubmission:
    """What one person handed in: a submission on Prolific, an assignment on MTurk.

    It is ``waiting`` for approval, or ``closed``: returned, rejected or run out of time. Approval
    pays ``base``; ``bonuses`` are those that the platform shows. Amounts are in cents.
    """

    id: str
    study: str
    person: str
    state: State
    code: str | None
    base: int
    bonuses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Payment:
    """A bonus of so many ``cents`` for one person, after the ``before`` that they got earlier.

    Its ``key`` says whose money from which cent to which cent it is: two payments with the same
    key are the same payment.
    """

    key: str
    worker: str
    person: str
    study: str
    submission: str
    before: int
    cents: int


class CrowdPlatform(Protocol):
    """A platform, for some studies of one account.

    ``at_once`` payments go into one request. Where payments are ``repeatable``, one that is sent
    twice with the same key is made once. Whatever is refused raises ``PlatformError``.
    """

    name: PlatformName
    api: str
    at_once: int
    repeatable: bool

    def submissions(self) -> list[PlatformSubmission]:
        """Return all submissions of the studies."""
        ...

    def approve(self, submissions: Sequence[PlatformSubmission]) -> None:
        """Approve submissions, which pays their base."""
        ...

    def prepare(self, payments: Sequence[Payment], earlier: Mapping[str, int]) -> Ticket:
        """Get payments of one study ready, without paying anything.

        ``earlier`` says by key how many payments of the same amount were made on the same
        submission before.
        """
        ...

    def pay(self, ticket: Ticket, payments: Sequence[Payment]) -> None:
        """Make payments; raise ``UncertainPaymentError`` where nobody knows whether they were."""
        ...

    def shown(self, ticket: Ticket, payments: Sequence[Payment]) -> set[str]:
        """Return the keys of those payments that the platform shows as made."""
        ...
