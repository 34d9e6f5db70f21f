"""The folder of payout journals, and the plans in them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.errors import SpancrewError, StoreError

if TYPE_CHECKING:
    from spancrew.bridges import PayoutJournal, PayoutPlan

Folder = Annotated[
    Path | None,
    typer.Option(
        envvar="SPANCREW_PAYOUTS",
        help="The folder of the payout journals; by default in your data folder.",
    ),
]
PlanId = Annotated[str, typer.Argument(metavar="PLAN", help="A plan, as 'payout plan' named it.")]


def folder_of(given: Path | None) -> Path:
    """Return the folder of the journals."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return given or Path(base) / "spancrew" / "payouts"


def open_journal(path: Path) -> "PayoutJournal":
    """Open a journal; others have to wait until it is closed."""
    from spancrew.bridges import PayoutJournal

    return PayoutJournal(path)


@contextmanager
def found_plan(folder: Path | None, plan: str) -> "Iterator[tuple[PayoutJournal, PayoutPlan]]":
    """Yield a plan with the journal that has it."""
    busy: StoreError | None = None
    for path in sorted(folder_of(folder).glob("*.sqlite")):
        try:
            journal = open_journal(path)
        except StoreError as error:
            busy = error
            continue
        with journal:
            if plan in journal.plans:
                yield journal, journal.plans[plan]
                return
    if busy is not None:
        raise busy
    raise SpancrewError(
        f"there is no plan {plan!r} in {folder_of(folder)}: 'payout plan' makes one"
    )
