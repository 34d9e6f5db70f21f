"""`spancrew doctor`: is everything here as a server needs it?"""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli._options import Json
from spancrew.cli._printing import print_result, table
from spancrew.cli._store import StoreOptions

if TYPE_CHECKING:
    from spancrew.cli._doctor_checks import Checked


def doctor(
    *,
    chosen: StoreOptions,
    host: Annotated[
        str, typer.Option(envvar="SPANCREW_HOST", help="The address that the server listens on.")
    ] = "127.0.0.1",
    public_url: Annotated[
        str | None,
        typer.Option(envvar="SPANCREW_PUBLIC_URL", help="The address that browsers use."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            envvar="SPANCREW_PROXIES", help="The address or network of a proxy; may be repeated."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Check store, rights, clock, disk, backup, packages and addresses; exit code 1 if one fails.

    Give it the options and the environment of 'spancrew serve'. It changes nothing, and may run
    beside the server. 'spancrew store check' looks closer at the store.

    Example: [bold]spancrew doctor --folder data[/bold]
    """
    import time

    from spancrew.cli._doctor_checks import Patient, examine

    now = time.time()  # noqa: TID251  the real clock is what is examined
    found = list(examine(Patient(chosen.address, host, public_url, tuple(proxy or ()), now)))
    bad = sum(each.verdict == "problem" for each in found)
    print_result(
        lambda: {"checks": [asdict(each) for each in found], "problems": bad},
        [table("Checks", ("check", "", "found"), map(_row, found), words=3)],
        [_summary(bad, sum(each.verdict == "warning" for each in found))],
        json=json,
    )
    if bad:
        raise typer.Exit(1)


def _row(checked: "Checked") -> tuple[str, str, str]:
    more = f"\n→ {checked.remedy}" if checked.remedy else ""
    return checked.check, checked.verdict, checked.found + more


def _summary(problems: int, warnings: int) -> str:
    if not problems and not warnings:
        return "Everything is in order."
    counts = [_counted(problems, "problem"), _counted(warnings, "warning")]
    return f"{' and '.join(each for each in counts if each)}."


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}" if number else ""
