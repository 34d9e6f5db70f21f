"""Where the blocks of a sweep are rehearsed: in this process, or in several on this machine."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol

import joblib

from spancrew.errors import SpancrewError
from spancrew.simulate._apart import done_apart
from spancrew.simulate._cell import Block
from spancrew.simulate._dask import SCHEME, address_of, cluster
from spancrew.simulate._outcome import Outcome
from spancrew.simulate._rehearse import rehearse
from spancrew.simulate._scene import Scene


class Machine(Protocol):
    """Somewhere to rehearse blocks."""

    @property
    def slots(self) -> int:
        """Return how many blocks are rehearsed at a time."""
        ...

    def outcomes(
        self, scenes: Mapping[str, Scene], blocks: Sequence[Block]
    ) -> Generator[tuple[Block, Outcome], None, None]:
        """Yield what came of each block as soon as it is done, in any order."""
        ...


@dataclass(frozen=True, slots=True)
class Local:
    """This machine, with so many processes; one is this process itself."""

    slots: int

    def outcomes(
        self, scenes: Mapping[str, Scene], blocks: Sequence[Block]
    ) -> Generator[tuple[Block, Outcome], None, None]:
        """Yield what came of each block as soon as it is done, in any order."""
        given = [(scenes[block.cell.scene], block) for block in blocks]
        return done_apart(_rehearsed, given, self.slots)


def _rehearsed(given: tuple[Scene, Block]) -> tuple[Block, Outcome]:
    return rehearse_block(*given)


def rehearse_block(scene: Scene, block: Block) -> tuple[Block, Outcome]:
    """Rehearse a block in its scene."""
    cell = block.cell
    return block, rehearse(scene, cell.setting, block.runs, cell.metrics)


def machine_of(engine: str, processes: int | None) -> AbstractContextManager[Machine]:
    """Return the machine of that name, to be entered; nothing is started or called before."""
    if engine.startswith(SCHEME) and processes is None:
        return cluster(address_of(engine), rehearse_block)
    if engine.startswith(SCHEME):
        raise SpancrewError(
            f"{processes} processes are for the engine local; a cluster uses all its workers"
        )
    if engine != "local":
        raise SpancrewError(f"engine {engine!r} is not known; take local or {SCHEME}HOST:PORT")
    if processes is not None and processes < 1:
        raise SpancrewError(f"{processes} processes cannot do anything; take at least 1")
    return nullcontext(Local(processes or joblib.cpu_count()))


def check_engine(engine: str, processes: int | None = None) -> None:
    """Refuse an engine that cannot be used, before anything that takes long is begun."""
    with machine_of(engine, processes):
        pass
