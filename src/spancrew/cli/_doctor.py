"""`spancrew doctor`: is everything here as a server needs it?"""

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from spancrew.cli._options import Json
from spancrew.cli._printing import print_result, table
from spancrew.cli._server_options import SiteOptions, StoreOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spancrew.cli._doctor_checks import DoctorFinding, Patient


def doctor(
    *,
    chosen: StoreOptions,
    site: SiteOptions,
    json: Json = False,
) -> None:
    """Check store, rights, clock, disk, backup, packages and addresses; exit code 1 if one fails.

    Give it the options and the environment of 'spancrew serve'. It changes nothing, and may run
    beside the server. 'spancrew store check' looks closer at the store.

    Example: [bold]spancrew doctor --folder data[/bold]
    """
    import time

    from spancrew.cli._doctor_checks import Patient
    from spancrew.server import parsed_limits

    now = time.time()  # noqa: TID251  the real clock is what is examined
    limits = parsed_limits(site.alerts)
    patient = Patient(chosen.address, site.host, site.public_url, site.proxies, limits, now)
    found = list(examine(patient))
    bad = sum(each.verdict == "problem" for each in found)
    print_result(
        lambda: {"checks": [asdict(each) for each in found], "problems": bad},
        [table("Checks", ("check", "", "found"), map(_row, found), words=3)],
        [_summary(bad, sum(each.verdict == "warning" for each in found))],
        json=json,
    )
    if bad:
        raise typer.Exit(1)


def examine(patient: "Patient") -> "Iterator[DoctorFinding]":
    """Yield the result of every check, whatever the others find."""
    from spancrew.cli import _doctor_checks as checks
    from spancrew.cli._doctor_store import examine_store

    yield checks.python_version()
    packages = checks.installed_packages()
    yield packages
    yield checks.public_address(patient)
    yield from checks.trusted_proxies(patient)
    if packages.verdict != "problem":
        yield from examine_store(patient)


def _row(checked: "DoctorFinding") -> tuple[str, str, str]:
    more = f"\n→ {checked.remedy}" if checked.remedy else ""
    return checked.check, checked.verdict, checked.found + more


def _summary(problems: int, warnings: int) -> str:
    if not problems and not warnings:
        return "Everything is in order."
    counts = [_counted(problems, "problem"), _counted(warnings, "warning")]
    return f"{' and '.join(each for each in counts if each)}."


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}" if number else ""
