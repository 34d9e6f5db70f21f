"""`spancrew fidelity`: does a rehearsal behave like the real crowd?"""

from pathlib import Path
from typing import Annotated, Literal

import typer

from spancrew.cli._options import (
    Data,
    FormatName,
    Json,
    LabelsOption,
    OverlapsOption,
    TokensOption,
)


def fidelity(
    data: Data,
    crowd: Annotated[
        Literal["calibrated", "ses"], typer.Option(help="The crowd to compare with the real one.")
    ] = "calibrated",
    report: Annotated[Path | None, typer.Option(help="Write a report to this HTML file.")] = None,
    format_: FormatName = None,
    overlaps: OverlapsOption = None,
    tokens: TokensOption = None,
    labels: LabelsOption = None,
    json: Json = False,
) -> None:
    """Compare a rehearsal crowd with real answers.

    For every sentence with gold and at least four answers, stand-ins for exactly those workers
    are generated and compared with what was really said: agreement, majority vote, shares of
    right and wrong answers, kinds of error, each worker's F1. Twice: [bold]known[/bold] uses the
    other workers' answers on the sentence, [bold]new[/bold] uses none, as before a campaign.

    Example: [bold]spancrew fidelity demo --crowd calibrated[/bold]
    """
    from spancrew.cli._printing import print_json
    from spancrew.cli._reading import read_as_told
    from spancrew.cli._waiting import waiting
    from spancrew.crowds import fidelity as compare
    from spancrew.formats import appearing
    from spancrew.report import fidelity_page

    with waiting(f"Reading {data}") as wait:
        dataset = read_as_told(data, format_, overlaps, tokens, labels, wait).dataset
        wait.phase(f"Calibrating and drawing the crowd ({crowd})")
        modes = compare(dataset, crowd)
        if report is not None:
            wait.phase("Drawing charts")
            with appearing(report) as draft:
                draft.write_text(fidelity_page(Path(data).name, crowd, modes), encoding="utf-8")
    if json:
        print_json({mode: result.as_json() for mode, result in modes.items()})
        return
    from rich.console import Console

    from spancrew.cli._fidelity_view import views

    console = Console(highlight=False)
    for view in views(crowd, modes):
        console.print(view)
        console.print()
    if report is not None:
        console.print(f"The report is in {report}; open it in a browser.", markup=False)
