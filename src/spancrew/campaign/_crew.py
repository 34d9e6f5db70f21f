"""The workers that the policy chooses among those who are present."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from spancrew.campaign._events import CrewChosen
from spancrew.campaign._records import WorkerRecord
from spancrew.campaign._state import State
from spancrew.core import BoolArray, Chance, IntArray
from spancrew.policies import CrewSize, Standings, are_weak, crew_by


def may_work(state: State, worker: WorkerRecord) -> bool:
    """Tell whether a person may get sentences of the campaign: ready, and below their cap.

    A model is asked beside the crew and has no seat in it.
    """
    is_ready = worker.state == "ready" and worker.model is None
    return is_ready and not is_capped(state, worker)


def is_capped(state: State, worker: WorkerRecord) -> bool:
    """Tell whether a worker has given, or promised, as many answers as they may."""
    cap = cap_of(state, worker)
    return cap is not None and worker.taken >= cap


def cap_of(state: State, worker: WorkerRecord) -> int | None:
    """Return the most answers of a worker: their own, else that of the plan, which is people's."""
    if worker.cap is None and worker.model is None:
        return state.plan.cap
    return worker.cap


def there(state: State, available: Collection[int]) -> list[int]:
    """Return the workers who are present and may work."""
    return [number for number in available if may_work(state, state.workers[number])]


def chosen_crew(state: State, available: Collection[int], now: float) -> CrewChosen:
    """Choose the crew of the next step."""
    able = there(state, available)
    step = state.step + 1
    size = state.plan.crew_size
    crew = select(state, _mask(state, able), size, state.chance(step), tick=True)
    chosen = tuple(worker for worker in crew.tolist() if worker >= 0)
    return CrewChosen(now, step, chosen, len(able))


def select(
    state: State, mask: BoolArray, size: CrewSize, chance: Chance, *, tick: bool = False
) -> IntArray:
    """Return whom the policy chooses, best first; -1 where nobody is left.

    With ``tick`` it sees the standings as they are when the next step has begun.
    """
    standings = replace(state.standings, available=mask[None, :])
    if tick:
        standings = _ahead(standings)
    plan = state.plan
    chosen: IntArray = crew_by(plan.policy, standings, size, plan.answers, chance)[0]
    return chosen


def is_left_out(state: State, worker: int, available: Collection[int]) -> bool:
    """Tell whether a worker has to wait until the policy chooses them.

    Where a crew is everybody who is good enough, only those wait who are clearly weak.
    """
    if state.plan.crew_size != "auto":
        return True
    return worker in weak_among(state, there(state, {*available, worker}))


def weak_among(state: State, able: Collection[int]) -> frozenset[int]:
    """Return those of some workers who are clearly weaker than their middle one."""
    mask = _mask(state, able)
    weak = are_weak(replace(state.standings, available=mask[None, :]))[0]
    return frozenset(np.flatnonzero(weak).tolist())


def _ahead(standings: Standings) -> Standings:
    """Return standings of their own that a step may pass in."""
    own = replace(
        standings,
        count=standings.count.copy(),
        total=standings.total.copy(),
        squares=standings.squares.copy(),
        time=standings.time.copy(),
        difficulty=None if standings.difficulty is None else standings.difficulty.copy(),
    )
    own.tick()
    return own


def _mask(state: State, able: Collection[int]) -> BoolArray:
    mask = np.zeros(len(state.workers), bool)
    mask[list(able)] = True
    return mask


def replacement(state: State, able: Collection[int]) -> int | None:
    """Return whom the policy would choose first of some workers."""
    if not able:
        return None
    best = select(state, _mask(state, able), 1, state.chance(state.step))
    return int(best[0])
