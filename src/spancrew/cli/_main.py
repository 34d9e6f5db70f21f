"""The command `spancrew`: one place where errors become messages and exit codes."""

import os
import sys
from functools import cache
from typing import Annotated, Any

import typer

from spancrew.cli._annotate import annotate
from spancrew.cli._bridge import bridge
from spancrew.cli._campaign import campaign
from spancrew.cli._certify import certify
from spancrew.cli._command_table import add_commands
from spancrew.cli._demo import demo
from spancrew.cli._doctor import doctor
from spancrew.cli._effect import effect
from spancrew.cli._measure_commands import fidelity, frontier, inspect
from spancrew.cli._member import member
from spancrew.cli._payout import payout
from spancrew.cli._plan import plan
from spancrew.cli._recruit import recruit
from spancrew.cli._rehearse_live import rehearse_live
from spancrew.cli._remedies import told
from spancrew.cli._reproduce import reproduce
from spancrew.cli._serve import serve
from spancrew.cli._simulate import simulate
from spancrew.cli._store import store
from spancrew.cli._tagger import label, train
from spancrew.cli._what_if import what_if
from spancrew.cli._write_commands import aggregate, augment, convert
from spancrew.errors import FormatError, SpancrewError

app = typer.Typer(
    name="spancrew",
    help="Crowd-labelling campaigns for spans with the fewest expert hours.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
add_commands(
    app,
    {
        "demo": demo,
        "inspect": inspect,
        "aggregate": aggregate,
        "certify": certify,
        "frontier": frontier,
        "simulate": simulate,
        "fidelity": fidelity,
        "plan": plan,
        "what-if": what_if,
        "annotate": annotate,
        "convert": convert,
        "train": train,
        "label": label,
        "effect": effect,
        "augment": augment,
        "reproduce": reproduce,
        "serve": serve,
        "doctor": doctor,
        "rehearse-live": rehearse_live,
    },
)
app.add_typer(campaign)
app.add_typer(member)
app.add_typer(bridge)
app.add_typer(recruit)
app.add_typer(payout)
app.add_typer(store)


def _print_version(wanted: bool) -> None:
    if wanted:
        from spancrew import __version__

        typer.echo(f"spancrew {__version__}")
        raise typer.Exit


@app.callback()
def _start(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and stop.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    """Take the options that come before the command."""


@cache
def command() -> Any:
    """Return all commands, made once: typer makes them anew for every call."""
    return typer.main.get_command(app)


def main() -> None:
    """Run the command line: exit code 2 for bad input, 130 when interrupted."""
    try:
        command()()
    except FormatError as error:
        _fail(told(error))
    except SpancrewError as error:
        _fail(str(error))
    except BrokenPipeError:
        # The reader of our output has gone; leave quietly, also when Python flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _fail(f"{place}{error.strerror or error}")


def _fail(message: str) -> None:
    sys.stderr.write(f"spancrew: {message}\n")
    raise SystemExit(2) from None
