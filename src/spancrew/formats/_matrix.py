"""One token per line and one column per worker, as in the CrowdLayer distribution."""

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.errors import FormatError, Place
from spancrew.formats import _losses
from spancrew.formats._base import Progress, Reading, ReadOptions, Repair, silent
from spancrew.formats._column_writer import (
    ColumnWriter,
    answer_tags,
    gold_tags,
    refuse_odd_names,
    unknown_tags,
)
from spancrew.formats._columns import (
    SentenceBlock,
    TokenRow,
    blocks,
    check_tag,
    check_width,
    counted,
    is_header,
    kind_of,
    known,
    note_comments,
)
from spancrew.formats._conll import gold_blocks
from spancrew.formats._intake import Intake, at

_ANSWERS, _TRUTH = "answers.txt", "ground_truth.txt"


class _Columns(NamedTuple):
    """Whose column is which; the token is column 0."""

    has_header: bool
    gold: int | None
    workers: dict[str, int]

    @property
    def width(self) -> int:
        return 1 + (self.gold is not None) + len(self.workers)


class Matrix:
    """Gold and answers: a column per worker, ``?`` where the worker did not answer.

    A header names the columns: ``token``, ``gold`` (may be absent), then the workers. Without
    one the workers are w1, w2 and so on, and an ``answers.txt`` has its gold in the
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
        columns = _columns(path)
        for worker in columns.workers:
            intake.add_worker(worker)
        found = _sentences(path, columns, intake, options.progress)
        truth = path.with_name(_TRUTH)
        is_joined = path.name == _ANSWERS and not columns.has_header and truth.is_file()
        if is_joined:
            found = _joined(found, gold_blocks(truth, silent), path)
            columns = columns._replace(gold=columns.width)
        for number, block in enumerate(found, start=1):
            _take(block, str(number), columns, intake)
        return intake.finish(Place(str(path)))

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write a header, gold first, and every sentence."""
        refuse_odd_names(dataset.labels, "label", path)
        refuse_odd_names(dataset.workers, "worker", path)
        with path.open("w", encoding="utf-8", newline="\n") as file:
            writer = ColumnWriter(file)
            writer.row("token", "gold", *dataset.workers)
            for position, sentence in enumerate(dataset.sentences):
                writer.sentence(sentence.tokens, _tags(dataset, position))
        return _losses.report(_lost(dataset, writer.changed), path)


def _columns(path: Path) -> _Columns:
    """Read from the first row whose column is which."""
    rows = (row for block in blocks(path, silent) for row in block.rows)
    first = next(rows, None)
    if first is None:
        raise FormatError(Place(str(path)), "there are no sentences in it")
    if not is_header(first.cells):
        return _Columns(False, None, {f"w{k}": k for k in range(1, len(first.cells))})
    has_gold = first.cells[1].casefold() == "gold"
    names = first.cells[1 + has_gold :]
    _refuse_twins(names, first)
    return _Columns(
        True,
        1 if has_gold else None,
        {name: k for k, name in enumerate(names, start=1 + has_gold)},
    )


def _refuse_twins(names: list[str], header: TokenRow) -> None:
    for k, name in enumerate(names):
        if not name or name in names[:k]:
            raise FormatError.expected(
                header.place, f"worker {name!r} in column {k + 1}", "a name that stands once"
            )


def _sentences(
    path: Path, columns: _Columns, intake: Intake, progress: Progress
) -> Iterator[SentenceBlock]:
    """Yield the sentences without the header, each with the right number of columns."""
    comments = 0
    header = columns.has_header
    expected = f"{counted(columns.width, 'column')} as in the first line"
    for block in blocks(path, progress):
        comments += block.comments
        rows = block.rows[header:]
        header = header and not block.rows
        check_width(rows, columns.width, expected)
        if rows:
            yield block._replace(rows=rows)
    note_comments(comments, path, intake)


def _joined(
    found: Iterator[SentenceBlock], truth: Iterator[SentenceBlock], path: Path
) -> Iterator[SentenceBlock]:
    """Yield the sentences with the tags of their gold as one more column."""
    for number, (block, gold) in enumerate(zip_longest(found, truth), start=1):
        if block is None:
            raise FormatError.expected(
                gold.place, f"gold of sentence {number}", f"no more sentences than {path} has"
            )
        if gold is None:
            raise FormatError.expected(
                block.place, f"sentence {number}", f"no more sentences than {_TRUTH} has"
            )
        for row, other in zip_longest(block.rows, gold.rows):
            _refuse_other_token(row, other)
        rows = [
            TokenRow(row.place, [*row.cells, tag])
            for row, tag in zip(block.rows, gold.column(-1), strict=True)
        ]
        yield block._replace(rows=rows)


def _refuse_other_token(row: TokenRow | None, gold: TokenRow | None) -> None:
    """Refuse gold whose token is not the token of the answers."""
    here, there = _token(row), _token(gold)
    odd = gold or row
    if odd is not None and here != there:
        raise FormatError(
            odd.place,
            f"the gold has {there} where the answers have {here}; both need the same tokens",
        )


def _token(row: TokenRow | None) -> str:
    return "the end of the sentence" if row is None else f"token {row.cells[0]!r}"


def _take(block: SentenceBlock, id_: str, columns: _Columns, intake: Intake) -> None:
    sentence = at(block.place, lambda: Sentence.from_tokens(id_, block.tokens, block.meta))
    gold = None
    if columns.gold is not None:
        gold = _spans(block, columns.gold, f"gold of sentence {id_!r}", intake)
    intake.add_sentence(sentence, block.place, gold)
    for worker, k in columns.workers.items():
        spans = _spans(block, k, f"sentence {id_!r}, worker {worker!r}", intake)
        if spans is not None:
            intake.add_answer(Answer(id_, worker, spans), block.place)


def _spans(
    block: SentenceBlock, column: int, where: str, intake: Intake
) -> tuple[Span, ...] | None:
    """Return the spans of one column; None where it is unknown."""
    tags = block.column(column)
    if not known(tags, block.places, where):
        return None
    for tag, place in zip(tags, block.places, strict=True):
        check_tag(tag, place, f"{where}: ")
    return intake.spans(tags, "iob2", block.places, where)


def _tags(dataset: Dataset, position: int) -> Iterator[list[str]]:
    """Yield the columns of a sentence: gold, then every worker."""
    yield gold_tags(dataset, position)
    given = answer_tags(dataset, position)
    unknown = unknown_tags(dataset, position)
    for worker in range(len(dataset.workers)):
        yield given.get(worker, unknown)


def _lost(dataset: Dataset, changed: int) -> Iterator[_losses.Loss]:
    numbered = enumerate(dataset.sentences.ids, start=1)
    yield _losses.ids(sum(id_ != str(number) for number, id_ in numbered), "matrix")
    yield _losses.metas(len(dataset.sentences.metas), "matrix")
    yield _losses.texts(dataset, "matrix")
    yield _losses.details(dataset, "matrix")
    yield _losses.idle_labels(dataset, "matrix")
    yield _losses.tokens(changed, "matrix")
