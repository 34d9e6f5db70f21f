"""An inspection on a terminal: short tables, bars, three examples."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from spancrew.cli._printing import bars, marked, table
from spancrew.report import (
    ErrorSummary,
    Inspection,
    WorkerRow,
    error_sentence,
    score_heads,
    spread_rows,
)

_SHOWN = 5
"""How many of the best and of the worst workers are shown."""


def views(inspection: Inspection) -> Iterator[RenderableType]:
    """Yield the parts of the output from top to bottom."""
    yield _data(inspection)
    yield _workers(inspection)
    if inspection.agreement:
        yield _agreement(inspection)
        yield bars("Fleiss' kappa by sentence", inspection.agreement["fleiss"].histogram)
    if inspection.errors:
        yield _errors(inspection.errors, list(inspection.labels))


def _data(inspection: Inspection) -> RenderableType:
    length = inspection.span_length
    labels = ", ".join(f"{name} {count:,}" for name, count in inspection.labels.items())
    rows = [
        ("sentences", f"{inspection.sentences:,}"),
        ("of these with gold", f"{inspection.sentences_with_gold:,}"),
        ("workers", f"{inspection.workers:,}"),
        ("answers", f"{inspection.answers:,}"),
        ("mean length of a gold span", "-" if length is None else f"{length:.2f}"),
        *spread_rows(inspection.answers_per_worker),
    ]
    data = table(f"{inspection.name}: the paper's Table 1", ("", ""), rows)
    data.show_header = False
    return Group(data, Text(f"gold spans: {labels}"))


def _workers(inspection: Inspection) -> RenderableType:
    rows = inspection.worker_rows
    head = ["worker", "answers", *score_heads()]
    shown = [_worker(row) for row in rows]
    if len(rows) > 2 * _SHOWN + 1:
        gap = [f"... {len(rows) - 2 * _SHOWN} more"] + [""] * (len(head) - 1)
        shown = [*shown[:_SHOWN], gap, *shown[-_SHOWN:]]
    return table("Workers, the best first", head, shown)


def _worker(row: WorkerRow) -> list[str]:
    cells = [row.worker, f"{row.answers:,}"]
    for scores in row.scores.values():
        cells += ["-"] * 3 if scores is None else [f"{value:.2f}" for value in scores]
    return cells


def _agreement(inspection: Inspection) -> RenderableType:
    measures = inspection.agreement or {}
    rows = [
        [
            name.replace("_", " "),
            f"{row.overall:.3f}",
            f"{row.mean:.3f}",
            f"{row.median:.3f}",
            *(f"{share:.1%}" for share in row.share_above.values()),
        ]
        for name, row in measures.items()
    ]
    return table("Agreement", ("", "overall", "mean", "median", "above 0.4", "above 0.65"), rows)


def _errors(errors: ErrorSummary, labels: list[str]) -> RenderableType:
    parts: list[RenderableType] = [bars("Errors", errors.combinations.items())]
    parts.append(Text(error_sentence(errors)))
    for example in errors.examples:
        gold = marked(example.text, example.bounds, example.gold, labels)
        given = marked(example.text, example.bounds, example.given, labels)
        parts += [
            Text(f"\n{example.kind}, sentence {example.sentence}", style="bold"),
            Text("gold: ") + gold,
            Text(f"{example.worker}: ") + given,
        ]
    return Group(*parts)
