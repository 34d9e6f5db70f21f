"""Options that several commands share."""

from typing import Annotated, Literal

import typer

Data = Annotated[
    str, typer.Argument(help="A file, a folder, or a bundled data set: demo, demo-zh.")
]
FormatName = Annotated[
    str | None,
    typer.Option("--format", "-f", help="The format, where it is not recognised by itself."),
]
OverlapsOption = Annotated[
    Literal["error", "first", "longest"] | None,
    typer.Option(
        help="When two spans of one answer overlap: refuse the file, keep the first, or keep the "
        "longest. Without it the format decides; most refuse."
    ),
]
TokensOption = Annotated[
    Literal["words", "characters"] | None,
    typer.Option(help="How running text is cut into tokens; by default, what suits its script."),
]
LabelsOption = Annotated[
    str | None,
    typer.Option(help="The labels, separated by commas; any other label is then an error."),
]
Json = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]
