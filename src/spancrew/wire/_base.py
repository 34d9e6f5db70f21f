"""What all values on the wire share: strict types, bounds, and no unknown fields."""

import math
from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    StringConstraints,
)

from spancrew.core import Sentence

PREFIX = "/api/v1"
MOST_SPANS = 1000
MOST = 2**63 - 1

NO_CONTROLS = r"^[^\x00-\x1f\x7f]*$"

Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=NO_CONTROLS),
]
Line = Annotated[str, StringConstraints(max_length=2000, pattern=NO_CONTROLS)]
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


class Done(Wire):
    """Done, with nothing more to say."""

    done: bool = True


class SpanWire(Wire):
    """A span in tokens, end exclusive, as somebody sends it: nobody has checked it yet."""

    start: Annotated[int, Field(ge=0, le=2**31 - 1)]
    end: Annotated[int, Field(ge=1, le=2**31 - 1)]
    label: Annotated[str, StringConstraints(min_length=1, max_length=200)]


Spans = Annotated[list[SpanWire], Field(max_length=MOST_SPANS)]


class SentenceWire(Wire):
    """A sentence without its provenance; ``tokens`` are borders in code points."""

    id: str
    text: str
    tokens: tuple[tuple[int, int], ...]


def _read_sentence(value: Any) -> Sentence:
    if isinstance(value, Sentence):
        return value
    # JSON has lists, no tuples; and a client is older than some servers.
    known = SentenceWire.model_validate(value, strict=False, extra="ignore")
    return Sentence(known.id, known.text, known.tokens)


def _show_sentence(value: Sentence) -> SentenceWire:
    return SentenceWire(id=value.id, text=value.text, tokens=value.bounds)


ShownSentence = Annotated[
    Sentence,
    PlainValidator(_read_sentence, json_schema_input_type=SentenceWire),
    PlainSerializer(_show_sentence, return_type=SentenceWire),
]
"""A sentence in Python, a ``SentenceWire`` in JSON."""


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


Figure = Annotated[float | None, BeforeValidator(_finite)]
"""A number, null where there is none: JSON has no NaN."""


def _pseudonym(value: Any) -> Any:
    return f"w{value}" if isinstance(value, int) else value


Pseudonym = Annotated[str, BeforeValidator(_pseudonym)]
"""A worker such as w7, or the number of one."""


def problems_of(errors: Iterable[Any], root: str = "") -> str:
    """Return what pydantic found wrong, each with its place, below ``root``.

    Never the value itself: it may be an answer or a password.
    """
    said = []
    for each in list(errors)[:10]:
        place = ".".join(map(str, each["loc"]))
        said.append(": ".join(filter(None, (f"{root} {place}".strip(), each["msg"]))))
    return "; ".join(said)
