"""Campaigns on the wire, as an admin sees them."""

from typing import Any, Literal

from spancrew.wire._base import Key, Line, Money, Number, Wire


class EntryIn(Wire):
    """A crowd platform whose workers are let in, and how they prove that they are done."""

    platform: Literal["prolific", "mturk"]
    completion_code: Key | None = None
    completion_url: Line | None = None


class EntryView(Wire):
    """The way in for the workers of a platform; ``url`` goes into the study there."""

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
    """A campaign with its plan."""

    phase: Literal["draft", "running", "paused", "finished"]
    plan: dict[str, Any]
    entry: EntryView | None


class NewCampaign(CampaignView):
    """A campaign that was just created, with what had to be changed to read its data."""

    repairs: list[dict[str, str]]


class CampaignChange(Wire):
    """What is to change: one of the two. ``budget`` null lifts the limit."""

    budget: Money | None = None
    feedback: Line | None = None


class FinishIn(Wire):
    """Why a campaign is over."""

    reason: Line = "finished by an admin"


class StatusView(Wire):
    """How far a campaign is."""

    phase: Literal["draft", "running", "paused", "finished"]
    reason: str
    sentences: int
    settled: int
    by_crowd: int
    by_expert: int
    by_gold: int
    open: int
    at_expert: int
    waiting: int
    step: int
    workers: int
    ready: int
    answers: int
    expected_errors: float
    expected_quality: float | None
    expected_low: float | None
    expected_high: float | None
    version: int


class LedgerView(Wire):
    """Money: spent, committed, forecast, saved."""

    answers: int
    experts: int
    spent: float
    committed: float
    forecast: float
    saved: float
    budget: float | None
    left: float | None


class StandingView(Wire):
    """What is known of a worker's work."""

    worker: str
    state: Literal["new", "ready", "paused", "banned"]
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


class Bin(Wire):
    """So many sentences have a figure from ``low`` to below ``high``."""

    low: float
    high: float
    sentences: int


class AgreementView(Wire):
    """How much the answers agree: over all, on average, and by sentence."""

    method: Literal["fleiss"] = "fleiss"
    overall: float | None
    mean: float | None
    sentences: int
    answers: int
    histogram: list[Bin]
    version: int


class EventView(Wire):
    """An event of the journal."""

    version: int
    kind: str
    at: float
    body: dict[str, Any]


class EventsView(Wire):
    """Events after a version; ``version`` is that of the last one here."""

    events: list[EventView]
    version: int
    more: bool


class AssignmentView(Wire):
    """An assignment with the reason why it was this worker."""

    assignment: Number
    sentence: str
    worker: str
    at: float
    until: float
    purpose: str
    reason: dict[str, Any]
    state: Literal["open", "expired", "skipped", "returned", "answered"]
