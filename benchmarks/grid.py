"""The plan that is recommended, against the best of a full grid.

``python -m benchmarks.grid DATA --sentences 600 --quality 0.95`` makes a plan, as the command
``spancrew plan`` does, and then looks at every family at every position of its knob, at the
campaign's size, corrected by the pilot's real answers, and with draws of its own. The cheapest
position that reaches the quality is read off the curve of each family. What is cheapest among many
noisy figures is so in part by luck, so the cheapest families and the recommended one are looked at
once more with other and many more draws, and these are compared. ``--pilot 300`` takes that many
random sentences of the data as the pilot. What is done is kept with ``--keep FILE`` and not done
again, so that ``--minutes`` may cut a long measurement into short ones.
"""

import argparse
import json
import math
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from spancrew.core import Dataset, FloatArray
from spancrew.formats import read
from spancrew.planner import (
    F1,
    Basis,
    Bench,
    Computing,
    Family,
    FamilyArm,
    Looks,
    Meter,
    Pilot,
    Terms,
    Wishes,
    answers_of,
    families,
    pilot_of,
    plan_for,
)
from spancrew.simulate import Silence

KNOBS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

_OTHER = 50_000
"""Added to the seed, so that no draw has a part in both the plan and the grid."""

_SHOWN = 4
"""The cheapest families of the grid, which are looked at once more."""

_AGAIN = 12
"""Crowds, and replays of the pilot, of a second look."""


class Row(NamedTuple):
    """The cheapest position of a family that reaches the quality."""

    cost: float
    f1: float
    candidate: str


def planned(pilot: Dataset, wishes: Wishes, seed: int) -> dict[str, Any]:
    """Make a plan; return its family, what it is said to cost, and its seconds of CPU."""
    begun = time.process_time()
    found = plan_for(Pilot("pilot", pilot), wishes, Silence(), Computing(seed, 1)).recommended
    if found.candidate is None:
        raise SystemExit("experts alone are recommended: there is nothing to compare")
    rule, equals, _ = found.candidate.feedback.partition("=")
    return {
        "family": [f"{rule}=" + "{:g}" if equals else rule, *found.candidate[1:]],
        "candidate": found.candidate.feedback,
        "cost": found.cost.as_json(),
        "f1": found.f1.as_json(),
        "cpu": round(time.process_time() - begun, 1),
    }


def looked_at(looks: Looks, family: Family, *, again: bool = False) -> dict[str, Any]:
    """Return the figures of a family at every knob; a second look has other and more draws."""
    candidates = [family.at(knob) for knob in _knobs(family)]
    if again:
        other = replace(looks, bench=replace(looks.bench, seed=looks.bench.seed + _OTHER))
        rows = other.last(candidates, _AGAIN, _AGAIN).figures
    else:
        rows = looks.last(candidates).figures
    return {"family": list(family), "rows": rows.tolist(), "again": again}


def reached(lines: list[dict[str, Any]], terms: Terms, *, again: bool) -> dict[Family, Row]:
    """Return where families are cheapest that reach the quality, the cheapest first."""
    found = {
        family: cheapest(family, np.array(line["rows"]), terms)
        for line in lines
        if line.get("again", False) is again
        for family in [Family(*line["family"])]
    }
    there = [(family, row) for family, row in found.items() if row is not None]
    return dict(sorted(there, key=lambda each: each[1].cost))


def _knobs(family: Family) -> tuple[float, ...]:
    return KNOBS if family.has_knob else (0.0,)


def cheapest(family: Family, figures: FloatArray, terms: Terms) -> Row | None:
    """Return where a family is cheapest at the quality; None if it never reaches it."""
    arm = FamilyArm.of(family, figures, _knobs(family))
    candidate, found = arm.best(terms)
    if terms.shortfall(candidate, found):
        return None
    words = f"{candidate.feedback}, {candidate.consensus}, {candidate.answers} answers"
    cost = terms.cost(candidate, found)
    return Row(cost, float(found[F1]), f"{words}, crew {candidate.crew}, {candidate.policy}")


class Kept:
    """Lines of a file, which grows as more is done."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        there = file is not None and file.exists()
        self.lines = [json.loads(line) for line in file.open()] if file and there else []

    def add(self, line: dict[str, Any]) -> None:
        """Keep one more line."""
        self.lines.append(line)
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("--pilot", type=int)
    parser.add_argument("--sentences", type=int, default=600)
    parser.add_argument("--quality", type=float, default=0.95)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="keep what is done in this file, and go on")
    parser.add_argument(
        "--minutes", type=float, default=math.inf, help="of CPU, after which no family is begun"
    )
    return parser.parse_args()


def main() -> None:
    """Plan, look at the grid, and print what both cost."""
    given = _parsed()
    end = time.process_time() + 60 * given.minutes
    dataset = read(given.data).dataset
    if given.pilot is not None:
        order = np.random.default_rng(given.seed).permutation(len(dataset))
        dataset = dataset.take(np.sort(order[: given.pilot]))
    pilot, wishes = pilot_of(dataset), Wishes(given.sentences, given.quality)
    terms, kept = Terms(wishes.aim(pilot), wishes.people(pilot)[0]), Kept(given.keep)
    if not kept.lines:
        kept.add(planned(pilot, wishes, given.seed))
    plan, best = kept.lines[0], Family(*kept.lines[0]["family"])
    tried = list(families(terms.people.workers, answers_of(pilot), has_experts=True))
    tried += [] if best in tried else [best]
    seed = given.seed + _OTHER
    basis = Basis.of(pilot, terms.people.workers, seed)
    looks = Looks(basis, Bench(terms.aim, seed, 1, Meter(Silence(), [1.0])))
    done = {Family(*line["family"]) for line in kept.lines[1:] if not line.get("again", False)}
    for family in tried:
        if family not in done and time.process_time() < end:
            kept.add(looked_at(looks, family))
    grid = reached(kept.lines[1:], terms, again=False)
    done = {Family(*line["family"]) for line in kept.lines[1:] if line.get("again", False)}
    for family in dict.fromkeys([*list(grid)[:_SHOWN], best]):
        if family not in done:
            kept.add(looked_at(looks, family, again=True))
    print(f"{len(tried)} families, {len(grid)} reach the quality")
    report(plan, best, reached(kept.lines[1:], terms, again=True))


def report(plan: dict[str, Any], best: Family, rows: dict[Family, Row]) -> None:
    """Print the cheapest families of the grid, and how far the recommended one is from them."""
    print(f"plan: {plan['candidate']} {plan['family'][1:]}, {plan['cpu']} CPU s")
    print(f"it says: cost {plan['cost']}, F1 {plan['f1']}")
    for row in rows.values():
        print(f"  {row.cost:,.1f}  F1 {row.f1:.4f}  {row.candidate}")
    if best in rows:
        over = 100 * (rows[best].cost / min(row.cost for row in rows.values()) - 1)
        print(f"the recommended family costs {rows[best].cost:,.1f}: {over:+.1f} % over the best")


if __name__ == "__main__":
    main()
