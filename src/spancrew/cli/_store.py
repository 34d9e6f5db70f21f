"""`spancrew store`: back up, restore, check and copy what a server keeps."""

from contextlib import closing
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli._campaign_views import moment, say
from spancrew.cli._command_table import group
from spancrew.cli._options import Json
from spancrew.cli._printing import fact_table, print_result, table
from spancrew.cli._server_options import STORE_ADDRESS, StoreOptions
from spancrew.errors import MissingPackageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from spancrew.stores import CampaignReport, SchemaStep, StoreReport


def backup(
    target: Annotated[Path, typer.Argument(help="The file to write; it must not exist yet.")],
    *,
    chosen: StoreOptions,
    json: Json = False,
) -> None:
    """Write everything a store holds to one file, while the server runs.

    The file is an SQLite store, whatever the store is, and appears whole or not at all. It holds
    personal data, so that only its owner can read it.

    Example: [bold]spancrew store backup monday.db[/bold]
    """
    from spancrew.server import real_clock
    from spancrew.stores import backup_store

    steps, now = _steps(), real_clock()
    with closing(chosen.open()) as source:
        backup_store(source, target, now, steps)
    size = target.stat().st_size
    record = {"file": str(target), "at": now, "bytes": size}
    say(json, record, f"The backup is {target} ({size / 1e6:,.1f} MB).")


def restore(
    source: Annotated[Path, typer.Argument(metavar="BACKUP", help="A file that is a backup.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Move a store that is there out of the way.")
    ] = False,
    *,
    chosen: StoreOptions,
    json: Json = False,
) -> None:
    """Make a store of a backup, and replay every journal to see that it is good.

    Stop the server first. A store that holds something is refused; with --replace its file is
    kept under another name. PostgreSQL needs an empty database.

    Example: [bold]spancrew store restore monday.db --folder new[/bold]
    """
    from spancrew.server import real_clock
    from spancrew.stores import restore_store

    steps = _steps()
    aside = f"{datetime.fromtimestamp(real_clock(), UTC):replaced-%Y%m%d-%H%M%S}"
    found = restore_store(source, chosen.address, steps, aside=aside if replace else None)
    print_result(
        lambda: {"campaigns": [asdict(each) for each in found]},
        [_campaign_table("Restored", found)],
        _closing(aside if replace else None),
        json=json,
    )


def _closing(aside: str | None) -> "Iterator[str]":
    yield "Every journal was replayed. Start the server to go on."
    if aside is not None:
        yield f"What was there before is kept beside it, with {aside} in its name."


def check(*, chosen: StoreOptions, json: Json = False) -> None:
    """Look at every page of a store and replay every journal; exit code 1 if anything is wrong.

    The audit log must be as it was written, too. Nothing is changed, and the server may run.

    Example: [bold]spancrew store check --folder data[/bold]
    """
    from spancrew.server import audit_problems
    from spancrew.stores import check_store

    with closing(chosen.open()) as opened:
        report = check_store(opened)
        damages = (*report.damages, *audit_problems(opened.engine))
    report = replace(report, damages=damages)
    print_result(
        lambda: asdict(report) | {"problems": report.problems},
        _report_views(report),
        [f"Wrong: {each}" for each in report.problems] or ["Everything is in order."],
        json=json,
    )
    if report.problems:
        raise typer.Exit(1)


def copy(
    source: Annotated[str, typer.Argument(help=f"The store to copy: {STORE_ADDRESS}.")],
    target: Annotated[str, typer.Argument(help=f"An empty store: {STORE_ADDRESS}.")],
    json: Json = False,
) -> None:
    """Copy a store to another database: from SQLite to PostgreSQL, or back.

    Stop the server first: what is written to the source during the copy is not copied.

    Example: [bold]spancrew store copy spancrew.db postgresql://ann@db.example/crew[/bold]
    """
    from spancrew.stores import copy_store, open_sql

    steps = _steps()
    with (
        closing(open_sql(source, make=False, upgrade=False)) as old,
        closing(open_sql(target, upgrade=False)) as new,
    ):
        rows, place = copy_store(old, new, steps), new.place
    say(json, {"rows": rows, "place": place}, f"{rows:,} rows were copied to {place}.")


def _steps() -> "tuple[SchemaStep, ...]":
    """Return the steps that make the tables of a store."""
    try:
        from spancrew.server import SCHEMA_STEPS
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            f"a store needs the package {error.name}: pip install 'spancrew[server]'"
        ) from None
    return SCHEMA_STEPS


def _report_views(report: "StoreReport") -> "Iterator[RenderableType]":
    last = "never" if report.backup is None else f"{moment(report.backup)} UTC"
    facts = [("store", report.place), ("schema", str(report.schema)), ("last backup", last)]
    yield fact_table("Store", facts)
    yield _campaign_table("Campaigns", report.campaigns)


def _campaign_table(title: str, found: "tuple[CampaignReport, ...]") -> "RenderableType":
    rows = [
        (
            each.id,
            each.phase or "broken",
            *map(_count, (each.events, each.sentences, each.settled)),
        )
        for each in found
    ]
    return table(title, ("id", "phase", "events", "sentences", "settled"), rows, words=2)


def _count(number: int) -> str:
    return f"{number:,}"


store = group(
    "store",
    "Back up, restore, check and copy what a server keeps.",
    {"backup": backup, "restore": restore, "check": check, "copy": copy},
)
