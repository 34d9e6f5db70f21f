"""The OEI layout: JSON lines with a text and spans in characters, gold and crowd in two files."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from spancrew.core import Dataset, Sentence, Span, parse_json
from spancrew.errors import Place
from spancrew.formats import _losses
from spancrew.formats._base import Reading, ReadOptions, Repair, silent
from spancrew.formats._json import as_written, write_json_lines
from spancrew.formats._oei_reader import CROWD, FIELDS, NOTHING, OeiReader
from spancrew.formats._text import lines

_USER = re.compile(r'"user"\s*:')
_OTHER_FORMATS = {"label", "labels", "entities", "spancrew", "data"}


class Oei:
    """Gold in ``X.json``, answers in ``X-crowd.json``; offsets count code points.

    Reading the crowd file takes the gold from the file beside it. Offsets of -1 and -1 say that
    there is nothing to mark. Tokens are characters by default, and of two spans that
    overlap the longer one is kept. Every other field (``bestUsers``, say) is kept in ``meta``.
    """

    name = "oei"
    suffixes = (CROWD,)
    finals = "meta"
    follows = frozenset({"skip_unequal"})

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether the first line has a text and annotations with offsets."""
        first = head.lstrip().partition("\n")[0]
        return not path.is_dir() and first.startswith("{") and _is_record(first)

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read line by line: answers if there are users in the file, else gold."""
        reader = OeiReader(options)
        if _is_crowd(path):
            reader.read_crowd(path)
        else:
            reader.read_gold(path)
        return reader.finish(Place(str(path)))

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write the answers if the name says ``-crowd.json``, else the gold."""
        # The name may have more to it while the file is a draft.
        is_crowd = CROWD in path.name
        records = _crowd_records(dataset) if is_crowd else _gold_records(dataset)
        write_json_lines(path, records)
        lost = _lost_by_crowd(dataset) if is_crowd else _lost_by_gold(dataset)
        return _losses.report([*lost, *_lost(dataset)], path)


def _is_record(line: str) -> bool:
    try:
        record = parse_json(line)
    except ValueError:  # cut off or broken: reading it will say where
        return '"annotations"' in line and '"start_offset"' in line
    if "text" not in record or not _OTHER_FORMATS.isdisjoint(record):
        return False
    marks = record.get("annotations")
    return isinstance(marks, list) and all(_has_offset(mark) for mark in marks)


def _has_offset(mark: Any) -> bool:
    return isinstance(mark, dict) and "start_offset" in mark


def _is_crowd(path: Path) -> bool:
    named = path.name.endswith(CROWD)
    return named or any(_USER.search(line) for _, line in lines(path, silent))


def _gold_records(dataset: Dataset) -> Iterator[dict[str, Any]]:
    id_ = as_written(dataset.sentences.ids)
    for position, sentence in enumerate(dataset.sentences):
        gold = dataset.gold_spans(position)
        if gold is not None:
            yield _record(sentence, id_(sentence.id), [_mark(sentence, span) for span in gold])


def _crowd_records(dataset: Dataset) -> Iterator[dict[str, Any]]:
    id_ = as_written(dataset.sentences.ids)
    user = as_written(dataset.workers)
    # A mark of nothing needs a label in this layout; it carries no meaning.
    nothing = {
        "label": next(iter(dataset.labels), "NONE"),
        "start_offset": NOTHING,
        "end_offset": NOTHING,
    }
    for position, sentence in enumerate(dataset.sentences):
        marks = [
            {**mark, "user": user(answer.worker)}
            for answer in dataset.answers_on(position)
            for mark in [_mark(sentence, span) for span in answer.spans] or [nothing]
        ]
        yield _record(sentence, id_(sentence.id), marks)


def _record(sentence: Sentence, id_: int | str, marks: list[dict[str, Any]]) -> dict[str, Any]:
    meta = {field: value for field, value in sentence.meta.items() if field not in FIELDS}
    return {"id": id_, "text": sentence.text, "annotations": marks, **meta}


def _mark(sentence: Sentence, span: Span) -> dict[str, Any]:
    start, end = sentence.characters(span)
    return {"label": span.label, "start_offset": start, "end_offset": end}


def _lost_by_gold(dataset: Dataset) -> Iterator[_losses.Loss]:
    instead = "write a file named ...-crowd.json, or spancrew, to keep them"
    only = "this file of oei holds gold only"
    yield _losses.Loss(len(dataset.answers), "answer", only, instead)
    yield _losses.Loss(int(np.sum(~dataset.has_gold)), "sentence without gold", only, instead)
    yield _losses.idle_labels(dataset, "oei", answers=False)


def _lost_by_crowd(dataset: Dataset) -> Iterator[_losses.Loss]:
    yield _losses.Loss(
        int(np.sum(dataset.has_gold)),
        "sentence with gold",
        "a -crowd.json file holds answers only",
        "write the gold as oei to the same name without -crowd",
    )
    yield _losses.details(dataset, "oei")
    yield _losses.idle_workers(dataset, "oei")
    yield _losses.idle_labels(dataset, "oei", gold=False)


def _lost(dataset: Dataset) -> Iterator[_losses.Loss]:
    yield _losses.clashing_metas(dataset, FIELDS, "oei")
    yield _losses.Loss(
        sum(not _is_in_characters(sentence) for sentence in dataset.sentences),
        "sentence with tokens longer than a character",
        "oei holds the text only",
        "read it as words, or write spancrew to keep them",
    )


def _is_in_characters(sentence: Sentence) -> bool:
    return Sentence.from_text(sentence.id, sentence.text, "characters").bounds == sentence.bounds
