"""Take the rows of a table in: texts alone, or texts with spans in one of three layouts."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from spancrew.core import Answer, Sentence, parse_json
from spancrew.errors import FormatError, Place, Remedy
from spancrew.formats._base import ReadOptions
from spancrew.formats._final_place import final_from
from spancrew.formats._intake import Intake, at
from spancrew.formats._json import checked, identifier, moment, shown
from spancrew.formats._running_text import bounds_in
from spancrew.formats._sentence_splitter import pieces
from spancrew.formats._table_columns import Roles
from spancrew.formats._table_rows import Row
from spancrew.formats._table_spans import CellMark, marks_in, spans_from


@dataclass(slots=True)
class _Work:
    """What one worker did on one sentence, as far as the rows have told."""

    place: Place
    marks: list[CellMark] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TableReader:
    """Takes rows in by the roles of their columns."""

    roles: Roles
    options: ReadOptions
    intake: Intake
    path: Place

    def take(self, rows: Iterable[Row]) -> None:
        """Take all rows; those of one sentence belong together if there are spans."""
        filled = self._with_text(rows)
        if not self.roles.has_answers:
            self._take_texts(filled)
            return
        if self.options.split is not None:
            raise FormatError(
                self.path, "texts with spans are not split", Remedy("unused", "split")
            )
        odd: dict[str, int] = {}
        for id_, group in self.groups(filled):
            self._take_group(id_, self._equal(group, id_), odd)
        self.note_odd(odd)

    def groups(self, rows: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
        """Yield the rows of each sentence with its id; without ids, texts tell them apart."""
        found: dict[str, list[Row]] = {}
        for row in rows:
            key = self._id(row) or row.cells[self._text_column]
            found.setdefault(str(key), []).append(row)
        for number, (key, group) in enumerate(found.items(), start=1):
            yield key if "id" in self.roles else str(number), group

    def note_odd(self, odd: Mapping[str, int]) -> None:
        """Say which columns were left out, and on how many sentences."""
        for column, count in odd.items():
            what = f"column {column!r} differs between rows of one sentence; left out ({count})"
            self.intake.repair("column", self.path, what)

    @property
    def _text_column(self) -> str:
        return self.roles.columns.get("text") or self.roles.columns["tokens"]

    def _with_text(self, rows: Iterable[Row]) -> Iterator[Row]:
        blank = 0
        for row in rows:
            text = row.cells.get(self._text_column)
            if text is None or (isinstance(text, str) and not text.strip()):
                blank += 1
            else:
                yield row
        self.intake.skip({"rows without a text": blank}, self.path)

    def _take_texts(self, rows: Iterable[Row]) -> None:
        for number, row in enumerate(rows, start=1):
            id_ = self._id(row) or str(number)
            meta = _json_object(self.cell(row, "meta"))
            meta |= {name: row.cells[name] for name in self.roles.others if name in row.cells}
            if self.options.split is None:
                self.intake.add_sentence(self._sentence(id_, row, meta), row.place)
                continue
            text = self._text(row)
            for k, (start, end) in enumerate(pieces(text, self.options.split), start=1):
                where = {"document": id_, "start": start}
                sentence = Sentence.from_text(
                    f"{id_}:{k}", text[start:end], self.options.unit, meta | where
                )
                self.intake.add_sentence(sentence, row.place)

    def _equal(self, group: list[Row], id_: str) -> list[Row]:
        """Return the rows with the text of the first; refuse others, or leave them out."""
        text = group[0].cells[self._text_column]
        for row in group:
            other = row.cells[self._text_column]
            if other == text:
                continue
            what = f"sentence {id_!r} is {shown(other)} here and {shown(text)} before"
            if not self.options.skip_unequal:
                raise FormatError(
                    row.place,
                    f"{what}; give every text its own id",
                    Remedy("skip_unequal"),
                )
            self.intake.repair("unequal", row.place, f"{what}; the row was left out")
        return [row for row in group if row.cells[self._text_column] == text]

    def shared_meta(self, group: list[Row], odd: dict[str, int]) -> dict[str, Any]:
        """Return what all rows of a sentence have in other columns; count those that differ."""
        first = group[0]
        meta = _json_object(self.cell(first, "meta"))
        for name in self.roles.others:
            if any(row.cells.get(name) != first.cells.get(name) for row in group):
                odd[name] = odd.get(name, 0) + 1
            elif name in first.cells:
                meta[name] = first.cells[name]
        return meta

    def _take_group(self, id_: str, group: list[Row], odd: dict[str, int]) -> None:
        first = group[0]
        sentence = self._sentence(id_, first, self.shared_meta(group, odd))
        self.intake.add_sentence(sentence, first.place)
        works: dict[str | None, _Work] = {}
        for row in group:
            self._take_row(row, sentence, works)
        self._take_gold(first, works)
        self._take_works(sentence, works)
        self._take_final(first, sentence)

    def _take_gold(self, row: Row, works: dict[str | None, _Work]) -> None:
        if (cell := self.cell(row, "gold")) is not None:
            works[None] = _Work(row.place, marks_in(cell, row.place, "column 'gold'"))

    def _take_row(self, row: Row, sentence: Sentence, works: dict[str | None, _Work]) -> None:
        for column in self.roles.workers:
            if column in row.cells:
                marks = marks_in(row.cells[column], row.place, f"column {column!r}")
                works[column] = _Work(row.place, marks)
        worker = identifier(self.cell(row, "worker"))
        if self.roles.has_offsets:
            if worker is None and "worker" in self.roles and self._mark(row) is None:
                return
            work = works.setdefault(worker, _Work(row.place))
            mark = self._mark(row)
            work.marks += [] if mark is None else [mark]
            work.details |= self.details(row)
        elif (cell := self.cell(row, "spans")) is not None:
            if worker is not None and worker in works:
                where = f"sentence {sentence.id!r}: worker {worker!r}"
                what = f"{where} answered before; the latest answer counts"
                self.intake.repair("repeated", row.place, what)
            marks = marks_in(cell, row.place, f"column {self.roles.columns['spans']!r}")
            works[worker] = _Work(row.place, marks, self.details(row))

    def _take_works(self, sentence: Sentence, works: Mapping[str | None, _Work]) -> None:
        for worker, work in works.items():
            where = f"sentence {sentence.id!r}, " + (f"worker {worker!r}" if worker else "gold")
            spans = spans_from(work.marks, sentence, self.intake, work.place, where)
            if worker is None:
                self.intake.add_gold(sentence.id, spans, work.place)
            else:
                answer = Answer(sentence.id, worker, spans, **work.details)
                self.intake.add_answer(answer, work.place)

    def _take_final(self, row: Row, sentence: Sentence) -> None:
        cell = self.cell(row, "final")
        if cell is None:
            return
        place = row.place
        marks = marks_in(cell, place, "column 'final'")
        spans = spans_from(marks, sentence, self.intake, place, f"final of {sentence.id!r}")
        record = {
            "spans": parse_json(cell) if isinstance(cell, str) else cell,
            "confidence": _number(self.cell(row, "final_confidence"), "final_confidence", place),
            "answers": int(_number(self.cell(row, "final_answers"), "final_answers", place)),
            "by": str(self.cell(row, "final_by")),
        }
        self.intake.add_final(sentence.id, final_from(record, spans, place), place)

    def _mark(self, row: Row) -> CellMark | None:
        """Return the span of a row; None for a row that says that there is nothing to mark."""
        in_tokens = "start" not in self.roles
        names = ("token_start", "token_end") if in_tokens else ("start", "end")
        given = [self.cell(row, name) for name in (*names, "label")]
        if all(value is None for value in given):
            return None
        start, end = (
            _whole(value, self._named(name), row.place)
            for value, name in zip(given[:2], names, strict=True)
        )
        label = checked(given[2], str, self._named("label"), row.place)
        quote = self.cell(row, "quote")
        return CellMark(start, end, label, None if quote is None else str(quote), in_tokens)

    def details(self, row: Row) -> dict[str, Any]:
        """Return when, how fast and by which way an answer was given, as far as it says."""
        seconds, at_ = self.cell(row, "seconds"), self.cell(row, "at")
        place = row.place
        source = self.cell(row, "source")
        found = {
            "seconds": None
            if seconds is None
            else _number(seconds, self._named("seconds"), place),
            "at": None if at_ is None else self._moment(at_, place),
            "source": None if source is None else str(source),
        }
        return {name: value for name, value in found.items() if value is not None}

    def _moment(self, value: Any, place: Place) -> float | None:
        try:
            return float(value)
        except (TypeError, ValueError):
            found = moment(str(value))
        if found is None:
            what = f"{shown(value)} is not a time in ISO 8601; it was left out"
            self.intake.repair("time", place, what)
        return found

    def cell(self, row: Row, role: str) -> Any:
        """Return the cell of a role; None if it is empty or has no column."""
        return row.cells.get(self.roles.columns.get(role, ""))

    def _named(self, role: str) -> str:
        """Return what a message calls the column of a role."""
        return f"column {self.roles.columns[role]!r}"

    def _id(self, row: Row) -> str | None:
        return identifier(self.cell(row, "id"))

    def _text(self, row: Row) -> str:
        value = row.cells[self._text_column]
        text: str = checked(value, str, f"column {self._text_column!r}", row.place)
        return text

    def _sentence(self, id_: str, row: Row, meta: dict[str, Any]) -> Sentence:
        tokens = self.cell(row, "tokens")
        parsed = _parsed(tokens)
        if bounds := bounds_in(parsed):
            return at(row.place, lambda: Sentence(id_, self._text(row), bounds, meta))
        if isinstance(parsed, list) and all(isinstance(token, str) for token in parsed):
            return at(row.place, lambda: Sentence.from_tokens(id_, parsed, meta))
        if tokens is not None and "text" not in self.roles:
            words = checked(tokens, str, "column 'tokens'", row.place).split()
            return at(row.place, lambda: Sentence.from_tokens(id_, words, meta))
        if self.roles.has_offsets and "start" not in self.roles:
            return at(row.place, lambda: _blank_cut(id_, self._text(row), meta))
        return at(
            row.place, lambda: Sentence.from_text(id_, self._text(row), self.options.unit, meta)
        )


def _blank_cut(id_: str, text: str, meta: dict[str, Any]) -> Sentence:
    """Return a sentence whose tokens are what stands between blanks."""
    bounds: list[tuple[int, int]] = []
    for word in text.split():
        start = text.index(word, bounds[-1][1] if bounds else 0)
        bounds.append((start, start + len(word)))
    return Sentence(id_, text, tuple(bounds), meta)


def _parsed(cell: Any) -> Any:
    if not isinstance(cell, str) or not cell.lstrip().startswith(("[", "{")):
        return cell
    try:
        return parse_json(cell)
    except ValueError:
        return cell


def _json_object(cell: Any) -> dict[str, Any]:
    if cell is None:
        return {}
    found = _parsed(cell)
    return dict(found) if isinstance(found, dict) else {"meta": cell}


def _whole(value: Any, name: str, place: Place) -> int:
    number = _number(value, name, place)
    if number != int(number):
        raise FormatError.expected(place, f"{name}: {shown(value)}", "a whole number")
    return int(number)


def _number(value: Any, name: str, place: Place) -> float:
    try:
        number = value if isinstance(value, int | float) else float(str(value))
    except ValueError:
        expected = "a number, with a point such as 1.5" if "," in str(value) else "a number"
        raise FormatError.expected(place, f"{name}: {shown(value)}", expected) from None
    return float(checked(number, float, name, place))
