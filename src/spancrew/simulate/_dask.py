"""A running Dask cluster that rehearses blocks."""

import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

from spancrew.errors import MissingPackageError, SpancrewError
from spancrew.simulate._cell import Block
from spancrew.simulate._outcome import Outcome
from spancrew.simulate._scene import Scene

SCHEME = "dask://"

PATIENCE = 5
"""Seconds until a scheduler has to answer, or a first worker has to be there."""

Rehearse = Callable[[Scene, Block], tuple[Block, Outcome]]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A client of a cluster, and what its workers are to do with a block."""

    client: Any
    rehearse: Rehearse

    @property
    def slots(self) -> int:
        """Return the threads of all workers."""
        threads: dict[str, int] = self.client.ncores()
        return max(1, sum(threads.values()))

    def outcomes(
        self, scenes: Mapping[str, Scene], blocks: Sequence[Block]
    ) -> Generator[tuple[Block, Outcome], None, None]:
        """Yield what came of each block as soon as it is done, in any order."""
        distributed = import_module("distributed")
        used = {block.cell.scene for block in blocks}
        sent = {
            name: self.client.scatter(scenes[name], broadcast=True, hash=False) for name in used
        }
        futures = [
            self.client.submit(self.rehearse, sent[block.cell.scene], block, pure=False)
            for block in blocks
        ]
        try:
            for future in distributed.as_completed(futures, loop=self.client.loop):
                yield future.result()
                future.release()
        except (distributed.KilledWorker, CancelledError) as error:
            raise SpancrewError(
                f"the Dask cluster lost a part of the sweep ({type(error).__name__}): look at the "
                "logs of its scheduler and workers, then start the sweep again"
            ) from error
        finally:
            self.client.cancel(futures)


def address_of(engine: str) -> str:
    """Return where the scheduler listens.

    >>> address_of("dask://127.0.0.1:8786")
    'tcp://127.0.0.1:8786'
    """
    rest = engine.removeprefix(SCHEME)
    try:
        parts = urlsplit(f"//{rest}")
        complete = parts.hostname and parts.port and parts.netloc == rest and "@" not in rest
    except ValueError:
        complete = False
    if not complete:
        raise SpancrewError(f"engine {engine!r} does not name a scheduler: {SCHEME}HOST:PORT")
    return f"tcp://{rest}"


@contextmanager
def cluster(address: str, rehearse: Rehearse) -> Iterator[Cluster]:
    """Connect to a cluster and leave it again; refuse one that could not do the work."""
    client = _connected(address)
    try:
        _refuse_unfit(client, address)
        yield Cluster(client, rehearse)
    finally:
        client.close()


def _connected(address: str) -> Any:
    try:
        distributed = import_module("distributed")
    except ModuleNotFoundError:
        raise MissingPackageError(
            f"an engine that begins with {SCHEME} needs the package 'distributed'; install it "
            "with 'pip install spancrew[cluster]'",
            name="distributed",
        ) from None
    try:
        with warnings.catch_warnings():
            # Only the version of spancrew is asked to be the same, below.
            warnings.simplefilter("ignore", distributed.versions.VersionMismatchWarning)
            return distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except OSError:
        raise SpancrewError(
            f"no Dask scheduler answers at {address} within {PATIENCE} seconds; check the "
            "address, or start one there with 'dask scheduler'"
        ) from None


def _refuse_unfit(client: Any, address: str) -> None:
    """Refuse a cluster without workers, or with another version of spancrew."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise SpancrewError(
            f"the Dask scheduler at {address} has no workers; start some with "
            f"'dask worker {address}'"
        ) from None
    ours = version("spancrew")
    for worker, theirs in client.run(version, "spancrew", on_error="return").items():
        if theirs != ours:
            what = f"spancrew {theirs}" if isinstance(theirs, str) else "no spancrew"
            raise SpancrewError(
                f"the Dask worker at {worker} has {what}, and here it is {ours}; install the same "
                "version there"
            )
