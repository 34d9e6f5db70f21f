"""Values on the wire: strict, bounded, and nothing that was not asked for."""

import math
from typing import Annotated

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


def finite(value: float | None) -> float | None:
    """Return a number, or None where there is none that JSON could hold."""
    return value if value is not None and math.isfinite(value) else None
