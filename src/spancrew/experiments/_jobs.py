"""What the paper's tables and figures are computed from, piece by piece."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from spancrew.core import FloatArray
from spancrew.experiments._measured import Measured, measured
from spancrew.experiments._methods import Method
from spancrew.experiments._paper_results import HEADLINES, PARTS
from spancrew.experiments._stages import TABLE_METRICS, Stage
from spancrew.feedback import AgreementGate, ExpertOnly
from spancrew.metrics import Metric

THRESHOLDS = tuple(round(0.05 * k, 2) for k in range(21))

REWARDS: dict[str, Metric] = {
    name: replace(metric, average="micro") for name, metric in TABLE_METRICS.items()
}
"""How a single answer is scored in the paper's protocol."""

FINAL = Metric("exact")
"""How final labels are scored."""


class Curve(NamedTuple):
    """A line of a figure: mean and standard deviation over runs."""

    figure: str
    stage: str
    variant: str
    series: str
    x: FloatArray
    mean: FloatArray
    sd: FloatArray


class Row(NamedTuple):
    """What one method gave, run by run; shares and scores from 0 to 1.

    ``scores`` are P, R and F1 of the collected answers; ``final`` is the exact F1 of the final
    labels, None where the protocol makes none; ``regret`` is runs x steps.
    """

    scores: FloatArray
    experts: FloatArray
    final: FloatArray | None
    steps: FloatArray
    regret: FloatArray


@dataclass(frozen=True, slots=True)
class Findings:
    """All numbers and curves of some jobs."""

    numbers: list[Measured] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)

    def __add__(self, other: "Findings") -> "Findings":
        """Return both."""
        return Findings(self.numbers + other.numbers, self.curves + other.curves)


def table_numbers(
    stage: Stage, variant: str, metric: str, rows: dict[str, Row], further: Collection[str] = ()
) -> Iterator[Measured]:
    """Yield a metric's columns of table 3 or 4, with expert use and final labels.

    ``further`` are the names of methods that the paper does not have.
    """
    for method, row in rows.items():
        printed = stage.paper.get(method, {})
        for k, part in enumerate(PARTS):
            column = f"{metric} {part}"
            yield measured(method, column, printed.get(column), 100 * row.scores[:, k], variant)
        if "Exp.+MV" in method or method in further:
            paper = _paper_experts(stage, method, metric)
            yield measured(method, f"{metric} experts", paper, 100 * row.experts, variant)
        if row.final is not None and metric == "proportional":
            yield measured(method, "final exact f1", None, 100 * row.final, variant)


def _paper_experts(stage: Stage, method: str, metric: str) -> float | None:
    """Return the expert use that the text states for CUCB, in percent."""
    if not stage.has_paper or metric != "proportional" or method != "CUCB (Exp.+MV)":
        return None
    return 100 - _headline(stage, 4, stage.numbers.threshold)[1]


def _headline(stage: Stage, answers: int, threshold: float) -> tuple[float | None, float]:
    for head in HEADLINES:
        if (head.data, head.answers, head.threshold) == (stage.name, answers, threshold):
            return head.of_expert, head.saved
    raise KeyError((stage.name, answers, threshold))


def tau_numbers(
    stage: Stage, variant: str, expert: Row, rows: dict[float, Row]
) -> Iterator[Measured]:
    """Yield figure tau: F1 as a share of that with experts only, and experts saved."""
    whole = expert.scores[:, 2].mean()
    for threshold, row in rows.items():
        name = f"tau={threshold:.2f}"
        share, saved = _points(stage, 4, threshold)
        of_expert = 100 * row.scores[:, 2] / whole
        yield measured(name, "f1", None, 100 * row.scores[:, 2], variant)
        yield measured(name, "f1 of Exp.", share, of_expert, variant)
        yield measured(name, "experts saved", saved, 100 * (1 - row.experts), variant)
        if row.final is not None:
            yield measured(name, "final exact f1", None, 100 * row.final, variant)


def _points(stage: Stage, answers: int, threshold: float) -> tuple[float | None, float | None]:
    try:
        return _headline(stage, answers, threshold)
    except KeyError:
        return None, None


def tau_curves(stage: Stage, variant: str, rows: dict[float, Row]) -> Iterator[Curve]:
    """Yield the lines of figure tau."""
    x = np.array(list(rows))
    for figure, values in (
        ("tau-f1", [100 * row.scores[:, 2] for row in rows.values()]),
        ("tau-experts", [100 * row.experts for row in rows.values()]),
        ("tau-final", [100 * row.final for row in rows.values() if row.final is not None]),
    ):
        if values:
            means = np.array([v.mean() for v in values])
            sds = np.array([v.std() for v in values])
            yield Curve(figure, stage.name, variant, variant, x, means, sds)


def regret_numbers(stage: Stage, variant: str, rows: dict[str, Row]) -> Iterator[Measured]:
    """Yield the regret at the end, and the experts that 10 answers save."""
    for method, row in rows.items():
        yield measured(method, "regret", None, row.regret[:, -1], variant)
        if "Exp.+MV" in method:
            _, saved = _points(stage, 10, stage.numbers.threshold)
            paper = saved if method.startswith("CUCB") else None
            yield measured(method, "experts saved", paper, 100 * (1 - row.experts), variant)


def regret_curves(stage: Stage, variant: str, rows: dict[str, Row]) -> Iterator[Curve]:
    """Yield the lines of figure regret."""
    for method, row in rows.items():
        mean, sd = row.regret.mean(axis=0), row.regret.std(axis=0)
        yield Curve("regret", stage.name, variant, method, row.steps, mean, sd)


def tau_methods(methods: list[Method]) -> tuple[Method, dict[float, Method]]:
    """Return CUCB with experts only, and with every threshold."""
    cucb = next(m for m in methods if m.name == "CUCB (Exp.+MV)")
    gate = cucb.feedback
    if not isinstance(gate, AgreementGate):
        raise TypeError("the last method must be a gate")
    swept = {
        t: cucb._replace(name=f"tau={t:.2f}", feedback=replace(gate, threshold=t))
        for t in THRESHOLDS
    }
    return cucb._replace(feedback=ExpertOnly()), swept
