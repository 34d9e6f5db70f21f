"""A reproduction as one HTML page."""

from collections.abc import Iterator, Sequence

from spancrew.experiments._bound_chart import bound_chart
from spancrew.experiments._findings import ComparisonTable, Curve, comparison_tables
from spancrew.experiments._paper import HEADLINES
from spancrew.experiments._reproduce import Reproduction, Section
from spancrew.report import document, note, section, table, tag, text
from spancrew.report.live import Axis, Mark, Series, line_figure


def reproduction_page(found: Reproduction) -> str:
    """Return everything with its figures; the page makes no request to the outside."""
    title = "The paper, recomputed"
    parts = [section(each.title, *_parts(each, found)) for each in found.sections]
    lead = (
        "Every number of the paper beside ours: mean and standard deviation over runs, and the "
        "difference. Scores and shares in percent."
    )
    return document(title, tag("h1", text(title)), note(lead), *parts, live=True)


def _parts(each: Section, found: Reproduction) -> Iterator[str]:
    for line in each.notes:
        yield note(line)
    if each.what == "bound":
        yield bound_chart(found.bound)
    yield from _curves(each)
    yield from map(_table, comparison_tables(each.findings.numbers))


def _table(shown: ComparisonTable) -> str:
    summary = tag("summary", text(shown.column))
    is_open = {"open": "open"} if shown.column.endswith("f1") or len(shown.rows) < 12 else {}
    head = [shown.column, *shown.head[1:]]
    return tag("details", summary, table(head, shown.rows), **is_open)


_FIGURES = {
    "regret": ("Cumulative regret", Axis("step"), Axis("regret")),
    "tau-f1": ("F1 of the answers", Axis("threshold"), Axis("proportional F1, percent")),
    "tau-experts": ("Expert use", Axis("threshold"), Axis("sentences, percent", low=0.0)),
    "tau-final": ("F1 of the final labels", Axis("threshold"), Axis("exact F1, percent")),
}


def _curves(each: Section) -> Iterator[str]:
    curves = each.findings.curves
    for name, (title, x, y) in _FIGURES.items():
        here = [curve for curve in curves if curve.figure == name]
        if name == "regret":
            for variant in dict.fromkeys(curve.variant for curve in here):
                some = [curve for curve in here if curve.variant == variant]
                yield _figure(f"{title}: {variant}", some, x, y, ())
        elif here:
            yield _figure(title, here, x, y, _marks(name, each.data))


def _figure(title: str, curves: Sequence[Curve], x: Axis, y: Axis, marks: Sequence[Mark]) -> str:
    series = [
        Series.spread(curve.series, curve.x.tolist(), curve.mean, curve.sd) for curve in curves
    ]
    caption = "Bands are one standard deviation over runs."
    return line_figure(title, caption, series, x=x, y=y, marks=marks)


def _marks(figure: str, data: str) -> list[Mark]:
    """Return the points that the paper's text states."""
    if figure != "tau-experts":
        return []
    return [
        Mark(head.threshold, 100 - head.saved, f"paper: {head.saved:g} % saved")
        for head in HEADLINES
        if head.data == data and head.answers == 4
    ]
