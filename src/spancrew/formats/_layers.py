"""Documents with layers of annotation, as WebAnno and INCEpTION keep them."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from spancrew.core import Sentence
from spancrew.errors import FormatError, Place, Remedy
from spancrew.formats._base import Columns, ReadOptions
from spancrew.formats._documents import Cut, CutDocument, DocumentMark, name_and_meta
from spancrew.formats._sentence_splitter import Piece, pieces

_DKPRO = "de.tudarmstadt.ukp.dkpro.core.api."
NAMED_ENTITY = f"{_DKPRO}ner.type.NamedEntity"
SENTENCE = f"{_DKPRO}segmentation.type.Sentence"
TOKEN = f"{_DKPRO}segmentation.type.Token"

_TECHNICAL = ("uima.", "org.dkpro.", "de.tudarmstadt.", f"{_DKPRO}metadata.")
_FOR_LABELS = (NAMED_ENTITY, f"{_DKPRO}syntax.type.chunk.")
_LABELS = ("value", "label", "kind", "type", "category", "tag", "class")
"""Features that are the label if there are others, most likely first."""
_ROLES = ("layer", "label")


def holds_labels(layer: str) -> bool:
    """Tell whether a layer may hold labels: named entities, chunks, or one that users made."""
    return layer.startswith(_FOR_LABELS) or not layer.startswith(_TECHNICAL)


class LayerMark(NamedTuple):
    """An annotation of a layer with its features, in code points of the document."""

    layer: str
    values: Mapping[str, str | None]
    start: int
    end: int
    place: Place


class SentenceAt(NamedTuple):
    """Where a sentence stands in its document, and what the file calls it."""

    start: int
    end: int
    id: str | None


class LayeredDocument(NamedTuple):
    """What one file holds; ``is_annotated`` if it has a layer for labels, used or not."""

    text: str
    sentences: tuple[SentenceAt, ...]
    tokens: tuple[Piece, ...]
    marks: tuple[LayerMark, ...]
    is_annotated: bool
    passed_over: Counter[str]

    def cut(self, options: ReadOptions, document: str, path: str, *, own: bool) -> CutDocument:
        """Cut it into its sentences; with ``own`` they keep the ids that the file gives them."""
        found = self._pieces(options)
        ids = [s.id for s in self.sentences if self.text[s.start : s.end].strip()]
        has_ids = own and not options.split and None not in ids and len({*ids}) == len(found)

        def make(cut: Cut) -> Sentence:
            id_, meta = name_and_meta(document, cut)
            if own:
                id_ = str(cut.number)
                meta = {"document": document, "start": cut.start}
            if has_ids:
                id_, meta = str(ids[cut.number - 1]), {}
            return self._sentence(id_, cut, options, meta)

        return CutDocument.of(self.text, found, make, path)

    def _pieces(self, options: ReadOptions) -> list[Piece]:
        if options.split or not self.sentences:
            return list(pieces(self.text, options.split or "lines"))
        found = ((start, end) for start, end, _ in self.sentences)
        return [(start, end) for start, end in found if self.text[start:end].strip()]

    def _sentence(self, id_: str, cut: Cut, options: ReadOptions, meta: Any) -> Sentence:
        end = cut.start + len(cut.text)
        first = bisect_left(self.tokens, (cut.start, cut.start))
        last = bisect_left(self.tokens, (end, end), lo=first)
        inside = self.tokens[first:last]
        near = self.tokens[max(first - 1, 0) : last]
        is_torn = any(a < cut.start < b or a < end < b for a, b in near)
        bounds = tuple((a - cut.start, b - cut.start) for a, b in inside if self.text[a:b].strip())
        if not bounds or is_torn or options.unit is not None:
            return Sentence.from_text(id_, cut.text, options.unit, meta)
        return Sentence(id_, cut.text, bounds, meta)


@dataclass(slots=True)
class LayerChoice:
    """Finds the layer and the feature that hold the labels; the same ones in all files."""

    asked: Columns
    layer: str = ""
    feature: str = ""

    def check(self, place: Place) -> None:
        """Refuse roles that no layer can have."""
        if odd := [role for role in self.asked if role not in _ROLES]:
            raise FormatError(
                place, f"columns: {odd[0]!r} cannot be chosen here, only {' and '.join(_ROLES)}"
            )

    def marks(self, document: LayeredDocument, place: Place) -> Iterator[DocumentMark]:
        """Yield the labelled spans of a document; count what else there is."""
        self._choose(document, place)
        short = _short(self.layer)
        for mark in document.marks:
            if mark.layer != self.layer:
                document.passed_over[f"annotations of the layer {_short(mark.layer)}"] += 1
                continue
            label = mark.values.get(self.feature) if self.feature else short
            start, end = _trimmed(document.text, mark)
            if not label or start >= end:
                what = "without a label" if start < end else "of no length"
                document.passed_over[f"spans {what}"] += 1
                continue
            yield DocumentMark(start, end, label, mark.place)

    def _choose(self, document: LayeredDocument, place: Place) -> None:
        used = sorted({mark.layer for mark in document.marks})
        layer = self._layer(used, place)
        if not layer:
            return
        if self.layer and layer != self.layer:
            raise FormatError(
                place,
                f"the labels are in the layer {_short(layer)}, but in {_short(self.layer)} in "
                "the files before",
                Remedy("layer", _short(layer)),
            )
        values = [mark.values for mark in document.marks if mark.layer == layer]
        features = sorted({name for each in values for name in each})
        self.layer = layer
        self.feature = self.feature or self._feature(features, place)

    def _layer(self, used: list[str], place: Place) -> str:
        asked = self._asked("layer")
        if asked is not None:
            return next((name for name in used if asked in {name, _short(name)}), "")
        fitting = [name for name in used if holds_labels(name)]
        if NAMED_ENTITY in fitting or self.layer in fitting:
            return self.layer if self.layer in fitting else NAMED_ENTITY
        if len(fitting) > 1:
            raise FormatError(
                place,
                f"there are several layers ({', '.join(map(_short, fitting))})",
                Remedy("layer", _short(fitting[0])),
            )
        return fitting[0] if fitting else ""

    def _feature(self, features: list[str], place: Place) -> str:
        asked = self._asked("label")
        if asked is not None and asked not in features:
            raise FormatError.expected(
                place,
                f"no feature {asked!r} in the layer {_short(self.layer)}",
                f"one of {', '.join(features) or 'none'}",
            )
        known = [name for name in _LABELS if name in features]
        if asked is None and not known and len(features) > 1:
            raise FormatError(
                place,
                f"the layer {_short(self.layer)} has several features ({', '.join(features)})",
                Remedy("feature", features[0]),
            )
        return asked or next(iter(known or features), "")

    def _asked(self, role: str) -> str | None:
        name = self.asked.get(role)
        return name if isinstance(name, str) and name else None


def _short(layer: str) -> str:
    return layer.rpartition(".")[2]


def _trimmed(text: str, mark: LayerMark) -> Piece:
    """Return the borders of a mark without blanks at its ends."""
    inside = text[mark.start : mark.end]
    start = mark.start + len(inside) - len(inside.lstrip())
    return start, mark.start + len(inside.rstrip())
