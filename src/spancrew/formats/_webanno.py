"""WebAnno TSV 3, as WebAnno and INCEpTION export a document."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from spancrew.core import Dataset
from spancrew.errors import Place
from spancrew.formats import _losses
from spancrew.formats._base import Reading, ReadOptions, Repair
from spancrew.formats._intake import Intake
from spancrew.formats._layers import LayerChoice, LayeredDocument
from spancrew.formats._text import lines
from spancrew.formats._webanno_reader import FORMAT, read_webanno
from spancrew.formats._webanno_writer import WebAnnoWriter

ALL_WORKERS = "write inception to keep them"


class WebAnno:
    """A file of tokens with the layers of one document; its labelled spans are gold."""

    name = "webanno"
    suffixes = ("webanno.tsv",)
    follows = frozenset({"columns", "split"})

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether the first line names the format."""
        return not path.is_dir() and head.startswith(FORMAT)

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read a document sentence by sentence."""
        place = Place(str(path))
        return gold_of_document(read_webanno(lines(path, options.progress), place), path, options)

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write all sentences with gold; if none has any, all of them, without a layer."""
        has_gold = bool(dataset.has_gold.any())
        with path.open("w", encoding="utf-8", newline="\n") as file:
            writer = WebAnnoWriter(file, has_gold=has_gold)
            for position in written_positions(dataset):
                gold = dataset.gold_spans(position) or ()
                writer.sentence(dataset.sentences[position], gold)
        return _losses.report(self._lost(dataset), path)

    def _lost(self, dataset: Dataset) -> Iterator[_losses.Loss]:
        yield from lost_in_one_document(dataset, self.name)
        moved = sum(sentence.bounds[0][0] > 0 for sentence in dataset.sentences)
        because = f"{self.name} begins a sentence with its first token"
        yield _losses.Loss(moved, "text with something before its first token", because)


def gold_of_document(document: LayeredDocument, path: Path, options: ReadOptions) -> Reading:
    """Return a document of one file; its spans are gold if it has a layer for them."""
    place = Place(str(path))
    intake = Intake(options)
    choice = LayerChoice(options.columns)
    choice.check(place)
    cut = document.cut(options, path.name, str(path), own=True)
    cut.add_to(intake)
    marks = list(choice.marks(document, place))
    if document.is_annotated or marks:
        cut.take(marks, None, intake, place)
    intake.skip(document.passed_over, place)
    return intake.finish(place)


def written_positions(dataset: Dataset) -> list[int]:
    """Return the sentences with gold, or all of them if there is no gold at all."""
    chosen = dataset.has_gold if dataset.has_gold.any() else ~dataset.has_gold
    return [int(position) for position in np.flatnonzero(chosen)]


def lost_in_one_document(dataset: Dataset, name: str) -> Iterator[_losses.Loss]:
    """Yield what a document without workers does not hold."""
    without = len(dataset) - len(written_positions(dataset))
    yield _losses.Loss(len(dataset.answers), "answer", f"{name} holds gold only", ALL_WORKERS)
    because = f"{name} has gold for all sentences or none"
    yield _losses.Loss(without, "sentence without gold", because, ALL_WORKERS)
    yield _losses.metas(len(dataset.sentences.metas), name)
    yield _losses.idle_labels(dataset, name, answers=False)
