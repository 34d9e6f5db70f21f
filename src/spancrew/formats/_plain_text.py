"""Plain text: a file or a folder of files without labels, cut into sentences."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from spancrew.core import Dataset, Sentence
from spancrew.errors import FormatError, Place
from spancrew.formats import _losses
from spancrew.formats._base import Reading, ReadOptions, Repair
from spancrew.formats._columns import kind_of, odd_tag
from spancrew.formats._file_names import visible
from spancrew.formats._intake import Intake, at
from spancrew.formats._sentence_splitter import pieces
from spancrew.formats._table_rows import is_table
from spancrew.formats._text import head as head_of
from spancrew.formats._text import whole_text

_SUFFIX = ".txt"


class PlainText:
    """Texts to be labelled; a line is a sentence unless ``split`` says otherwise.

    ``meta`` has the name of the document and where in it the sentence begins, in code points.
    Sentences are numbered from 1; in a folder, the document stands before the number.
    """

    name = "text"
    suffixes = ()
    follows = frozenset({"split"})

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether this is a file *.txt without tags or columns, or a folder of texts."""
        if path.is_dir():
            return _is_folder_of_texts(path)
        return path.suffix.casefold() == _SUFFIX and _is_prose(head) and not is_table(head)

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read a file, or all files of a folder by name."""
        intake = Intake(options)
        files = _files(path) if path.is_dir() else [path]
        total = sum(file.stat().st_size for file in files)
        done = 0
        for file in files:
            for sentence, place in _sentences(file, options, in_folder=path.is_dir()):
                intake.add_sentence(sentence, place)
            done += file.stat().st_size
            options.progress(done, total)
        return intake.finish(Place(str(path)))

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write every text as a line."""
        texts = dataset.sentences.texts
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(" ".join(text.split()) + "\n" for text in texts)
        return _losses.report(_lost(dataset), path)


def _is_prose(head: str) -> bool:
    start = head.lstrip()
    is_marked = start.startswith(("{", "[{", "#FORMAT="))
    return bool(start) and not is_marked and kind_of(head) is None and odd_tag(head) is None


def _is_folder_of_texts(folder: Path) -> bool:
    found = visible(folder)
    is_plain = bool(found) and all(
        path.is_file() and path.suffix.casefold() == _SUFFIX for path in found
    )
    return is_plain and any(_is_prose(head_of(path)) for path in found)


def _files(folder: Path) -> list[Path]:
    files = [
        path for path in visible(folder) if path.is_file() and path.suffix.casefold() == _SUFFIX
    ]
    if not files:
        raise FormatError.expected(Place(str(folder)), "no file *.txt", "a file for each document")
    return files


def _sentences(
    file: Path, options: ReadOptions, *, in_folder: bool
) -> Iterator[tuple[Sentence, Place]]:
    """Yield the sentences of one document."""
    text = whole_text(file)
    line, counted = 1, 0
    for number, (start, end) in enumerate(pieces(text, options.split or "lines"), start=1):
        line, counted = line + text.count("\n", counted, start), start
        place = Place(str(file), line)
        id_ = f"{file.stem}:{number}" if in_folder else str(number)
        meta = {"document": file.name, "start": start}
        cut = partial(Sentence.from_text, id_, text[start:end], options.unit, meta)
        yield at(place, cut), place


def _lost(dataset: Dataset) -> Iterator[_losses.Loss]:
    name = PlainText.name
    texts = dataset.sentences.texts
    changed = sum(" ".join(text.split()) != text for text in texts)
    yield _losses.Loss(int(dataset.has_gold.sum()), "sentence with gold", f"{name} has no labels")
    yield _losses.Loss(len(dataset.answers), "answer", f"{name} has no labels")
    ids = dataset.sentences.ids
    yield _losses.ids(sum(id_ != str(k) for k, id_ in enumerate(ids, start=1)), name)
    yield _losses.metas(len(dataset.sentences.metas), name)
    yield _losses.Loss(changed, "text with line ends or double blanks", "a line holds each")
