"""Workers in the order of a column: how they stand, and how they have been doing lately."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from spancrew import wire
from spancrew.campaign import WorkerStanding
from spancrew.server.live.attention import CONCERNS
from spancrew.server.live.lately import WorkerPicture
from spancrew.server.live.picture import PictureFold

_TRENDS = ("falling", "steady", "rising")


class RankedWorker(NamedTuple):
    """A worker, how they have been doing lately, and why they need a look."""

    standing: WorkerStanding
    lately: WorkerPicture
    why: tuple[wire.Concern, ...]


_COLUMNS: dict[wire.WorkerColumn, Callable[[RankedWorker], Any]] = {
    "attention": lambda row: CONCERNS.index(row.why[0]) if row.why else None,
    "worker": lambda row: row.standing.worker,
    "state": lambda row: row.standing.state,
    "score": lambda row: row.standing.mean,
    "trend": lambda row: None if (found := row.lately.trend) is None else _TRENDS.index(found),
    "speed": lambda row: row.lately.speed,
    "agreement": lambda row: row.lately.agreement,
    "answers": lambda row: row.standing.answers,
    "earned": lambda row: row.standing.earned,
}


def ranked(
    standings: Iterable[WorkerStanding],
    fold: PictureFold,
    by: wire.WorkerColumn,
    *,
    down: bool,
    concerns: Mapping[int, tuple[wire.Concern, ...]] | None = None,
) -> list[int]:
    """Return the numbers of workers in the order of a column; models stand below the people.

    Those of whom nothing is known come last, and of two who are equal the first to come. By
    ``attention``, whoever needs a look comes first.
    """
    value = _COLUMNS[by]
    why = concerns or {}
    rows = [
        (
            each.model is not None,
            each.worker,
            value(RankedWorker(each, fold.workers[each.worker], why.get(each.worker, ()))),
        )
        for each in standings
        if each.worker < fold.joined
    ]
    rows.sort()
    rows.sort(key=lambda row: 0 if row[2] is None else row[2], reverse=down)
    rows.sort(key=lambda row: (row[0], row[2] is None))
    return [number for _, number, _ in rows]


def lately_view(fold: PictureFold, number: int) -> wire.WorkerLately:
    """Return how a worker has been doing lately."""
    own = fold.workers[number]
    return wire.WorkerLately(
        worker=f"w{number}",
        rewards=tuple(own.rewards),
        trend=own.trend,
        agreement=own.agreement,
        settled=own.settled,
        seconds=own.speed,
    )
