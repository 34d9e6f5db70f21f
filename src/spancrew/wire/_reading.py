"""How a data set is to be read, and what the file was taken for."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError

from spancrew.errors import PlanError
from spancrew.formats import Discontinuous, Overlaps, Split
from spancrew.wire._base import Wire, problems_of

_Column = Annotated[str, StringConstraints(max_length=1000)]
_Columns = _Column | Annotated[list[_Column], Field(max_length=1000)]
_Label = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class ReadingIn(Wire):
    """The options of ``spancrew.read``; what is left out, the format decides.

    ``columns`` says which column has which role; an empty name says that none has it.
    """

    columns: Annotated[dict[str, _Columns], Field(max_length=50, default_factory=dict)]
    split: Split | None = None
    overlaps: Overlaps | None = None
    unit: Literal["words", "characters"] | None = None
    labels: Annotated[list[_Label], Field(min_length=1, max_length=1000)] | None = None
    discontinuous: Discontinuous | None = None
    skip_unequal: bool = False

    def options(self) -> dict[str, Any]:
        """Return keywords of ``spancrew.read``."""
        labels = None if self.labels is None else tuple(self.labels)
        return {**self.model_dump(), "labels": labels}


def reading_of(given: Any) -> ReadingIn:
    """Return the options that JSON describes."""
    try:
        return ReadingIn.model_validate(given)
    except ValidationError as error:
        raise PlanError(problems_of(error.errors(), "reading")) from None


class ColumnView(Wire):
    """A column of a table, and the beginning of the first cell that is not empty."""

    name: str
    example: str


class LayoutView(Wire):
    """The roles of columns that a layout needs, and those that it can have."""

    needs: tuple[str, ...]
    takes: tuple[str, ...]


class TableView(Wire):
    """What a table is taken for, and the ``layouts`` there are to choose from."""

    layout: str
    columns: tuple[ColumnView, ...]
    roles: dict[str, str]
    workers: tuple[str, ...]
    layouts: dict[str, LayoutView]


class ReadingView(Wire):
    """What a file was taken for: its format, the options that this follows, and its columns."""

    format: str
    follows: tuple[str, ...]
    table: TableView | None


class Problem(Wire):
    """What went wrong: a code for programs, a message and a remedy for people.

    Where an option of the reader would help, ``option`` names it and ``value`` says what to
    choose from; ``reading`` says what the file was taken for.
    """

    code: str
    message: str
    remedy: str | None = None
    option: str | None = None
    value: str | None = None
    reading: ReadingView | None = None


class ErrorAnswer(Wire):
    """The body of every refusal."""

    error: Problem
