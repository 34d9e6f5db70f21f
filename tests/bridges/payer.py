"""The command line in a process that is forked from one with everything imported."""

import os
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import boto3
import httpx  # noqa: F401  imported once, in the process that others are forked from
from typer.testing import CliRunner

from spancrew.calling import certificates
from spancrew.cli import _main


def _warm_up() -> None:
    """Do once what every first command would do, and every first client of a platform."""
    _main.command()
    CliRunner().invoke(_main.app, ["payout", "show", "--folder", "nowhere", "--json"])
    certificates()
    boto3.Session().client("mturk", "us-east-1", endpoint_url="http://127.0.0.1:9")


_warm_up()


def run(words: list[str], environment: Mapping[str, str], log: Path) -> None:
    """Run a command; what it prints goes to a file."""
    os.environ.update(environment)
    sys.argv = ["spancrew", *words]
    with log.open("w", encoding="utf-8") as out, redirect_stdout(out), redirect_stderr(out):
        _main.main()
