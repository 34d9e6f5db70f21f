"""Write columns of text, separated by tabs, that read back as the same tokens and tags."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

from spancrew.core import Dataset
from spancrew.errors import FormatError, Place
from spancrew.formats._columns import DOCUMENT, UNKNOWN


class ColumnWriter:
    """Writes sentences to an open file; ``changed`` counts tokens that had to be altered."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.changed = 0

    def row(self, *cells: str) -> None:
        """Write one line."""
        self._file.write("\t".join(cells) + "\n")

    def sentence(self, tokens: Sequence[str], columns: Iterable[Sequence[str]]) -> None:
        """Write a sentence and the blank line after it."""
        written = [_cell(token) for token in tokens]
        self.changed += sum(a != b for a, b in zip(tokens, written, strict=True))
        for row in zip(written, *columns, strict=True):
            self.row(*row)
        self._file.write("\n")


def gold_tags(dataset: Dataset, position: int) -> list[str]:
    """Return the gold of a sentence as tags; unknown ones where there is no gold."""
    tags = dataset.labels.tags
    codes = dataset.gold[position].tolist()
    return [tags[code] for code in codes] or unknown_tags(dataset, position)


def answer_tags(dataset: Dataset, position: int) -> dict[int, list[str]]:
    """Return the answers on a sentence as tags, by the index of the worker."""
    tags = dataset.labels.tags
    answers = dataset.answers
    first, last = answers.first[position : position + 2].tolist()
    return {
        int(answers.worker[k]): [tags[code] for code in answers.codes[k].tolist()]
        for k in range(first, last)
    }


def unknown_tags(dataset: Dataset, position: int) -> list[str]:
    """Return one unknown tag per token."""
    return [UNKNOWN] * len(dataset.sentences.starts[position])


def refuse_odd_names(names: Iterable[str], what: str, path: Path) -> None:
    """Refuse names of labels or workers that would break a column."""
    for name in names:
        if not name or name != name.strip() or not name.isprintable():
            raise FormatError(
                Place(str(path)),
                f"{what} {name!r} is blank or holds tabs, line ends or outer blanks; rename it "
                "or write spancrew",
            )


def _cell(token: str) -> str:
    """Return a token that can stand in a column: no tab, line end or outer blank."""
    if token == DOCUMENT:
        return token.replace("-", "_")
    if token == token.strip() and not {"\t", "\n", "\r"} & set(token):
        return token
    return "".join("_" if char.isspace() else char for char in token)
