"""Calls of a function in this process, in several on this machine, or on a Dask cluster."""

import os
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any, TypeVar
from urllib.parse import urlsplit

import joblib

from spancrew.errors import MissingPackageError, SpancrewError

SCHEME = "dask://"

PATIENCE = 5
"""Seconds until a scheduler has to answer, or a first worker has to be there."""

SHARED = "100K"
"""Arrays from this size on are written to shared memory once instead of sent with each call."""

_WATCHER = "spancrew-orphan"

Call = tuple[Any, ...]
"""The arguments of a call. The first is large and the same for many calls: it is sent once."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Local:
    """Processes of this machine, ``slots`` calls at a time; a single process is this one."""

    slots: int

    def run(
        self, function: Callable[..., Result], calls: Sequence[Call]
    ) -> Generator[tuple[int, Result], None, None]:
        """Yield the position and the result of every call as soon as it is done, in any order."""
        count = min(self.slots, len(calls))
        if count <= 1:
            for position, call in enumerate(calls):
                yield position, function(*call)
            return
        pool = joblib.Parallel(
            count, "loky", return_as="generator_unordered", batch_size=1, max_nbytes=SHARED
        )
        task = joblib.delayed(_in_child)
        tasks = (task(os.getpid(), function, *numbered) for numbered in enumerate(calls))
        try:
            with closing(pool(tasks)) as results:
                yield from results
        except BrokenProcessPool:
            raise SpancrewError(
                f"one of {count} processes was ended from outside, perhaps because memory ran "
                "out; take fewer processes"
            ) from None


def _in_child(
    parent: int, function: Callable[..., Result], position: int, call: Call
) -> tuple[int, Result]:
    end_with(parent)
    return position, function(*call)


def end_with(parent: int) -> None:
    """End this process soon after its parent, even if that is killed."""
    if all(thread.name != _WATCHER for thread in threading.enumerate()):
        threading.Thread(target=_watch, args=(parent,), name=_WATCHER, daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Dask cluster, by a client of it.

    Not through joblib's Dask backend: that waits for ever for a call that the cluster has lost.
    """

    client: Any

    @property
    def slots(self) -> int:
        """Return the threads of all workers."""
        threads: dict[str, int] = self.client.ncores()
        return max(1, sum(threads.values()))

    def run(
        self, function: Callable[..., Result], calls: Sequence[Call]
    ) -> Generator[tuple[int, Result], None, None]:
        """Yield the position and the result of every call as soon as it is done, in any order."""
        distributed = import_module("distributed")
        shared = {id(call[0]): call[0] for call in calls}
        sent = {
            key: self.client.scatter(value, broadcast=True, hash=False)
            for key, value in shared.items()
        }
        positions = {
            self.client.submit(function, sent[id(call[0])], *call[1:], pure=False): position
            for position, call in enumerate(calls)
        }
        try:
            for future in distributed.as_completed(list(positions), loop=self.client.loop):
                yield positions[future], future.result()
                future.release()
        except (distributed.KilledWorker, CancelledError) as error:
            raise SpancrewError(
                f"the Dask cluster lost a part of the sweep ({type(error).__name__}): look at the "
                "logs of its scheduler and workers, then start the sweep again"
            ) from error
        finally:
            self.client.cancel(list(positions))


Workers = Local | Cluster


def workers_of(engine: str, processes: int | None) -> AbstractContextManager[Workers]:
    """Return the workers of an engine, to be entered; refuse what can be refused at once.

    Nothing is started or called before they are entered.
    """
    if engine.startswith(SCHEME) and processes is None:
        return _cluster(address_of(engine))
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
    with workers_of(engine, processes):
        pass


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
def _cluster(address: str) -> Iterator[Workers]:
    """Connect to a cluster and leave it again; refuse one that could not do the work."""
    client = _connected(address)
    try:
        _refuse_unfit(client, address)
        yield Cluster(client)
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
            # Only the version of spancrew has to be the same; that is checked below.
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
