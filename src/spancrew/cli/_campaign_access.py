"""`spancrew campaign`: login, tokens, webhooks and the entry for crowd platforms."""

from typing import Annotated, Literal

import typer

from spancrew.cli import _campaign_views as views
from spancrew.cli._connection import (
    CampaignName,
    Connection,
    WebhookId,
    open_session,
    remember_token,
)
from spancrew.cli._options import Json
from spancrew.cli._printing import print_json

User = Annotated[
    str | None, typer.Option("--user", help="Log in by name; the password is asked for.")
]

Link = Annotated[
    str,
    typer.Argument(
        metavar="LINK",
        help="The admin link that 'spancrew serve' prints; with --user, the "
        "address of the server.",
    ),
]


def login(link: Link, user: User = None) -> None:
    """Log in by a link or a password; later commands need no token."""
    with open_session(link, user) as session:
        file = remember_token(session)
        typer.echo(f"Logged in to {session.url}; the token is in {file}, which only you can read.")


def password(
    link: Link,
    name: Annotated[str, typer.Argument(help="The name to log in with from now on.")],
    user: User = None,
) -> None:
    """Set a name and a password, to log in without a link; other sessions and tokens end.

    A token cannot do this, so that a leaked one does not become a password.
    """
    old = typer.prompt("Old password", hide_input=True) if user else None
    with open_session(link, user, old) as session:
        new = typer.prompt("New password", hide_input=True, confirmation_prompt=True)
        session.set_password(name, new, old)
        remember_token(session)
    typer.echo(f"Log in as {name} from now on; other sessions and all tokens have ended.")


def entry(
    campaign: CampaignName,
    platform: Annotated[
        Literal["prolific", "mturk"], typer.Argument(help="Where the workers come from.")
    ],
    completion_code: Annotated[
        str,
        typer.Option(help="What workers are shown at the end, to prove that they are done."),
    ],
    completion_url: Annotated[
        str | None,
        typer.Option(help="Where workers are sent at the end; Prolific's own page by default."),
    ] = None,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Let workers of a crowd platform register by themselves, and print what it wants for that."""
    from spancrew.bridges import completion_link, link_problem

    if completion_url is None and platform == "prolific":
        completion_url = completion_link(completion_code)
    with connection.campaign(campaign) as chosen:
        made = chosen.set_entry(platform, completion_code, completion_url)
    text = _pasted(platform, made.url)
    problem = link_problem(made.url, platform)
    if problem is not None:
        typer.echo(f"Warning: {problem}.", err=True)
    if json:
        print_json({**views.as_record(made), "paste": text, "warning": problem})
        return
    views.show(json, made, views.record_table(f"The way in from {platform}", made))
    typer.echo(f"\n{_TO_PASTE[platform]}\n\n{text}")


_TO_PASTE = {
    "prolific": "Put this address into the study; Prolific fills in what is in brackets:",
    "mturk": "Put this question into the HIT; MTurk adds workerId, assignmentId, hitId and "
    "turkSubmitTo to the address by itself:",
}


def _pasted(platform: Literal["prolific", "mturk"], url: str) -> str:
    from spancrew.bridges import external_question, study_link

    return study_link(url) if platform == "prolific" else external_question(url)


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
    link: Link,
    name: Annotated[str, typer.Argument(help="What the token is for.")],
    scope: Annotated[
        Literal["read", "work", "expert", "admin"] | None,
        typer.Option(help="What it may do; by default all that you may."),
    ] = None,
    campaign: Annotated[
        str | None, typer.Option(help="The id of the only campaign that it is for.")
    ] = None,
    days: Annotated[float, typer.Option(help="Days until it ends.")] = 90.0,
    user: User = None,
    json: Json = False,
) -> None:
    """Make a token for a program; it is shown only once.

    A token cannot make tokens, so that a leaked one cannot be prolonged: a link or a password
    is needed.
    """
    with open_session(link, user) as client:
        made = client.create_token(name, scope, campaign=campaign, days=days)
    views.say(json, made, f"Token {made.id}: {made.token} (shown only now)")


def list_tokens(
    everyone: Annotated[
        bool, typer.Option("--everyone", help="Those of all your people, too; for admins.")
    ] = False,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """List the tokens for programs, without their secrets."""
    with connection.open() as client:
        found = client.tokens(everyone=everyone)
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
