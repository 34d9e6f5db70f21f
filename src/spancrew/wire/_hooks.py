"""Webhooks on the wire."""

from typing import Annotated

from pydantic import Field, StringConstraints

from spancrew.wire._base import Line, Wire

Kind = Annotated[str, StringConstraints(pattern=r"^[A-Za-z]{1,40}$")]


class WebhookIn(Wire):
    """Where to send events, and which kinds; none means all. Without ``after``, from now on."""

    url: Line
    kinds: Annotated[list[Kind], Field(default_factory=list, max_length=50)]
    after: Annotated[int, Field(ge=0, le=2**63 - 1)] | None = None


class WebhookView(Wire):
    """A webhook: ``cursor`` is the last version delivered; ``stopped`` if it was given up."""

    id: int
    url: str
    kinds: list[str]
    created_at: float
    cursor: int
    failures: int
    stopped: bool


class NewWebhook(WebhookView):
    """A new webhook with the secret that signs its deliveries, which is shown only now."""

    secret: str


class DeliveryView(Wire):
    """One attempt to deliver events."""

    at: float
    first_version: int
    last_version: int
    events: int
    attempt: int
    status: int | None
    problem: str | None
    seconds: float
