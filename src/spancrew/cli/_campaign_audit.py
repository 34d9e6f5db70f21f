"""`spancrew campaign audit`: what admins did."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import RenderableType

from spancrew.cli import _campaign_views as views
from spancrew.cli._connection import Connection, WebhookId
from spancrew.cli._options import Force, Json, refuse_existing
from spancrew.cli._printing import table
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spancrew.wire import AuditEntryView

_REFUSED = 400


def list_(
    campaign: Annotated[
        str | None, typer.Option(help="Only entries of this campaign, by its id or its name.")
    ] = None,
    action: Annotated[
        str | None,
        typer.Option(help="Only this action, such as people.erase, or a group: people."),
    ] = None,
    person: Annotated[int | None, typer.Option(help="Only this admin, by id.")] = None,
    since: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Only from this day on (UTC).")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="The most entries.")] = 50,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """List what admins did, the newest first."""
    with connection.open() as client:
        found = client.audit.newest(
            limit,
            campaign=None if campaign is None else client.find(campaign).id,
            person=person,
            action=action,
            since=None if since is None else since.replace(tzinfo=UTC).timestamp(),
        )
    views.show(json, found, audit_table(found))


def export(
    target: Annotated[Path, typer.Argument(help="The file to write: .jsonl or .csv.")],
    campaign: Annotated[
        str | None, typer.Option(help="Only entries of this campaign, by its id or its name.")
    ] = None,
    force: Force = False,
    *,
    connection: Connection,
) -> None:
    """Write the audit log to a file, as JSON lines or as a table, by the name of the file."""
    refuse_existing(target, force=force)
    format_: Literal["jsonl", "csv"] = "csv" if target.suffix == ".csv" else "jsonl"
    with connection.open() as client:
        chosen = None if campaign is None else client.find(campaign).id
        client.audit.export(target, format_, campaign=chosen)
    typer.echo(f"The audit log is in {target}.")


def check(*, connection: Connection, json: Json = False) -> None:
    """Check that nobody has changed the audit log; if somebody has, the exit code is 2."""
    with connection.open() as client:
        found = client.audit.check()
    if found.problem is not None and not json:
        raise SpancrewError(
            f"the audit log is not as it was written: {found.problem}; compare it with your last "
            "export or backup"
        )
    views.say(
        json,
        found,
        f"The audit log is whole: {found.entries:,} entries, last hash {found.hash}.",
    )
    if found.problem is not None:
        raise typer.Exit(2)


def audit_table(entries: "Sequence[AuditEntryView]") -> RenderableType:
    """Return what admins did."""
    if not entries:
        return "There are no such entries."
    head = ("id", "at (UTC)", "who", "action", "campaign, target", "result")
    return table("Audit log", head, [_row(each) for each in entries], words=6)


def _row(entry: "AuditEntryView") -> tuple[str, ...]:
    who = "server" if entry.person is None else entry.name or f"{entry.role[0]}{entry.person}"
    return (
        str(entry.id),
        views.moment(entry.at).rpartition(":")[0],
        who,
        entry.action,
        " ".join(filter(None, (entry.campaign, entry.target))),
        _result(entry.status),
    )


def _result(status: int | None) -> str:
    if status is None:
        return "not known"
    return "done" if status < _REFUSED else "refused"


def add_webhook(
    url: Annotated[str, typer.Argument(help="The address that entries are sent to.")],
    after: Annotated[
        int | None, typer.Option(help="Send all entries after this id, too; 0 for all.")
    ] = None,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Send entries to an address; the secret that signs them is shown only once."""
    with connection.open() as client:
        made = client.audit.add_webhook(url, after=after)
    views.say(
        json,
        made,
        f"Webhook {made.id} is set up. Its messages are signed with {made.secret} (shown only "
        "now).",
    )


def list_webhooks(*, connection: Connection, json: Json = False) -> None:
    """List the addresses that entries are sent to."""
    with connection.open() as client:
        found = client.audit.webhooks()
    views.show(json, found, views.webhook_table(found))


def remove_webhook(id_: WebhookId, *, connection: Connection) -> None:
    """Stop sending entries to an address."""
    with connection.open() as client:
        client.audit.remove_webhook(id_)
    typer.echo(f"Webhook {id_} is gone.")


def resume_webhook(id_: WebhookId, *, connection: Connection) -> None:
    """Send entries again to an address that was given up."""
    with connection.open() as client:
        client.audit.resume_webhook(id_)
    typer.echo(f"Webhook {id_} is active again.")


def list_deliveries(id_: WebhookId, *, connection: Connection, json: Json = False) -> None:
    """List what was sent to an address, and with what result."""
    with connection.open() as client:
        found = client.audit.deliveries(id_)
    views.show(json, found, views.delivery_table(found))
