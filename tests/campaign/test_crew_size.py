"""A crew of everybody who is good enough, and one of a fixed size."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from spancrew.campaign import Assignment, Plan, Waiting
from spancrew.errors import PlanError
from tests.campaign.stage import PLAN, Stage
from tests.campaign.test_differential import assert_same
from tests.simulate.small import small_scene
from tests.simulate.test_engine import NUMBERS, POLICIES, RULES


def stage_of(workers: int, **changes: Any) -> Stage:
    """Return a stream in which everybody who is good enough is asked."""
    return Stage(workers, crew="auto", **changes)


def weaken(stage: Stage, worker: int) -> None:
    """Let everybody have scored well and often, but for one worker."""
    standings = stage.campaign.state.standings
    standings.count[:] = 60.0
    standings.total[:] = standings.squares[:] = 54.0
    standings.total[0, worker] = standings.squares[0, worker] = 6.0


def test_everybody_has_work() -> None:
    """With a crew of four, somebody of six waits; with one of all nobody does."""
    fixed, auto = Stage(6), stage_of(6)

    assert sum(isinstance(fixed.next(worker), Assignment) for worker in range(6)) < 6
    assert sum(isinstance(auto.next(worker), Assignment) for worker in range(6)) == 6


def test_a_newcomer_does_not_wait_for_closed_tabs() -> None:
    """The first two are counted as there, though they never ask again."""
    stage = stage_of(2)
    stage.give(0)
    late = stage.campaign.join(stage.now)

    assert stage.give(late, available=[0, 1, late]).worker == late


def test_a_weak_worker_waits_and_is_told_so() -> None:
    """They are chosen now and then by the policy, and else wait for their turn."""
    stage = stage_of(6)
    weaken(stage, 5)
    stage.give(0)

    assert 5 not in stage.campaign.state.crew
    assert stage.wait(5).code == "left_out"


@pytest.mark.parametrize("crew", [4, "auto"])
def test_whoever_is_told_to_wait_for_the_crew_is_counted(crew: Any) -> None:
    """Of a crew of four two wait while it has seats; of all who are good enough the weak one."""
    stage = Stage(6, crew=crew)
    weaken(stage, 5)
    assert stage.campaign.left_out(stage.everybody) == 0
    stage.give(0)
    counted = stage.campaign.left_out(stage.everybody)
    told = [worker for worker in range(6) if _is_told_to_wait(stage, worker)]
    stage.campaign.pause(stage.now)

    assert counted == len(told) == (2 if crew == 4 else 1)
    assert stage.campaign.left_out(stage.everybody) == 0


def _is_told_to_wait(stage: Stage, worker: int) -> bool:
    found = stage.next(worker) if worker not in stage.campaign.state.crew else None
    return isinstance(found, Waiting) and found.code == "left_out"


def test_a_weak_worker_goes_on_when_the_others_have_gone() -> None:
    """Who is alone is not weak beside anybody."""
    stage = stage_of(6)
    weaken(stage, 5)
    stage.give(0)

    assert stage.give(5, available=[5]).worker == 5


def test_a_stream_asks_everybody_by_default_and_rounds_the_papers_crew() -> None:
    """The journal says which, so that a later default changes no campaign."""
    stream, rounds = Plan(("PER",)), Plan(("PER",), mode="rounds")

    assert (stream.crew_size, rounds.crew_size) == ("auto", 20)
    assert stream.to_json()["crew"] == "auto"
    assert Plan.from_json(rounds.to_json()).crew == 20
    assert Plan.from_json(stream.to_json()).to_json() == stream.to_json()


@pytest.mark.parametrize("crew", ["all", 0, 2.5, True])
def test_a_crew_of_no_size_is_refused(crew: Any) -> None:
    """A number that no crew can have, or another word than auto."""
    with pytest.raises(PlanError, match="crew"):
        replace(PLAN, crew=crew)


@pytest.mark.parametrize("policy", ["cucb", "difficulty-thompson"])
def test_a_rehearsal_asks_the_same_people(policy: str) -> None:
    """The weak are left out alike in both drivers; here there are some."""
    scene = small_scene(sentences=140, workers=9, seed=3)
    setting = replace(NUMBERS["plain"], policy=POLICIES[policy], feedback=RULES["expert"])
    sizes = assert_same(scene, replace(setting, crew="auto"))

    assert np.ptp(sizes) > 0
