"""Figures of several campaigns at once, for a list of them."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query

from spancrew.campaign import Campaign
from spancrew.errors import UnknownCampaignError
from spancrew.server.api.access import Admin, Server
from spancrew.server.api.parameters import USUAL
from spancrew.server.processes import in_thread
from spancrew.server.services import Services
from spancrew.wire import PREFIX, FiguresView, finite

router = APIRouter(prefix=PREFIX, tags=["campaigns"], responses=USUAL)

_MOST = 50
"""A campaign comes into memory to be looked at, so only those are asked for that are seen."""

Wanted = Annotated[list[str], Query(max_length=_MOST, description="ids of campaigns")]


@router.get("/figures", summary="How far some campaigns are")
async def figures(_admin: Admin, services: Server, campaign: Wanted = []) -> list[FiguresView]:  # noqa: B006  FastAPI copies it
    """Return phase, progress, money and quality of some campaigns; those not there are left out.

    At most 50 are looked at in one call.
    """
    known = {each.id for each in await in_thread(services.directory.campaigns.all)}
    wanted = [id_ for id_ in dict.fromkeys(campaign) if id_ in known]
    found = await asyncio.gather(*(_figures(services, id_) for id_ in wanted))
    return [each for each in found if each is not None]


async def _figures(services: Services, id_: str) -> FiguresView | None:
    def look(found: Campaign) -> FiguresView:
        status, ledger = found.status(), found.ledger()
        return FiguresView(
            id=id_,
            phase=status.phase,
            sentences=status.sentences,
            settled=status.settled,
            spent=ledger.spent,
            expected_quality=finite(status.expected_quality),
        )

    try:
        return await services.desk.look(id_, look)
    except UnknownCampaignError:
        return None
