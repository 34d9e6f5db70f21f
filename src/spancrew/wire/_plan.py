"""A plan on the wire: bounded numbers and words; what they mean, the plan itself checks."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints, ValidationError

from spancrew.campaign import Plan
from spancrew.errors import PlanError
from spancrew.wire._base import MOST, Money, Wire

Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Named = Word | Annotated[dict[str, Any], Field(max_length=20)]
Count = Annotated[int, Field(ge=1, le=100_000)]
Time = Annotated[float, Field(ge=1, le=1e8)]


class PricesIn(Wire):
    """What an answer and an expert cost."""

    answer: Money = 0.1
    expert: Money = 1.0


class PlanIn(Wire):
    """A plan as JSON; what is left out is as usual."""

    labels: Annotated[list[Word], Field(min_length=1, max_length=1000)] | None = None
    policy: Named = ""
    feedback: Named = ""
    consensus: Named | None = None
    mode: Word = ""
    kind: Word = ""
    crew: Count = 1
    answers: Count = 1
    warm_up: Word = ""
    gold_share: Annotated[float, Field(ge=0, lt=1)] = 0
    prices: PricesIn = PricesIn()
    budget: Money | None = None
    cap: Annotated[int, Field(ge=1, le=1_000_000_000)] | None = None
    lease: Time = 1
    presence: Time = 1
    seed: Annotated[int, Field(ge=0, le=MOST)] = 0


def plan_of(given: Any, labels: tuple[str, ...]) -> Plan:
    """Return the plan that JSON describes; without labels of its own it gets those of the data."""
    try:
        known = PlanIn.model_validate(given).model_dump(exclude_unset=True)
    except ValidationError as error:
        raise PlanError("; ".join(_problem(each) for each in error.errors()[:10])) from None
    if known.get("labels") is None:
        known["labels"] = list(labels)
    try:
        return Plan.from_json(known)
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        if isinstance(error, PlanError):
            raise
        raise PlanError(f"this is not a plan: {error}") from None


def _problem(error: Any) -> str:
    place = ".".join(str(part) for part in error["loc"])
    return f"plan {place}: {error['msg']}" if place else f"plan: {error['msg']}"
