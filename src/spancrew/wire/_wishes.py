"""What is wanted of a campaign for which a plan is sought."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError

from spancrew.errors import PlanError
from spancrew.wire._base import Line, Money, Wire, problems_of

_Hours = Annotated[float, Field(gt=0, le=24)]
_Seconds = Annotated[float, Field(gt=0, le=86400)]


class WishesIn(Wire):
    """What is wanted, and who works on it; the fields of ``spancrew.planner.Wishes``."""

    sentences: Annotated[int, Field(ge=1, le=1_000_000_000)] | None = None
    quality: Annotated[float, Field(gt=0, le=100)] | None = None
    budget: Money | None = None
    deadline: Annotated[Line, StringConstraints(max_length=20)] | None = None
    workers: Annotated[int, Field(ge=1, le=1_000)] | None = None
    experts: Annotated[int, Field(ge=0, le=1_000)] = 1
    worker_hours: _Hours = 2.0
    expert_hours: _Hours = 4.0
    answer_seconds: _Seconds | None = None
    expert_seconds: _Seconds | None = None
    answer_price: Money = 0.1
    expert_price: Money = 1.0
    warm_up: Literal["shared", "own", "none"] = "shared"
    audit: Annotated[float, Field(ge=0, le=1_000_000)] | None = None
    currency: Annotated[Line, StringConstraints(max_length=20)] = ""
    model_price: Money = 0.0


def wishes_of(given: Any) -> dict[str, Any]:
    """Return the wishes that JSON describes, as far as it says any."""
    try:
        return WishesIn.model_validate(given).model_dump(exclude_unset=True)
    except ValidationError as error:
        raise PlanError(problems_of(error.errors(), "wishes")) from None
