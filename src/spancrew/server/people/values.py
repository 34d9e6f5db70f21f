"""What the directory knows, as values."""

from dataclasses import dataclass
from typing import Literal

Role = Literal["admin", "expert", "worker"]
SecretKind = Literal["session", "token", "link"]
Scope = Literal["read", "work", "expert", "admin"]
Platform = Literal["prolific", "mturk"]


FULL_SCOPES: dict[Role, Scope] = {"admin": "admin", "expert": "expert", "worker": "work"}


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody with a role; workers and experts belong to one campaign and have a number in it.

    ``number`` is None for an admin, and for a worker who has not joined the campaign yet. An owner
    is an admin of all campaigns and of the server itself; other admins have their campaigns.
    """

    id: int
    role: Role
    campaign: str | None
    number: int | None
    name: str | None
    login: str | None
    platform: str | None
    platform_id: str | None
    created_at: float
    seen_at: float | None
    erased: bool
    is_owner: bool
    email: str | None

    @property
    def full_scope(self) -> Scope:
        """Return the scope that allows all that this person may do."""
        return FULL_SCOPES[self.role]

    @property
    def pseudonym(self) -> str:
        """Return what the journal calls this person: w7 for a worker, e2 for an expert."""
        prefix = {"admin": "a", "expert": "e", "worker": "w"}[self.role]
        return f"{prefix}{self.id if self.number is None else self.number}"


@dataclass(frozen=True, slots=True)
class Credential:
    """A secret without the secret: of what kind, whose, and what it allows.

    ``scope`` None allows what its owner may do. With a ``campaign`` it is for that one only.
    """

    id: int
    kind: SecretKind
    name: str | None
    created_at: float
    expires_at: float | None
    scope: Scope | None
    campaign: str | None
    used_at: float | None
    person: PersonRow


@dataclass(frozen=True, slots=True)
class CampaignEntry:
    """A campaign in the list, with its way in for the workers of a crowd platform."""

    id: str
    name: str
    created_at: float
    sentences: int
    entry_key: str | None = None
    platform: str | None = None
    completion_code: str | None = None
    completion_url: str | None = None


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """Where the events of a campaign are sent; ``cursor`` is the last version delivered.

    No ``kinds`` means all of them. A webhook that failed for too long is ``stopped``.
    """

    id: int
    campaign: str
    url: str
    secret: str
    kinds: tuple[str, ...]
    created_at: float
    cursor: int = 0
    failures: int = 0
    failing_since: float | None = None
    try_at: float = 0.0
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """One attempt to deliver events; ``status`` is None where nobody answered."""

    webhook: int
    at: float
    first_version: int
    last_version: int
    events: int
    attempt: int
    status: int | None
    problem: str | None
    seconds: float


@dataclass(frozen=True, slots=True)
class SolvedSentence:
    """A sentence with its right spans: an example to read, or one to practise on.

    ``bounds`` are the borders of its tokens in code points, ``spans`` are start, end and label.
    """

    text: str
    bounds: tuple[tuple[int, int], ...]
    spans: tuple[tuple[int, int, str], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class CampaignGuide:
    """What workers get to know of a campaign before they work: instructions, examples, practice.

    Workers do not see the spans of ``practice`` before they have answered.
    """

    instructions: str = ""
    examples: tuple[SolvedSentence, ...] = ()
    practice: tuple[SolvedSentence, ...] = ()
