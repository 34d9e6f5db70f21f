"""Compile what the first judgement needs, before somebody waits for it."""

import json
from collections.abc import Iterator

from spancrew.campaign import Plan
from spancrew.errors import SpancrewError
from spancrew.server.start.warmth import WARMTH
from spancrew.stores import SqlStore


def warm_up(store: SqlStore) -> None:
    """Compile the hot loops of the plans that are there; of the usual plan where there is none.

    What was compiled before is on the disk, and takes a moment only.
    """
    try:
        for plan in _plans(store):
            WARMTH.prepare(plan)
    except SpancrewError:
        # The store is away, or a plan needs a part that is gone: requests will say so.
        return


def _plans(store: SqlStore) -> Iterator[Plan]:
    """Yield the plans of all campaigns, or else the usual one."""
    found = False
    for name in store.campaigns():
        first = next(iter(store.read(name)), None)
        if first is not None and first.entry.kind == "Opened":
            found = True
            yield Plan.from_json(json.loads(first.entry.body)["plan"])
    if not found:
        yield Plan(("LABEL",))
