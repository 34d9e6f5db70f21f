"""`spancrew campaign`: login, tokens, webhooks and the way in for crowd platforms."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from spancrew.cli._campaign_server import (
    PATIENCE,
    CampaignName,
    Server,
    Token,
    connect,
    opened,
    remember,
)
from spancrew.cli._options import Json
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from spancrew.client import Client

webhook = typer.Typer(
    name="webhook", help="Addresses that are told of events.", no_args_is_help=True
)
token_ = typer.Typer(name="token", help="Tokens for programs.", no_args_is_help=True)


User = Annotated[
    str | None, typer.Option("--user", help="Log in by name; the password is asked for.")
]


def login(
    where: Annotated[
        str,
        typer.Argument(
            metavar="LINK",
            help="The admin link that 'spancrew serve' prints; with --user, the "
            "address of the server.",
        ),
    ],
    user: User = None,
) -> None:
    """Go in by a link or a password, and stay logged in: later commands need no token."""
    from spancrew.cli._campaign_server import config_file

    with logged_in(where, user) as client:
        typer.echo(
            f"Logged in to {client.url}; the token is in {config_file()}, which only you can read."
        )


def logged_in(where: str, user: str | None = None) -> "Client":
    """Go in by a link or a password, and remember a token for later commands."""
    import socket

    from spancrew.client import Client

    with _session(where, user) as guest:
        made = guest.create_token(f"command line on {socket.gethostname()}")
        remember(guest.url, str(made.token))
        return Client(guest.url, token=made.token)


def _session(where: str, user: str | None) -> "Client":
    """Return a client with a session, which may do what a token may not: make tokens."""
    from spancrew.client import Client

    if user is None:
        return Client.from_link(where, patience=PATIENCE)
    password = typer.prompt("Password", hide_input=True)
    client = Client(where, patience=PATIENCE)
    try:
        client.log_in(user, password)
    except SpancrewError:
        client.close()
        raise
    return client


def password(
    user: Annotated[str, typer.Option("--user", help="The name to log in with from now on.")],
    old: Annotated[
        bool, typer.Option("--old", help="Ask for the old password, if there is one.")
    ] = False,
    server: Server = None,
    token: Token = None,
) -> None:
    """Choose a name and a password, so that one can log in without a link."""
    before = typer.prompt("Old password", hide_input=True) if old else None
    new = typer.prompt("New password", hide_input=True, confirmation_prompt=True)
    with connect(server, token) as client:
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
    server: Server = None,
    token: Token = None,
    json: Json = False,
) -> None:
    """Let workers of a crowd platform register by themselves, and print the address for them."""
    from spancrew.cli._campaign_views import as_record, fact_table, show

    with opened(campaign, server, token) as found:
        made = found.set_entry(platform, completion_code, completion_url)
        show(json, made, fact_table(f"The way in from {platform}", as_record(made)))


@webhook.command("add")
def add_webhook(
    campaign: CampaignName,
    url: Annotated[str, typer.Argument(help="The address that events are sent to.")],
    event: Annotated[
        list[str] | None, typer.Option(help="Only events of this kind; may be repeated.")
    ] = None,
    server: Server = None,
    token: Token = None,
    json: Json = False,
) -> None:
    """Tell an address of events; the secret that signs them is shown only now."""
    from spancrew.cli._campaign_views import as_record, say

    with opened(campaign, server, token) as chosen:
        made = chosen.add_webhook(url, *(event or ()))
    say(
        json,
        as_record(made),
        f"Webhook {made.id} is set up. Its messages are signed with {made.secret} (shown only "
        "now).",
    )


@webhook.command("list")
def list_webhooks(
    campaign: CampaignName, server: Server = None, token: Token = None, json: Json = False
) -> None:
    """List the addresses that are told of events."""
    from spancrew.cli._campaign_views import show, webhook_table

    with opened(campaign, server, token) as chosen:
        found = chosen.webhooks()
    show(json, found, webhook_table(found))


@webhook.command("remove")
def remove_webhook(
    campaign: CampaignName,
    id_: Annotated[int, typer.Argument(metavar="WEBHOOK", help="Its id, as listed.")],
    server: Server = None,
    token: Token = None,
) -> None:
    """Tell an address no more."""
    with opened(campaign, server, token) as chosen:
        chosen.remove_webhook(id_)
    typer.echo(f"Webhook {id_} is gone.")


@webhook.command("resume")
def resume_webhook(
    campaign: CampaignName,
    id_: Annotated[int, typer.Argument(metavar="WEBHOOK", help="Its id, as listed.")],
    server: Server = None,
    token: Token = None,
) -> None:
    """Try an address again that was given up."""
    with opened(campaign, server, token) as chosen:
        chosen.resume_webhook(id_)
    typer.echo(f"Webhook {id_} is tried again.")


@webhook.command("deliveries")
def list_deliveries(
    campaign: CampaignName,
    id_: Annotated[int, typer.Argument(metavar="WEBHOOK", help="Its id, as listed.")],
    server: Server = None,
    token: Token = None,
    json: Json = False,
) -> None:
    """List what was sent to an address, and what came of it."""
    from spancrew.cli._campaign_views import delivery_table, show

    with opened(campaign, server, token) as chosen:
        found = chosen.deliveries(id_)
    show(json, found, delivery_table(found))


@token_.command("create")
def create_token(
    where: Annotated[
        str,
        typer.Argument(
            metavar="LINK", help="An admin link; with --user, the address of the server."
        ),
    ],
    name: Annotated[str, typer.Argument(help="What the token is for.")],
    user: User = None,
    json: Json = False,
) -> None:
    """Make a token for a program; it is shown only now.

    A token cannot make tokens, so that one that leaks cannot outlive its end: a link or a password
    is needed.
    """
    from spancrew.cli._campaign_views import as_record, say

    with _session(where, user) as client:
        made = client.create_token(name)
    say(json, as_record(made), f"Token {made.id}: {made.token} (shown only now)")


@token_.command("list")
def list_tokens(server: Server = None, token: Token = None, json: Json = False) -> None:
    """List the tokens for programs, without their secrets."""
    from spancrew.cli._campaign_views import show, token_table

    with connect(server, token) as client:
        found = client.tokens()
    show(json, found, token_table(found))


@token_.command("revoke")
def revoke_token(
    id_: Annotated[int, typer.Argument(metavar="TOKEN", help="Its id, as listed.")],
    server: Server = None,
    token: Token = None,
) -> None:
    """Make a token worthless."""
    with connect(server, token) as client:
        client.revoke_token(id_)
    typer.echo(f"Token {id_} is worthless now.")
