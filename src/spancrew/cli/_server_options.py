"""Options that `serve`, `store` and `doctor` share: the store, and how the server is reached."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from spancrew.stores import SqlStore

STORE_ADDRESS = "a file, or postgresql://USER:PASSWORD@HOST/DATABASE"


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """Which store a command is about."""

    folder: Annotated[
        Path, typer.Option(envvar="SPANCREW_FOLDER", help="The folder of the embedded store.")
    ] = Path()
    store: Annotated[
        str | None,
        typer.Option(
            envvar="SPANCREW_STORE",
            help=f"The store: {STORE_ADDRESS}; by default spancrew.db in the folder.",
        ),
    ] = None

    @property
    def address(self) -> str:
        """Return the address of the store."""
        return self.store or str(self.folder / "spancrew.db")

    def open(self) -> "SqlStore":
        """Open the store, which must be there."""
        from spancrew.stores import open_sql

        return open_sql(self.address, make=False, upgrade=False)


@dataclass(frozen=True, slots=True)
class SiteOptions:
    """How a server is reached, and when it raises an alert."""

    host: Annotated[
        str, typer.Option(envvar="SPANCREW_HOST", help="The address that the server listens on.")
    ] = "127.0.0.1"
    public_url: Annotated[
        str | None,
        typer.Option(
            envvar="SPANCREW_PUBLIC_URL",
            help="The address that browsers use, behind a proxy: https://crew.example.",
        ),
    ] = None
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            envvar="SPANCREW_PROXIES",
            help="The address or network of a proxy whose X-Forwarded-For is believed; may be "
            "repeated.",
        ),
    ] = None
    alerts: Annotated[
        str,
        typer.Option(
            envvar="SPANCREW_ALERTS",
            help="Other limits for alerts, such as budget=0.8,experts=2d,backup=off.",
        ),
    ] = ""

    @property
    def proxies(self) -> tuple[str, ...]:
        """Return the proxies; none if none is named."""
        return tuple(self.proxy or ())
