"""The outcome of a rehearsal."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import BoolArray, FloatArray, IntArray
from spancrew.metrics import Metric
from spancrew.simulate._setting import Setting

METRICS = (Metric("token"), Metric("exact"), Metric("proportional"))
CURVE = 200
"""Most points of a curve over steps."""

_SAME = ("setting", "workers", "sentences", "truth", "steps")
"""Fields that are not by run."""

_CURVES = ("regret", "experts")


@dataclass(frozen=True)
class Outcome:
    """The outcome of every run of a setting.

    ``answers`` and ``final`` are P, R and F1 by metric (runs x points x 3) of the collected
    answers and of the final labels, over all up to each point; points divide the sentences
    evenly. ``regret``, and the sentences that the rule sent to ``experts``, are running sums
    (runs x curve) at ``steps``.
    ``asked`` counts paid answers, ``expert_labels`` all sentences that experts labelled and were
    paid for: those that the rule sent to them, those of the ``warm_up`` and those ``audited``.
    A warm-up sentence that the rule sends to them later is paid for once.
    ``certified`` is what audits say of the exact F1 of the final labels (runs x 3): estimate, and
    from where to where it is with 95 % confidence; NaN without audits.
    ``hired`` tells in which runs a tagger was heard in the end. Models gave ``model_answers`` for
    ``model_money``; all other figures of workers are those of people.
    ``agreement`` is a histogram from -1 to 1 (runs x bins). ``count`` and ``mean`` are the
    standings at the end, ``truth`` the workers' true mean scores.
    """

    setting: Setting
    workers: tuple[str, ...]
    sentences: int
    settled: IntArray
    answers: dict[Metric, FloatArray]
    final: dict[Metric, FloatArray]
    steps: IntArray
    regret: FloatArray
    experts: IntArray
    asked: IntArray
    expert_labels: IntArray
    warm_up: IntArray
    audited: IntArray
    certified: FloatArray
    hired: BoolArray
    crowd_money: FloatArray
    model_answers: IntArray
    model_money: FloatArray
    agreement: IntArray
    count: FloatArray
    mean: FloatArray
    truth: FloatArray

    def __repr__(self) -> str:
        """Return how much was rehearsed, without the columns."""
        runs = "1 run" if self.runs == 1 else f"{self.runs:,} runs"
        return f"Outcome({runs} on {self.sentences:,} sentences, {len(self.workers):,} workers)"

    @property
    def runs(self) -> int:
        """Return the number of runs."""
        return len(self.settled)

    @property
    def expert_share(self) -> FloatArray:
        """Return the share of sentences that the rule sent to experts: the paper's figure."""
        return self.experts[:, -1] / self.sentences

    @property
    def answers_per_sentence(self) -> FloatArray:
        """Return the paid answers, those of the warm-up among them, per settled sentence."""
        return self.asked / np.maximum(self.settled, 1)

    @property
    def expert_money(self) -> FloatArray:
        """Return what the experts cost, by run."""
        return self.expert_labels.astype(np.float64) * self.setting.prices.expert

    @property
    def money(self) -> FloatArray:
        """Return what everybody cost, by run."""
        return self.crowd_money + self.model_money + self.expert_money

    @property
    def expert_only_money(self) -> float:
        """Return what it costs if experts label every sentence and nobody else is asked."""
        return self.sentences * self.setting.prices.expert

    @property
    def saved(self) -> FloatArray:
        """Return the share of the expert-only money that is saved, by run."""
        return 1 - self.money / max(self.expert_only_money, 1e-12)


def join_outcomes(parts: Sequence[Outcome]) -> Outcome:
    """Return the outcomes of several ranges of runs of one setting as one."""
    if len(parts) == 1:
        return parts[0]
    steps = max((part.steps for part in parts), key=len)
    columns: dict[str, Any] = {}
    for name in (field.name for field in fields(Outcome) if field.name not in _SAME):
        values = [getattr(part, name) for part in parts]
        if name in _CURVES:
            values = [_up_to(len(steps), curves) for curves in values]
        if isinstance(values[0], dict):
            columns[name] = {key: np.concatenate([v[key] for v in values]) for key in values[0]}
        else:
            columns[name] = np.concatenate(values)
    return replace(parts[0], steps=steps, **columns)


def _up_to(size: int, curves: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Let curves that end early stay where they are."""
    return np.pad(curves, ((0, 0), (0, size - curves.shape[1])), mode="edge")


def in_row_order(outcome: Outcome) -> Outcome:
    """Return an outcome with each array laid out row by row.

    The order of an array in memory decides in which order its numbers are added up later, so
    that means would differ in the last bit between runs that were cut and runs that were not.
    """
    columns: dict[str, Any] = {}
    for name in (field.name for field in fields(Outcome)):
        value = getattr(outcome, name)
        if isinstance(value, np.ndarray):
            columns[name] = np.ascontiguousarray(value)
        elif isinstance(value, dict):
            columns[name] = {key: np.ascontiguousarray(each) for key, each in value.items()}
    return replace(outcome, **columns)
