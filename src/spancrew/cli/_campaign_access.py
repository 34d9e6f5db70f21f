"""`spancrew campaign`: login, tokens, webhooks and the entry for crowd platforms."""

from typing import Annotated, Literal

import typer

from spancrew.cli import _campaign_views as views
from spancrew.cli._connection import (
    CampaignName,
    Connection,
    config_file,
    log_in,
    open_session,
)
from spancrew.cli._options import Json

User = Annotated[
    str | None, typer.Option("--user", help="Log in by name; the password is asked for.")
]
WebhookId = Annotated[int, typer.Argument(metavar="WEBHOOK", help="Its id, as listed.")]


def login(
    link: Annotated[
        str,
        typer.Argument(
            metavar="LINK",
            help="The admin link that 'spancrew serve' prints; with --user, the "
            "address of the server.",
        ),
    ],
    user: User = None,
) -> None:
    """Log in by a link or a password; later commands need no token."""
    with log_in(link, user) as client:
        typer.echo(
            f"Logged in to {client.url}; the token is in {config_file()}, which only you can read."
        )


def password(
    user: Annotated[str, typer.Option("--user", help="The name to log in with from now on.")],
    old: Annotated[
        bool, typer.Option("--old", help="Ask for the old password, if there is one.")
    ] = False,
    *,
    connection: Connection,
) -> None:
    """Set a name and a password, to log in without a link."""
    before = typer.prompt("Old password", hide_input=True) if old else None
    new = typer.prompt("New password", hide_input=True, confirmation_prompt=True)
    with connection.open() as client:
        client.set_password(user, new, before)
    typer.echo(f"Log in as {user} from now on; all other sessions have ended.")


def entry(
    campaign: CampaignName,
    platform: Annotated[
        Literal["prolific", "mturk"], typer.Argument(help="Where the workers come from.")
    ],
    completion_code: Annotated[
        str | None, typer.Option(help="What workers are shown at the end.")
    ] = None,
    completion_url: Annotated[
        str | None, typer.Option(help="Where workers are sent at the end.")
    ] = None,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Let workers of a crowd platform register by themselves, and print the address for them."""
    with connection.campaign(campaign) as chosen:
        made = chosen.set_entry(platform, completion_code, completion_url)
    views.show(json, made, views.record_table(f"The way in from {platform}", made))


def add_webhook(
    campaign: CampaignName,
    url: Annotated[str, typer.Argument(help="The address that events are sent to.")],
    event: Annotated[
        list[str] | None, typer.Option(help="Only events of this kind; may be repeated.")
    ] = None,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Send events to an address; the secret that signs them is shown only once."""
    with connection.campaign(campaign) as chosen:
        made = chosen.add_webhook(url, *(event or ()))
    views.say(
        json,
        made,
        f"Webhook {made.id} is set up. Its messages are signed with {made.secret} (shown only "
        "now).",
    )


def remove_webhook(campaign: CampaignName, id_: WebhookId, *, connection: Connection) -> None:
    """Stop sending events to an address."""
    with connection.campaign(campaign) as chosen:
        chosen.remove_webhook(id_)
    typer.echo(f"Webhook {id_} is gone.")


def resume_webhook(campaign: CampaignName, id_: WebhookId, *, connection: Connection) -> None:
    """Send events again to an address that was given up."""
    with connection.campaign(campaign) as chosen:
        chosen.resume_webhook(id_)
    typer.echo(f"Webhook {id_} is active again.")


def list_deliveries(
    campaign: CampaignName, id_: WebhookId, *, connection: Connection, json: Json = False
) -> None:
    """List what was sent to an address, and with what result."""
    with connection.campaign(campaign) as chosen:
        found = chosen.deliveries(id_)
    views.show(json, found, views.delivery_table(found))


def create_token(
    link: Annotated[
        str,
        typer.Argument(
            metavar="LINK", help="An admin link; with --user, the address of the server."
        ),
    ],
    name: Annotated[str, typer.Argument(help="What the token is for.")],
    user: User = None,
    json: Json = False,
) -> None:
    """Make a token for a program; it is shown only once.

    A token cannot make tokens, so that a leaked one cannot be prolonged: a link or a password
    is needed.
    """
    with open_session(link, user) as client:
        made = client.create_token(name)
    views.say(json, made, f"Token {made.id}: {made.token} (shown only now)")


def list_tokens(*, connection: Connection, json: Json = False) -> None:
    """List the tokens for programs, without their secrets."""
    with connection.open() as client:
        found = client.tokens()
    views.show(json, found, views.token_table(found))


def revoke_token(
    id_: Annotated[int, typer.Argument(metavar="TOKEN", help="Its id, as listed.")],
    *,
    connection: Connection,
) -> None:
    """Revoke a token."""
    with connection.open() as client:
        client.revoke_token(id_)
    typer.echo(f"Token {id_} is revoked.")
