"""How well a pilot forecasts a campaign: the planner's figures against real answers.

``python -m benchmarks.forecast DATA --pilot 150 300`` draws random pilots from the sentences with
gold and enough answers. The campaign is what is left, replayed with its real answers. Forecasts
are the planner's, what its model of the crowd says before it is corrected, and the pilot's own
real answers, replayed. The last columns say how many truths the planner's 80 % intervals hold, and
how wide these are. With ``--keep FILE``, what is done is kept and not done again, so that
``--minutes`` may cut a long measurement into short ones.
"""

import argparse
import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from spancrew.campaign import Expected
from spancrew.consensus import consensus_name
from spancrew.core import Dataset, FloatArray, IntArray
from spancrew.crowds import Replay
from spancrew.feedback import feedback_rule
from spancrew.formats import read
from spancrew.planner import (
    F1,
    SENT,
    Aim,
    Basis,
    Bench,
    Candidate,
    Looks,
    Meter,
    People,
    Terms,
    forecasts_of,
    pilot_of,
)
from spancrew.simulate import CREW, EXACT, Silence, rehearse, scene_of

RULES = ("gate:threshold=0.65", "expected-error:expert_share=0.2")
NAMES = ("planner", "model", "pilot")
COLUMNS = (
    *("rule", "pilot", "experts", "F1"),
    *(f"experts, {name}" for name in NAMES),
    *(f"F1, {name}" for name in NAMES),
    *("experts held", "F1 held"),
)
HEAD = f"| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}"


class Given(NamedTuple):
    """How pilots and campaigns are drawn; ``campaign`` is the most sentences of one."""

    pilots: int
    answers: int
    campaign: int | None
    runs: int
    seed: int

    @property
    def kept(self) -> list[int | None]:
        """Return what a forecast depends on: not on how many others there are."""
        return list(self[1:])


class Figures(NamedTuple):
    """What is forecast, in points."""

    experts: float
    f1: float


class Interval(NamedTuple):
    """What the planner says of both figures: mean, low and high, in points."""

    experts: Expected
    f1: Expected


class Forecast(NamedTuple):
    """What the planner, the model and the pilot itself say, and what was true.

    ``same`` is what the model says in the pilot's place: with ``pilot``, it makes the correction.
    """

    planner: Interval
    model: Figures
    pilot: Figures
    same: Figures
    true: Figures

    @classmethod
    def of(cls, kept: Sequence[Any]) -> "Forecast":
        """Return a forecast that was kept as lists."""
        said, *others = kept
        interval = Interval(*(Expected(*each) for each in said))
        return cls(interval, *(Figures(*each) for each in others))


Columns = tuple[list[Interval], list[Figures], list[Figures], list[Figures]]


@dataclass(frozen=True)
class Kept:
    """What is done already: a line of a file for each pilot; nothing without a file."""

    file: Path | None

    def found(self, data: str, given: Given) -> dict[tuple[int, int], list[Forecast]]:
        """Return what is kept of a data set, by the size and the number of its pilots."""
        if self.file is None or not self.file.exists():
            return {}
        lines = map(json.loads, self.file.read_text(encoding="utf-8").splitlines())
        return {
            (each["size"], each["number"]): [Forecast.of(one) for one in each["found"]]
            for each in lines
            if each["data"] == data and each["given"] == given.kept
        }

    def add(self, data: str, given: Given, size: int, number: int, found: list[Forecast]) -> None:
        """Keep what a pilot has shown."""
        if self.file is None:
            return
        line = {"data": data, "given": given.kept, "size": size, "number": number, "found": found}
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


class Until(NamedTuple):
    """Where results are kept, and the seconds of CPU after which no other pilot is begun."""

    kept: Kept
    end: float

    @property
    def is_over(self) -> bool:
        """Tell whether it is late."""
        return time.process_time() > self.end


Found = list[list[Forecast]]
"""What is forecast from each pilot, under every rule."""


def looked_at(pilot: Dataset, workers: int, sentences: int, given: Given) -> Columns:
    """Return what the planner, its model alone and the pilot's real answers say, by rule."""
    aim = Aim(sentences, audit=0.0)
    basis = Basis.of(pilot_of(pilot), workers, given.seed)
    looks = Looks(basis, Bench(aim, given.seed, 1, Meter(Silence(), [1.0])))
    candidates = candidates_of(workers, given.answers)
    seen = looks.fresh(candidates)
    found = forecasts_of(looks, Terms(aim, People(workers)), candidates, seen)
    return (
        [Interval(_points(each.expert_share), _points(each.f1)) for each in found],
        [_figures(row) for row in seen.model],
        [_figures(row) for row in seen.real],
        [_figures(row) for row in seen.same],
    )


