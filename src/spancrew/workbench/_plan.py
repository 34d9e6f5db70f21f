"""The plan for a campaign that is to come."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from spancrew.campaign import WarmUp
from spancrew.errors import PlanError
from spancrew.formats import pandas_frame
from spancrew.planner import (
    EXPERT_HOURS,
    WORKER_HOURS,
    Computing,
    Forecast,
    Pilot,
    PlannedCampaign,
    Wishes,
    assumed_source,
    plan_for,
)
from spancrew.report import (
    fragment,
    note,
    plan_figure,
    plan_head,
    plan_page,
    plan_rows,
    table,
    tag,
    text,
)
from spancrew.simulate import Phases, Silence
from spancrew.workbench._figure import Figure
from spancrew.workbench._given import Given, known_data_of, names_of

_FIGURES = ("f1", "cost", "expert_share", "expert_hours", "days")


@dataclass(frozen=True, slots=True)
class CampaignPlan:
    """A plan that shows itself; ``found`` has every figure."""

    name: str
    found: PlannedCampaign

    def __repr__(self) -> str:
        """Return what is recommended, in a line."""
        best = self.found.recommended
        return (
            f"CampaignPlan({self.found.sentence} F1 {best.f1.mean:.3f}, "
            f"cost {best.cost.mean:,.0f}, {best.days.mean:.1f} days)"
        )

    def _repr_html_(self) -> str:
        """Return the recommendation, the table and a drawing, for a notebook."""
        return fragment(
            tag("p", text(f"Recommended: {self.found.sentence}"), class_="lead"),
            table(plan_head(self.currency), plan_rows(self.found)),
            *map(note, self.found.notes),
            plan_figure(self.found, self.currency),
        )

    @property
    def currency(self) -> str:
        """Return what prices are in."""
        return self.found.terms.aim.currency

    @property
    def plan(self) -> dict[str, Any] | None:
        """Return the recommended plan, for ``Client.create`` or ``campaign create --plan``."""
        return self.found.plan_of(self.found.recommended)

    def as_json(self) -> dict[str, Any]:
        """Return everything, as ``spancrew plan --json`` prints it."""
        return self.found.as_json() | ({"currency": self.currency} if self.currency else {})

    def frame(self) -> Any:
        """Return a pandas DataFrame with a row for each plan, the recommended one first."""
        records = [
            {"plan": each.name, "feedback": _rule(each.forecast)} | _columns(each.forecast)
            for each in self.found.rows
        ]
        return pandas_frame(records, list(records[0]))

    def plot(self) -> Figure:
        """Draw quality against cost."""
        return Figure.of(f"{self.name}: plan", plan_figure(self.found, self.currency))

    def page(self) -> str:
        """Return the whole report as an HTML page."""
        return plan_page(self.name, self.found, self.currency)


def _rule(forecast: Forecast) -> str | None:
    return None if forecast.candidate is None else forecast.candidate.feedback


def _columns(forecast: Forecast) -> dict[str, float]:
    found: dict[str, float] = {}
    for name in _FIGURES:
        mean, low, high = getattr(forecast, name)
        found |= {name: mean, f"{name}_low": low, f"{name}_high": high}
    return found


def pilot_source(given: Given | None, assume: str | None, wishes: Wishes, seed: int) -> Pilot:
    """Return the pilot that is given, or one as is assumed; refuse both at once, and neither."""
    if given is not None and assume is None:
        name, dataset, _ = known_data_of(given)
        return Pilot(name, dataset)
    if given is not None or assume is None:
        raise PlanError(
            "give a pilot, or an assumption in its place (names-in-news, opinions, "
            "worker_f1=0.7), and not both"
        )
    return assumed_source(assume, wishes, seed)


def plan_from(
    given: Pilot, wishes: Wishes, progress: Phases, computing: Computing
) -> CampaignPlan:
    """Make a plan from a pilot."""
    return CampaignPlan(given.name, plan_for(given, wishes, progress, computing))


def plan(  # noqa: PLR0913  what is wanted, and how it is computed
    data: Given | None = None,
    sentences: int | None = None,
    quality: float | None = None,
    *,
    assume: str | None = None,
    budget: float | None = None,
    deadline: str | None = None,
    workers: int | None = None,
    experts: int = 1,
    worker_hours: float = WORKER_HOURS,
    expert_hours: float = EXPERT_HOURS,
    answer_seconds: float | None = None,
    expert_seconds: float | None = None,
    answer_price: float = 0.1,
    expert_price: float = 1.0,
    currency: str = "",
    warm_up: WarmUp = "shared",
    audit: float | None = None,
    members: str | Sequence[str] | None = None,
    model_price: float = 0.0,
    seed: int = 0,
    processes: int | None = 1,
) -> CampaignPlan:
    """Say how to run a campaign, what it costs, how good it gets and how long it takes.

    ``data`` is a pilot: some sentences with gold and several answers each. ``deadline`` is a text
    such as ``"14d"``. Without a ``quality``, 0.95 is aimed at, or the best that the ``budget``
    pays for. Without a pilot, ``assume`` says what the crowd is like: ``"names-in-news"``,
    ``"opinions"`` or ``"worker_f1=0.7"``. ``members`` answer beside the people, such as
    ``"tagger"``; an answer of a model of the pilot costs ``model_price``. With ``processes=None``
    there is one for each core.
    """
    wishes = Wishes(
        sentences,
        quality,
        budget,
        deadline,
        workers,
        experts,
        worker_hours,
        expert_hours,
        answer_seconds,
        expert_seconds,
        answer_price,
        expert_price,
        warm_up,
        audit,
        currency,
        names_of(members, "members"),
        model_price,
    )
    source = pilot_source(data, assume, wishes, seed)
    return plan_from(source, wishes, Silence(), Computing(seed, processes))
