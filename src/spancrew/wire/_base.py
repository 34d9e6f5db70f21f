"""Values on the wire: strict, bounded, and nothing that was not asked for."""

import math
from typing import Annotated, Any

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

PREFIX = "/api/v1"
MOST_SPANS = 1000
MOST = 2**63 - 1

_NO_CONTROLS = r"^[^\x00-\x1f\x7f]*$"

Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=_NO_CONTROLS),
]
Line = Annotated[str, StringConstraints(max_length=2000, pattern=_NO_CONTROLS)]
Secret = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
Key = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,200}$")]
Number = Annotated[int, Field(ge=0, le=MOST)]
Money = Annotated[float, Field(ge=0, le=1e12)]
Seconds = Annotated[float, Field(ge=0, le=1e9)]
CampaignId = Annotated[str, Path(pattern=r"^[a-z0-9]{1,40}$", description="id of a campaign")]
WorkerName = Annotated[str, Path(pattern=r"^w[0-9]{1,18}$", description="a worker, such as w7")]
ExpertName = Annotated[str, Path(pattern=r"^e[0-9]{1,18}$", description="an expert, such as e2")]
RowId = Annotated[int, Path(ge=0, le=MOST)]


class Wire(BaseModel):
    """A value that comes in or goes out as JSON."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, allow_inf_nan=False, from_attributes=True
    )


class Problem(Wire):
    """What went wrong: a code for programs, a message and what to do about it for people."""

    code: str
    message: str
    remedy: str | None = None


class ErrorAnswer(Wire):
    """The body of every answer that refuses."""

    error: Problem


class Done(Wire):
    """It is done; there is nothing to say about it."""

    done: bool = True


class SpanWire(Wire):
    """A span in tokens, end exclusive."""

    start: Annotated[int, Field(ge=0, le=2**31 - 1)]
    end: Annotated[int, Field(ge=1, le=2**31 - 1)]
    label: Annotated[str, StringConstraints(min_length=1, max_length=200)]


Spans = Annotated[list[SpanWire], Field(max_length=MOST_SPANS)]


class SentenceWire(Wire):
    """A sentence as it is shown; ``tokens`` are borders in code points."""

    id: str
    text: str
    tokens: list[tuple[int, int]]


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the answers that a route may refuse with, for the OpenAPI document."""
    return {status: {"model": ErrorAnswer, "description": _WORDS[status]} for status in statuses}


_WORDS = {
    400: "The body is not what its type says",
    401: "Nobody is signed in",
    403: "Not for this role, or without a valid CSRF token",
    404: "Not there, or not for this caller",
    409: "Not possible now",
    413: "The body is too large",
    422: "Values that cannot be used",
    429: "Too many requests; wait as Retry-After says",
    501: "A package that this needs is not installed",
    503: "The store does not answer now; wait as Retry-After says",
}

USUAL = refusals(400, 401, 403, 404, 409, 413, 422, 429, 503)
"""What every route behind a session may refuse with."""


def finite(value: float | None) -> float | None:
    """Return a number, or None where there is none that JSON could hold."""
    return value if value is not None and math.isfinite(value) else None
