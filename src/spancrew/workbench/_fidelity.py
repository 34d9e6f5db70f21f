"""How much simulated workers behave like the real ones."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from spancrew.crowds import Fidelity
from spancrew.formats import pandas_frame
from spancrew.report import (
    fidelity_figure,
    fidelity_figures,
    fidelity_page,
    fidelity_rows,
    fragment,
    note,
    table,
    verdict_sentences,
)
from spancrew.workbench._figure import Figure


@dataclass(frozen=True, slots=True)
class CrowdFidelity(Mapping[str, Fidelity]):
    """The comparison in each mode, ``known`` and ``new``, by its name."""

    name: str
    crowd: str
    modes: Mapping[str, Fidelity]

    def __getitem__(self, mode: str) -> Fidelity:
        """Return the comparison in one mode."""
        return self.modes[mode]

    def __iter__(self) -> Iterator[str]:
        """Yield the modes."""
        return iter(self.modes)

    def __len__(self) -> int:
        """Return the number of modes."""
        return len(self.modes)

    def __repr__(self) -> str:
        """Return the verdicts."""
        said = ", ".join(f"{mode} {result.verdict}" for mode, result in self.modes.items())
        return f"CrowdFidelity({self.crowd}: {said})"

    def _repr_html_(self) -> str:
        """Return verdicts, figures and drawings, for a notebook."""
        return fragment(
            *map(note, verdict_sentences(self.modes)),
            *(fidelity_figure(mode, result) for mode, result in self.modes.items()),
            table(("figure", "real", *self.modes), fidelity_rows(self.modes)),
        )

    def frame(self) -> Any:
        """Return a pandas DataFrame with a row for each figure: real, and in each mode."""
        columns = ("figure", "real", *self.modes)
        found = {mode: fidelity_figures(result) for mode, result in self.modes.items()}
        first = next(iter(found.values()))
        records = [
            {"figure": name, "real": figure.real}
            | {mode: figures[name].generated for mode, figures in found.items()}
            for name, figure in first.items()
        ]
        return pandas_frame(records, columns)

    def plot(self) -> Figure:
        """Draw how agreement is distributed, real and generated."""
        drawings = (fidelity_figure(mode, result) for mode, result in self.modes.items())
        return Figure.of(f"{self.name}: agreement", *drawings)

    def page(self) -> str:
        """Return the whole report as an HTML page."""
        return fidelity_page(self.name, self.crowd, self.modes)
