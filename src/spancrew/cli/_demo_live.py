"""A running campaign to look at: a server, simulated people at work, and a free seat."""

import sys
import threading
import webbrowser
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import typer

from spancrew.errors import MissingPackageError

if TYPE_CHECKING:
    from spancrew.cli._demo_stage import Stage
    from spancrew.server.start import Started


def play(port: int, seconds: float, *, opens: bool) -> None:
    """Serve a campaign in a folder that goes away with it, until interrupted."""
    _compile_nothing()
    try:
        from spancrew.cli._demo_stage import Stage
        from spancrew.server.start import StartOptions, run_server
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            f"the live demo needs the package {error.name}: pip install 'spancrew[server]'"
        ) from None

    with TemporaryDirectory(prefix="spancrew-demo-") as folder:
        options = StartOptions(folder=Path(folder), port=port, quiet=True)
        stage = Stage(options.address, _data(), seconds)

        def begin(started: "Started") -> None:
            threading.Thread(
                target=_open, args=(stage, started.url, opens), name="spancrew-demo", daemon=True
            ).start()

        try:
            run_server(options, begin)
        except KeyboardInterrupt:
            typer.echo("Stopped; nothing of the demo is kept.", err=True)
        finally:
            stage.end()


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


def _open(stage: "Stage", url: str, opens: bool) -> None:
    """Set the stage when the server answers, and say where to look."""
    seats = stage.set(url)
    # Sessions are kept by host, so the two seats do not push each other out of one browser.
    seat = replace(seats, worker=seats.worker.replace("127.0.0.1", "localhost"))
    lines = [
        f"A campaign is running: {seat.workers} simulated workers, one simulated expert.",
        f"  dashboard  {seat.dashboard}",
        f"  your seat  {seat.worker}",
        f"  expert     {seat.expert}  (in a private window)",
        "  stop       Ctrl-C",
    ]
    typer.echo("\n".join(lines))
    sys.stdout.flush()
    if opens:
        webbrowser.open(seat.dashboard)
