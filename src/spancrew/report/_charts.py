"""The charts of the report: Vega-Lite drawn offline to SVG in a wide and a narrow size."""

from dataclasses import dataclass
from typing import Any

from spancrew.report._inspection import METRICS, Inspection

WIDE, NARROW = 560, 300
INK, GRID, ACCENT = "#77797d", "#77797d33", "#3b78c4"
_METRIC_COLOURS = ["#8a63c9", "#3b78c4", "#2a9d8f"]

Spec = dict[str, Any]

_STYLE: Spec = {
    "background": "transparent",
    "font": "sans-serif",
    "view": {"strokeWidth": 0},
    "axis": {
        "labelColor": INK,
        "titleColor": INK,
        "gridColor": GRID,
        "domainColor": GRID,
        "tickColor": GRID,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    },
    "legend": {"labelColor": INK, "titleColor": INK, "labelFontSize": 12},
}
"""Colours that can be read on light and on dark paper."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """One chart as SVG in two sizes, with a sentence for those who cannot see it."""

    title: str
    description: str
    wide: str
    narrow: str


def draw_all(inspection: Inspection) -> list[Drawing]:
    """Draw every chart that the data set has the numbers for."""
    drawings = []
    if any(row.answers for row in inspection.worker_rows):
        drawings.append(draw("Answers per worker", _work_text(inspection), _work(inspection)))
    if any(row.scores["exact"] for row in inspection.worker_rows):
        drawings.append(draw("F1 of every worker", _skill_text(inspection), _skill(inspection)))
    if inspection.agreement:
        text = _agreement_text(inspection)
        drawings.append(draw("Agreement on a sentence", text, _kappa(inspection)))
    if inspection.errors and inspection.errors.errors:
        drawings.append(draw("Kinds of error", _error_text(inspection), _errors(inspection)))
    return drawings


def draw(title: str, description: str, spec: Spec) -> Drawing:
    """Draw one chart in both sizes."""
    import vl_convert

    drawn = [
        vl_convert.vegalite_to_svg(spec | {"width": width, "config": _STYLE})
        for width in (WIDE, NARROW)
    ]
    return Drawing(title, description, *drawn)


def _bars(values: list[Spec], x: Spec, y: Spec) -> Spec:
    return {
        "data": {"values": values},
        "mark": {"type": "bar", "color": ACCENT},
        "encoding": {"x": x, "y": y},
        "height": 220,
    }


def _work(inspection: Inspection) -> Spec:
    counts = sorted((row.answers for row in inspection.worker_rows), reverse=True)
    return _bars(
        [{"worker": k, "answers": count} for k, count in enumerate(counts, start=1)],
        _ranks("workers, the busiest first"),
        {"field": "answers", "type": "quantitative", "title": "answers"},
    )


def _kappa(inspection: Inspection) -> Spec:
    histogram = (inspection.agreement or {})["fleiss"].histogram
    return _bars(
        [{"kappa": name, "sentences": count} for name, count in histogram],
        {
            "field": "kappa",
            "type": "ordinal",
            "title": "Fleiss' kappa",
            "sort": None,
            "axis": {"labelAngle": -45},
        },
        {"field": "sentences", "type": "quantitative", "title": "sentences"},
    )


def _errors(inspection: Inspection) -> Spec:
    combinations = inspection.errors.combinations if inspection.errors else {}
    bars = _bars(
        [{"kind": name, "errors": count} for name, count in combinations.items()],
        {"field": "errors", "type": "quantitative", "title": "wrong or missed spans"},
        {"field": "kind", "type": "nominal", "title": None, "sort": None},
    )
    counts = {"mark": {"type": "text", "align": "left", "dx": 4, "color": INK}}
    encoding = bars["encoding"] | {"text": {"field": "errors", "format": ","}}
    return {
        "data": bars["data"],
        "layer": [{"mark": bars["mark"]}, counts],
        "encoding": encoding,
        "height": {"step": 20},
        "autosize": {"type": "fit-x", "contains": "padding"},
    }


def _skill(inspection: Inspection) -> Spec:
    values = [
        {"worker": k, "metric": name, "f1": scores.f1}
        for k, row in enumerate(inspection.worker_rows, start=1)
        for name, scores in row.scores.items()
        if scores is not None
    ]
    scale = {"domain": list(METRICS), "range": _METRIC_COLOURS}
    legend = {"orient": "top", "title": None}
    return {
        "data": {"values": values},
        "mark": {"type": "point", "filled": True, "size": 28, "opacity": 0.85},
        "encoding": {
            "x": _ranks("workers, the best first"),
            "y": {
                "field": "f1",
                "type": "quantitative",
                "title": "F1",
                "scale": {"domain": [0, 1]},
            },
            "color": {"field": "metric", "type": "nominal", "scale": scale, "legend": legend},
            "shape": {"field": "metric", "type": "nominal", "scale": {"domain": list(METRICS)}},
        },
        "height": 220,
    }


def _ranks(title: str) -> Spec:
    axis = {"labels": False, "ticks": False}
    return {"field": "worker", "type": "ordinal", "title": title, "axis": axis}


def _work_text(inspection: Inspection) -> str:
    work = inspection.answers_per_worker
    if work is None:
        return ""
    return f"From {work.min:,} to {work.max:,} per worker; the median is {work.median:,g}."


def _skill_text(inspection: Inspection) -> str:
    known = [row.scores["exact"].f1 for row in inspection.worker_rows if row.scores["exact"]]
    return f"Exact F1 from {max(known):.2f} (best) to {min(known):.2f} (worst)."


def _agreement_text(inspection: Inspection) -> str:
    fleiss = (inspection.agreement or {})["fleiss"]
    return f"Mean {fleiss.mean:.2f}; {fleiss.share_above['0.4']:.0%} of the sentences above 0.4."


def _error_text(inspection: Inspection) -> str:
    errors = inspection.errors
    if errors is None:
        return ""
    return f"{errors.share_of_wrong_answers:.1%} of the answers differ from gold."
