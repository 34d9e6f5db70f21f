"""Read columns of text: one token per line, a blank line between sentences.

Two formats look like this: a token with its tags, and a token with a column per worker.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from spancrew.core import parse_tag
from spancrew.errors import FormatError, InvalidTagError, Place
from spancrew.formats._base import Progress
from spancrew.formats._intake import Intake
from spancrew.formats._text import lines

UNKNOWN = "?"
"""Stands for the tag of a token where gold or an answer is not known."""

DOCUMENT = "-DOCSTART-"
"""Begins a line that begins a document."""

_SLIP = re.compile(r"^[A-Za-z][-_/:.]|[-_/:.][A-Za-z]$")
"""What somebody may have meant for the position of a tag."""


class TokenRow(NamedTuple):
    """A line with a token."""

    place: Place
    cells: list[str]


class SentenceBlock(NamedTuple):
    """The rows of a sentence and the number of its document, 0 before the first.

    ``comments`` counts the comment lines on the way; the last block may hold nothing else.
    """

    rows: list[TokenRow]
    document: int = 0
    comments: int = 0

    @property
    def place(self) -> Place:
        """Return where the sentence begins."""
        return self.rows[0].place

    @property
    def places(self) -> list[Place]:
        """Return where each token stands."""
        return [row.place for row in self.rows]

    @property
    def tokens(self) -> list[str]:
        """Return the first column."""
        return [row.cells[0] for row in self.rows]

    @property
    def meta(self) -> dict[str, int]:
        """Return what is known of where the sentence comes from."""
        return {"document": self.document} if self.document else {}

    def column(self, k: int) -> list[str]:
        """Return the cells of one column."""
        return [row.cells[k] for row in self.rows]


def blocks(path: Path, progress: Progress) -> Iterator[SentenceBlock]:
    """Yield the rows sentence by sentence."""
    rows: list[TokenRow] = []
    document = comments = 0
    for place, line in lines(path, progress):
        begins_document = line.startswith(DOCUMENT)
        ends_sentence = begins_document or not line.strip()
        if ends_sentence and rows:
            yield SentenceBlock(rows, document, comments)
            rows, comments = [], 0
        document += begins_document
        if ends_sentence:
            continue
        if is_comment(line):
            comments += 1
        else:
            rows.append(TokenRow(place, cells(line)))
    if rows or comments:
        yield SentenceBlock(rows, document, comments)


def cells(line: str) -> list[str]:
    """Split a line at tabs if it has one, else at blanks.

    Only ASCII blanks count: a no-break space belongs to its token.
    """
    if "\t" in line:
        return [cell.strip() for cell in line.split("\t")]
    return [cell for cell in line.split(" ") if cell]


def is_comment(line: str) -> bool:
    """Tell whether a line is a comment: ``# `` and text that does not end with a tag."""
    return line.startswith("# ") and not is_known_or_unknown(cells(line)[-1])


@lru_cache(maxsize=4096)
def is_tag(cell: str) -> bool:
    """Tell whether a cell is a tag of any scheme."""
    try:
        parse_tag(cell)
    except InvalidTagError:
        return False
    return True


def is_known_or_unknown(cell: str) -> bool:
    """Tell whether a cell is a tag or stands for one that is not known."""
    return cell == UNKNOWN or is_tag(cell)


def check_tag(cell: str, place: Place, where: str = "") -> None:
    """Refuse a cell that is not a tag."""
    if not is_tag(cell):
        label = label_in(cell)
        raise FormatError.expected(
            place,
            f"{where}tag {cell!r}",
            f"O, or a position with a label: B-{label} where a span begins, I-{label} where it "
            "goes on",
        )


def check_width(rows: Sequence[TokenRow], width: int, expected: str) -> None:
    """Refuse rows with more or fewer cells than the file has columns, or with an empty cell."""
    for place, found in rows:
        if len(found) != width:
            raise FormatError.expected(
                place, f"{counted(len(found), 'column')} ({' | '.join(found)[:60]})", expected
            )
        if "" in found:
            raise FormatError.expected(
                place, f"an empty column ({' | '.join(found)[:60]})", expected
            )


def counted(count: int, noun: str) -> str:
    """Return the number with its noun, in the plural where it must be."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def known(tags: Sequence[str], places: Sequence[Place], where: str) -> bool:
    """Tell whether the tags of a sentence are given; refuse a sentence that is half done."""
    unknown = [tag == UNKNOWN for tag in tags]
    if not any(unknown):
        return True
    if not all(unknown):
        odd = unknown.index(not unknown[0])
        raise FormatError.expected(
            places[odd],
            f"{where}: {UNKNOWN} on {sum(unknown)} of {len(tags)} tokens of the sentence",
            f"{UNKNOWN} on all of them or on none",
        )
    return False


def note_comments(count: int, path: Path, intake: Intake) -> None:
    """Note that comment lines were left out."""
    if count:
        what = f"{counted(count, 'comment line')} left out: comments have no place in a data set"
        intake.repair("comment", Place(str(path)), what)


def kind_of(head: str) -> Literal["conll", "matrix"] | None:
    """Return what a file looks like by its beginning; most rows decide, so a slip does not."""
    rows = _rows(head)
    if not rows:
        return None
    if is_header(rows[0]) or _is_matrix_without_header(rows):
        return "matrix"
    tagged = sum(len(row) == len(rows[0]) > 1 and is_tag(row[-1]) for row in rows)
    return "conll" if 2 * tagged > len(rows) else None


def is_header(row: list[str]) -> bool:
    """Tell whether a row names the columns of a matrix."""
    if len(row) < 2 or row[0].casefold() != "token":
        return False
    return row[1].casefold() == "gold" or not any(is_known_or_unknown(cell) for cell in row[1:])


def odd_tag(head: str) -> tuple[int, str] | None:
    """Return line and text of the first tag that is none, if the lines are tokens with tags."""
    rows = [(k, cells(line)) for k, line in enumerate(head.split("\n")[:-1], 1) if line.strip()]
    widths = {len(row) for _, row in rows}
    tags = [(k, row[-1]) for k, row in rows]
    bad = next(((k, tag) for k, tag in tags if not is_tag(tag)), None)
    is_tagged = len(widths) == 1 and 1 not in widths and any(is_tag(tag) for _, tag in tags)
    return bad if is_tagged else None


def label_in(tag: str) -> str:
    """Return what the label may be in a tag that is none.

    >>> label_in("B_PER"), label_in("PER-B"), label_in("PER")
    ('PER', 'PER', 'PER')
    """
    return _SLIP.sub("", tag) or "PER"


def _rows(head: str) -> list[list[str]]:
    found = head.split("\n")
    whole = found[:-1] or found  # the head may end in the middle of a line
    return [
        cells(line)
        for line in (raw.rstrip("\r") for raw in whole)
        if line.strip() and not line.startswith(DOCUMENT) and not is_comment(line)
    ]


def _is_matrix_without_header(rows: list[list[str]]) -> bool:
    """Ask for three columns, tags in all but the first, and a tag that is not known."""
    fitting = [
        row for row in rows if len(row) > 2 and all(is_known_or_unknown(c) for c in row[1:])
    ]
    return 2 * len(fitting) > len(rows) and any(UNKNOWN in row[1:] for row in fitting)
