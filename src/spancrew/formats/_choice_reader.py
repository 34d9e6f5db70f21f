"""Take the rows of a table of choices in: a row for each answer to a question."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from spancrew.errors import FormatError, Place, Remedy
from spancrew.formats._base import Reading, ReadOptions
from spancrew.formats._json import shown
from spancrew.formats._sheets import SheetIntake, body_of
from spancrew.formats._table_columns import Roles
from spancrew.formats._table_reader import TableReader
from spancrew.formats._table_rows import Row


@dataclass(frozen=True, slots=True)
class ChoiceReader:
    """Takes rows in by the roles of their columns."""

    roles: Roles
    options: ReadOptions
    path: Place

    def read(self, rows: Iterable[Row], passed_over: Mapping[str, int]) -> Reading:
        """Take all rows; those of one sheet belong together."""
        if self.options.split is not None:
            raise FormatError(
                self.path, "sheets of choices are not split", Remedy("unused", "split")
            )
        sheets = SheetIntake(self.options)
        sheets.intake.skip(passed_over, self.path)
        reader = TableReader(self.roles, self.options, sheets.intake, self.path)
        named = "id" if "id" in self.roles else "text"
        filled = [row for row in rows if reader.cell(row, named) is not None]
        odd: dict[str, int] = {}
        for id_, group in reader.groups(filled):
            self._take_sheet(id_, group, reader, sheets, odd)
        reader.note_odd(odd)
        return sheets.finish(self.path)

    def _take_sheet(
        self,
        id_: str,
        group: list[Row],
        reader: TableReader,
        sheets: SheetIntake,
        odd: dict[str, int],
    ) -> None:
        first = group[0]
        prompt = str(reader.cell(first, "text") or "")
        responses = [str(first.cells.get(name, "")) for name in self.roles.responses]
        meta = reader.shared_meta(group, odd)
        if responses:
            meta |= {"prompt": prompt, "responses": responses}
        sheets.add_sheet(id_, body_of(prompt, responses), meta, first.place)
        for row in group:
            self._take_row(id_, row, reader, sheets)

    def _take_row(self, id_: str, row: Row, reader: TableReader, sheets: SheetIntake) -> None:
        question = str(reader.cell(row, "question") or self.roles.columns["choice"])
        worker = reader.cell(row, "worker")
        sheets.ask(id_, question)
        if (gold := reader.cell(row, "gold")) is not None:
            sheets.choose(id_, None, question, label_in(gold, row.place), row.place)
        if (cell := reader.cell(row, "choice")) is None:
            return
        label = label_in(cell, row.place)
        who = None if worker is None else label_in(worker, row.place)
        sheets.choose(id_, who, question, label, row.place, **reader.details(row))


def label_in(cell: Any, place: Place) -> str:
    """Return what a cell says as a label; a whole number stays one.

    >>> (
    ...     label_in(3.0, Place("table")),
    ...     label_in(" yes ", Place("table")),
    ...     label_in(True, Place("t")),
    ... )
    ('3', 'yes', 'true')
    """
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if not isinstance(cell, str | int | float) or not str(cell).strip():
        raise FormatError.expected(place, shown(cell), "a word or a number that was chosen")
    return str(cell).strip()
