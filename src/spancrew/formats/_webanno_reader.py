"""Read one document of WebAnno TSV 3: a row for each token, columns for the layers."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from spancrew.errors import FormatError, Place
from spancrew.formats._json import shown
from spancrew.formats._layers import LayeredDocument, LayerMark, SentenceAt, holds_labels
from spancrew.formats._sentence_splitter import Piece
from spancrew.formats._utf16 import Utf16

FORMAT = "#FORMAT=WebAnno TSV "
TEXT = "#Text="
ID = "#Sentence.id="
NONE, EMPTY = "_", "*"

_UNIT = re.compile(r"\d{1,9}-\d{1,9}(\.\d+)?")
_OFFSETS = re.compile(r"(\d{1,9})-(\d{1,9})")
_PART = re.compile(r"((?:\\.|[^\\|])*?)(?:\[(\d+)\])?(?:\||$)", re.DOTALL)
_ESCAPED = re.compile(r"\\(->|.)", re.DOTALL)
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}
_LONGEST_GAP = 1_000_000


class _Column(NamedTuple):
    """A feature of a span layer, or something without one that is at most counted."""

    layer: str
    feature: str | None
    counted: str = ""


class _Value(NamedTuple):
    """One of the annotations in a cell; those of several tokens share a number."""

    value: str | None
    number: str


@dataclass(slots=True)
class _Open:
    """An annotation whose tokens are still being collected."""

    layer: str
    values: dict[str, str | None]
    start: int
    end: int
    place: Place


@dataclass(slots=True)
class _Block:
    """The lines of one sentence."""

    place: Place
    texts: list[str] = field(default_factory=list)
    id: str | None = None
    rows: list[tuple[Place, list[str]]] = field(default_factory=list)


def read_webanno(lines: Iterable[tuple[Place, str]], place: Place) -> LayeredDocument:
    """Return the document that the lines of a file hold."""
    source = iter(lines)
    _check_version(source, place)
    reader = _TsvReader()
    block = _Block(place)
    for where, line in source:
        if line.startswith("#T_"):
            reader.columns += _columns(line, where)
        elif line.startswith((TEXT, ID)):
            if block.rows:
                reader.take(block)
                block = _Block(where)
            _take_header(line, block)
        elif line.strip() and not line.startswith("#"):
            block.rows.append((where, line.split("\t")))
    if block.rows or block.texts:
        reader.take(block)
    return reader.finish()


def _check_version(lines: Iterator[tuple[Place, str]], place: Place) -> None:
    where, line = next(lines, (place, ""))
    if not line.startswith(f"{FORMAT}3"):
        raise FormatError.expected(
            where, shown(line), f"{FORMAT}3.3; export the document again as WebAnno TSV v3.3"
        )


def _take_header(line: str, block: _Block) -> None:
    if line.startswith(ID):
        block.id = unescaped(line.removeprefix(ID))
    else:
        block.texts.append(unescaped(line.removeprefix(TEXT)))


def _columns(line: str, place: Place) -> Iterator[_Column]:
    """Yield the columns that a line of the header declares."""
    kind, sign, rest = line.partition("=")
    layer, *features = rest.split("|")
    if not sign or not layer or kind not in {"#T_SP", "#T_CH", "#T_RL"}:
        raise FormatError.expected(place, shown(line), "#T_SP=layer|feature")
    if kind == "#T_CH":
        yield from (_Column(layer, None, "" if k else "tokens in chains") for k in range(2))
        return
    slot = False
    for feature in features or [""]:
        role = feature.startswith("ROLE_")
        if kind == "#T_RL":
            yield _Column(layer, None, "relations" if feature.startswith("BT_") else "")
        elif role or slot:
            yield _Column(layer, None, "slots" if role else "")
        else:
            yield _Column(layer, feature)
        slot = role


@dataclass(slots=True)
class _TsvReader:
    """Puts sentences together to a document."""

    columns: list[_Column] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    length: int = 0
    units: int = 0
    sentences: list[SentenceAt] = field(default_factory=list)
    tokens: list[Piece] = field(default_factory=list)
    marks: dict[tuple[str, str], _Open] = field(default_factory=dict)
    passed_over: Counter[str] = field(default_factory=Counter)

    def take(self, block: _Block) -> None:
        """Take a sentence with its tokens and their cells."""
        if not block.rows or not block.texts:
            raise FormatError.expected(
                block.place, "a sentence without its text or tokens", f"{TEXT} and rows of tokens"
            )
        text = "\n".join(block.texts)
        first = _borders(block.rows[0])[0]
        self._fill(first - self.units, block)
        units = Utf16(text)
        for place, cells in block.rows:
            start, end = (units.point(unit - first) for unit in _borders((place, cells)))
            self._check(text, (start, end), cells, place)
            self._take_cells(cells[3:], (self.length + start, self.length + end), place)
            if "." not in cells[0]:
                self.tokens.append((self.length + start, self.length + end))
        self.sentences.append(SentenceAt(self.length, self.length + len(text), block.id))
        self._add(text, units.length)

    def finish(self) -> LayeredDocument:
        """Return the whole document."""
        marks = tuple(
            LayerMark(each.layer, each.values, each.start, each.end, each.place)
            for each in self.marks.values()
        )
        layers = {column.layer for column in self.columns if column.feature is not None}
        return LayeredDocument(
            "".join(self.texts),
            tuple(self.sentences),
            tuple(sorted(self.tokens)),
            marks,
            any(map(holds_labels, layers)),
            Counter({what: times for what, times in self.passed_over.items() if what}),
        )

    def _fill(self, gap: int, block: _Block) -> None:
        """Stand blanks in for what is between two sentences, which the format does not keep."""
        if not 0 <= gap <= _LONGEST_GAP:
            raise FormatError.expected(
                block.rows[0][0],
                f"a sentence that begins at {self.units + gap}",
                f"one behind the last, which ends at {self.units} (in UTF-16 units)",
            )
        self._add(" " * (gap - 1) + "\n" * (gap > 0), gap)

    def _add(self, text: str, units: int) -> None:
        self.texts.append(text)
        self.length += len(text)
        self.units += units

    def _check(self, text: str, border: Piece, cells: list[str], place: Place) -> None:
        start, end = border
        found = text[start:end] if 0 <= start <= end else ""
        if min(border) < 0 or found not in {unescaped(cells[2]), cells[2]}:
            raise FormatError.expected(
                place,
                f"{shown(found)} at {cells[1]}",
                f"the token {shown(cells[2])}; offsets count UTF-16 units of the document",
            )

    def _take_cells(self, cells: list[str], border: Piece, place: Place) -> None:
        opened: dict[tuple[str, int], _Open] = {}
        for column, cell in zip(self.columns, cells, strict=False):
            if cell in {NONE, ""}:
                continue
            if column.feature is None:
                self.passed_over[column.counted] += 1
                continue
            for rank, value in enumerate(_values(cell, place)):
                key = column.layer, rank
                if key not in opened:
                    opened[key] = self._open(column.layer, value, rank, border, place)
                if column.feature:
                    opened[key].values[column.feature] = value.value

    def _open(self, layer: str, value: _Value, rank: int, border: Piece, place: Place) -> _Open:
        """Return the annotation that a value belongs to, widened to this token."""
        number = value.number or f"{place.line}.{rank}"
        found = self.marks.setdefault((layer, number), _Open(layer, {}, *border, place))
        found.start, found.end = min(found.start, border[0]), max(found.end, border[1])
        return found


def _borders(row: tuple[Place, list[str]]) -> tuple[int, int]:
    """Return begin and end of a token, in units of the document."""
    place, cells = row
    found = _OFFSETS.fullmatch(cells[1]) if len(cells) > 2 else None
    if found is None or not _UNIT.fullmatch(cells[0]):
        raise FormatError.expected(
            place, shown("\t".join(cells[:3])), "sentence-token<tab>begin-end<tab>token"
        )
    return int(found[1]), int(found[2])


def _values(cell: str, place: Place) -> Iterator[_Value]:
    """Yield the annotations stacked in a cell."""
    position = 0
    while position <= len(cell):
        found = _PART.match(cell, position)
        if found is None:
            raise FormatError.expected(place, shown(cell), "values such as PER[1]|LOC[2]")
        yield _Value(None if found[1] == EMPTY else unescaped(found[1]), found[2] or "")
        position = found.end() if found[0].endswith("|") else len(cell) + 1


def unescaped(text: str) -> str:
    """Return a text or a value with reserved characters as they are."""
    if "\\" not in text:
        return text
    return _ESCAPED.sub(lambda found: _CONTROLS.get(found[1], found[1]), text)
