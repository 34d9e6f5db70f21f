"""`spancrew recruit`: a study on Prolific or a HIT on MTurk for a campaign."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli._campaign_views import say
from spancrew.cli._command_table import group
from spancrew.cli._connection import CampaignName, Connection
from spancrew.cli._options import Json
from spancrew.cli._platforms import Api, Production, Yes, api_of, entry_of
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from spancrew.bridges import PlatformName
    from spancrew.client import CampaignClient


@dataclass(frozen=True, slots=True)
class Offer:
    """What people are offered on a platform."""

    title: Annotated[str, typer.Option(help="What people see in the list.")]
    description: Annotated[str, typer.Option(help="What people read before they decide.")]
    places: Annotated[int, typer.Option(min=1, help="How many people may take part.")]
    minutes: Annotated[
        int, typer.Option(min=1, help="How long it should take, or may take on MTurk.")
    ]
    reward: Annotated[
        float, typer.Option(min=0.0, help="Base pay of a person; the rest is paid as a bonus.")
    ]
    yes: Yes = False
    api: Api = None

    @property
    def cents(self) -> int:
        """Return the base pay of a person in cents."""
        from spancrew.bridges import cents_of

        return cents_of(self.reward)

    def confirm(self, api: str, *, err: bool) -> None:
        """Ask whether people may be offered this much, unless it need not be asked."""
        from spancrew.bridges import money

        if not self.yes:
            typer.confirm(
                f"Offer {self.places:,} places for {money(self.cents)} each, "
                f"{money(self.places * self.cents)} in all without fees, on {api}?",
                abort=True,
                err=err,
            )


def prolific(
    campaign: CampaignName,
    offer: Offer,
    approve_at_once: Annotated[
        bool, typer.Option("--approve-at-once", help="Approve all who have the completion code.")
    ] = False,
    project: Annotated[
        str | None, typer.Option(help="The project at Prolific, by its id.")
    ] = None,
    publish: Annotated[
        bool, typer.Option("--publish", help="Show it to people; else it is a draft.")
    ] = False,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Set up a study on Prolific, with the address of the campaign and its completion code."""
    from spancrew.bridges import Prolific, StudyOrder

    with connection.campaign(campaign) as chosen:
        url, code = _way_in(chosen, "prolific")
    order = StudyOrder(
        offer.title,
        offer.description,
        url,
        code,
        offer.places,
        offer.minutes,
        offer.cents,
        approve_at_once,
        project,
    )
    address = api_of("prolific", offer.api, production=True)
    if publish:
        offer.confirm(address, err=json)
    platform = Prolific(api=address)
    study = platform.create_study(order)
    if publish:
        platform.publish(study)
    state = "published" if publish else "a draft; publish it at Prolific, where you can look at it"
    say(json, {"study": study, "published": publish}, f"Study {study} is {state}.")


def mturk(
    campaign: CampaignName,
    offer: Offer,
    keywords: Annotated[str, typer.Option(help="Words by which it is found.")] = "",
    days: Annotated[int, typer.Option(min=1, max=365, help="Days until it ends.")] = 7,
    production: Production = False,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Create a HIT on MTurk that shows the campaign; workers see it at once."""
    from spancrew.bridges import HitOrder, MTurk

    with connection.campaign(campaign) as chosen:
        url, _ = _way_in(chosen, "mturk")
    address = api_of("mturk", offer.api, production=production)
    order = HitOrder(
        offer.title,
        offer.description,
        url,
        offer.places,
        offer.minutes,
        offer.cents,
        keywords,
        days,
    )
    offer.confirm(address, err=json)
    hit = MTurk(api=address).create_hit(order)
    say(json, {"hit": hit, "api": address}, f"HIT {hit} is open on {address}.")


def _way_in(campaign: "CampaignClient", platform: "PlatformName") -> tuple[str, str]:
    """Return the address of a campaign for a platform, and its completion code."""
    from spancrew.bridges import link_problem

    entry = entry_of(campaign)
    if entry.platform != platform or not entry.completion_code:
        raise SpancrewError(
            f"run 'spancrew campaign entry {campaign.id} {platform} --completion-code CODE' first"
        )
    problem = link_problem(entry.url, platform)
    if problem is not None:
        raise SpancrewError(f"{entry.url} cannot be used: {problem}")
    return entry.url, entry.completion_code


recruit = group(
    "recruit",
    "Find workers on a crowd platform for a campaign.",
    {"prolific": prolific, "mturk": mturk},
)
