"""Copies of campaigns, for what takes long."""

from spancrew.campaign import Campaign
from spancrew.server.processes import in_thread
from spancrew.server.services import Services


async def copied(services: Services, campaign: str) -> Campaign:
    """Return a copy of a campaign, so that nobody has to wait for what is done with it."""
    material, state = await services.desk.look(
        campaign, lambda found: (found.state.material, found.snapshot())
    )
    return await in_thread(Campaign.restore, material, state)
