"""UIMA's CAS: a text and a list of typed annotations on it, whichever way it is serialised."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from spancrew.core import Sentence, Span
from spancrew.errors import FormatError, Place
from spancrew.formats._json import shown
from spancrew.formats._layers import (
    NAMED_ENTITY,
    SENTENCE,
    TOKEN,
    LayeredDocument,
    LayerMark,
    SentenceAt,
    holds_labels,
)
from spancrew.formats._sentence_splitter import Piece
from spancrew.formats._utf16 import Utf16

SOFA = "uima.cas.Sofa"
VIEW = "_InitialView"
STRING = "uima.cas.String"
ANNOTATION = "uima.tcas.Annotation"
TYPES: Mapping[str, tuple[str, ...]] = {
    SENTENCE: ("id",),
    TOKEN: (),
    NAMED_ENTITY: ("value", "identifier"),
}
"""What we write, with its features; all of them are text."""

_RELATION = {"Governor", "Dependent"}
_NOT_COUNTED = ("uima.", "org.dkpro.", "de.tudarmstadt.ukp.dkpro.core.api.metadata.",
                "de.tudarmstadt.ukp.clarin.", "de.tudarmstadt.ukp.inception.")  # fmt: skip


class Structure(NamedTuple):
    """A feature structure: its type, its id, and its features as they stand in the file."""

    type: str
    id: str
    values: Mapping[str, Any]
    place: Place

    @property
    def sofa(self) -> str:
        """Return the id of the text it belongs to, or nothing."""
        return str(self.values.get("sofa", ""))


def document_of(
    structures: Iterable[Structure], types: Iterable[str], place: Place
) -> LayeredDocument:
    """Return the document of a CAS; ``types`` are those that the file declares."""
    found = list(structures)
    sofa = _sofa(found, place)
    text = str(sofa.values["sofaString"])
    units = Utf16(text)
    sentences, tokens, marks = [], [], []
    passed_over: Counter[str] = Counter()
    for each in found:
        if "begin" not in each.values or "end" not in each.values:
            continue
        if each.sofa not in {"", sofa.id}:
            passed_over["annotations of other views"] += 1
            continue
        if each.type == SENTENCE:
            id_ = each.values.get("id")
            sentences.append(SentenceAt(*_border(each, units), id_ and str(id_)))
        elif each.type == TOKEN:
            tokens.append(_border(each, units))
        elif each.values.keys() >= _RELATION:
            passed_over["relations"] += 1
        elif holds_labels(each.type) or not each.type.startswith(_NOT_COUNTED):
            marks.append(LayerMark(each.type, _texts(each), *_border(each, units), each.place))
    is_annotated = bool(marks) or any(map(holds_labels, types))
    ordered = (
        tuple(sorted(sentences, key=lambda each: each[:2])),
        tuple(sorted(tokens)),
        tuple(marks),
    )
    return LayeredDocument(text, *ordered, is_annotated, passed_over)


def _sofa(structures: list[Structure], place: Place) -> Structure:
    """Return the text: that of the first view, or the only one."""
    found = [
        each
        for each in structures
        if each.type == SOFA and isinstance(each.values.get("sofaString"), str)
    ]
    for each in found:
        if each.values.get("sofaID") == VIEW:
            return each
    if not found:
        raise FormatError.expected(place, "no text (sofaString)", "a CAS of a text document")
    return found[0]


def _border(structure: Structure, units: Utf16) -> Piece:
    begin, end = structure.values["begin"], structure.values["end"]
    try:
        start, stop = units.point(int(begin)), units.point(int(end))
    except (TypeError, ValueError, OverflowError):
        start, stop = -1, -1
    if 0 <= start <= stop:
        return start, stop
    raise FormatError.expected(
        structure.place,
        f"{structure.type} from {shown(begin)} to {shown(end)}",
        f"offsets inside the text of {units.length} UTF-16 units",
    )


def _texts(structure: Structure) -> dict[str, str | None]:
    """Return the features that may be a label."""
    return {
        name: value
        for name, value in structure.values.items()
        if name not in {"sofa", "begin", "end"} and (value is None or isinstance(value, str))
    }


class CasSentence(NamedTuple):
    """A sentence that is to be written, with its spans; None if nobody looked for any."""

    sentence: Sentence
    spans: tuple[Span, ...] | None


def structures_of(sentences: Iterable[CasSentence], *, ids: bool) -> Iterator[dict[str, Any]]:
    """Yield type, begin, end and features of all that a document holds, in UTF-16 units."""
    begin = 0
    for sentence, spans in sentences:
        units = Utf16(sentence.text)
        named = {"id": sentence.id} if ids else {}
        yield {"type": SENTENCE, "begin": begin, "end": begin + units.length, **named}
        for start, end in sentence.bounds:
            yield {
                "type": TOKEN,
                "begin": begin + units.unit(start),
                "end": begin + units.unit(end),
            }
        for span in spans or ():
            start, end = (begin + units.unit(each) for each in sentence.characters(span))
            yield {"type": NAMED_ENTITY, "begin": start, "end": end, "value": span.label}
        begin += units.length + 1


def text_of(sentences: Iterable[CasSentence]) -> str:
    """Return the text of a document: a sentence on each line."""
    return "\n".join(each.sentence.text for each in sentences)


def types_of(sentences: Iterable[CasSentence]) -> list[str]:
    """Return the types that a document declares: that for labels only if somebody looked."""
    annotated = any(each.spans is not None for each in sentences)
    return [SENTENCE, TOKEN, *([NAMED_ENTITY] if annotated else [])]
