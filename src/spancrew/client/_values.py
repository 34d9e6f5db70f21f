"""What a server tells those who run a campaign."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Profile:
    """Who is asking: ``role`` is admin, expert or worker; the last two belong to a campaign."""

    role: str
    pseudonym: str
    name: str | None = None
    campaign: str | None = None


@dataclass(frozen=True, slots=True)
class CampaignCard:
    """A campaign in the list."""

    id: str
    name: str
    created_at: float
    sentences: int


@dataclass(frozen=True, slots=True)
class Figures:
    """How far a campaign is, in a few figures."""

    id: str
    phase: str
    sentences: int
    settled: int
    spent: float
    expected_quality: float | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """The way in for the workers of a crowd platform; ``url`` goes into the study there."""

    platform: str
    url: str
    completion_code: str | None = None
    completion_url: str | None = None


@dataclass(frozen=True, slots=True)
class CampaignDetails:
    """A campaign with its plan as JSON."""

    id: str
    name: str
    created_at: float
    sentences: int
    phase: str
    plan: Mapping[str, Any] = field(hash=False)
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who takes part; ``pseudonym`` is what the journal calls them."""

    pseudonym: str
    name: str | None = None
    platform: str | None = None
    platform_id: str | None = None
    created_at: float = 0.0
    seen_at: float | None = None
    erased: bool = False


@dataclass(frozen=True, slots=True)
class Invitation:
    """A person and the link that lets them in, which is shown only once."""

    person: Person
    url: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a worker's work; as ``spancrew.campaign.WorkerStanding``."""

    worker: str
    state: str
    scored: int
    mean: float | None
    low: float | None
    high: float | None
    by_crowd: float | None
    by_expert: float | None
    by_gold: float | None
    answers: int
    late: int
    skipped: int
    seconds: float | None
    earned: float
    cap: int | None
    price: float


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker with what is known of their work, which is nothing before they come."""

    person: Person
    standing: Standing | None


@dataclass(frozen=True, slots=True)
class Bin:
    """So many sentences have an agreement from ``low`` to below ``high``."""

    low: float
    high: float
    sentences: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """How much the answers agree: over all, on average, and by sentence."""

    method: str
    overall: float | None
    mean: float | None
    sentences: int
    answers: int
    histogram: tuple[Bin, ...] = ()


@dataclass(frozen=True, slots=True)
class JournalLine:
    """An event of a campaign; ``body`` has its fields."""

    version: int
    kind: str
    at: float
    body: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class AssignmentStory:
    """An assignment, what became of it, and the ``reason`` why it was this worker."""

    assignment: int
    sentence: str
    worker: str
    at: float
    until: float
    purpose: str
    state: str
    reason: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class QueuedSentence:
    """A sentence that waits for an expert; ``loss`` are the errors to be expected without one.

    ``sentence`` is its number, by which an expert can take it, ``text`` how it begins, and
    ``claimed_by`` the expert who is at it now.
    """

    sentence: int
    id: str
    loss: float
    reason: float | None
    purpose: str
    since: float
    claimed_by: str | None = None
    text: str = ""
    agreement: float | None = None
    errors: float | None = None
    answers: int = 0


@dataclass(frozen=True, slots=True)
class ApiToken:
    """A token for programs; ``token`` itself is shown only once."""

    id: int
    name: str | None
    created_at: float
    token: str | None = None


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that is told of events of some ``kinds``, of all if none are named.

    The ``secret`` that signs its messages is shown only once; ``cursor`` is the version of the
    last event delivered; one that failed for too long is ``stopped``.
    """

    id: int
    url: str
    kinds: tuple[str, ...] = ()
    cursor: int = 0
    failures: int = 0
    stopped: bool = False
    secret: str | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """One attempt to deliver events; ``status`` is None where nobody answered."""

    at: float
    first_version: int
    last_version: int
    events: int
    attempt: int
    status: int | None
    problem: str | None
    seconds: float
