"""`spancrew payout approve`: approve what workers handed in."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer

from spancrew.cli import _payout_views as views
from spancrew.cli._campaign_views import show
from spancrew.cli._connection import CampaignName, Connection
from spancrew.cli._options import Json
from spancrew.cli._platforms import (
    Api,
    Production,
    Studies,
    Yes,
    api_of,
    entry_of,
    open_platform,
    platform_of,
)

if TYPE_CHECKING:
    from spancrew.bridges import PlatformSubmission

_APPROVED = "approve"


def approve(
    campaign: CampaignName,
    study: Studies,
    yes: Yes = False,
    production: Production = False,
    api: Api = None,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Approve submissions of workers of a campaign that have the completion code."""
    from spancrew.bridges import earners_of, money

    with connection.campaign(campaign) as chosen:
        entry = entry_of(chosen)
        name = platform_of(entry)
        known = {each.person for each in earners_of(chosen, name)[0] if each.answers}
    platform = open_platform(name, study, api_of(name, api, production=production))
    waiting = [each for each in platform.submissions() if each.state == "waiting"]
    found = [(each, _verdict(each, entry.completion_code, known)) for each in waiting]
    right = [each for each, verdict in found if verdict == _APPROVED]
    if not json:
        show(json, found, views.submission_table(found))
    cost = money(sum(each.base for each in right))
    if right and not yes:
        typer.confirm(
            f"Approve {len(right):,} submissions, which pays {cost} without fees, on "
            f"{platform.api}?",
            abort=True,
            err=json,
        )
    platform.approve(right)
    record = {"approved": _ids(right), "left": _ids(e for e, v in found if v != _APPROVED)}
    show(json, record, f"{len(right):,} of {len(found):,} waiting submissions are approved.")


def _verdict(submission: "PlatformSubmission", code: str | None, known: set[str]) -> str:
    if submission.person not in known:
        return "leave: this person has no answer in the campaign"
    if submission.code != code:
        return "leave: the completion code is wrong"
    return _APPROVED


def _ids(submissions: "Iterable[PlatformSubmission]") -> list[str]:
    return [each.id for each in submissions]
