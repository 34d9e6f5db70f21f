"""What there is in a data set, who did it, and how well."""

from dataclasses import dataclass
from typing import Any

from spancrew.formats import pandas_frame
from spancrew.report import (
    METRICS,
    Inspection,
    agreement_figure,
    fragment,
    inspection_page,
    inspection_tiles,
    skill_figure,
)
from spancrew.workbench._figure import Figure


@dataclass(frozen=True, slots=True)
class Inspected:
    """An inspection that shows itself; ``inspection`` has every figure."""

    inspection: Inspection

    def __repr__(self) -> str:
        """Return the most important figures in a line."""
        found = self.inspection
        exact = found.scores["exact"]
        score = "no gold" if exact is None else f"exact F1 of the answers {exact.f1:.2f}"
        kappa = f", mean kappa {found.agreement['fleiss'].mean:.2f}" if found.agreement else ""
        counts = f"{found.sentences:,} sentences, {found.workers:,} workers"
        return f"Inspected({counts}, {found.answers:,} answers; {score}{kappa})"

    def _repr_html_(self) -> str:
        """Return the figures and drawings for a notebook."""
        drawings = skill_figure(self.inspection), agreement_figure(self.inspection)
        return fragment(inspection_tiles(self.inspection), *drawings)

    def frame(self) -> Any:
        """Return a pandas DataFrame with a row for each worker, the best first."""
        records = []
        for row in self.inspection.worker_rows:
            record: dict[str, Any] = {"worker": row.worker, "answers": row.answers}
            for name in METRICS:
                scores = row.scores[name]
                values = (None, None, None) if scores is None else scores
                for part, value in zip(("precision", "recall", "f1"), values, strict=True):
                    record[f"{name}_{part}"] = value
            records.append(record)
        parts = [f"{name}_{part}" for name in METRICS for part in ("precision", "recall", "f1")]
        return pandas_frame(records, ["worker", "answers", *parts])

    def plot(self) -> Figure:
        """Draw the F1 of every worker, and how much they agree."""
        name = f"{self.inspection.name}: workers"
        return Figure.of(name, skill_figure(self.inspection), agreement_figure(self.inspection))

    def page(self) -> str:
        """Return the whole report as an HTML page."""
        return inspection_page(self.inspection)