def replayed(rest: Dataset, given: Given) -> list[Figures]:
    """Return what is true: every rule on the real answers of the campaign."""
    scene = scene_of(rest, Replay(rest))
    aim, found = Aim(len(rest), audit=0.0), []
    for candidate in candidates_of(len(rest.workers), given.answers):
        # As many sentences in a step as the planner takes.
        at_once = candidate.crew // candidate.answers
        setting = replace(candidate.setting(aim, given.runs, given.seed), at_once=at_once)
        outcome = rehearse(scene, setting, metrics=(EXACT,))
        f1 = outcome.final[EXACT][:, -1, 2].mean()
        found.append(Figures(100 * float(outcome.expert_share.mean()), 100 * float(f1)))
    return found


def candidates_of(workers: int, answers: int) -> list[Candidate]:
    """Return the rules with their usual methods, by workers who are drawn at random."""
    crew = min(CREW, workers)
    methods = [consensus_name(feedback_rule(rule).usual_consensus) for rule in RULES]
    both = zip(RULES, methods, strict=True)
    return [Candidate(rule, method, answers, crew, "random") for rule, method in both]


def _figures(row: FloatArray) -> Figures:
    return Figures(100 * float(row[SENT]), 100 * float(row[F1]))


def _points(share: Expected) -> Expected:
    return Expected(*(100 * value for value in share))


def pilots(count: int, size: int, given: Given) -> Iterator[IntArray]:
    """Yield orders of the sentences, each of which begins with a pilot.

    A pilot is random, but no sentence is in a second one before all have been in one: so the luck
    of pilots cancels out, and what is left over all of them is bias.
    """
    rng = np.random.default_rng([given.seed, size])
    whole = count // size
    for number in range(given.pilots):
        if number % whole == 0:
            order = rng.permutation(count)
        yield np.roll(order, -size * (number % whole))


def forecast_from(dataset: Dataset, order: IntArray, size: int, given: Given) -> list[Forecast]:
    """Return what the first sentences of an order forecast under every rule, and the truth."""
    pilot, rest = dataset.take(order[:size]), dataset.take(order[size:][: given.campaign])
    columns = looked_at(pilot, len(dataset.workers), len(rest), given)
    return [Forecast(*row) for row in zip(*columns, replayed(rest, given), strict=True)]


def forecasts(name: str, dataset: Dataset, size: int, given: Given, until: Until) -> Found:
    """Return what is forecast from all pilots of a size, or as many as there is time for."""
    found = until.kept.found(name, given)
    for number, order in enumerate(pilots(len(dataset), size, given)):
        if (size, number) in found or until.is_over:
            continue
        own = given._replace(seed=given.seed + number)
        found[size, number] = forecast_from(dataset, order, size, own)
        until.kept.add(name, given, size, number, found[size, number])
    return [found[key] for key in sorted(found) if key[0] == size and key[1] < given.pilots]


def row_of(rule: str, size: int, found: list[Forecast]) -> str:
    """Return bias and mean absolute error of the forecasts as a row of a table."""
    said, (model, pilot, true) = (
        np.array([each.planner for each in found]),
        (np.array([each[k] for each in found]) for k in (1, 2, 4)),
    )
    cells = [f"{mean:.1f}" for mean in true.mean(axis=0)]
    for column in range(2):
        forecast = (said[:, :, 0], model, pilot)
        cells += [_errors(each[:, column] - true[:, column]) for each in forecast]
    cells += [_held(said[:, column], true[:, column]) for column in range(2)]
    return f"| `{rule}` | {size} | {' | '.join(cells)} |"


def _errors(differences: FloatArray) -> str:
    return f"{differences.mean():+.1f}, {np.abs(differences).mean():.1f}"


def _held(said: FloatArray, true: FloatArray) -> str:
    """Return how many truths intervals hold, and half of their mean width."""
    held = (said[:, 1] - 0.05 <= true) & (true <= said[:, 2] + 0.05)
    return f"{held.sum()} of {len(held)}, ±{(said[:, 2] - said[:, 1]).mean() / 2:.1f}"


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--pilot", type=int, nargs="+", default=[150, 300])
    parser.add_argument("--pilots", type=int, default=20)
    parser.add_argument("--answers", type=int, default=4)
    parser.add_argument("--campaign", type=int, help="the most sentences of the campaign")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="keep what is done in this file, and go on")
    parser.add_argument(
        "--minutes", type=float, default=math.inf, help="of CPU, after which none is begun"
    )
    return parser.parse_args()


def main() -> None:
    """Print a table for the documentation: bias, then mean absolute error, in points."""
    options = _parsed()
    given = Given(*(getattr(options, name) for name in Given._fields))
    until = Until(Kept(options.keep), time.process_time() + 60 * options.minutes)
    dataset = read(str(options.data)).dataset
    enough = dataset.has_gold & (dataset.answers.per_sentence >= given.answers)
    usable = dataset.take(np.flatnonzero(enough))
    for size in options.pilot:
        found = forecasts(options.data.name, usable, size, given, until)
        print(f"{options.data.name}: {len(usable):,} sentences, {len(found)} pilots of {size}")
        if not found:
            continue
        print(HEAD)
        for place, rule in enumerate(RULES):
            print(row_of(rule, size, [each[place] for each in found]), flush=True)


if __name__ == "__main__":
    main()
