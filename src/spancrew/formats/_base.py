"""What a format is: something that recognises, reads and writes data sets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from spancrew.core import Dataset, LabelSet, Unit
from spancrew.errors import MissingPackageError, Place

Overlaps = Literal["error", "first", "longest"]
Split = Literal["lines", "paragraphs", "sentences"]
Discontinuous = Literal["error", "split", "whole"]
Columns = Mapping[str, str | Sequence[str]]
"""Which column has which role; no column where the name is empty, several for workers."""
Progress = Callable[[int, int], None]
"""Called now and then with the bytes done and the bytes in all."""


class Repair(NamedTuple):
    """One thing that was changed, left out or refused on the way in or out."""

    kind: str
    place: Place
    what: str

    def as_json(self) -> dict[str, str]:
        """Return plain values."""
        return {"kind": self.kind, "place": str(self.place), "what": self.what}


class Reading(NamedTuple):
    """A data set and everything that had to be changed to read it."""

    dataset: Dataset
    repairs: tuple[Repair, ...]


def silent(_done: int, _total: int) -> None:
    """Do not report progress."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options of a reader; None leaves the choice to the format.

    ``overlaps`` says what to do when two spans of one answer overlap: refuse the file, keep the
    one that stands first, or keep the longest. ``unit`` cuts running text into words or
    characters. ``labels`` declares the label set, so that any other label is an error. ``columns``
    says which column of a table is which, such as ``{"text": "body"}``; an empty name says that
    none is. For INCEpTION it says which layer and feature hold the labels. ``split`` cuts
    documents into sentences. ``discontinuous`` says what to do with a span in several pieces:
    refuse the file, make each piece a span, or fill the gaps. ``skip_unequal`` leaves out a
    sentence whose text differs between files.
    """

    overlaps: Overlaps | None = None
    unit: Unit | None = None
    labels: LabelSet | None = None
    progress: Progress = silent
    columns: Columns = field(default_factory=dict)
    split: Split | None = None
    discontinuous: Discontinuous | None = None
    skip_unequal: bool = False


class Format(Protocol):
    """A way to keep a data set in a file or folder.

    Final labels are written in the place of gold. A format may have an attribute ``finals`` that
    says more: ``"meta"`` if confidence and votes are to be put into ``meta``, ``"own"`` if it
    writes final labels by itself, apart from gold. A format that follows ``columns``, ``split``,
    ``discontinuous`` or ``skip_unequal`` names them in an attribute ``follows``; others refuse
    them. One that holds choices says so in an attribute ``kinds``, a tuple of
    :data:`~spancrew.core.Kind`; others hold spans only.
    """

    name: str
    """The word for it on the command line and in ``read(..., format=...)``."""

    suffixes: tuple[str, ...]
    """File name endings that :func:`write` takes as a wish for this format."""

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether this looks like the format; ``head`` is the first 64 KiB of a file."""
        ...

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read a data set, or raise FormatError with the place and the problem."""
        ...

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write to a path that does not exist yet; return what the format cannot hold."""
        ...


def package(name: str, format_: str, install: str = "") -> Any:
    """Return an optional package; say how to install it where it is missing."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise MissingPackageError(
            f"the format {format_!r} needs the package {(install or name)!r}; install it with "
            f"'pip install {install or name}'",
            name=name,
        ) from None
