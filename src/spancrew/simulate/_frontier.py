"""Quality of the final labels against the share of the sentences that experts label."""

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from spancrew.consensus import suited_to
from spancrew.core import Dataset, IntArray, Kind
from spancrew.errors import SpancrewError
from spancrew.simulate._calibration import Calibration, are_right, calibration, pooled
from spancrew.simulate._gates import Pair, gate_for, pairs_of
from spancrew.simulate._parallel import workers_of
from spancrew.simulate._setting import at_least
from spancrew.simulate._stream import Arrivals, DrawnAudits, Streamed, arrivals_of, stream
from spancrew.simulate._summary import EXACT, MeanSd, hired_members, mean_sd
from spancrew.simulate._sweep import Progress, silent

SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
"""Shares of expert sentences by default."""

AUDIT = 0.05
"""Share of the sentences left to the crowd that an expert labels blind, by default."""


ACCURACY = {"exact_f1": "accuracy", "settled_f1": "settled_accuracy"}
"""What scores are called for choices, of which every question has one."""


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """A pair at one share of expert sentences; means and standard deviations over orders.

    ``exact_f1`` is of the final labels, ``settled_f1`` of the labels as they were decided on
    arrival, ``asked`` the share on which the expert really was asked, ``audited`` the share of
    all sentences that were audited besides. ``seconds`` is how long an order took; ``hired``
    is the share of orders in which a tagger was heard in the end.
    """

    pair: Pair
    expert_share: float
    exact_f1: MeanSd
    settled_f1: MeanSd
    asked: MeanSd
    audited: MeanSd
    calibration: Calibration
    orders: int
    seconds: float
    hired: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "consensus": self.pair.method,
            "gate": self.pair.gate,
            "expert_share": self.expert_share,
            "exact_f1": self.exact_f1._asdict(),
            "settled_f1": self.settled_f1._asdict(),
            "asked": self.asked._asdict(),
            "audited": self.audited._asdict(),
            "calibration_error": self.calibration.error,
            "calibration": self.calibration.as_json(),
            "orders": self.orders,
            "seconds": round(self.seconds, 3),
            **hired_members(self.pair.consensus, self.hired),
        }


@dataclass(frozen=True, slots=True)
class Frontier:
    """All points, pair by pair, shares ascending.

    ``sentences`` arrived in every order; ``left_out`` have no gold or no answer. For choices, the
    exact F1 of a point is the accuracy.
    """

    points: tuple[FrontierPoint, ...]
    sentences: int
    left_out: int
    kind: Kind = "spans"

    def __repr__(self) -> str:
        """Return how much was measured, without the points."""
        return f"Frontier({len(self.points):,} points of {len(self.curves()):,} pairs)"

    def curves(self) -> dict[str, list[FrontierPoint]]:
        """Return the points of every pair by its name."""
        found: dict[str, list[FrontierPoint]] = {}
        for point in self.points:
            found.setdefault(point.pair.name, []).append(point)
        return found

    def as_json(self) -> list[dict[str, Any]]:
        """Return one record for every point."""
        counts = {"sentences": self.sentences, "left_out": self.left_out}
        named = ACCURACY if self.kind == "choices" else {}
        return [
            {named.get(name, name): value for name, value in point.as_json().items()} | counts
            for point in self.points
        ]


