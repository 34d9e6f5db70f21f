"""Which workers an admin should look at, and why."""

import statistics
from collections.abc import Iterable, Mapping
from typing import NamedTuple, get_args

from spancrew.campaign import WorkerStanding
from spancrew.server.live.lately import WorkerPicture
from spancrew.wire import Concern

CONCERNS: tuple[Concern, ...] = get_args(Concern)
"""From the one that matters most."""

_TIMED = 5
"""Answers with a time that a worker needs, and workers with that many, to be called quick."""
_QUICK = 1 / 3
"""The share of the middle worker's time below which somebody is too fast."""
_AWAY = 86400.0
"""Seconds after which somebody who was not heard of is idle."""


class WatchedWorker(NamedTuple):
    """What is known of a worker; ``seen_at`` is when they were heard of, or came into the list."""

    standing: WorkerStanding
    lately: WorkerPicture
    seen_at: float


def concerns_of(
    workers: Iterable[WatchedWorker], twins: Mapping[int, int], now: float, *, is_running: bool
) -> dict[int, tuple[Concern, ...]]:
    """Return why workers need a look, what matters most first; others are left out.

    Whoever is paused or banned was looked at already, and a model is nobody to talk to.
    """
    people = [
        each
        for each in workers
        if each.standing.model is None and each.standing.state in {"new", "ready"}
    ]
    quick = _quick_below(people)
    found = {
        each.standing.worker: tuple(
            name for name in CONCERNS if _has(name, each, twins, quick, now, is_running)
        )
        for each in people
    }
    return {worker: why for worker, why in found.items() if why}


def _has(
    name: Concern,
    each: WatchedWorker,
    twins: Mapping[int, int],
    quick: float,
    now: float,
    is_running: bool,
) -> bool:
    match name:
        case "twin":
            return each.standing.worker in twins
        case "weak":
            return each.standing.weak
        case "fast":
            speed = each.lately.speed
            return speed is not None and len(each.lately.seconds) >= _TIMED and speed < quick
        case "falling":
            return each.lately.trend == "falling"
        case "idle":
            return is_running and now - each.seen_at > _AWAY


def _quick_below(people: Iterable[WatchedWorker]) -> float:
    """Return the time below which an answer is too quick; 0 where nothing can be said."""
    times = [
        statistics.median(each.lately.seconds)
        for each in people
        if len(each.lately.seconds) >= _TIMED
    ]
    return _QUICK * statistics.median(times) if len(times) >= _TIMED else 0.0
