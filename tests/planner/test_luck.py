"""What is best among many by noisy looks, and what it is said to be."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spancrew.planner import Aim, Candidate, Meter, People, Seen, Terms
from spancrew.planner._arm import FamilyArm
from spancrew.planner._candidates import Family
from spancrew.planner._figures import F1, SENT
from spancrew.planner._finalists import finalists, seen_afresh
from spancrew.planner._search import ranks
from spancrew.simulate import Silence

TRUTH = np.array([0.8, 0.0, 0.0, 2.0])
NOISE = 0.02
ARMS, CROWDS = 8, 200
TERMS = Terms(Aim(1_000, quality=None, budget=450.0, audit=0.0), People(20, experts=0))


@dataclass
class QuietBench:
    """A bench that only tells how far it is."""

    meter: Meter


@dataclass
class NoisyLooks:
    """Looks that are off by chance: all arms are equally good, and none is what it seems."""

    rng: np.random.Generator
    bench: QuietBench

    def fresh(self, candidates: Sequence[Candidate]) -> Seen:
        """Return the figures of some candidates, as one look shows them."""
        rows = np.tile(TRUTH, (len(candidates), 1))
        rows[:, F1] += self.rng.normal(0, NOISE, len(rows))
        return Seen(rows, rows, rows, rows, np.zeros((len(rows), 4, 4)))


def f1_of_the_best(seed: int) -> tuple[float, float]:
    """Return the F1 of the best of some arms: as it is found, and as it is told."""
    looks = NoisyLooks(np.random.default_rng(seed), QuietBench(Meter(Silence(), [1.0])))
    family = Family("crowd", "mv", 2, 20)
    rows = looks.fresh([family.at(0.0)] * ARMS).figures
    arms = sorted((FamilyArm.of(family, row[None]) for row in rows), key=ranks(TERMS)[0])
    chosen, _ = seen_afresh(looks, finalists(TERMS, arms))  # type: ignore[arg-type]
    return float(arms[0].figures(0.0)[F1]), float(chosen[0].arm.figures(0.0)[F1])


def test_luck_has_no_part_in_what_a_plan_says() -> None:
    """What is found best by its luck is told by draws that it was not found by."""
    found, told = np.array([f1_of_the_best(seed) for seed in range(CROWDS)]).T

    assert found.mean() > TRUTH[F1] + NOISE
    assert abs(told.mean() - TRUTH[F1]) < 3 * NOISE / np.sqrt(CROWDS)


def test_a_knob_follows_what_fresh_draws_say() -> None:
    """A quality that is aimed at is still reached, with more work for experts if need be."""
    terms = Terms(Aim(1_000, 0.9, audit=0.0), People(20))
    family = Family("expected-error:expert_share={:g}", "auto", 3, 20)
    rows = np.array([[0.7 + 0.3 * knob, knob, 0.0, 3.0] for knob in family.first_knobs])
    best = next(finalists(terms, [FamilyArm.of(family, rows)]))
    worse = best.arm.figures(best.knob) - np.array([0.05, 0.0, 0.0, 0.0])
    moved = best.seen(worse)

    assert moved.knob > best.knob + 0.05
    assert moved.arm.figures(moved.knob)[F1] >= 0.9
    assert moved.arm.figures(moved.knob)[SENT] > best.arm.figures(best.knob)[SENT]
