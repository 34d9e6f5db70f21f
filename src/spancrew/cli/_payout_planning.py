"""`spancrew payout plan`: what is owed, before anything is sent."""

from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli import _payout_views as views
from spancrew.cli._campaign_views import show
from spancrew.cli._connection import CampaignName, Connection
from spancrew.cli._options import Json
from spancrew.cli._payout_journals import Folder, folder_of, open_journal
from spancrew.cli._platforms import (
    Api,
    Base,
    Others,
    Production,
    Studies,
    api_of,
    entry_of,
    open_platform,
    platform_of,
)
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from spancrew.bridges import Due, PayoutPlan


def plan(
    campaign: CampaignName,
    study: Studies,
    base: Annotated[
        Base,
        typer.Option(help="Whether base pay is a part of the earnings, or comes on top of them."),
    ] = "deduct",
    others: Annotated[
        Others | None,
        typer.Option(help="Bonuses that no payout from here made: count them as paid, or not."),
    ] = None,
    fee: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="What the platform takes of a bonus, as a share of it; assumed to be 0.333 on "
            "Prolific and 0.2 on MTurk.",
        ),
    ] = None,
    production: Production = False,
    api: Api = None,
    folder: Folder = None,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Show what every worker is owed, and what paying it costs; nothing is sent."""
    from spancrew.bridges import (
        FEES,
        dues,
        earners_of,
        journal_name,
        plan_of,
        refuse_uncertain,
    )

    with connection.campaign(campaign) as chosen:
        name = platform_of(entry_of(chosen))
        earners, strangers = earners_of(chosen, name)
    address = api_of(name, api, production=production)
    handed_in = open_platform(name, study, address).submissions()
    with open_journal(folder_of(folder) / journal_name(chosen.id, address)) as journal:
        refuse_uncertain(journal)
        owed = dues(earners, handed_in, journal.paid(), base=base, others=others or "ignore")
        if others is None:
            _refuse_others(owed)
        made = plan_of(chosen.id, name, address, study, owed)
        if made.payments:
            journal.plan(made)
    record = views.plan_record(made, owed, strangers, FEES[name] if fee is None else fee)
    show(json, record, *_plan_views(made, owed, strangers, record["fee"]))


def _plan_views(
    made: "PayoutPlan", owed: "list[Due]", strangers: list[str], fee: float
) -> "list[RenderableType]":
    shown = [views.due_table(owed), views.total_table(made, fee)]
    problems = [f"{each.worker} ({each.person}) {each.problem}" for each in owed if each.problem]
    if strangers:
        who = ", ".join(strangers)
        problems.append(f"did not come from {made.platform}, or were erased: {who}")
    shown += [f"Not paid: {each}." for each in problems]
    shown.append(
        f"Nothing was sent to {made.api}. 'spancrew payout send {made.id}' pays this."
        if made.payments
        else "Nobody is owed anything that can be paid now."
    )
    return shown


def _refuse_others(owed: "list[Due]") -> None:
    from spancrew.bridges import money

    foreign = [each for each in owed if each.others]
    if foreign:
        amount = money(sum(each.others for each in foreign))
        raise SpancrewError(
            f"{len(foreign):,} workers got bonuses of {amount} in all that "
            f"no payout from here made, such as {foreign[0].person}: say --others deduct if they "
            "were for this campaign, --others ignore if not"
        )
