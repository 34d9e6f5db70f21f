"""`spancrew demo`: see what spancrew does, rehearsed or live."""

from pathlib import Path
from typing import Annotated

import typer


def demo(
    live: Annotated[
        bool, typer.Option("--live", help="Open a running campaign, with a free seat for you.")
    ] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Live: print the links, open nothing.")
    ] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Live: the port; 0 takes a free one.")
    ] = 0,
    seconds: Annotated[
        float,
        typer.Option(min=0.05, max=600, help="Live: mean seconds that a simulated answer takes."),
    ] = 3.0,
    report: Annotated[
        Path, typer.Option(help="Rehearsed: write the report to this HTML file.")
    ] = Path("spancrew-demo.html"),
) -> None:
    """Show spancrew on made-up data: a rehearsal with its report or, with --live, a campaign.

    The live campaign has simulated workers and a simulated expert at work, a dashboard that moves,
    and one free seat for you. Nothing of it is kept when it ends.

    Example: [bold]spancrew demo --live[/bold]
    """
    if live:
        from spancrew.cli._demo_live import play

        play(port, seconds, opens=not no_browser)
        return
    from spancrew.cli._simulate import simulate

    simulate("demo", report=report)
