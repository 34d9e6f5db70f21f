"""Compile what the first judgement needs, before somebody waits for it."""

import json
from collections.abc import Iterator

from spancrew import campaign
from spancrew.campaign import Plan
from spancrew.errors import SpancrewError
from spancrew.stores import SqlStore


def warm_up(store: SqlStore) -> None:
    """Compile the hot loops of the plans that are there; of the usual plan where there is none.

    What was compiled before is on the disk, and takes a moment only.
    """
    warm = getattr(campaign, "warm", None)
    if warm is None:
        return
    try:
        for plan in _plans(store):
            warm(plan)
    except SpancrewError:
        # The store is away, or a plan needs a part that is gone: requests will say so.
        return


def _plans(store: SqlStore) -> Iterator[Plan]:
    """Yield the plans that differ in what is compiled for them."""
    seen: set[tuple[str, ...]] = set()
    for name in store.campaigns():
        first = next(iter(store.read(name)), None)
        if first is None or first.entry.kind != "Opened":
            continue
        given = json.loads(first.entry.body)["plan"]
        kind = tuple(str(given[part]) for part in ("policy", "feedback", "consensus", "kind"))
        if kind not in seen:
            seen.add(kind)
            yield Plan.from_json(given)
    if not seen:
        yield Plan(("LABEL",))
