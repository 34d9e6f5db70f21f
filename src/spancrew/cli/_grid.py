"""What `spancrew simulate` does with a grid, and how it shows the outcomes."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import RenderableType
from rich.text import Text

from spancrew.cli._printing import fact_table, table
from spancrew.consensus import consensus_name
from spancrew.core import Dataset
from spancrew.feedback import (
    Doubts,
    feedback_name,
)
from spancrew.metrics import Metric
from spancrew.policies import policy_name
from spancrew.report import (
    REHEARSAL_HEAD,
    Rehearsed,
    rehearsal_page,
    rehearsal_rows,
    summaries_of,
)
from spancrew.simulate import (
    Cell,
    Grid,
    Outcome,
    Scene,
    Setting,
    Summary,
    as_json,
    check_engine,
    compiling_in_background,
    recommended,
    refuse_unfit,
    scene_of,
    simulated_crowd,
    sweep,
)

if TYPE_CHECKING:
    from spancrew.cli._progress import ProgressBar


class Where(NamedTuple):
    """Where settings are rehearsed, and the folder that keeps finished ones."""

    engine: str
    processes: int | None
    keep: Path | None


@dataclass(frozen=True, slots=True)
class GridResult:
    """The outcomes of a grid; ``left_out`` sentences could not be rehearsed."""

    rehearsed: list[Rehearsed]
    seconds: float
    left_out: int

    def as_json(self) -> dict[str, Any]:
        """Return one record for every setting."""
        return {
            "results": [
                {
                    "policy": each.policy,
                    "feedback": each.feedback,
                    "consensus": each.consensus,
                    "crowd": each.crowd,
                    "crew": each.crew,
                    "answers_per_sentence": each.answers,
                    **as_json(each.outcome),
                    "seconds": round(self.seconds / len(self.rehearsed), 3),
                }
                for each in self.rehearsed
            ],
            "left_out": self.left_out,
        }

    def page(self, name: str, quality: float) -> str:
        """Return the report."""
        summaries = summaries_of(self.rehearsed)
        chosen = self._chosen(summaries, quality)
        place = None if chosen is None else summaries.index(chosen)
        return rehearsal_page(name, self.rehearsed, _sentence(chosen, quality), place)

    def views(self, name: str, quality: float) -> Iterator[RenderableType]:
        """Yield the parts of the output from top to bottom."""
        summaries = summaries_of(self.rehearsed)
        first = self.rehearsed[0]
        outcome = first.outcome
        title = (
            f"{name}: {outcome.sentences:,} sentences, {len(outcome.workers)} workers, crew "
            f"{first.crew}, {first.answers} answers each, {outcome.runs} runs"
        )
        yield table(title, REHEARSAL_HEAD, rehearsal_rows(summaries))
        yield Text(_sentence(self._chosen(summaries, quality), quality), style="bold")
        yield fact_table("Columns", _legend(outcome))
        if self.left_out:
            yield Text(f"{self.left_out:,} sentences could not be rehearsed.")

    def _chosen(self, summaries: Sequence[Summary], quality: float) -> Summary | None:
        honest = [
            summary
            for summary, each in zip(summaries, self.rehearsed, strict=True)
            if not each.outcome.setting.policy.needs_truth
        ]
        return recommended(honest, quality)


def _legend(outcome: Outcome) -> list[tuple[str, str]]:
    prices = outcome.setting.prices
    alone = f"{outcome.expert_only_money:,.0f}"
    return [
        ("given", "exact F1 of the answers"),
        ("final", "exact F1 of the final labels, by the crowd or by an expert"),
        ("expert", "share of the sentences labelled by experts, with those of the warm-up"),
        ("asked", f"answers paid for, per sentence, at {prices.answer:g} each"),
        ("saved", f"against experts alone, who cost {alone} at {prices.expert:g} a sentence"),
        ("regret", "F1 lost to the best crew, summed over answers; the oracle knows that crew"),
    ]


def _sentence(chosen: Summary | None, quality: float) -> str:
    if chosen is None:
        return (
            "No method saves money against experts alone at these prices: cheaper answers, fewer "
            "answers on a sentence or a lower threshold would."
        )
    figures = (
        f"final labels with F1 {chosen.final_f1.mean:.3f}, {100 * chosen.expert_share.mean:.0f} % "
        f"of the sentences labelled by experts, {100 * chosen.saved.mean:.0f} % of the money saved"
    )
    if chosen.final_f1.mean >= quality:
        return f"Recommended: {chosen.name}: {figures}."
    missed = f"No method that saves money reaches F1 {quality:g}"
    return f"{missed}; closest is {chosen.name}: {figures}."


def run_grid(
    dataset: Dataset,
    grid: Grid,
    base: Setting,
    score: Metric,
    where: Where,
    progress: "ProgressBar",
) -> GridResult:
    """Make the scenes and rehearse every combination."""
    start = time.perf_counter()
    check_engine(where.engine, where.processes)
    cells = list(grid.cells(base, len(dataset.workers)))
    for cell in cells:
        refuse_unfit(cell.setting, len(dataset.workers), len(dataset))
    scenes: dict[str, Scene] = {}
    left_out = 0
    with compiling_in_background([cell.setting for cell in cells], len(dataset.workers)):
        for choice in grid.crowds:
            progress.phase(f"Making the crowd ({choice.name})")
            made = simulated_crowd(dataset, choice.kind, score, ties=choice.ties, seed=base.seed)
            scenes[choice.name] = scene_of(made.dataset, made.crowd, score)
            left_out = max(left_out, made.left_out)
        progress.phase("Compiling")
    progress.phase("Rehearsing")
    outcomes = sweep(
        scenes, cells, where.engine, processes=where.processes, keep=where.keep, progress=progress
    )
    rehearsed = [_rehearsed(cell, outcome) for cell, outcome in zip(cells, outcomes, strict=True)]
    return GridResult(rehearsed, time.perf_counter() - start, left_out)


def _rehearsed(cell: Cell, outcome: Outcome) -> Rehearsed:
    setting = cell.setting
    gate = setting.feedback
    threshold = gate.current_threshold(setting.mean_prices, Doubts.start(1))
    return Rehearsed(
        policy_name(setting.policy),
        feedback_name(gate),
        consensus_name(setting.consensus),
        cell.scene,
        setting.crew,
        setting.answers,
        outcome,
        threshold.value if threshold and threshold.by == "agreement" else None,
    )
