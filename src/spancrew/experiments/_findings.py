"""Compute the paper's tables and figures, job by job, on all cores."""

from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

from spancrew.experiments._jobs import (
    Findings,
    regret_curves,
    regret_numbers,
    table_numbers,
    tau_curves,
    tau_methods,
    tau_numbers,
)
from spancrew.experiments._methods import Method, further_methods
from spancrew.experiments._runners import AuthorsRunner, PaperRunner, Runner
from spancrew.experiments._stages import TABLE_METRICS, Stage
from spancrew.experiments._variants import VARIANTS
from spancrew.feedback import ExpertOnly
from spancrew.policies import BayesUcb, Cucb, DifficultyThompson, KlUcb, Policy, Thompson

Part = Literal["table", "tau", "regret"]
PARTS: tuple[Part, ...] = get_args(Part)
AUTHORS = "authors"

BEYOND: dict[str, Policy] = {
    "CUCB, scale 1 (Exp.)": Cucb(1.0),
    "TS, one Beta draw (Exp.)": Thompson(),
    "KL-UCB (Exp.)": KlUcb(),
    "Bayes-UCB (Exp.)": BayesUcb(),
    "difficulty-thompson (Exp.)": DifficultyThompson(),
}
"""Policies that the paper does not have."""


class Job(NamedTuple):
    """What one process computes at a time; ``metrics`` are those of the table."""

    stage: Stage
    variant: str
    parts: tuple[Part, ...]
    metrics: tuple[str, ...]
    runs: int
    seed: int
    rules: tuple[str, ...] = ()


def jobs_of(
    stages: list[Stage], parts: tuple[Part, ...], variants: tuple[str, ...], runs: int, seed: int
) -> list[Job]:
    """Return the jobs, the longest first."""
    metrics = tuple(TABLE_METRICS) if "table" in parts else ("proportional",)
    jobs = []
    for stage in stages:
        for variant in variants:
            groups = [(m,) for m in metrics] if variant == AUTHORS else [metrics]
            jobs += [Job(stage, variant, parts, group, runs, seed) for group in groups]
    return sorted(jobs, key=lambda job: -len(job.stage.dataset) * len(job.metrics))


def all_variants() -> tuple[str, ...]:
    """Return the protocols and crowds, the authors' first."""
    return (AUTHORS, *VARIANTS)


def work(job: Job) -> dict[Part, Findings]:
    """Do a job; return what was found for each part."""
    runner = _runner(job)
    found = {part: Findings() for part in job.parts}
    for metric in job.metrics:
        if "table" in job.parts:
            found["table"] += _table(job, runner, metric)
        if metric == "proportional" and "tau" in job.parts:
            found["tau"] += _tau(job, runner)
        if metric == "proportional" and "regret" in job.parts:
            found["regret"] += _regret(job, runner)
    return found


def _runner(job: Job) -> Runner:
    if job.variant == AUTHORS:
        return AuthorsRunner(job.stage, job.runs, job.seed)
    variant = next(v for v in VARIANTS if v == job.variant)
    return PaperRunner(job.stage, variant, job.runs, job.seed)


def _table(job: Job, runner: Runner, metric: str) -> Findings:
    # The authors' code knows neither one more answer nor a consensus that learns.
    rules = () if job.variant == AUTHORS else job.rules
    further = further_methods(job.stage.numbers, rules)
    methods = {method.name: method for method in (*runner.methods, *further)}
    rows = runner.rows(metric, methods, 4)
    names = {method.name for method in further}
    return Findings(list(table_numbers(job.stage, job.variant, metric, rows, names)))


def _tau(job: Job, runner: Runner) -> Findings:
    expert, swept = tau_methods(runner.methods)
    first = runner.rows("proportional", {"Exp.": expert}, 4)["Exp."]
    rows = runner.rows("proportional", swept, 4)
    numbers = list(tau_numbers(job.stage, job.variant, first, rows))
    return Findings(numbers, list(tau_curves(job.stage, job.variant, rows)))


def _regret(job: Job, runner: Runner) -> Findings:
    methods = {method.name: method for method in _regret_methods(job, runner)}
    rows = runner.rows("proportional", methods, 10)
    numbers = list(regret_numbers(job.stage, job.variant, rows))
    return Findings(numbers, list(regret_curves(job.stage, job.variant, rows)))


def _regret_methods(job: Job, runner: Runner) -> Iterator[Method]:
    yield from runner.methods
    if job.variant != AUTHORS:
        for name, policy in BEYOND.items():
            yield Method(name, policy, ExpertOnly())
