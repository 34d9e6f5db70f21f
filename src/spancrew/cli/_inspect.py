"""`spancrew inspect`: what a data set holds, who did it, how well."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli._options import (
    Data,
    FormatName,
    Json,
    LabelsOption,
    OverlapsOption,
    TokensOption,
)

if TYPE_CHECKING:
    from rich.console import Console

    from spancrew.report import Inspection


def inspect(
    data: Data,
    report: Annotated[Path | None, typer.Option(help="Write a report to this HTML file.")] = None,
    format_: FormatName = None,
    overlaps: OverlapsOption = None,
    tokens: TokensOption = None,
    labels: LabelsOption = None,
    json: Json = False,
) -> None:
    """Read, check, score and draw a crowd data set.

    Prints the paper's Table 1, every worker's precision, recall and F1, how much the workers
    agree, and what their errors are made of.

    Example: [bold]spancrew inspect demo --report demo.html[/bold]
    """
    from spancrew.cli._printing import print_json, print_repairs
    from spancrew.cli._reading import read_as_told
    from spancrew.cli._waiting import waiting
    from spancrew.formats import appearing
    from spancrew.report import inspect as look
    from spancrew.report import page

    with waiting(f"Reading {data}") as wait:
        reading = read_as_told(data, format_, overlaps, tokens, labels, wait)
        wait.phase("Scoring")
        repairs = [(repair.kind, f"{repair.place}: {repair.what}") for repair in reading.repairs]
        inspection = look(Path(data).name, reading.dataset, repairs)
        if report is not None:
            wait.phase("Drawing")
            with appearing(report) as draft:
                draft.write_text(page(inspection), encoding="utf-8")
    if json:
        print_json(inspection.as_json())
        return
    from rich.console import Console

    console = Console(highlight=False)
    _print(console, inspection)
    print_repairs(console, "Repairs", reading.repairs)
    if report is not None:
        console.print(f"The report is in {report}; open it in a browser.", markup=False)
    else:
        hint = f"For charts and all workers: spancrew inspect {data} --report report.html"
        console.print(hint, markup=False)


def _print(console: "Console", inspection: "Inspection") -> None:
    from spancrew.cli._inspection_view import views

    for view in views(inspection):
        console.print(view)
        console.print()
