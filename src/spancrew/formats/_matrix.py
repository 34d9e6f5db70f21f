"""One token per line and one column per worker, as in the CrowdLayer distribution."""

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.errors import FormatError, Place
from spancrew.formats import _losses
from spancrew.formats._base import Reading, ReadOptions, Repair, _silent
from spancrew.formats._column_kind import is_header, kind_of
from spancrew.formats._column_writer import (
    ColumnWriter,
    answer_tags,
    gold_tags,
    refuse_odd_names,
    unknown_tags,
)
from spancrew.formats._columns import (
    UNKNOWN,
    Block,
    Row,
    blocks,
    check_tag,
    check_width,
    counted,
    known,
    note_comments,
    spans_in,
)
from spancrew.formats._conll import gold_blocks
from spancrew.formats._intake import Intake, at

_ANSWERS, _TRUTH = "answers.txt", "ground_truth.txt"


class _Columns(NamedTuple):
    """Which column is whose."""

    gold: int | None
    workers: dict[str, int]
    has_header: bool

    @property
    def width(self) -> int:
        return 1 + (self.gold is not None) + len(self.workers)


class Matrix:
    """Gold and answers: a column per worker, ``?`` where the worker did not answer.

    A header names the columns: ``token``, ``gold`` (may be absent), then the workers. Without
    one the workers are w1, w2 and so on, and the gold of an ``answers.txt`` is taken from the
    ``ground_truth.txt`` beside it. Tags are IOB2. Sentences are numbered from 1.
    """

    name = "matrix"
    suffixes = (".tsv",)

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether there is a header, or columns of tags with a ``?`` among them."""
        return not path.is_dir() and kind_of(head) == "matrix"

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read sentence by sentence."""
        intake = Intake(options)
        columns: _Columns | None = None
        truth: Iterator[Block] | None = None
        number = comments = 0
        for block in blocks(path, options.progress):
            comments += block.comments
            if columns is None and block.rows:
                columns = _columns(block.rows[0])
                truth = _truth(path, columns)
                block = block._replace(rows=block.rows[columns.has_header :])
                _make_known(columns, intake)
            if columns is not None and block.rows:
                number += 1
                ...
        note_comments(comments, path, intake)
        return intake.finish(Place(str(path)))
