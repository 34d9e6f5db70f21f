"""What was read."""

from typing import Any, NamedTuple

from spancrew.core import Dataset
from spancrew.formats import Repair, frame_of
from spancrew.workbench._drawn import drawn_dataset


class ReadData(NamedTuple):
    """A data set, and everything that had to be changed to read it."""

    dataset: Dataset
    repairs: tuple[Repair, ...]

    def __repr__(self) -> str:
        """Return both in a line."""
        repairs = "1 repair" if len(self.repairs) == 1 else f"{len(self.repairs):,} repairs"
        return f"{self.dataset!r}, {repairs}"

    def _repr_html_(self) -> str:
        """Return the first sentences with their spans, for a notebook."""
        return drawn_dataset(self.dataset)

    def frame(self) -> Any:
        """Return a pandas DataFrame with a row for each answer, as :func:`read` takes it."""
        return frame_of(self.dataset)
