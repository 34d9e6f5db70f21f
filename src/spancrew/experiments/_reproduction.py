"""What was asked for of the paper, and what we find."""

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from spancrew.experiments._bound import BoundPoint
from spancrew.experiments._jobs import Findings
from spancrew.experiments._table_2 import Comparison

What = Literal[
    "table-2", "table-3", "table-4", "figure-regret", "figure-tau", "simulator", "bound", "all"
]
ALL: tuple[What, ...] = get_args(What)[:-1]


@dataclass(frozen=True, slots=True)
class Section:
    """A table or a figure of the paper on one data set, with what we find."""

    what: What
    data: str
    title: str
    findings: Findings
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reproduction:
    """Everything that was asked for; ``is_demo`` says that the paper's data were not there."""

    sections: list[Section]
    comparisons: list[Comparison] = field(default_factory=list)
    bound: list[BoundPoint] = field(default_factory=list)
    is_demo: bool = False

    def as_json(self) -> list[dict[str, Any]]:
        """Return all numbers as records, each with its table or figure and its data set."""
        return [
            {"what": section.what, "data": section.data, **number.as_json()}
            for section in self.sections
            for number in section.findings.numbers
        ]
