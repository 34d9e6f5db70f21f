"""`spancrew reproduce`: the paper's tables, ours beside theirs."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from spancrew.cli._options import Json


def reproduce(
    what: Annotated[Literal["table-2"], typer.Argument(help="Which table.")],
    data: Annotated[
        Path | None,
        typer.Option(
            help="The folder with the paper's data sets; else $SPANCREW_DATA, else "
            "../shared/data. They cannot be shipped."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Compute a table of the paper anew and print it beside the paper's figures.

    table-2: how well augmentation keeps each worker's F1, on OEI and on CoNLL.

    Example: [bold]spancrew reproduce table-2 --data FOLDER[/bold]
    """
    from spancrew.cli._printing import print_json
    from spancrew.cli._table_2_view import as_json, views
    from spancrew.cli._waiting import waiting
    from spancrew.experiments import data_folder, table_2

    folder = data_folder(data)
    with waiting(f"Reproducing {what}") as wait:
        comparisons = table_2(folder, wait.phase)
    if json:
        print_json(as_json(comparisons))
        return
    from rich.console import Console

    console = Console(highlight=False)
    for view in views(comparisons):
        console.print(view)
        console.print()
