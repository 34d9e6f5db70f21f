"""Campaigns as an admin sees them: set-up, journal, webhooks."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from spancrew.wire._base import Key, Line, Money, Number, Wire

Phase = Literal["draft", "running", "paused", "finished"]
_Kind = Annotated[str, StringConstraints(pattern=r"^[A-Za-z]{1,40}$")]


class EntryIn(Wire):
    """A crowd platform whose workers may join, and how they prove there that they are done."""

    platform: Literal["prolific", "mturk"]
    completion_code: Key | None = None
    completion_url: Line | None = None


class EntryView(Wire):
    """How the workers of a platform join; ``url`` goes into the study there."""

    platform: str
    url: str
    completion_code: str | None
    completion_url: str | None


class CampaignSummary(Wire):
    """A campaign in the list."""

    id: str
    name: str
    created_at: float
    sentences: int


class CampaignView(CampaignSummary):
    """A campaign with its plan as JSON."""

    phase: Phase
    plan: dict[str, Any]
    entry: EntryView | None


class NewCampaign(CampaignView):
    """A campaign that was just created, with the repairs made while reading its data."""

    repairs: list[dict[str, str]]


class PilotView(Wire):
    """A pilot: of its ``sentences``, so many are ``labelled`` by an expert, too, or ``missing``.

    ``waiting`` sentences of the same data are left for the campaign that is planned with it. It
    can be used once its phase is finished.
    """

    id: str
    name: str
    phase: Phase
    sentences: int
    labelled: int
    missing: int
    waiting: int
    workers: int


class CampaignChange(Wire):
    """What is to change: one of the two. ``budget`` null lifts the limit."""

    budget: Money | None = None
    feedback: Line | None = None


class FinishIn(Wire):
    """Why a campaign is over."""

    reason: Line = "finished by an admin"


class EventView(Wire):
    """An event of the journal; ``body`` has its fields."""

    version: int
    kind: str
    at: float
    body: dict[str, Any]


class EventsView(Wire):
    """Events after a version; ``version`` is that of the last one here."""

    events: tuple[EventView, ...]
    version: int
    more: bool


class AssignmentView(Wire):
    """An assignment, its state, and the ``reason`` why it went to this worker."""

    assignment: Number
    sentence: str
    worker: str
    at: float
    until: float
    purpose: str
    reason: dict[str, Any]
    state: Literal["open", "expired", "skipped", "returned", "answered"]


class WebhookIn(Wire):
    """Where to send events, and which kinds; none means all. Without ``after``, from now on."""

    url: Line
    kinds: Annotated[list[_Kind], Field(default_factory=list, max_length=50)]
    after: Number | None = None


class WebhookView(Wire):
    """A webhook: ``cursor`` is the last version delivered; ``stopped`` after too many failures."""

    id: int
    url: str
    kinds: tuple[str, ...]
    created_at: float
    cursor: int
    failures: int
    stopped: bool


class NewWebhook(WebhookView):
    """A new webhook with the secret that signs its deliveries, which is shown only now."""

    secret: str


class DeliveryView(Wire):
    """One attempt to deliver events; ``status`` is null where nobody answered."""

    at: float
    first_version: int
    last_version: int
    events: int
    attempt: int
    status: int | None
    problem: str | None
    seconds: float
