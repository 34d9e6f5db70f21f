"""What has to be done now and then: secrets whose time is over are forgotten."""

import asyncio

from spancrew.errors import SpancrewError
from spancrew.server.services import Services
from spancrew.server.threads import in_thread

_EVERY = 3600.0


async def keep_house(services: Services) -> None:
    """Forget what is over, once an hour, until cancelled."""
    while True:
        try:
            await in_thread(services.directory.secrets.sweep, services.now)
        except SpancrewError as error:
            services.log.warning("secrets wait", problem=type(error).__name__)
        await asyncio.sleep(_EVERY)
