"""Runs are the same alone, split or together, to the last bit."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.crowds import Replay
from spancrew.feedback import AgreementGate, CrowdOnly, ExpertOnly, FeedbackRule
from spancrew.policies import (
    Discounted,
)
from spancrew.simulate import EXACT, Outcome, Setting, join_outcomes, rehearse, scene_of
from tests.simulate.drawn import settings
from tests.simulate.small import small, small_scene


def values_of(outcome: Outcome) -> dict[str, Any]:
    """Return all fields but the setting, as lists."""
    found: dict[str, Any] = {}
    for field in fields(Outcome):
        value = getattr(outcome, field.name)
        if isinstance(value, dict):
            found |= {f"{field.name} {m.name}": scores.tolist() for m, scores in value.items()}
        elif field.name != "setting":
            found[field.name] = repr(value.tolist()) if isinstance(value, np.ndarray) else value
    return found


@given(st.integers(1, 20), settings(), st.data())
def test_runs_are_the_same_alone_split_or_together(
    sentences: int, setting: Setting, data: st.DataObject
) -> None:
    """To the last bit, also where they take different numbers of steps."""
    scene = small_scene(sentences)
    four = replace(setting, runs=4)
    cut = data.draw(st.integers(1, 3))
    together = rehearse(scene, four)
    split = join_outcomes(
        [rehearse(scene, four, range(cut)), rehearse(scene, four, range(cut, 4))]
    )
    alone = join_outcomes([rehearse(scene, four, range(run, run + 1)) for run in range(4)])

    assert values_of(split) == values_of(together)
    assert values_of(alone) == values_of(together)


def test_some_runs_are_a_slice_of_all() -> None:
    """Run 3 is run 3, whoever else is there."""
    scene = small_scene()
    setting = Setting(crew=6, answers=3, runs=6)
    everything, some = rehearse(scene, setting), rehearse(scene, setting, range(3, 5))

    assert some.runs == 2
    assert np.array_equal(some.regret, everything.regret[3:5])
    assert np.array_equal(some.final[EXACT], everything.final[EXACT][3:5])
    assert np.array_equal(some.mean, everything.mean[3:5])


def test_runs_that_give_up_are_the_same_alone_or_together() -> None:
    """Their time stands still while others go on."""
    scene = small_scene(24, 9)
    setting = Setting(
        policy=Discounted(0.9), crew=6, answers=3, runs=5, cap=8, attendance=0.6, delay=1
    )
    together = rehearse(scene, setting)
    alone = join_outcomes([rehearse(scene, setting, range(run, run + 1)) for run in range(5)])

    assert len(set(together.settled.tolist())) > 1
    assert values_of(alone) == values_of(together)


def test_another_seed_gives_another_run() -> None:
    """And the same seed the same."""
    scene = small_scene()
    setting = Setting(crew=6, answers=3, runs=1)
    first, again = rehearse(scene, setting), rehearse(scene, setting)
    other = rehearse(scene, replace(setting, seed=1))

    assert values_of(first) == values_of(again)
    assert values_of(first) != values_of(other)


@pytest.mark.parametrize("rule", [ExpertOnly(), AgreementGate(), CrowdOnly()])
def test_answers_drawn_on_demand_change_nothing(rule: FeedbackRule) -> None:
    """But the last digits of regret, whose truth is a mean taken in another order."""
    dataset = small()
    setting = Setting(crew=6, answers=3, runs=3, feedback=rule)
    table = rehearse(scene_of(dataset, Replay(dataset)), setting)
    demand = rehearse(scene_of(dataset, Replay(dataset), asks=1), setting)
    inexact = ("regret", "truth")

    assert demand.regret == pytest.approx(table.regret, abs=1e-9)
    assert {k: v for k, v in values_of(demand).items() if k not in inexact} == {
        k: v for k, v in values_of(table).items() if k not in inexact
    }
