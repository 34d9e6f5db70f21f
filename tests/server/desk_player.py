"""A process with a desk whose workers answer, and who note every answer that is safe."""

import asyncio
from pathlib import Path

from spancrew.server.desk.desk import Desk
from spancrew.stores import open_store
from tests.server.desks import NAME, answer


def play(address: str, workers: list[int], notes: Path) -> None:
    """Answer until there is nothing to do."""
    asyncio.run(_play(address, workers, notes))


async def _play(address: str, workers: list[int], notes: Path) -> None:
    store = open_store(address)
    desk = Desk(store, lambda: 10.0)
    with notes.open("a", encoding="utf-8", buffering=1) as noted:

        async def work(worker: int) -> None:
            while (number := await desk.do(NAME, answer(worker, 10.0))) is not None:
                noted.write(f"{number}\n")

        await asyncio.gather(*(work(worker) for worker in workers))
    await desk.close()
    store.close()
