"""Final quality against the share of expert sentences."""

from dataclasses import dataclass
from typing import Any

from spancrew.formats import pandas_frame
from spancrew.report import (
    fragment,
    frontier_figure,
    frontier_head,
    frontier_page,
    frontier_rows,
    frontier_sentence,
    table,
    tag,
    text,
)
from spancrew.simulate import Frontier, FrontierPoint
from spancrew.workbench._figure import Figure

_COLUMNS = ("consensus", "gate", "expert_share", "f1", "f1_sd", "asked", "calibration_error")


_CHOICES = {"f1": "accuracy", "f1_sd": "accuracy_sd"}


@dataclass(frozen=True, slots=True)
class ExpertFrontier:
    """A frontier that shows itself; ``found`` has every figure."""

    name: str
    found: Frontier

    @property
    def points(self) -> tuple[FrontierPoint, ...]:
        """Return all points, pair by pair."""
        return self.found.points

    def curves(self) -> dict[str, list[FrontierPoint]]:
        """Return the points of every pair by its name."""
        return self.found.curves()

    def __repr__(self) -> str:
        """Return the most important finding."""
        return f"ExpertFrontier({frontier_sentence(self.found)})"

    def _repr_html_(self) -> str:
        """Return the finding, the curves and the table, for a notebook."""
        return fragment(
            tag("p", text(frontier_sentence(self.found)), class_="lead"),
            frontier_figure(self.found),
            table(frontier_head(self.found), frontier_rows(self.found)),
        )

    def frame(self) -> Any:
        """Return a pandas DataFrame with a row for each pair and share."""
        is_chosen = self.found.kind == "choices"
        columns = [_CHOICES.get(name, name) for name in _COLUMNS] if is_chosen else _COLUMNS
        records = [
            dict(
                zip(
                    columns,
                    (
                        point.pair.method,
                        point.pair.gate,
                        point.expert_share,
                        *point.exact_f1,
                        point.asked.mean,
                        point.calibration.error,
                    ),
                    strict=True,
                )
            )
            for point in self.points
        ]
        return pandas_frame(records, columns)

    def plot(self) -> Figure:
        """Draw the curves."""
        return Figure.of(f"{self.name}: frontier", frontier_figure(self.found))

    def page(self) -> str:
        """Return the whole report as an HTML page."""
        return frontier_page(self.name, self.found)
