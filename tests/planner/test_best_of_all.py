"""The search of the planner, against optuna and against every position of every knob."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import optuna
import pytest

from spancrew.core import FloatArray
from spancrew.planner import Aim, Candidate, Meter, People, Seen, Terms
from spancrew.planner._candidates import Family, families
from spancrew.planner._search import Search
from spancrew.simulate import Silence

TERMS = Terms(Aim(2_000, 0.95, audit=0.0), People(20))
TRIED = list(families(20, 4, has_experts=True))
TRIALS = 300


@dataclass
class QuietBench:
    """A bench that only tells how far it is."""

    meter: Meter


@dataclass
class SmoothLooks:
    """Looks at a landscape that is known everywhere: F1 by answers, rule and what is sent."""

    skill: float
    slope: dict[str, float]
    bench: QuietBench

    def first(self, candidates: Sequence[Candidate], size: int = 0) -> FloatArray:
        """Return the figures of every candidate."""
        del size
        return np.array([self.figures(each) for each in candidates])

    def figures(self, candidate: Candidate) -> FloatArray:
        """Return fewer errors for more answers, better methods, and more work of experts."""
        rule, _, knob = candidate.feedback.partition("=")
        sent = float(knob or 0.0)
        errors = (1 - self.skill) * 0.9 ** (candidate.answers - 2)
        errors *= 0.85 if candidate.consensus == "auto" else 1.0
        left = (1 - sent) ** self.slope[rule.partition(":")[0]]
        asked = 2 + (candidate.answers - 2) * (0.6 if rule.startswith("adaptive") else 1.0)
        return np.array([1 - errors * left, sent, 0.0, asked])

    def last(self, candidates: Sequence[Candidate]) -> Seen:
        """Return the same, with what it comes from."""
        rows = self.first(candidates)
        return Seen(rows, rows, rows, rows, np.zeros((len(rows), 4, 4)))

    second = last


def looks_at(skill: float, gate: float, share: float) -> SmoothLooks:
    """Return looks at a crowd, by how well rules find the sentences with errors."""
    slope = {"gate": gate, "expected-error": share, "adaptive": share, "crowd": 1.0}
    return SmoothLooks(skill, slope, QuietBench(Meter(Silence(), [1.0])))


def cost_by_optuna(looks: SmoothLooks) -> float:
    """Return the cost of the cheapest candidate that optuna finds, which may miss nothing."""

    def cost(trial: optuna.Trial) -> float:
        family = TRIED[trial.suggest_int("family", 0, len(TRIED) - 1)]
        return _cost(looks, family, trial.suggest_float("knob", 0.01, 1.0))

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    study.optimize(cost, n_trials=TRIALS)
    return study.best_value


def cost_by_grid(looks: SmoothLooks) -> float:
    """Return the same by every family at every hundredth."""
    knobs = np.linspace(0.01, 1.0, 100).tolist()
    return min(_cost(looks, family, knob) for family in TRIED for knob in knobs)


def _cost(looks: SmoothLooks, family: Family, knob: float) -> float:
    candidate = family.at(knob)
    figures = looks.figures(candidate)
    return TERMS.cost(candidate, figures) + 1e6 * TERMS.shortfall(candidate, figures)


@pytest.mark.parametrize("crowd", [(0.8, 2.0, 2.5), (0.6, 1.5, 1.2)])
def test_nothing_is_much_cheaper_than_what_the_planner_finds(
    crowd: tuple[float, float, float],
) -> None:
    """Neither what optuna finds in three hundred trials, nor the best of a full grid."""
    looks = looks_at(*crowd)
    arms = Search(looks, TERMS).run(TRIED)  # type: ignore[arg-type]
    candidate, _ = arms[0].best(TERMS)
    true = looks.figures(candidate)
    cost = TERMS.cost(candidate, true)

    assert TERMS.shortfall(candidate, true) == 0
    assert cost <= 1.05 * cost_by_optuna(looks)
    assert cost <= 1.05 * cost_by_grid(looks)
