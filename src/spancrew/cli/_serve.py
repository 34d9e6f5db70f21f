"""`spancrew serve`: the server, with no configuration."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli._server_options import SiteOptions, StoreOptions
from spancrew.errors import MissingPackageError

if TYPE_CHECKING:
    from spancrew.server.start import StartedServer


def serve(
    chosen: StoreOptions,
    site: SiteOptions,
    port: Annotated[
        int,
        typer.Option(
            envvar="SPANCREW_PORT", min=0, max=65535, help="The port; 0 takes a free one."
        ),
    ] = 8000,
    workers: Annotated[
        int,
        typer.Option(
            envvar="SPANCREW_WORKERS", min=1, max=64, help="Processes that share the work."
        ),
    ] = 1,
    admin_link: Annotated[
        bool,
        typer.Option("--admin-link", help="Print an admin link even if an admin has a password."),
    ] = False,
    open_metrics: Annotated[
        bool,
        typer.Option(
            "--open-metrics",
            envvar="SPANCREW_OPEN_METRICS",
            help="Show /metrics to everybody, not only to owners.",
        ),
    ] = False,
    private_hooks: Annotated[
        bool,
        typer.Option(
            "--private-hooks",
            envvar="SPANCREW_PRIVATE_HOOKS",
            help="Allow webhooks to private addresses, and over http.",
        ),
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", envvar="SPANCREW_QUIET", help="Log only what goes wrong."),
    ] = False,
) -> None:
    """Start the server; when started again, it goes on where it stopped.

    In an empty folder it makes spancrew.db and prints a link that makes you the admin. By default
    it listens on this machine only.

    Example: [bold]spancrew serve --port 8080[/bold]
    """
    try:
        from spancrew.server.start import StartOptions, run_server
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            f"the server needs the package {error.name}: pip install 'spancrew[server]'"
        ) from None

    options = StartOptions(
        folder=chosen.folder,
        store=chosen.store,
        host=site.host,
        port=port,
        workers=workers,
        public_url=site.public_url,
        proxies=site.proxies,
        admin_link=admin_link,
        open_metrics=open_metrics,
        alerts=site.alerts,
        private_hooks=private_hooks,
        quiet=quiet,
    )
    try:
        run_server(options, _greet)
    except KeyboardInterrupt:
        typer.echo("Stopped; start again to go on.", err=True)


def _greet(started: "StartedServer") -> None:
    lines = [f"spancrew serves {started.url}", f"  store  {started.store}"]
    if started.admin_link is not None:
        lines.append(f"  admin  {started.admin_link}  (works once, for a day)")
    if started.workers > 1:
        lines.append(f"  {started.workers} processes share the work")
    lines.append("  stop   Ctrl-C")
    # Whoever reads the first lines through a pipe waits for them.
    typer.echo("\n".join(lines))
    sys.stdout.flush()
    if started.is_remote and not started.url.startswith("https://"):
        typer.echo(
            "spancrew: others can reach this server, and it does not encrypt: put a proxy with "
            "TLS in front of it, and give its address with --public-url https://...",
            err=True,
        )
