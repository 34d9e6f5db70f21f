"""Turn records of the OEI layout into sentences, gold and answers."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from spancrew.core import Answer, Sentence, Span
from spancrew.errors import FormatError, Place
from spancrew.formats._base import Progress, Reading, ReadOptions, silent
from spancrew.formats._columns import counted
from spancrew.formats._intake import Intake, at
from spancrew.formats._json import json_lines, need, need_identifier, shown
from spancrew.formats._unequal import UnequalTexts

CROWD = "-crowd.json"
FIELDS = ("id", "text", "annotations")
NOTHING = -1
"""Both offsets of a mark that says there is nothing to mark."""

_MARK_FIELDS = {"label", "start_offset", "end_offset", "user"}


class _Record(NamedTuple):
    """One line of a file."""

    place: Place
    id: str
    text: str
    marks: list[Any]
    meta: dict[str, Any]


class OeiReader:
    """Takes the records of one gold file, or of one crowd file and the gold beside it."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._intake = Intake(options, overlaps="longest")
        self._unknown: Counter[str] = Counter()

    def read_gold(self, path: Path) -> None:
        """Take a file whose annotations are gold."""
        for record in _records(path, self._options.progress):
            self._take_sentence(record, record)

    def read_crowd(self, path: Path) -> None:
        """Take a file whose annotations have users, with the gold from the file beside it."""
        gold = self._gold_beside(path)
        alone = 0
        unequal = UnequalTexts()
        for record in _records(path, self._options.progress):
            truth = None if gold is None else gold.pop(record.id, None)
            if truth is not None and truth.text != record.text:
                what = f"sentence {record.id!r}: the text of its gold ({truth.place})"
                unequal.add(what, record.place, truth.text, record.text)
                continue
            alone += truth is None
            self._take_answers(record, self._take_sentence(record, truth))
        unequal.settle(self._options, self._intake)
        if gold is None:
            return
        for record in gold.values():
            self._take_sentence(record, record)
        if alone:
            what = f"{counted(alone, 'sentence')} not in {_beside(path).name}: read without gold"
            self._intake.repair("gold", Place(str(path)), what)

    def finish(self, place: Place) -> Reading:
        """Return the data set with everything that was repaired."""
        for field, times in self._unknown.items():
            what = f"field {field!r} of {counted(times, 'annotation')} left out: it is not known"
            self._intake.repair("field", place, what)
        return self._intake.finish(place)

    def _gold_beside(self, path: Path) -> dict[str, _Record] | None:
        beside = _beside(path)
        if beside == path or not beside.is_file():
            what = f"no file {beside.name} with gold beside it: read without gold"
            if beside == path:
                what = f"the name does not end with {CROWD}: read without gold"
            self._intake.repair("gold", Place(str(path)), what)
            return None
        found: dict[str, _Record] = {}
        for record in _records(beside, silent):
            if record.id in found:
                raise FormatError.expected(record.place, f"id {record.id!r} again", "each id once")
            found[record.id] = record
        return found

    def _take_sentence(self, record: _Record, truth: _Record | None) -> Sentence:
        """Add a sentence and its gold."""
        unit = self._options.unit or "characters"
        meta = {**(truth.meta if truth else {}), **record.meta}
        sentence = at(record.place, lambda: Sentence.from_text(record.id, record.text, unit, meta))
        self._intake.add_sentence(sentence, record.place)
        if truth is not None:
            spans = self._gold(truth, sentence)
            self._intake.add_gold(sentence.id, spans, truth.place)
        return sentence

    def _gold(self, record: _Record, sentence: Sentence) -> tuple[Span, ...]:
        for mark in record.marks:
            if isinstance(mark, dict) and "user" in mark:
                raise FormatError.expected(
                    record.place, f"gold with a user ({shown(mark['user'])})", "gold without users"
                )
        return self._spans(record.marks, sentence, f"gold of sentence {record.id!r}", record.place)

    def _take_answers(self, record: _Record, sentence: Sentence) -> None:
        """Add one answer per user."""
        given: dict[str, list[Any]] = {}
        for mark in record.marks:
            _label(mark, record.place)
            if "user" not in mark:
                raise FormatError.expected(
                    record.place,
                    f"sentence {record.id!r}: an annotation without user ({shown(mark)})",
                    "a user on every annotation of a crowd file",
                )
            given.setdefault(need_identifier(mark["user"], "user", record.place), []).append(mark)
        for user, marks in given.items():
            where = f"sentence {record.id!r}, worker {user!r}"
            spans = self._spans(marks, sentence, where, record.place)
            self._intake.add_answer(Answer(record.id, user, spans), record.place)

    def _spans(
        self, marks: list[Any], sentence: Sentence, where: str, place: Place
    ) -> tuple[Span, ...]:
        """Return the spans of one answer; the order in the file counts only if it is asked for."""
        found = [self._span(mark, sentence, where, place) for mark in marks]
        spans = [span for span in found if span is not None]
        if spans and len(spans) < len(found):
            what = f"{where}: says both nothing to mark and {counted(len(spans), 'span')}"
            self._intake.repair("empty-mark", place, f"{what}; the spans were kept")
        return tuple(spans if self._options.overlaps == "first" else sorted(spans))

    def _span(self, mark: Any, sentence: Sentence, where: str, place: Place) -> Span | None:
        """Return the span of a mark; None if it says that there is nothing to mark."""
        label = _label(mark, place)
        start = need(mark, "start_offset", int, place)
        end = need(mark, "end_offset", int, place)
        self._unknown.update(mark.keys() - _MARK_FIELDS)
        if start == end == NOTHING:
            return None
        _refuse_outside(start, end, sentence, where, place)
        first, last, exact = at(place, lambda: sentence.locate(start, end))
        span = at(place, lambda: Span(first, last, label))
        if not exact:
            what = f"{where}: characters {start}-{end} cut a token, widened to"
            self._intake.repair("border", place, f"{what} {sentence.quote(span)!r}")
        return span


def _records(path: Path, progress: Progress) -> Iterator[_Record]:
    for place, value in json_lines(path, progress):
        yield _record(value, place)


def _record(record: Any, place: Place) -> _Record:
    text = need(record, "text", str, place)
    marks = need(record, "annotations", list, place)
    id_ = need_identifier(record.get("id"), "field 'id'", place)
    meta = {field: value for field, value in record.items() if field not in FIELDS}
    return _Record(place, id_, text, marks, meta)


def _beside(path: Path) -> Path:
    """Return the path of the gold for a crowd file; the path itself if the name is no crowd's."""
    return path.with_name(
        f"{path.name.removesuffix(CROWD)}.json" if path.name.endswith(CROWD) else path.name
    )


def _refuse_outside(start: int, end: int, sentence: Sentence, where: str, place: Place) -> None:
    if not 0 <= start < end <= len(sentence.text):
        raise FormatError.expected(
            place,
            f"{where}: start_offset {start} and end_offset {end}",
            f"0 <= start_offset < end_offset <= {len(sentence.text)} (characters of the text), "
            "or -1 and -1 where there is nothing to mark",
        )


def _label(mark: Any, place: Place) -> str:
    """Return the label of a mark; doccano's old JSON has the numbers of labels in its database."""
    if isinstance(mark, dict) and isinstance(mark.get("label"), int):
        raise FormatError.expected(
            place,
            f"the label {mark['label']}, a number of doccano's own",
            "its name; export as JSONL with text labels",
        )
    return str(need(mark, "label", str, place))
