"""Tables 3 and 4 and the two figures, computed job by job."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from spancrew.experiments._data import VARIANTS, ExperimentData
from spancrew.experiments._findings import Curve, Findings, Measured, measured
from spancrew.experiments._methods import Method, further_methods
from spancrew.experiments._paper import PARTS
from spancrew.experiments._protocols import (
    MethodResult,
    Protocol,
    authors_protocol,
    paper_protocol,
)
from spancrew.feedback import ExpertOnly, Prices
from spancrew.policies import BayesUcb, Cucb, DifficultyThompson, KlUcb, Policy, Thompson

Part = Literal["table", "tau", "regret"]
AUTHORS = "authors"

ALL_VARIANTS = (AUTHORS, *VARIANTS)
"""The authors' protocol, and the paper's with each crowd."""

THRESHOLDS = tuple(round(0.05 * k, 2) for k in range(21))

BEYOND: dict[str, Policy] = {
    "CUCB, scale 1 (Exp.)": Cucb(1.0),
    "TS, one Beta draw (Exp.)": Thompson(),
    "KL-UCB (Exp.)": KlUcb(),
    "Bayes-UCB (Exp.)": BayesUcb(),
    "difficulty-thompson (Exp.)": DifficultyThompson(),
}
"""Policies that the paper does not have."""


class ExperimentJob(NamedTuple):
    """What one process computes at a time; ``metrics`` are those of the table.

    ``rules`` are feedback rules that the tables have beside those of the paper.
    """

    data: ExperimentData
    variant: str
    parts: tuple[Part, ...]
    metrics: tuple[str, ...]
    runs: int
    seed: int
    rules: tuple[str, ...] = ()


def work(job: ExperimentJob) -> dict[Part, Findings]:
    """Do a job; return what was found for each part."""
    protocol = _protocol(job)
    found = {part: Findings() for part in job.parts}
    for metric in job.metrics:
        if "table" in job.parts:
            found["table"] += _table(job, protocol, metric)
        if metric == "proportional" and "tau" in job.parts:
            found["tau"] += _tau(job, protocol)
        if metric == "proportional" and "regret" in job.parts:
            found["regret"] += _regret(job, protocol)
    return found


def _protocol(job: ExperimentJob) -> Protocol:
    if job.variant == AUTHORS:
        return authors_protocol(job.data, job.runs, job.seed)
    variant = next(each for each in VARIANTS if each == job.variant)
    return paper_protocol(job.data, variant, job.runs, job.seed)


def _table(job: ExperimentJob, protocol: Protocol, metric: str) -> Findings:
    """Return a metric's columns of table 3 or 4, with expert use and final labels."""
    # The authors' code knows neither one more answer nor a consensus that learns.
    rules = () if job.variant == AUTHORS else job.rules
    further = further_methods(job.data.numbers, rules)
    results = protocol.results([*protocol.methods, *further], metric, 4)
    with_experts = {name for name in results if "Exp.+MV" in name} | {m.name for m in further}
    numbers = []
    for method, result in results.items():
        printed = job.data.paper.get(method, {})
        columns = {f"{metric} {part}": result.scores[:, k] for k, part in enumerate(PARTS)}
        if method in with_experts:
            columns[f"{metric} experts"] = result.experts
            printed = printed | _stated_experts(job.data, method, metric)
        if result.final is not None and metric == "proportional":
            columns["final exact f1"] = result.final
        numbers += [
            measured(method, column, printed.get(column), 100 * values, job.variant)
            for column, values in columns.items()
        ]
    return Findings(numbers)


def _stated_experts(data: ExperimentData, method: str, metric: str) -> dict[str, float]:
    """Return the expert use that the text states for CUCB, in percent, by its column."""
    head = data.headline(4, data.numbers.threshold)
    if head is None or (metric, method) != ("proportional", "CUCB (Exp.+MV)"):
        return {}
    return {"proportional experts": 100 - head.saved}


def _tau(job: ExperimentJob, protocol: Protocol) -> Findings:
    """Return figure tau: F1 as a share of that with experts only, and experts saved."""
    cucb = next(method for method in protocol.methods if method.name == "CUCB (Exp.+MV)")
    gate = cucb.feedback
    expert = protocol.run(cucb._replace(feedback=ExpertOnly()), "proportional", 4)
    results = {
        t: protocol.run(
            cucb._replace(feedback=gate.with_threshold(t, Prices())), "proportional", 4
        )
        for t in THRESHOLDS
    }
    numbers = _tau_numbers(job, expert.scores[:, 2].mean(), results)
    return Findings(list(numbers), list(_tau_curves(job.variant, results)))


def _tau_numbers(
    job: ExperimentJob, expert_f1: float, results: dict[float, MethodResult]
) -> Iterator[Measured]:
    for threshold, result in results.items():
        f1 = result.scores[:, 2]
        head = job.data.headline(4, threshold)
        share, saved = (head.of_expert, head.saved) if head else (None, None)
        columns = [
            ("f1", None, 100 * f1),
            ("f1 of Exp.", share, 100 * f1 / expert_f1),
            ("experts saved", saved, 100 * (1 - result.experts)),
        ]
        if result.final is not None:
            columns.append(("final exact f1", None, 100 * result.final))
        for column, paper, values in columns:
            yield measured(f"tau={threshold:.2f}", column, paper, values, job.variant)


def _tau_curves(variant: str, results: dict[float, MethodResult]) -> Iterator[Curve]:
    x = np.array(list(results))
    for figure, values in (
        ("tau-f1", [100 * result.scores[:, 2] for result in results.values()]),
        ("tau-experts", [100 * result.experts for result in results.values()]),
        ("tau-final", [100 * r.final for r in results.values() if r.final is not None]),
    ):
        if values:
            means = np.array([v.mean() for v in values])
            sds = np.array([v.std() for v in values])
            yield Curve(figure, variant, variant, x, means, sds)


def _regret(job: ExperimentJob, protocol: Protocol) -> Findings:
    """Return figure regret, and the experts that 10 answers save."""
    beyond = {} if job.variant == AUTHORS else BEYOND
    further = [Method(name, policy, ExpertOnly()) for name, policy in beyond.items()]
    results = protocol.results([*protocol.methods, *further], "proportional", 10)
    head = job.data.headline(10, job.data.numbers.threshold)
    numbers, curves = [], []
    for method, result in results.items():
        numbers.append(measured(method, "regret", None, result.regret[:, -1], job.variant))
        if "Exp.+MV" in method:
            paper = head.saved if head and method.startswith("CUCB") else None
            saved = 100 * (1 - result.experts)
            numbers.append(measured(method, "experts saved", paper, saved, job.variant))
        mean, sd = result.regret.mean(axis=0), result.regret.std(axis=0)
        curves.append(Curve("regret", job.variant, method, result.steps, mean, sd))
    return Findings(numbers, curves)