def frontier(  # noqa: PLR0913  what is measured, and how
    dataset: Dataset,
    pairs: Sequence[Pair] | None = None,
    shares: Sequence[float] = SHARES,
    orders: int = 5,
    seed: int = 0,
    *,
    audit: float = AUDIT,
    processes: int | None = None,
    progress: Progress = silent,
) -> Frontier:
    """Say how good final labels become if experts label a share of the sentences.

    Real answers only: the sentences that have gold and an answer arrive in random orders, the
    same for all pairs, and gold is what the expert would say. Of the sentences that are left to
    the crowd, ``audit`` is the share that an expert labels blind; nobody does where no expert is
    asked. There is a process for each core by default; how many there are does not change the
    result.
    """
    levels = sorted(set(shares))
    _refuse_nonsense(levels, orders, seed, audit)
    workers = workers_of("local", processes)
    arrivals = arrivals_of(dataset)
    chosen = pairs_of(kind=dataset.kind) if pairs is None else pairs
    for pair in chosen:
        suited_to(pair.consensus, dataset.kind)
    needed = {
        _key(pair, share, order): (arrivals, seed, pair, share, order, audit)
        for pair, share, order in product(chosen, levels, range(orders))
    }
    keys = tuple(needed)
    measured: dict[_Key, _Measured] = {}
    progress(0, len(keys))
    with workers as opened, closing(opened.run(_measure, list(needed.values()))) as results:
        for position, result in results:
            measured[keys[position]] = result
            progress(len(measured), len(keys))
    points = [
        _point(pair, share, [measured[_key(pair, share, order)] for order in range(orders)])
        for pair, share in product(chosen, levels)
    ]
    left_out = len(dataset) - len(arrivals)
    return Frontier(tuple(points), len(arrivals), left_out, dataset.kind)


def _refuse_nonsense(shares: Sequence[float], orders: int, seed: int, audit: float) -> None:
    if not 0 <= audit < 1:
        raise SpancrewError(f"audit {audit:g}: it is from 0 to below 1, as 0.05 is for 5 %")
    for share in shares:
        if not 0 <= share <= 1:
            raise SpancrewError(f"share {share:g}: it is from 0 to 1, as 0.2 is for 20 %")
    at_least(1, "orders", orders)
    at_least(0, "seed", seed)


_Key = tuple[str, str, float, int]


def _key(pair: Pair, share: float, order: int) -> _Key:
    """Return what tells measurements apart; all gates that ask nobody are the same."""
    return pair.method, pair.gate if share > 0 else "", share, order


class _Measured(NamedTuple):
    """A pair at one share, with the sentences in one order."""

    final_f1: float
    settled_f1: float
    asked: float
    audited: float
    calibration: Calibration
    seconds: float
    has_hired: bool


def in_random_order(
    arrivals: Arrivals, seed: int, pair: Pair, share: float, order: int, audit: float
) -> tuple[IntArray, Streamed, Arrivals]:
    """Let sentences arrive in a random order; return it, what was decided, and the sentences."""
    rng = np.random.default_rng([seed, order])
    places = rng.permutation(len(arrivals))
    ordered = arrivals.take(places)
    evidence = ordered.evidence
    gate = gate_for(pair.gate, share, evidence.of_people().answers, rng, evidence.kind)
    method = suited_to(pair.consensus, evidence.kind)
    luck = np.random.default_rng([seed, order, 2]).random(len(arrivals))
    found = stream(ordered, method, gate, DrawnAudits(audit if share > 0 else 0.0, luck))
    return places, found, ordered


def _measure(
    arrivals: Arrivals, seed: int, pair: Pair, share: float, order: int, audit: float
) -> _Measured:
    start = time.perf_counter()
    _, found, ordered = in_random_order(arrivals, seed, pair, share, order, audit)
    is_right = are_right(found.stated, ordered.gold)
    return _Measured(
        EXACT.pool(found.final, ordered.gold).f1,
        EXACT.pool(found.settled, ordered.gold).f1,
        float(found.asked.mean()),
        float(found.audited.mean()),
        calibration(found.confidence, is_right, np.random.default_rng([seed, order, 1])),
        time.perf_counter() - start,
        found.has_hired,
    )


def _point(pair: Pair, share: float, orders: Sequence[_Measured]) -> FrontierPoint:
    """Return a point from its orders."""
    final, settled, asked, audited = np.array([each[:4] for each in orders]).T
    return FrontierPoint(
        pair,
        share,
        mean_sd(final),
        mean_sd(settled),
        mean_sd(asked),
        mean_sd(audited),
        pooled([each.calibration for each in orders]),
        len(orders),
        float(np.mean([each.seconds for each in orders])),
        float(np.mean([each.has_hired for each in orders])),
    )
