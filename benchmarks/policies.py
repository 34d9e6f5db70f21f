"""One selection of 20 among 10,000 workers by every policy."""

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks._row import Row, seconds
from spancrew.core import Chance
from spancrew.policies import Policy, Standings, policies, policy

WORKERS, CREW, GROUP = 10_000, 20, 4
BUDGET = 2_000.0
"""What a live campaign may spend on one selection, in microseconds."""

RUNS, FEW = 100, 47
"""The rehearsal of the paper's CoNLL crowd, many runs in lock step."""
QUICK = {"WORKERS": 200, "RUNS": 5}


def rows() -> Iterator[Row]:
    """Measure every policy against the budget, and CUCB against a loop over workers."""
    specs = [*policies(), "thompson:belief=gaussian", "thompson:draws=100"]
    for spec in specs:
        ours = seconds(_selection(policy(spec), 1, WORKERS), repeats=20) * 1e6
        name = f"{spec}, {CREW} of {WORKERS:,} workers"
        yield Row(name, ours, BUDGET, "budget", "us per selection")
    standings = _standings(policy("cucb"), 1, WORKERS)
    ours = seconds(_selection(policy("cucb"), 1, WORKERS), repeats=20) * 1e6
    peer = seconds(lambda: _loop(standings)) * 1e6
    name = f"cucb, {CREW} of {WORKERS:,} workers"
    yield Row(name, ours, peer, "loop over workers", "us per selection")
    batch = seconds(_selection(policy("cucb"), RUNS, FEW), repeats=20) * 1e6 / RUNS
    few = _standings(policy("cucb"), 1, FEW)
    peer = seconds(lambda: _loop(few)) * 1e6
    name = f"cucb, {CREW} of {FEW} workers, {RUNS} runs in lock step"
    yield Row(name, batch, peer, "loop over workers", "us per run")


def _selection(chosen: Policy, runs: int, workers: int) -> Callable[[], object]:
    standings = _standings(chosen, runs, workers)
    chance = Chance.of(0, range(runs))
    return lambda: chosen.select(standings, CREW, chance)


def _standings(chosen: Policy, runs: int, workers: int) -> Standings:
    """Return standings in which everybody has a handful of rewards."""
    rng = np.random.default_rng(3)
    learning = chosen.learning
    standings = Standings.start(runs, workers, difficulty=learning.difficulty)
    standings.truth = rng.random(workers)
    standings.time[:] = workers
    run = np.repeat(np.arange(runs), workers // GROUP)
    for _ in range(6):
        order = rng.permuted(np.tile(np.arange(workers), (runs, 1)), axis=1)
        crew = order[:, : workers // GROUP * GROUP].reshape(-1, GROUP)
        standings.learn(run, crew, rng.beta(3, 2, crew.shape))
    return standings


def _loop(standings: Standings) -> list[int]:
    """Choose by CUCB, worker by worker."""
    log_t = np.log(standings.time[0])
    index = []
    for count, total in zip(standings.count[0], standings.total[0], strict=True):
        bonus = np.sqrt(3 * log_t / (2 * count)) if count else np.inf
        index.append(total / max(count, 1) + bonus)
    return sorted(range(len(index)), key=index.__getitem__, reverse=True)[:CREW]
