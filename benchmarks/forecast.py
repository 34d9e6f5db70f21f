"""How well a pilot forecasts a campaign: the planner's figures against real answers.

``python -m benchmarks.forecast DATA --pilot 150 300`` draws random pilots from the sentences with
gold and enough answers. The campaign is what is left, replayed with its real answers. Forecasts
are the planner's, what its model of the crowd says before it is corrected, and the pilot's own
real answers, replayed. The last columns say how many truths the planner's 80 % intervals hold, and
how wide these are.
"""

import argparse
import sys
from collections.abc import Iterator
from typing import NamedTuple

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


class Figures(NamedTuple):
    """What is forecast, in points."""

    experts: float
    f1: float


class Interval(NamedTuple):
    """What the planner says of both figures: mean, low and high, in points."""

    experts: Expected
    f1: Expected


class Forecast(NamedTuple):
    """What the planner, the model and the pilot itself say, and what was true."""

    planner: Interval
    model: Figures
    pilot: Figures
    true: Figures


Columns = tuple[list[Interval], list[Figures], list[Figures]]


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
    )


def replayed(rest: Dataset, given: Given) -> list[Figures]:
    """Return what is true: every rule on the real answers of the campaign."""
    scene = scene_of(rest, Replay(rest))
    aim, found = Aim(len(rest), audit=0.0), []
    for candidate in candidates_of(len(rest.workers), given.answers):
        setting = candidate.setting(aim, given.runs, given.seed)
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


def forecasts(dataset: Dataset, size: int, given: Given) -> Iterator[list[Forecast]]:
    """Yield for each pilot what is forecast under every rule."""
    for number, order in enumerate(pilots(len(dataset), size, given)):
        pilot, rest = dataset.take(order[:size]), dataset.take(order[size:][: given.campaign])
        own = given._replace(seed=given.seed + number)
        columns = looked_at(pilot, len(dataset.workers), len(rest), own)
        yield [Forecast(*row) for row in zip(*columns, replayed(rest, own), strict=True)]


def row_of(rule: str, size: int, found: list[Forecast]) -> str:
    """Return bias and mean absolute error of the forecasts as a row of a table."""
    said, (model, pilot, true) = (
        np.array([each.planner for each in found]),
        (np.array([each[k] for each in found]) for k in (1, 2, 3)),
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


def _parsed() -> tuple[str, list[int], Given]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("--pilot", type=int, nargs="+", default=[150, 300])
    parser.add_argument("--pilots", type=int, default=20)
    parser.add_argument("--answers", type=int, default=4)
    parser.add_argument("--campaign", type=int, help="the most sentences of the campaign")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    found = parser.parse_args()
    return found.data, found.pilot, Given(*(getattr(found, name) for name in Given._fields))


def main() -> None:
    """Print a table for the documentation: bias, then mean absolute error, in points."""
    data, sizes, given = _parsed()
    dataset = read(data).dataset
    enough = dataset.has_gold & (dataset.answers.per_sentence >= given.answers)
    usable = dataset.take(np.flatnonzero(enough))
    print(f"{data}: {len(usable):,} sentences, {given.pilots} pilots of each size")
    for size in sizes:
        found = []
        for each in forecasts(usable, size, given):
            found.append(each)
            print(f"{len(found)} of {given.pilots}: {each}", file=sys.stderr, flush=True)
        print(HEAD)
        for place, rule in enumerate(RULES):
            print(row_of(rule, size, [each[place] for each in found]), flush=True)


if __name__ == "__main__":
    main()
