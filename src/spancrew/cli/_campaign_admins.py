"""`spancrew campaign admin`: who else runs campaigns on the server."""

from typing import Annotated

import typer

from spancrew.cli import _campaign_views as views
from spancrew.cli._connection import Connection
from spancrew.cli._options import Json

Admin = Annotated[str, typer.Argument(metavar="ADMIN", help="An admin, such as a2, as listed.")]
Campaigns = Annotated[
    list[str] | None,
    typer.Option("--campaign", help="The id of a campaign of theirs; may be repeated."),
]
Owner = Annotated[bool, typer.Option("--owner", help="Everything on the server is theirs.")]


def _wanted(campaigns: list[str] | None, owner: bool) -> list[str] | None:
    """Return the campaigns of an admin; None for an owner."""
    if owner == bool(campaigns):
        raise typer.BadParameter("give either --owner, or --campaign once or more")
    return None if owner else campaigns


def invite_admin(
    name: Annotated[str, typer.Argument(help="Their name.")],
    campaign: Campaigns = None,
    owner: Owner = False,
    email: Annotated[
        str | None, typer.Option(help="Lets them sign in with the team's identity provider.")
    ] = None,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Make a link for an admin; it works once, within a week."""
    campaigns = _wanted(campaign, owner)
    with connection.open() as client:
        made = client.invite_admin(name, campaigns, email=email)
    views.print_invitations([made], csv=False, json=json)


def list_admins(*, connection: Connection, json: Json = False) -> None:
    """List the admins and their campaigns."""
    with connection.open() as client:
        found = client.admins()
    views.show(json, found, views.admin_table(found))


def set_admin(
    admin: Admin,
    campaign: Campaigns = None,
    owner: Owner = False,
    *,
    connection: Connection,
) -> None:
    """Give an admin these campaigns and no others."""
    campaigns = _wanted(campaign, owner)
    with connection.open() as client:
        client.set_admin(admin, campaigns)
    typer.echo(f"{admin} is an owner." if owner else f"{admin} has {', '.join(campaigns or ())}.")


def invite_admin_again(admin: Admin, *, connection: Connection, json: Json = False) -> None:
    """Make a new link for an admin; password, second factor, tokens and sessions end."""
    with connection.open() as client:
        made = client.renew_admin_link(admin)
    views.print_invitations([made], csv=False, json=json)


def dismiss_admin(admin: Admin, *, connection: Connection) -> None:
    """End the access of an admin; their campaigns stay."""
    with connection.open() as client:
        client.remove_admin(admin)
    typer.echo(f"{admin} is dismissed.")
