"""`spancrew demo`: see what spancrew does, rehearsed or live."""

import sys
import threading
import webbrowser
from functools import partial
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli._options import DatasetOptions
from spancrew.cli._simulate import simulate
from spancrew.errors import MissingPackageError

if TYPE_CHECKING:
    from spancrew.cli._demo_campaign import DemoLinks
    from spancrew.server.start import StartedServer


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

    The live campaign has simulated workers and a simulated expert at work, who leave sentences
    and questions for you; its first page opens the worker's seat, the expert's and the dashboard
    side by side. When a campaign is over, a fresh one begins. Nothing is kept when it ends.

    Example: [bold]spancrew demo --live[/bold]
    """
    if live:
        _run_live(port, seconds, opens=not no_browser)
    else:
        simulate("demo", report=report, reading=DatasetOptions())


def _run_live(port: int, seconds: float, *, opens: bool) -> None:
    """Serve a campaign in a folder that goes away with it, until interrupted."""
    _compile_nothing()
    try:
        from spancrew.cli._demo_host import DemoHost
        from spancrew.server.start import DemoDoor, StartOptions, run_server
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            f"the live demo needs the package {error.name}: pip install 'spancrew[server]'"
        ) from None

    with TemporaryDirectory(prefix="spancrew-demo-") as folder:
        door = DemoDoor()
        options = StartOptions(folder=Path(folder), port=port, quiet=True, adds=door.add_to)
        host = DemoHost(options.address, _data(), seconds, door)

        def begin(started: "StartedServer") -> None:
            told = partial(_tell, started.url + door.path, opens)
            threading.Thread(
                target=host.run, args=(started.url, told), name="spancrew-demo", daemon=True
            ).start()

        try:
            run_server(options, begin)
        except KeyboardInterrupt:
            typer.echo("Stopped; nothing of the demo is kept.", err=True)
        finally:
            host.end()


def _compile_nothing() -> None:
    """Let the hot loops run as they are written: on so little data, that is quick enough.

    Compiling them would keep a newcomer waiting for half a minute.
    """
    import warnings

    from numba.core import config

    config.DISABLE_JIT = True  # type: ignore[attr-defined]  # set when it is imported
    # Compiled or not, these numbers wrap around; only numpy says so.
    warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning)


def _data() -> Path:
    return Path(str(files("spancrew.formats") / "bundled" / "demo-live.jsonl"))


def _tell(page: str, opens: bool, number: int, links: "DemoLinks") -> None:
    """Print the links of a campaign that has begun, and open the first page once."""
    if number > 1:
        typer.echo(f"Campaign {number} has begun; its links are on the first page: {page}")
        return
    lines = [
        f"A campaign is running: {links.workers} simulated workers, one simulated expert.",
        f"  start here {page}",
        f"  dashboard  {links.dashboard}",
        f"  your seat  {links.worker}",
        f"  expert     {links.expert}",
        "  stop       Ctrl-C",
    ]
    typer.echo("\n".join(lines))
    sys.stdout.flush()
    if opens:
        webbrowser.open(page)
