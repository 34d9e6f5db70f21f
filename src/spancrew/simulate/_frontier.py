"""Quality of the final labels against the share of the sentences that experts label."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from spancrew.core import Dataset
from spancrew.errors import SpancrewError
from spancrew.simulate._apart import done_apart
from spancrew.simulate._calibration import Calibration, are_right, calibration, pooled
from spancrew.simulate._gates import gate_for
from spancrew.simulate._machine import check_engine
from spancrew.simulate._pairs import Pair, pairs_of
from spancrew.simulate._stream import Arrivals, arrivals_of, stream
from spancrew.simulate._summary import EXACT, Spread, spread_of
from spancrew.simulate._sweep import Progress, silent

SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
"""Shares of expert sentences unless told."""


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """A pair at one share of expert sentences; means and standard deviations over orders.

    ``exact_f1`` is of the final labels, ``settled_f1`` of the labels as they were decided on
    arrival, ``asked`` the share on which the expert really was asked. ``seconds`` is how long an
    order took.
    """

    pair: Pair
    expert_share: float
    exact_f1: Spread
    settled_f1: Spread
    asked: Spread
    calibration: Calibration
    orders: int
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "consensus": self.pair.method,
            "gate": self.pair.gate,
            "expert_share": self.expert_share,
            "exact_f1": self.exact_f1._asdict(),
            "settled_f1": self.settled_f1._asdict(),
            "asked": self.asked._asdict(),
            "calibration_error": self.calibration.error,
            "calibration": self.calibration.as_json(),
            "orders": self.orders,
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True, slots=True)
class Frontier:
    """All points, pair by pair, shares ascending.

    ``sentences`` arrived in every order; ``left_out`` have no gold or no answer.
    """

    points: tuple[FrontierPoint, ...]
    sentences: int
    left_out: int

    def curves(self) -> dict[str, list[FrontierPoint]]:
        """Return the points of every pair by its name."""
        found: dict[str, list[FrontierPoint]] = {}
        for point in self.points:
            found.setdefault(point.pair.name, []).append(point)
        return found

    def as_json(self) -> list[dict[str, Any]]:
        """Return one record for every point."""
        counts = {"sentences": self.sentences, "left_out": self.left_out}
        return [point.as_json() | counts for point in self.points]


def frontier(
    dataset: Dataset,
    pairs: Sequence[Pair] | None = None,
    shares: Sequence[float] = SHARES,
    orders: int = 5,
    seed: int = 0,
    *,
    processes: int | None = None,
    progress: Progress = silent,
) -> Frontier:
    """Say how good final labels become if experts label a share of the sentences.

    Real answers only: the sentences that have gold and an answer arrive in random orders, the
    same for all pairs, and gold is what the expert would say. ``processes`` are all cores unless
    told; how many there are changes nothing in what comes out.
    """
    levels = sorted(set(shares))
    _refuse_nonsense(levels, orders, seed)
    check_engine("local", processes)
    arrivals = arrivals_of(dataset)
    rows = [
        [_Cell(pair, share, order) for order in range(orders)]
        for pair in (pairs_of() if pairs is None else pairs)
        for share in levels
    ]
    needed = {cell.key: cell for row in rows for cell in row}
    work = done_apart(partial(_run, arrivals, seed), list(needed.values()), processes)
    done: dict[_Key, _Ran] = {}
    progress(0, len(needed))
    for key, ran in work:
        done[key] = ran
        progress(len(done), len(needed))
    points = [_point(row[0], [done[cell.key] for cell in row]) for row in rows]
    return Frontier(tuple(points), len(arrivals), len(dataset) - len(arrivals))


def _refuse_nonsense(shares: Sequence[float], orders: int, seed: int) -> None:
    for share in shares:
        if not 0 <= share <= 1:
            raise SpancrewError(f"share {share:g}: it is from 0 to 1, as 0.2 is for 20 %")
    for what, value, least in (("orders", orders, 1), ("seed", seed, 0)):
        if value < least:
            raise SpancrewError(f"{what} {value}: at least {least} is needed")


_Key = tuple[str, str, float, int]


class _Cell(NamedTuple):
    """A pair at one share, in one order."""

    pair: Pair
    share: float
    order: int

    @property
    def key(self) -> _Key:
        """Return what tells cells apart; all gates that ask nobody are the same."""
        gate = self.pair.gate if self.share > 0 else ""
        return self.pair.method, gate, self.share, self.order


class _Ran(NamedTuple):
    """What came of a cell."""

    final_f1: float
    settled_f1: float
    asked: float
    calibration: Calibration
    seconds: float


def _run(arrivals: Arrivals, seed: int, cell: _Cell) -> tuple[_Key, _Ran]:
    """Let the sentences arrive in the order of the cell."""
    start = time.perf_counter()
    rng = np.random.default_rng([seed, cell.order])
    ordered = arrivals.take(rng.permutation(len(arrivals)))
    gate = gate_for(cell.pair.gate, cell.share, ordered.evidence.answers, rng)
    found = stream(ordered, cell.pair.consensus, gate)
    is_right = are_right(found.stated, ordered.gold)
    ran = _Ran(
        EXACT.pool(found.final, ordered.gold).f1,
        EXACT.pool(found.settled, ordered.gold).f1,
        float(found.asked.mean()),
        calibration(found.confidence, is_right, np.random.default_rng([seed, cell.order, 1])),
        time.perf_counter() - start,
    )
    return cell.key, ran


def _point(cell: _Cell, runs: Sequence[_Ran]) -> FrontierPoint:
    """Return a point from its orders."""
    final, settled, asked = np.array([run[:3] for run in runs]).T
    return FrontierPoint(
        cell.pair,
        cell.share,
        spread_of(final),
        spread_of(settled),
        spread_of(asked),
        pooled([run.calibration for run in runs]),
        len(runs),
        float(np.mean([run.seconds for run in runs])),
    )
