"""`spancrew frontier`: what experts buy, on the real answers alone."""

from pathlib import Path
from typing import Annotated

import typer

from spancrew.cli._options import (
    Data,
    FormatName,
    Json,
    LabelsOption,
    OverlapsOption,
    TokensOption,
)


def frontier(
    data: Data,
    consensus: Annotated[
        list[str] | None,
        typer.Option(help="How answers are joined: auto, mv, span-vote, ds, span-ds, bsc."),
    ] = None,
    gate: Annotated[
        list[str] | None,
        typer.Option(
            help="Where the expert is asked: expected-error, kappa, random, kappa-hindsight."
        ),
    ] = None,
    share: Annotated[
        list[float] | None,
        typer.Option(help="Share of the sentences for experts, as 0.2 for 20 %; 0 to 0.6."),
    ] = None,
    orders: Annotated[int, typer.Option(help="In how many random orders sentences arrive.")] = 5,
    seed: Annotated[int, typer.Option(help="The same seed gives the same results.")] = 0,
    processes: Annotated[
        int | None, typer.Option(help="Processes to use; all cores by default.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write a report to this HTML file.")] = None,
    format_: FormatName = None,
    overlaps: OverlapsOption = None,
    tokens: TokensOption = None,
    labels: LabelsOption = None,
    json: Json = False,
) -> None:
    """Say how good final labels become if experts label a share of the sentences.

    The answers are the real ones. Sentences arrive in random order, and whoever decides knows
    only the past; gold is what the expert says. --consensus, --gate and --share may be repeated:
    every combination is tried. Without the first two, nine pairs are compared.

    Example: [bold]spancrew frontier demo --consensus auto --gate expected-error --gate
    random[/bold]
    """
    from spancrew.cli._reading import read_as_told
    from spancrew.cli._waiting import waiting
    from spancrew.report import frontier_page
    from spancrew.simulate import SHARES, pairs_of
    from spancrew.simulate import frontier as measure

    pairs = pairs_of(consensus or (), gate or ())
    with waiting(f"Reading {data}") as wait:
        dataset = read_as_told(data, format_, overlaps, tokens, labels, wait).dataset
        wait.phase("Letting sentences arrive")
        found = measure(
            dataset, pairs, share or SHARES, orders, seed, processes=processes, progress=wait
        )
    if report is not None:
        from spancrew.formats import appearing

        with appearing(report) as draft:
            draft.write_text(frontier_page(Path(data).name, found), encoding="utf-8")
    if json:
        from spancrew.cli._printing import print_json

        print_json(found.as_json())
        return
    from rich.console import Console

    from spancrew.cli._frontier_view import views

    console = Console(highlight=False)
    for view in views(Path(data).name, found):
        console.print(view)
        console.print()
    if report is not None:
        console.print(f"The report is in {report}; open it in a browser.", markup=False)
