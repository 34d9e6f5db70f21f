"""The report: one HTML file with everything in it and no request to the outside."""

from collections.abc import Iterable

from spancrew.metrics import Scores, Spread
from spancrew.report._charts import Drawing, draw_all
from spancrew.report._errors import LONG_SPAN, ErrorSummary, Example
from spancrew.report._html import marked_text, table, tag, text
from spancrew.report._inspection import METRICS, THRESHOLDS, Inspection
from spancrew.report._layout import document, figure, note, section

_SHORT = {"proportional": "prop."}


def page(inspection: Inspection) -> str:
    """Return the report as HTML."""
    drawings = {drawing.title: drawing for drawing in draw_all(inspection)}
    return document(
        inspection.name,
        tag("h1", text(inspection.name)),
        _tiles(inspection),
        _work(inspection, drawings),
        _workers(inspection, drawings),
        _agreement(inspection, drawings),
        _errors(inspection, drawings),
        _repairs(inspection),
    )


def _tiles(inspection: Inspection) -> str:
    values = {
        "sentences": f"{inspection.sentences:,}",
        "workers": f"{inspection.workers:,}",
        "answers": f"{inspection.answers:,}",
        "exact F1 of all answers": _f1(inspection.scores["exact"]),
    }
    if inspection.agreement:
        values["mean kappa"] = f"{inspection.agreement['fleiss'].mean:.2f}"
    if inspection.errors:
        values["answers with errors"] = f"{inspection.errors.share_of_wrong_answers:.0%}"
    tiles = (tag("div", tag("dt", text(k)), tag("dd", text(v))) for k, v in values.items())
    return tag("dl", *tiles, class_="tiles")


def _work(inspection: Inspection, drawings: dict[str, Drawing]) -> str:
    length = inspection.span_length
    rows = [
        ("sentences", f"{inspection.sentences:,}"),
        ("of these with gold", f"{inspection.sentences_with_gold:,}"),
        ("tokens", f"{inspection.tokens:,}"),
        ("workers", f"{inspection.workers:,}"),
        ("answers", f"{inspection.answers:,}"),
        ("mean length of a gold span", "-" if length is None else f"{length:.2f}"),
        *spread_rows(inspection.answers_per_worker),
    ]
    labels = ((name, f"{count:,}") for name, count in inspection.labels.items())
    return section(
        "The data",
        note("The paper's Table 1. SD and variance are those of the sample (n - 1)."),
        tag(
            "div",
            tag("div", table(("measure", "value"), rows)),
            tag(
                "div",
                _chart(drawings, "Answers per worker"),
                table(("label", "gold spans"), labels),
            ),
            class_="pair",
        ),
    )


def spread_rows(work: Spread | None) -> list[tuple[str, str]]:
    """Return the lower half of Table 1, ready to print."""
    if work is None:
        return []
    return [
        ("max answers per worker", f"{work.max:,}"),
        ("min", f"{work.min:,}"),
        ("range", f"{work.range:,}"),
        ("mean", f"{work.mean:,.1f}"),
        ("median", f"{work.median:,.1f}"),
        ("SD", f"{work.sd:,.1f}"),
        ("variance", f"{work.variance:,.1f}"),
        ("CV", f"{work.cv:.1%}"),
    ]


def score_heads() -> list[str]:
    """Return the column heads for precision, recall and F1 in every metric."""
    return [head for name in METRICS for head in (f"{_SHORT.get(name, name)} P", "R", "F1")]


def _workers(inspection: Inspection, drawings: dict[str, Drawing]) -> str:
    head = ["worker", "answers", *score_heads()]
    rows = (
        [row.worker, f"{row.answers:,}", *_triples(row.scores[name] for name in METRICS)]
        for row in inspection.worker_rows
    )
    return section(
        "The workers",
        note("Each worker's answers are scored as one pool (micro) against gold."),
        _chart(drawings, "F1 of every worker"),
        table(head, rows),
    )


def _agreement(inspection: Inspection, drawings: dict[str, Drawing]) -> str:
    if inspection.agreement is None:
        return section("Agreement", note("No sentence has two answers to compare."))
    head = ["measure", "overall", "mean", "median", *(f"above {t}" for t in THRESHOLDS)]
    rows = (
        [
            name.replace("_", " "),
            f"{row.overall:.3f}",
            f"{row.mean:.3f}",
            f"{row.median:.3f}",
            *(f"{share:.1%}" for share in row.share_above.values()),
        ]
        for name, row in inspection.agreement.items()
    )
    return section("Agreement", _chart(drawings, "Agreement on a sentence"), table(head, rows))


def _errors(inspection: Inspection, drawings: dict[str, Drawing]) -> str:
    errors = inspection.errors
    if errors is None:
        return section("Errors", note("No answer has gold to be compared with."))
    colours = {name: k for k, name in enumerate(inspection.labels)}
    return section(
        "Errors",
        note(error_sentence(errors)),
        _chart(drawings, "Kinds of error"),
        *(_example(example, colours) for example in errors.examples),
    )


def error_sentence(errors: ErrorSummary) -> str:
    """Say in words how many answers are wrong."""
    share = errors.share_of_very_long_spans
    return (
        f"{errors.wrong_answers:,} of {errors.scored_answers:,} answers "
        f"({errors.share_of_wrong_answers:.1%}) have {errors.errors:,} wrong or missed spans; "
        f"{f'{share:.2%}' if share else 'none'} of these are longer than {LONG_SPAN} tokens."
    )


def _example(example: Example, colours: dict[str, int]) -> str:
    return tag(
        "figure",
        tag("figcaption", text(f"{example.kind}: sentence {example.sentence}")),
        tag("div", text("gold"), class_="who"),
        marked_text(example.text, example.bounds, example.gold, colours),
        tag("div", text(example.worker), class_="who"),
        marked_text(example.text, example.bounds, example.given, colours),
    )


def _repairs(inspection: Inspection) -> str:
    if not inspection.repairs:
        return section("Repairs", note("The file was read as it is; nothing was changed."))
    rows = ((row.kind, f"{row.count:,}", row.first) for row in inspection.repairs)
    return section("Repairs", table(("kind", "count", "first of them"), rows, words=3))


def _chart(drawings: dict[str, Drawing], title: str) -> str:
    return figure(drawings[title]) if title in drawings else ""


def _f1(scores: Scores | None) -> str:
    return "-" if scores is None else f"{scores.f1:.2f}"


def _triples(scores: Iterable[Scores | None]) -> list[str]:
    return ["-" if row is None else f"{v:.3f}" for row in scores for v in (row or Scores(0, 0, 0))]
