"""Which server a command talks to, and who one is there."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from spancrew.client import CampaignClient, Client

DEFAULT = "http://127.0.0.1:8000"
PATIENCE = 5.0
"""Seconds after which a command gives up on a server that does not answer."""

Server = Annotated[
    str | None,
    typer.Option(
        "--server",
        envvar="SPANCREW_SERVER",
        help="The address of the server; else the one logged in to.",
    ),
]
Token = Annotated[
    str | None,
    typer.Option(
        "--token",
        envvar="SPANCREW_TOKEN",
        help="An API token; else the one of the login.",
    ),
]
CampaignName = Annotated[
    str, typer.Argument(metavar="CAMPAIGN", help="A campaign, by its id or its name.")
]


def config_file() -> Path:
    """Return the file that remembers servers, under the user's configuration folder."""
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "spancrew" / "login.json"


def remember(url: str, token: str) -> Path:
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
    return file


def connect(server: str | None, token: str | None) -> "Client":
    """Return the server as told by options, environment or the last login."""
    from spancrew.client import Client

    known = _known(config_file())
    url = (server or known.get("server") or DEFAULT).rstrip("/")
    found = token or known.get("tokens", {}).get(url)
    if found is None:
        raise SpancrewError(
            f"nobody is logged in to {url}: run 'spancrew campaign login LINK' with the link that "
            "'spancrew serve' prints, or set SPANCREW_TOKEN"
        )
    return Client(url, token=found, patience=PATIENCE)


@contextmanager
def opened(campaign: str, server: str | None, token: str | None) -> "Iterator[CampaignClient]":
    """Yield a campaign of that server, by its id or its name."""
    with connect(server, token) as client:
        yield client.find(campaign)


def _known(file: Path) -> dict[str, Any]:
    try:
        known = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError:
        raise SpancrewError(f"{file} cannot be read; remove it and log in again") from None
    return known if isinstance(known, dict) else {}
