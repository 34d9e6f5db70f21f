"""The report: one HTML file with everything in it and no request to the outside."""

from spancrew.metrics import Scores, Spread
from spancrew.report._errors import LONG_SPAN, ErrorExample, ErrorSummary
from spancrew.report._html import document, marked_text, note, section, table, tag, text
from spancrew.report._inspection import METRICS, THRESHOLDS, Inspection, WorkerRow
from spancrew.report.live import (
    Axis,
    Bars,
    Dot,
    Dots,
    Style,
    bar_figure,
    histogram_figure,
    scatter_figure,
)

_SHORT = {"proportional": "prop."}


def inspection_page(inspection: Inspection) -> str:
    """Return the report as HTML."""
    return document(
        inspection.name,
        tag("h1", text(inspection.name)),
        inspection_tiles(inspection),
        _data(inspection),
        _workers(inspection),
        _agreement(inspection),
        _errors(inspection),
        _repairs(inspection),
        live=True,
    )


def inspection_tiles(inspection: Inspection) -> str:
    """Return the most important figures in large type."""
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


def _data(inspection: Inspection) -> str:
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
            tag("div", _work_figure(inspection), table(("label", "gold spans"), labels)),
            class_="pair",
        ),
    )


def _work_figure(inspection: Inspection) -> str:
    work = inspection.answers_per_worker
    if work is None or not work.max:
        return ""
    workers = sorted(inspection.worker_rows, key=lambda row: -row.answers)
    return histogram_figure(
        "Answers per worker",
        f"From {work.min:,} to {work.max:,} per worker; the median is {work.median:,g}.",
        [k + 0.5 for k in range(len(workers) + 1)],
        [Bars("answers", [row.answers for row in workers])],
        x=Axis("workers, the busiest first", bins=[row.worker for row in workers]),
        y=Axis("answers"),
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


def _workers(inspection: Inspection) -> str:
    head = ["worker", "answers", *score_heads()]
    rows = ([row.worker, f"{row.answers:,}", *_triples(row)] for row in inspection.worker_rows)
    return section(
        "The workers",
        note("Each worker's answers are scored as one pool (micro) against gold."),
        skill_figure(inspection),
        table(head, rows),
    )


def skill_figure(inspection: Inspection) -> str:
    """Draw the F1 of every worker; nothing without gold."""
    known = [row.scores["exact"].f1 for row in inspection.worker_rows if row.scores["exact"]]
    if not known:
        return ""
    series = []
    for k, name in enumerate(METRICS):
        ranked = enumerate(inspection.worker_rows, start=1)
        scored = ((rank, row.worker, row.scores[name]) for rank, row in ranked)
        dots = [Dot(rank, scores.f1, worker) for rank, worker, scores in scored if scores]
        series.append(Dots(name, dots, style=Style(k, k)))
    return scatter_figure(
        "F1 of every worker",
        f"Exact F1 from {max(known):.2f} (best) to {min(known):.2f} (worst).",
        series,
        x=Axis("workers, the best first"),
        y=Axis("F1", low=0.0, high=1.0),
        labels=False,
    )


def _agreement(inspection: Inspection) -> str:
    if inspection.agreement is None:
        return section("Agreement", note("No sentence has two answers to compare."))
    head = ["measure", "overall", "mean", "median", *(f"above {t}" for t in THRESHOLDS)]
    rows = (
        [
            name.replace("_", " "),
            *(f"{value:.3f}" for value in (row.overall, row.mean, row.median)),
            *(f"{share:.1%}" for share in row.share_above.values()),
        ]
        for name, row in inspection.agreement.items()
    )
    return section("Agreement", agreement_figure(inspection), table(head, rows))


def agreement_figure(inspection: Inspection) -> str:
    """Draw how many sentences have how much agreement; nothing without two answers on any."""
    if inspection.agreement is None:
        return ""
    fleiss = inspection.agreement["fleiss"]
    return bar_figure(
        "Agreement on a sentence",
        f"Fleiss' kappa: mean {fleiss.mean:.2f}; {fleiss.share_above['0.4']:.0%} of the "
        "sentences above 0.4.",
        fleiss.histogram,
        x=Axis("sentences"),
    )


def _errors(inspection: Inspection) -> str:
    errors = inspection.errors
    if errors is None:
        return section("Errors", note("No answer has gold to be compared with."))
    colours = {name: k for k, name in enumerate(inspection.labels)}
    return section(
        "Errors",
        note(error_sentence(errors)),
        _error_figure(errors) if errors.errors else "",
        *(_example(example, colours) for example in errors.examples),
    )


def _error_figure(errors: ErrorSummary) -> str:
    return bar_figure(
        "Kinds of error",
        f"{errors.share_of_wrong_answers:.1%} of the answers differ from gold.",
        list(errors.combinations.items()),
        x=Axis("wrong or missed spans"),
    )


def error_sentence(errors: ErrorSummary) -> str:
    """Say in words how many answers are wrong."""
    share = errors.share_of_very_long_spans
    return (
        f"{errors.wrong_answers:,} of {errors.scored_answers:,} answers "
        f"({errors.share_of_wrong_answers:.1%}) have {errors.errors:,} wrong or missed spans; "
        f"{f'{share:.2%}' if share else 'none'} of these are longer than {LONG_SPAN} tokens."
    )


def _example(example: ErrorExample, colours: dict[str, int]) -> str:
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


def _f1(scores: Scores | None) -> str:
    return "-" if scores is None else f"{scores.f1:.2f}"


def _triples(row: WorkerRow) -> list[str]:
    found = (row.scores[name] for name in METRICS)
    return [
        "-" if scores is None else f"{value:.3f}"
        for scores in found
        for value in scores or (0.0, 0.0, 0.0)
    ]
