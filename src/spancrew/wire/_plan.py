"""Before there is a campaign: its plan, a look at its data, a forecast.

A plan here has bounded numbers and words; the plan itself checks what they mean.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError

from spancrew.campaign import Plan
from spancrew.core import Kind, Span
from spancrew.errors import PlanError
from spancrew.wire._base import Line, Money, Number, ShownSentence, Wire, problems_of
from spancrew.wire._reading import ReadingView

_Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]
_Named = _Word | Annotated[dict[str, Any], Field(max_length=20)]
_Count = Annotated[int, Field(ge=1, le=100_000)]
_Crew = _Count | Literal["auto"]
_Time = Annotated[float, Field(ge=1, le=1e8)]


class PricesIn(Wire):
    """What an answer and an expert cost."""

    answer: Money = 0.1
    expert: Money = 1.0


class ExpectedFigure(Wire):
    """A figure, and between what it is with a chance of 80 %."""

    mean: Money
    low: Money
    high: Money


class ForecastIn(Wire):
    """What a plan is expected to cost and to give, for so many sentences."""

    sentences: Annotated[int, Field(ge=1, le=1_000_000_000)]
    cost: ExpectedFigure
    expert_share: ExpectedFigure
    days: ExpectedFigure
    f1: ExpectedFigure
    currency: Annotated[Line, StringConstraints(max_length=20)] = ""


class LabelNoteIn(Wire):
    """What is said of a label: its meaning, the name of its colour, its key."""

    meaning: Annotated[Line, StringConstraints(max_length=500)] = ""
    colour: Annotated[str, StringConstraints(max_length=20)] = ""
    key: Annotated[str, StringConstraints(max_length=4)] = ""


class PlanIn(Wire):
    """A plan as JSON; what is left out is as usual."""

    labels: Annotated[list[_Word], Field(min_length=1, max_length=1000)] | None = None
    policy: _Named = ""
    feedback: _Named = ""
    consensus: _Named | None = None
    mode: _Word = ""
    kind: _Word = ""
    crew: _Crew | None = None
    answers: _Count = 1
    warm_up: _Word = ""
    gold_share: Annotated[float, Field(ge=0, lt=1)] = 0
    audit: Annotated[float, Field(ge=0, le=1_000_000)] | None = None
    prices: PricesIn = PricesIn()
    budget: Money | None = None
    cap: Annotated[int, Field(ge=1, le=1_000_000_000)] | None = None
    lease: _Time = 1
    presence: _Time = 1
    seed: Number = 0
    members: Annotated[int, Field(ge=0, le=100)] | None = None
    suggestions: Annotated[float, Field(ge=0, le=0.9)] = 0.0
    stays_open: bool | None = None
    ahead: Annotated[int, Field(ge=0, le=31)] = 1
    instruction: Annotated[Line, StringConstraints(max_length=200)] = ""
    legend: Annotated[dict[_Word, LabelNoteIn], Field(max_length=1000)] = Field(
        default_factory=dict
    )
    forecast: ForecastIn | None = None


def plan_of(given: Any, labels: tuple[str, ...], kind: Kind = "spans") -> Plan:
    """Return the plan that JSON describes; without labels and kind it gets those of the data.

    A plan for spans on data with choices is refused.
    """
    try:
        known = PlanIn.model_validate(given).model_dump(exclude_unset=True)
    except ValidationError as error:
        raise PlanError(problems_of(error.errors(), "plan")) from None
    if known.get("labels") is None:
        known["labels"] = list(labels)
    if kind == "choices" and known.setdefault("kind", kind) != kind:
        raise PlanError(
            f"kind {known['kind']!r}: the data has choices, so the plan must be for choices, too; "
            "leave kind out"
        )
    try:
        return Plan.from_json(known)
    except (ValueError, TypeError, AttributeError, OverflowError) as error:
        if isinstance(error, PlanError):
            raise
        raise PlanError(f"this is not a plan: {error}") from None


class InspectedLabel(Wire):
    """A label, and how many spans have it."""

    name: str
    spans: int


class ExampleAnswer(Wire):
    """What a worker marked."""

    worker: str
    spans: tuple[Span, ...]


class ExampleSentence(Wire):
    """A sentence with its known spans, null where they are not known, and its first answers."""

    sentence: ShownSentence
    spans: tuple[Span, ...] | None
    answers: tuple[ExampleAnswer, ...]


class InspectionView(Wire):
    """What is in a data set; ``gold`` counts the sentences whose labels are known.

    ``models`` are those among the workers that are no people.
    ``repaired`` counts what had to be changed while reading; ``repairs`` are the first of these.
    ``reading`` says what the file was taken for.
    """

    format: str
    sentences: int
    tokens: int
    labels: tuple[InspectedLabel, ...]
    gold: int
    workers: int
    models: int
    answers: int
    examples: tuple[ExampleSentence, ...]
    repairs: list[dict[str, str]]
    repaired: int
    reading: ReadingView


class SpreadView(Wire):
    """Mean and standard deviation over runs."""

    mean: float
    sd: float


class ForecastView(Wire):
    """What a plan is expected to give, with its spread over runs.

    ``saved`` is a share of ``expert_only``, the cost of experts alone. Of ``of`` sentences,
    ``sentences`` were rehearsed. ``expert_share`` are those that the rule sends to experts;
    ``audited_share`` and the sentences of the ``warm_up`` come on top. ``fidelity`` says how much
    the crowd behaves like the real workers, with the verdict of ``spancrew fidelity``; null where
    that is not known. Each of the ``assumptions`` has a code, a text and its numbers.
    """

    policy: str
    feedback: str
    consensus: str
    crew: int | Literal["auto"]
    answers: int
    runs: int
    sentences: int
    of: int
    workers: int
    f1: SpreadView
    expert_share: SpreadView
    audited_share: SpreadView
    warm_up: SpreadView
    answers_per_sentence: SpreadView
    cost: SpreadView
    crowd_cost: SpreadView
    expert_cost: SpreadView
    expert_only: float
    saved: SpreadView
    settled: float
    crowd: Literal["calibrated", "assumed"]
    skill: float | None
    fidelity: dict[str, Any] | None
    assumptions: list[dict[str, Any]]
    seconds: float
