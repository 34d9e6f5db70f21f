"""doccano's JSON lines: a file with gold, or a folder with one file per worker."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.errors import FormatError, Place
from spancrew.formats import _losses
from spancrew.formats._base import Progress, Reading, ReadOptions, Repair
from spancrew.formats._file_names import file_name
from spancrew.formats._intake import Intake
from spancrew.formats._json import (
    checked,
    first_fields,
    identifier,
    json_lines,
    need,
    shown,
    want,
    write_json_lines,
)
from spancrew.formats._prodigy import PRODIGY_FIELDS
from spancrew.formats._running_text import bounds_out, sentence_from, span_at
from spancrew.formats._table_spans import mark_of, spans_from
from spancrew.formats._text import head as head_of
from spancrew.formats._unequal import UnequalTexts

_GOLD = ("all", "gold")
_SPAN_FIELDS = ("label", "labels", "entities")
_OTHER_WORK = ("relations", "Comments", "comments")
_NEVER = {"annotations", "spancrew"} | PRODIGY_FIELDS
_ENOUGH_LINES = 50
_CLASS = re.compile(
    r'(?:(?!"labels?"\s*:).)*"labels?"\s*:\s*(?:"|\d|\[\s*"|true|false)', re.DOTALL
)
"""A label for the whole text: the first field of that name, as spans have labels, too."""


class Doccano:
    """The JSONL export and import format of doccano, with offsets in code points.

    A file is gold. A folder is an export per worker: ``ana.jsonl`` holds Ana's answers, and
    ``all.jsonl`` or ``gold.jsonl`` the gold, if there is any. Sentences in several files are
    matched by id or else by text. doccano exports sentences that a worker never opened as if they
    were answered with no spans; export approved sentences only to leave them out.
    """

    name = "doccano"
    suffixes = ()
    finals = "meta"
    follows = frozenset({"skip_unequal"})

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether this is a file, or a folder of files, of texts with labelled spans."""
        if not path.is_dir():
            return is_doccano(head)
        files = _files(path)
        return bool(files) and all(is_doccano(head_of(file)) for file in files)

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read a file line by line, or all files of a folder."""
        reader = _DoccanoReader(options, Intake(options))
        if path.is_dir():
            _read_folder(path, reader, options.progress)
        else:
            reader.take_file(path, None, options.progress)
        remedy = "give every text its own id, or remove the ids to match sentences by text"
        reader.unequal.settle(options, reader.intake, remedy)
        return reader.intake.finish(Place(str(path)))

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write a file if there is gold only, else a folder with a file for each worker."""
        if len(dataset.answers) == 0:
            write_json_lines(path, _gold_records(dataset))
        else:
            path.mkdir()
            write_json_lines(path / "all.jsonl", _gold_records(dataset))
            for worker, numbers in _by_worker(dataset):
                name = file_name(worker, _GOLD, "a worker", Place(str(path)))
                write_json_lines(path / f"{name}.jsonl", _answer_records(dataset, numbers))
        lost = (*_losses.unused(dataset, self.name), _losses.details(dataset, self.name))
        return _losses.report(lost, path)


