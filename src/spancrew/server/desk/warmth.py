"""What a plan needs is compiled before its first sentence is handed out."""

import asyncio
import gc
import json
import logging
import os
import threading
from collections.abc import Iterator
from queue import SimpleQueue

from spancrew.campaign import Plan, warm
from spancrew.errors import SpancrewError
from spancrew.stores import SqlStore

_log = logging.getLogger("spancrew.desk")

Kind = tuple[str, ...]
"""The parts of a plan that decide what is compiled."""

_PATIENCE = float(os.environ.get("SPANCREW_WARM_SECONDS", "20"))
"""Seconds for which a request waits; then it is told to come again."""
_LOOK = 0.05


class Warmth:
    """Runs campaigns in miniature in a thread, one after the other."""

    def __init__(self) -> None:
        self._seen: set[Kind] = set()
        self._ready: set[Kind] = set()
        self._wanted: SimpleQueue[Plan] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def prepare(self, plan: Plan) -> None:
        """Compile what a plan needs, some time soon."""
        if (kind := kind_of(plan)) in self._seen:
            return
        self._seen.add(kind)
        self._wanted.put(plan)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="spancrew-warm", daemon=True)
            self._thread.start()

    async def reached(self, plan: Plan, *, patience: float = _PATIENCE) -> bool:
        """Wait until a plan can be followed; tell whether it can."""
        self.prepare(plan)
        kind, waited = kind_of(plan), 0.0
        while kind not in self._ready and waited < patience:
            await asyncio.sleep(_LOOK)
            waited += _LOOK
        return kind in self._ready

    def _work(self) -> None:
        while True:
            plan = self._wanted.get()
            try:
                warm(plan)
            except Exception:  # noqa: BLE001  logged with its cause
                # A plan that fails in miniature may work, or its first answer is refused.
                _log.exception("what the plan %s needs was not compiled", kind_of(plan))
            self._ready.add(kind_of(plan))
            # Compiling leaves much behind, and the next search for it may be far away.
            gc.collect()


def kind_of(plan: Plan) -> Kind:
    """Return what two plans share that need the same code."""
    given = plan.to_json()
    return tuple(str(given[part]) for part in ("policy", "feedback", "consensus", "kind"))


WARMTH = Warmth()


def warm_up(store: SqlStore) -> None:
    """Compile the hot loops of the plans that are there; of the usual plan where there is none.

    What was compiled before is on the disk, and takes a moment only.
    """
    try:
        for plan in _plans(store):
            WARMTH.prepare(plan)
    except SpancrewError as error:
        # The store is away: requests will say so, too.
        _log.warning("plans were not compiled: %s", error)


def _plans(store: SqlStore) -> Iterator[Plan]:
    """Yield the plans of all campaigns, or else the usual one."""
    found = False
    for name in store.campaigns():
        first = next(iter(store.read(name)), None)
        if first is None or first.entry.kind != "Opened":
            continue
        found = True
        try:
            yield Plan.from_json(json.loads(first.entry.body)["plan"])
        except SpancrewError as error:
            # It needs a part that is gone: requests will say so, too.
            _log.warning("the plan of %s was not compiled: %s", name, error)
    if not found:
        yield Plan(("LABEL",))
