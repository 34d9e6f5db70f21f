"""How well a pilot forecasts a campaign: the model's figures against real answers.

``python -m benchmarks.forecast DATA --pilot 150 300`` draws random pilots from the sentences with
gold and enough answers. The campaign is what is left, replayed with its real answers. Forecasts
are the planner's, a rehearsal of that size by the crowd that is fitted to the pilot, and the
pilot's own real answers, replayed. The last columns say how many truths the planner's 80 %
intervals hold, and how wide these are.
"""

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from spancrew.campaign import Expected
from spancrew.consensus import consensus_name
from spancrew.core import Dataset, FloatArray
from spancrew.feedback import feedback_rule
from spancrew.formats import read
from spancrew.planner import (
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
from spancrew.policies import policy
from spancrew.simulate import (
    EXACT,
    CampaignSize,
    CrowdKind,
    Setting,
    Silence,
    rehearse,
    scene_of,
    simulated_crowd,
)

RULES = ("gate:threshold=0.65", "expected-error:expert_share=0.2")


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


def figures_of(
    dataset: Dataset, kind: CrowdKind, settings: list[Setting], sentences: int
) -> list[Figures]:
    """Rehearse settings with a crowd that is made of a data set."""
    seed = settings[0].seed
    made = simulated_crowd(dataset, kind, seed=seed, size=CampaignSize(sentences))
    scene = scene_of(made.dataset, made.crowd)
    found = []
    for setting in settings:
        outcome = rehearse(scene, setting, metrics=(EXACT,))
        f1 = outcome.final[EXACT][:, -1, 2].mean()
        found.append(Figures(100 * float(outcome.expert_share.mean()), 100 * float(f1)))
    return found


def planned(pilot: Dataset, settings: list[Setting], sentences: int) -> list[Interval]:
    """Let the planner forecast settings, from a pilot."""
    setting = settings[0]
    aim = Aim(sentences, audit=0.0)
    basis = Basis.of(pilot_of(pilot), len(pilot.workers), setting.seed)
    looks = Looks(basis, Bench(aim, setting.seed, 1, Meter(Silence(), [1.0])))
    candidates = [
        Candidate(rule, consensus_name(each.consensus), each.answers, each.crew, "random")
        for rule, each in zip(RULES, settings, strict=True)
    ]
    found = forecasts_of(looks, Terms(aim, People(len(pilot.workers))), candidates)
    return [Interval(_points(each.expert_share), _points(each.f1)) for each in found]


def _points(share: Expected) -> Expected:
    return Expected(*(100 * value for value in share))


def forecasts(dataset: Dataset, size: int, given: argparse.Namespace) -> Iterator[list[Forecast]]:
    """Yield for each random pilot what is forecast under every rule."""
    for number in range(given.pilots):
        order = np.random.default_rng([given.seed, size, number]).permutation(len(dataset))
        pilot, rest = dataset.take(order[:size]), dataset.take(order[size:][: given.campaign])
        crew = min(20, len(dataset.workers))
        settings = [
            Setting(
                policy("random"),
                rule := feedback_rule(name),
                rule.usual_consensus,
                crew=crew,
                answers=given.answers,
                runs=given.runs,
                seed=given.seed + number,
            )
            for name in RULES
        ]
        columns = (
            planned(pilot, settings, len(rest)),
            figures_of(pilot, "calibrated", settings, len(rest)),
            figures_of(pilot, "replay", settings, size),
            figures_of(rest, "replay", settings, len(rest)),
        )
        yield [Forecast(*row) for row in zip(*columns, strict=True)]


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


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("--pilot", type=int, nargs="+", default=[150, 300])
    parser.add_argument("--pilots", type=int, default=20)
    parser.add_argument("--answers", type=int, default=4)
    parser.add_argument("--campaign", type=int, help="the most sentences of the campaign")
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def main() -> None:
    """Print a table for the documentation: bias, then mean absolute error, in points."""
    given = _parsed()
    dataset = read(given.data).dataset
    enough = dataset.has_gold & (dataset.answers.per_sentence >= given.answers)
    usable = dataset.take(np.flatnonzero(enough))
    print(f"{given.data}: {len(usable):,} sentences, {given.pilots} pilots of each size")
    names = ("planner", "model", "pilot")
    head = ["rule", "pilot", "experts", "F1", *(f"experts, {name}" for name in names)]
    head += [*(f"F1, {name}" for name in names), "experts held", "F1 held"]
    print(f"| {' | '.join(head)} |")
    print(f"|{' --- |' * len(head)}")
    for size in given.pilot:
        found = list(forecasts(usable, size, given))
        for place, rule in enumerate(RULES):
            print(row_of(rule, size, [each[place] for each in found]), flush=True)


if __name__ == "__main__":
    main()
