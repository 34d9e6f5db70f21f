"""The server that commands talk to, and the login there."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spancrew.errors import SecondFactorError, SpancrewError

if TYPE_CHECKING:
    from spancrew.client import CampaignClient, Client

DEFAULT = "http://127.0.0.1:8000"
PATIENCE = 5.0
"""Seconds after which a command gives up on a server that does not answer."""

Token = Annotated[
    str | None,
    typer.Option(
        "--token", envvar="SPANCREW_TOKEN", help="An API token; else the one of the login."
    ),
]
CampaignName = Annotated[
    str, typer.Argument(metavar="CAMPAIGN", help="A campaign, by its id or its name.")
]
WebhookId = Annotated[int, typer.Argument(metavar="WEBHOOK", help="Its id, as listed.")]


@dataclass(frozen=True, slots=True)
class Connection:
    """Which server a command talks to: by options, by the environment or by the last login."""

    server: Annotated[
        str | None,
        typer.Option(
            envvar="SPANCREW_SERVER", help="The address of the server; else the one logged in to."
        ),
    ] = None
    token: Token = None

    @property
    def is_known(self) -> bool:
        """Tell whether a server was named, or logged in to."""
        return bool(self.server or self.token or _known(config_file()).get("server"))

    def open(self) -> "Client":
        """Return a client of the server."""
        from spancrew.client import Client

        known = _known(config_file())
        url = (self.server or known.get("server") or DEFAULT).rstrip("/")
        token = self.token or known.get("tokens", {}).get(url)
        if token is None:
            raise SpancrewError(
                f"nobody is logged in to {url}: run 'spancrew campaign login LINK' with the link "
                "that 'spancrew serve' prints, or set SPANCREW_TOKEN"
            )
        return Client(url, token=token, patience=PATIENCE)

    @contextmanager
    def campaign(self, name: str) -> "Iterator[CampaignClient]":
        """Yield a campaign of the server, by its id or its name."""
        with self.open() as client:
            yield client.find(name)


def log_in(link: str) -> "Client":
    """Log in by a link, and remember a token for later commands."""
    with open_session(link, None) as session:
        remember_token(session)
        return Connection(session.url).open()


def remember_token(session: "Client") -> Path:
    """Make a token for later commands; return the file in which it is kept."""
    made = session.create_token(f"command line on {socket.gethostname()}")
    _remember(session.url, str(made.token))
    return config_file()


def open_session(link: str, user: str | None, password: str | None = None) -> "Client":
    """Return a client with a session, which may do what a token may not: make tokens.

    With a user, the link is the address of the server; a password that is not given is asked for.
    """
    from spancrew.client import Client

    if user is None:
        return Client.from_link(link, patience=PATIENCE)
    password = password or typer.prompt("Password", hide_input=True)
    client = Client(link, patience=PATIENCE)
    try:
        _enter(client, user, password)
    except SpancrewError:
        client.close()
        raise
    return client


def _enter(client: "Client", user: str, password: str) -> None:
    """Log in, and ask for a code where a password is not enough."""
    try:
        client.log_in(user, password)
    except SecondFactorError:
        client.log_in(user, password, typer.prompt("Code of your app"))


def config_file() -> Path:
    """Return the file that remembers servers, under the user's configuration folder."""
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "spancrew" / "login.json"


def _remember(url: str, token: str) -> None:
    """Keep a token for a server where only its owner can read it."""
    file = config_file()
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    known = _known(file)
    known["tokens"] = {**known.get("tokens", {}), url: token}
    known["server"] = url
    draft = file.with_suffix(".new")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        json.dump(known, out, indent=2)
    draft.replace(file)


def _known(file: Path) -> dict[str, Any]:
    try:
        known = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        raise SpancrewError(f"{file} cannot be read; remove it and log in again") from None
    return known if isinstance(known, dict) else {}