@dataclass(frozen=True, slots=True)
class _DoccanoReader:
    """Takes files in; knows every sentence by its id and by its text."""

    options: ReadOptions
    intake: Intake
    sentences: dict[str, Sentence] = field(default_factory=dict)
    by_text: dict[str, str] = field(default_factory=dict)
    unequal: UnequalTexts = field(default_factory=UnequalTexts)

    def take_file(self, path: Path, worker: str | None, progress: Progress) -> None:
        """Take the records of a worker, or of gold if there is no worker."""
        taken: set[str] = set()
        passed_over: Counter[str] = Counter()
        for place, value in json_lines(path, progress):
            record = checked(value, dict, "a line", place)
            sentence = self._find(record, taken, place)
            if sentence is None:
                continue
            taken.add(sentence.id)
            self._take_spans(record, sentence, worker, place)
            passed_over.update(
                {name: len(want(record, name, list, place) or []) for name in _OTHER_WORK}
            )
        self.intake.skip(passed_over, Place(str(path)))

    def _find(self, record: dict[str, Any], taken: set[str], place: Place) -> Sentence | None:
        """Return the sentence of a record: the one known by that id or text, or a new one.

        There is none where the text is not the one that the id had before.
        """
        text = need(record, "text" if "text" in record else "data", str, place)
        id_ = identifier(record.get("id"))
        known = self.sentences.get(id_ or "")
        if known is None:
            twin = self.by_text.get(text)
            if twin is None or twin in taken:
                return self._add(id_ or str(len(self.sentences) + 1), text, record, place)
            known = self.sentences[twin]
            if id_ is not None:
                what = f"id {id_!r} read as sentence {twin!r}, which has the same text"
                self.intake.repair("id", place, what)
        if known.text != text:
            self.unequal.add(f"the text of sentence {known.id!r}", place, text, known.text)
            return None
        if known.id in taken:
            raise FormatError(place, f"sentence {known.id!r} is there twice: ids must be unique")
        return known

    def _add(self, id_: str, text: str, record: dict[str, Any], place: Place) -> Sentence:
        used = {"id", "text" if "text" in record else "data", *_SPAN_FIELDS, *_OTHER_WORK}
        fields = {name: value for name, value in record.items() if name not in used}
        sentence = sentence_from(id_, text, fields, self.options.unit, place)
        self.intake.add_sentence(sentence, place)
        self.sentences[id_] = sentence
        self.by_text.setdefault(text, id_)
        return sentence

    def _take_spans(
        self, record: dict[str, Any], sentence: Sentence, worker: str | None, place: Place
    ) -> None:
        given = [want(record, name, list, place) for name in _SPAN_FIELDS]
        known = [marks for marks in given if marks is not None]
        if not known:
            return
        spans = tuple(self._span(mark, sentence, place) for marks in known for mark in marks)
        if worker is None:
            self.intake.add_gold(sentence.id, spans, place)
        else:
            self.intake.add_answer(Answer(sentence.id, worker, spans), place)

    def _span(self, mark: Any, sentence: Sentence, place: Place) -> Span:
        found = mark_of(mark)
        if found is None:
            raise FormatError.expected(
                place,
                f"{shown(mark)} among the labels",
                "[start, end, label], or an object with start, end and label",
            )
        if found.quote is None and not found.in_tokens:
            border = (found.start, found.end)
            return span_at(sentence, border, found.label, self.intake, place)
        where = f"sentence {sentence.id!r}"
        return spans_from((found,), sentence, self.intake, place, where)[0]


def is_doccano(head: str) -> bool:
    """Tell whether the first lines are texts with lists of spans; a class is no list."""
    if not head.lstrip().startswith("{"):
        return False
    first = head.split("\n")[:_ENOUGH_LINES]
    fields = frozenset[str]().union(*map(first_fields, first))
    has_text = not fields.isdisjoint({"text", "data"})
    is_labelled = has_text and not fields.isdisjoint(_SPAN_FIELDS) and fields.isdisjoint(_NEVER)
    return is_labelled and ("entities" in fields or not _CLASS.match(first[0]))


def _files(folder: Path) -> list[Path]:
    """Return the files of an export: gold first, then workers by name."""
    found = sorted(file for file in folder.glob("*.jsonl") if not file.name.startswith("."))
    return sorted(found, key=lambda file: file.stem not in _GOLD)


def _read_folder(folder: Path, reader: _DoccanoReader, progress: Progress) -> None:
    files = _files(folder)
    if not files:
        raise FormatError.expected(
            Place(str(folder)), "no file *.jsonl", "a file for each worker, such as ana.jsonl"
        )
    if sum(file.stem in _GOLD for file in files) > 1:
        raise FormatError(
            Place(str(folder)), "both all.jsonl and gold.jsonl are there; remove one of them"
        )
    total = sum(file.stat().st_size for file in files)
    before = 0
    for file in files:
        worker = None if file.stem in _GOLD else unquote(file.stem)
        reader.take_file(file, worker, _part_of(progress, before, total))
        before += file.stat().st_size


def _part_of(progress: Progress, before: int, total: int) -> Progress:
    """Return the progress of one file among others."""
    return lambda done, _: progress(before + done, total)


def _gold_records(dataset: Dataset) -> Iterator[dict[str, Any]]:
    """Yield every sentence; one without a label field has no gold."""
    for position, sentence in enumerate(dataset.sentences):
        gold = dataset.gold_spans(position)
        meta = {"meta": dict(sentence.meta)} if sentence.meta else {}
        yield _record(sentence, gold) | meta


def _answer_records(dataset: Dataset, numbers: Iterable[int]) -> Iterator[dict[str, Any]]:
    for k in numbers:
        sentence = dataset.sentences[int(dataset.answers.sentence[k])]
        yield _record(sentence, dataset.answer(k).spans)


def _record(sentence: Sentence, spans: tuple[Span, ...] | None) -> dict[str, Any]:
    record = {"id": sentence.id, "text": sentence.text} | bounds_out(sentence)
    if spans is None:
        return record
    return record | {"label": [[*sentence.characters(span), span.label] for span in spans]}


def _by_worker(dataset: Dataset) -> Iterator[tuple[str, list[int]]]:
    """Yield every worker who answered, with the numbers of their answers."""
    worker = dataset.answers.worker
    order = np.argsort(worker, kind="stable").tolist()
    for k, numbers in groupby(order, key=worker.__getitem__):
        yield dataset.workers[k], list(numbers)
