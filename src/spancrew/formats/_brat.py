"""brat's standoff: a text and a file of annotations for each document."""

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from spancrew.core import Dataset
from spancrew.errors import FormatError, Place
from spancrew.formats import _losses
from spancrew.formats._base import Reading, ReadOptions, Repair
from spancrew.formats._brat_annotations import marks_of
from spancrew.formats._brat_writer import CONFIG, lost, write_folders
from spancrew.formats._crowd_layout import is_gold
from spancrew.formats._documents import CutDocument, named_sentences
from spancrew.formats._file_names import visible
from spancrew.formats._intake import Intake
from spancrew.formats._sentence_splitter import pieces
from spancrew.formats._text import whole_text
from spancrew.formats._unequal import UnequalTexts

_NUMBER = re.compile(r"(\d+)")


class Brat:
    """A folder of ``.txt`` and ``.ann`` files, or a folder of these for each annotator.

    Annotations beside the texts, or in a folder called gold, are gold; each other folder is a
    worker. A document without ``.ann`` was not annotated. A line is a sentence unless ``split``
    says otherwise.
    """

    name = "brat"
    suffixes = (".brat",)
    follows = frozenset({"split", "discontinuous", "skip_unequal"})

    def recognises(self, path: Path, head: str) -> bool:  # noqa: ARG002  it is a folder
        """Tell whether there are files *.ann in the folder or a folder inside, or a set-up."""
        return path.is_dir() and _layout(path).is_brat

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read document by document, and in it worker by worker."""
        if not path.is_dir():
            raise FormatError.expected(Place(str(path)), "a file", "a folder of .txt and .ann")
        layout = _layout(path)
        reader = _BratReader(layout, options, Intake(options))
        if not layout.is_brat:
            raise FormatError.expected(
                Place(str(path)), "no file *.ann", "a .txt and a .ann for each document"
            )
        for worker in layout.workers:
            reader.intake.add_worker(worker)
        for document in layout.documents():
            reader.take(document)
        reader.unequal.settle(options, reader.intake)
        reader.intake.skip(reader.passed_over, Place(str(path)))
        return reader.intake.finish(Place(str(path)))

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write a document for each sentence; with answers, a folder for gold and each worker."""
        write_folders(dataset, path)
        return _losses.report(lost(dataset, self.name), path)


class _Layout(NamedTuple):
    """Whose folder is which; ``shared`` holds texts for all of them."""

    shared: Path
    gold: Path
    workers: dict[str, Path]

    @property
    def is_brat(self) -> bool:
        """Tell whether there are annotations, or texts with the set-up for them."""
        has_texts = (self.shared / CONFIG).is_file() and any(self.shared.rglob("*.txt"))
        return has_texts or any(any(folder.glob("*.ann")) for folder in self._folders())

    def documents(self) -> list[str]:
        """Return the names of all documents, numbers in the order of their values."""
        files = (file for folder in self._folders() for file in folder.iterdir())
        return sorted({f.stem for f in files if f.suffix in {".txt", ".ann"}}, key=_in_order)

    def text(self, document: str, folder: Path) -> Path:
        """Return the text of a document: in the folder itself, or in the one for all."""
        own, shared = (each / f"{document}.txt" for each in (folder, self.shared))
        if own.is_file():
            return own
        gold = self.gold / f"{document}.txt"
        return shared if shared.is_file() or not gold.is_file() else gold

    def _folders(self) -> tuple[Path, ...]:
        inside = self.gold.is_dir() and self.gold != self.shared
        return (self.shared, *((self.gold,) if inside else ()), *self.workers.values())


def _in_order(name: str) -> list[tuple[int, str]]:
    parts = _NUMBER.split(name)
    return [(int(p), p) if p.isascii() and p.isdigit() else (-1, p) for p in parts]


def _layout(root: Path) -> _Layout:
    inside = [path for path in visible(root) if path.is_dir()]
    gold = [folder for folder in inside if is_gold(folder)]
    if len(gold) > 1:
        raise FormatError.expected(
            Place(str(root)),
            f"{len(gold)} folders of gold ({gold[0].name}, {gold[1].name})",
            "one",
        )
    others = [folder for folder in inside if folder not in gold and any(folder.glob("*.ann"))]
    workers = {unquote(folder.name): folder for folder in others}
    return _Layout(root, gold[0] if gold else root, workers)


@dataclass(frozen=True, slots=True)
class _BratReader:
    """Takes documents in."""

    layout: _Layout
    options: ReadOptions
    intake: Intake
    passed_over: Counter[str] = field(default_factory=Counter)
    unequal: UnequalTexts = field(default_factory=UnequalTexts)

    def take(self, name: str) -> None:
        """Take the gold of a document and the answers of all workers."""
        folders = [(None, self.layout.gold), *self.layout.workers.items()]
        document: CutDocument | None = None
        for worker, folder in folders:
            file = folder / f"{name}.ann"
            source = self.layout.text(name, folder)
            if document is None and (source.is_file() or file.is_file()):
                document = self._document(name, source)
            if not file.is_file() or document is None:
                continue
            if self._is_same(document, source, worker):
                marks = marks_of(file, document.text, self.options.discontinuous, self.passed_over)
                document.take(marks, worker, self.intake, Place(str(file)))

    def _document(self, name: str, file: Path) -> CutDocument:
        if not file.is_file():
            raise FormatError(Place(str(file)), "this text is missing: there is a .ann without it")
        text = whole_text(file)
        found = tuple(pieces(text, self.options.split or "lines"))
        unit, where = self.options.unit, str(file)
        document = CutDocument.of(text, found, named_sentences(unquote(name), unit), where)
        document.add_to(self.intake)
        return document

    def _is_same(self, document: CutDocument, file: Path, worker: str | None) -> bool:
        """Tell whether a worker had the same text."""
        text = whole_text(file)
        if text != document.text:
            who = "gold" if worker is None else f"worker {worker!r}"
            self.unequal.add(f"the text of {who}", Place(str(file)), text, document.text)
        return text == document.text
