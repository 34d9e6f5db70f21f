"""The crowd platforms that commands talk to: options, addresses and accounts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from spancrew.bridges import CrowdPlatform, PlatformName
    from spancrew.client import CampaignClient
    from spancrew.wire import EntryView

Studies = Annotated[
    list[str],
    typer.Option(
        "--study", help="A study on Prolific or a HIT on MTurk, by its id; may be repeated."
    ),
]
Production = Annotated[
    bool,
    typer.Option("--production", help="MTurk: with real money, instead of in the sandbox."),
]
Api = Annotated[
    str | None,
    typer.Option(
        help="The address of the platform's API, where it is not the usual one.",
        show_default=False,
    ),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
Base = Literal["deduct", "extra"]
Others = Literal["deduct", "ignore"]


def api_of(platform: "PlatformName", api: str | None, *, production: bool) -> str:
    """Return the address of a platform's API."""
    from spancrew.bridges import MTURK, MTURK_SANDBOX, PROLIFIC

    if api is not None:
        return api
    if platform == "prolific":
        return PROLIFIC
    return MTURK if production else MTURK_SANDBOX


def open_platform(
    name: "PlatformName", studies: Sequence[str], api: str, at_once: int = 200
) -> "CrowdPlatform":
    """Return some studies on a platform, with the secrets of the environment."""
    from spancrew.bridges import MTurk, Prolific

    if name == "prolific":
        return Prolific(studies, api=api, at_once=at_once)
    return MTurk(studies, api=api)


def entry_of(campaign: "CampaignClient") -> "EntryView":
    """Return how workers of a platform come into a campaign; refuse one that is not open."""
    found = campaign.details().entry
    if found is None:
        raise SpancrewError(
            f"campaign {campaign.id} is not open to a crowd platform: "
            "'spancrew campaign entry' opens it"
        )
    return found


def platform_of(entry: "EntryView") -> "PlatformName":
    """Return the platform of an entry."""
    return "mturk" if entry.platform == "mturk" else "prolific"
