"""A plan in rows, and as a page."""

from collections.abc import Callable

from spancrew.campaign import Expected
from spancrew.planner import Alternative, PlannedCampaign, in_words
from spancrew.report._html import document, note, section, table, tag, text
from spancrew.report.live import Axis, Dot, Dots, Style, scatter_figure

Shown = Callable[[float], str]


def plan_head(currency: str = "") -> tuple[str, ...]:
    """Return the head of the table."""
    return ("plan", "F1", f"cost {currency}".strip(), "sent to experts", "expert hours", "days")


def plan_rows(found: PlannedCampaign) -> list[tuple[str, ...]]:
    """Return two rows for each plan: its figures, and their 80 % intervals."""
    rows = []
    for each in found.rows:
        estimates = _estimates(each)
        rows.append((each.name, *(show(figure.mean) for figure, show in estimates)))
        if any(figure.low != figure.high for figure, _ in estimates):
            ranges = (f"{show(figure.low)}-{show(figure.high)}" for figure, show in estimates)
            rows.append(("  80 % interval", *ranges))
    return rows


def plan_words(found: PlannedCampaign) -> list[tuple[str, str]]:
    """Return what each plan does, in words."""
    return [
        (each.name, in_words(each.forecast.candidate, each.forecast.expert_share.mean))
        for each in found.alternatives
    ]


def plan_figure(found: PlannedCampaign, currency: str = "") -> str:
    """Draw quality against cost: the frontier, with the recommended plan marked and named."""
    along = [Dot(dot.cost, dot.f1, dot.rule) for dot in found.frontier]
    series = [Dots("frontier", along, joined=True, style=Style(6))]
    for place, each in enumerate(found.rows):
        cost, f1 = each.forecast.cost, each.forecast.f1
        dot = Dot(cost.mean, f1.mean, each.name, _range(cost), _range(f1))
        series.append(Dots(each.name, [dot], style=Style(place, 0 if place else 3)))
    return scatter_figure(
        "Quality against cost",
        "Up and to the left is better. Bars are 80 % intervals. The line joins rules that nothing "
        "else beats.",
        series,
        x=Axis(f"cost {currency}".strip(), low=0.0),
        y=Axis("F1 of the final labels", percent=True),
    )


def plan_page(name: str, found: PlannedCampaign, currency: str = "") -> str:
    """Return everything as one HTML page."""
    return document(
        f"{name}: plan",
        tag("h1", text(f"{name}: a plan for {found.terms.aim.sentences:,} sentences")),
        tag("p", text(f"Recommended: {found.sentence}"), class_="lead"),
        section("Forecast", table(plan_head(currency), plan_rows(found)), *map(note, found.notes)),
        section("The frontier", plan_figure(found, currency)),
        section("The other plans", table(("plan", "what is done"), plan_words(found), words=2)),
        live=True,
    )


def _estimates(each: Alternative) -> list[tuple[Expected, Shown]]:
    given = each.forecast
    return [
        (given.f1, lambda value: f"{value:.3f}"),
        (given.cost, lambda value: f"{value:,.0f}"),
        (given.expert_share, lambda value: f"{100 * value:.0f} %"),
        (given.expert_hours, lambda value: f"{value:,.1f}"),
        (given.days, lambda value: f"{value:,.1f}"),
    ]


def _range(figure: Expected) -> tuple[float, float]:
    return figure.low, figure.high
