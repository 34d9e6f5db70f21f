"""`spancrew convert`: from one format to another."""

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


def convert(
    source: Data,
    target: Annotated[Path, typer.Argument(help="The file or folder to write.")],
    to: Annotated[
        str | None,
        typer.Option("--to", "-t", help="The format to write; else by the file's name."),
    ] = None,
    format_: FormatName = None,
    overlaps: OverlapsOption = None,
    tokens: TokensOption = None,
    labels: LabelsOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    json: Json = False,
) -> None:
    """Convert a data set from one format to another.

    What had to be repaired on the way in and what the new format cannot hold is listed; the
    output appears whole or not at all.

    Example: [bold]spancrew convert demo demo.conll[/bold]
    """
    from spancrew.cli._printing import print_json, print_repairs
    from spancrew.cli._reading import read_as_told, refuse_existing
    from spancrew.cli._waiting import waiting
    from spancrew.formats import write

    refuse_existing(target, force=force)
    with waiting(f"Reading {source}") as wait:
        dataset, repairs = read_as_told(source, format_, overlaps, tokens, labels, wait)
        wait.phase(f"Writing {target}")
        losses = write(dataset, target, to)
    if json:
        print_json(
            {
                "target": str(target),
                "sentences": len(dataset),
                "answers": len(dataset.answers),
                "repairs": [repair.as_json() for repair in repairs],
                "not_written": [loss.as_json() for loss in losses],
            }
        )
        return
    from rich.console import Console

    console = Console(highlight=False)
    print_repairs(console, "Repaired on the way in", repairs)
    for loss in losses:
        console.print(f"Not written: {loss.what}", markup=False)
    console.print(f"{len(dataset):,} sentences written to {target}.", markup=False)
