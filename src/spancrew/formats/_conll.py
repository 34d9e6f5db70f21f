"""Columns with a token first and its tag last, as in the CoNLL shared tasks."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np

from spancrew.core import Dataset, Scheme, Sentence, detect_scheme
from spancrew.errors import FormatError, Place
from spancrew.formats import _losses
from spancrew.formats._base import Progress, Reading, ReadOptions, Repair, silent
from spancrew.formats._column_writer import ColumnWriter, gold_tags, refuse_odd_names
from spancrew.formats._columns import (
    DOCUMENT,
    SentenceBlock,
    blocks,
    check_tag,
    check_width,
    counted,
    kind_of,
    note_comments,
)
from spancrew.formats._intake import Intake, at
from spancrew.formats._soft import SoftLabels

UNSURE = "_"
"""Stands for the confidence where a token belongs to no span."""


class _WrittenCounts(NamedTuple):
    """How many tokens, ids and metas of the sentences written do not read back the same."""

    changed: int
    ids: int
    metas: int


class Conll:
    """Gold only: ``token ... tag`` per line, a blank line after each sentence.

    Tags are IOB1, IOB2, BIOES or BILOU, whichever the whole file follows. ``-DOCSTART-`` begins
    a document, whose number becomes ``meta["document"]``. Sentences are numbered from 1.
    """

    name = "conll"
    suffixes = (".conll", ".iob", ".iob2", ".bio")

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether the lines are tokens with a tag last."""
        return not path.is_dir() and kind_of(head) == "conll"

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read the file twice, sentence by sentence: for the scheme and for the spans."""
        scheme = detect_scheme(block.column(-1) for block in _checked(path, silent))
        intake = Intake(options)
        number = comments = 0
        for block in _checked(path, options.progress):
            comments += block.comments
            if block.rows:
                number += 1
                _take(block, str(number), scheme, intake)
        note_comments(comments, path, intake)
        return intake.finish(Place(str(path)))

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write ``token<TAB>tag`` in IOB2 for every sentence with gold."""
        return self.write_soft(dataset, path, None)

    def write_soft(
        self, dataset: Dataset, path: Path, soft: SoftLabels | None
    ) -> tuple[Repair, ...]:
        """Write ``token<TAB>confidence<TAB>soft labels<TAB>tag``, the third as JSON."""
        refuse_odd_names(dataset.labels, "label", path)
        with path.open("w", encoding="utf-8", newline="\n") as file:
            written = _write_gold(dataset, file, soft)
        return _losses.report(_lost(dataset, written), path)


def gold_blocks(path: Path, progress: Progress) -> Iterator[SentenceBlock]:
    """Yield the sentences of a file with tags in the last column, for a format that joins it."""
    return (block for block in _checked(path, progress) if block.rows)


def _checked(path: Path, progress: Progress) -> Iterator[SentenceBlock]:
    """Yield blocks whose rows all have the width of the first one and a tag last."""
    width = 0
    for block in blocks(path, progress):
        if block.rows and not width:
            width = _width(block)
        check_width(block.rows, width, f"{width} columns as in the lines before")
        for place, found in block.rows:
            check_tag(found[-1], place)
        yield block


def _width(block: SentenceBlock) -> int:
    place, found = block.rows[0]
    if len(found) < 2:
        raise FormatError.expected(
            place,
            f"{counted(len(found), 'column')} ({found[0][:60]})",
            "a token and a tag, separated by a tab or blanks",
        )
    return len(found)


def _take(block: SentenceBlock, id_: str, scheme: Scheme, intake: Intake) -> None:
    sentence = at(block.place, lambda: Sentence.from_tokens(id_, block.tokens, block.meta))
    gold = intake.spans(block.column(-1), scheme, block.places, f"sentence {id_!r}")
    intake.add_sentence(sentence, block.place, gold)


def _write_gold(dataset: Dataset, file: TextIO, soft: SoftLabels | None) -> _WrittenCounts:
    writer = ColumnWriter(file)
    ids = metas = number = 0
    document = None
    for rank, position in enumerate(np.flatnonzero(dataset.has_gold).tolist(), start=1):
        sentence = dataset.sentences[position]
        if sentence.meta.get("document", document) != document:
            document = sentence.meta["document"]
            number += 1
            file.write(f"{DOCUMENT}\tO\n\n")
        columns = [] if soft is None else _soft_columns(soft, position)
        writer.sentence(sentence.tokens, [*columns, gold_tags(dataset, position)])
        ids += sentence.id != str(rank)
        metas += bool(sentence.meta) and sentence.meta != {"document": number}
    return _WrittenCounts(writer.changed, ids, metas)


def _soft_columns(soft: SoftLabels, position: int) -> list[list[str]]:
    """Return the confidence in the span of each token, and its soft labels as JSON."""
    return [
        [f"{value:g}" if value else UNSURE for value in soft.confidence(position)],
        [json.dumps(each, ensure_ascii=False) for each in soft.named(position)],
    ]


def _lost(dataset: Dataset, written: _WrittenCounts) -> Iterator[_losses.Loss]:
    instead = "write spancrew or matrix to keep them"
    without = int((~dataset.has_gold).sum())
    yield _losses.Loss(len(dataset.answers), "answer", "conll holds gold only", instead)
    yield _losses.Loss(without, "sentence without gold", "conll tags every token", instead)
    yield _losses.ids(written.ids, "conll")
    yield _losses.metas(written.metas, "conll")
    yield _losses.texts(dataset, "conll")
    yield _losses.idle_labels(dataset, "conll", answers=False)
    yield _losses.tokens(written.changed, "conll")
