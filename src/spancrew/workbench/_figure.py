"""A drawing that shows itself in a notebook and can be kept as a page."""

from dataclasses import dataclass
from pathlib import Path

from spancrew.errors import SpancrewError
from spancrew.report import document, fragment


@dataclass(frozen=True, slots=True)
class Figure:
    """One or more drawings; the last line of a cell shows them, :meth:`save` keeps them."""

    title: str
    drawings: tuple[str, ...]

    @classmethod
    def of(cls, title: str, *drawings: str) -> "Figure":
        """Return a figure of the drawings that there are; refuse one without any."""
        drawn = tuple(each for each in drawings if each)
        if not drawn:
            raise SpancrewError(f"{title}: there is nothing to draw, as there is no gold")
        return cls(title, drawn)

    def __repr__(self) -> str:
        """Say what it is."""
        return f"Figure({self.title!r})"

    def _repr_html_(self) -> str:
        """Return the drawings for a notebook."""
        return fragment(*self.drawings)

    def save(self, path: str | Path) -> None:
        """Write a page of its own, on which values can be read off with the pointer."""
        page = document(self.title, *self.drawings, live=True)
        Path(path).write_text(page, encoding="utf-8")
