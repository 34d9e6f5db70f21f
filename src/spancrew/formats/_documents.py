"""Documents cut into sentences: where each stands, and which of them a mark is in."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from spancrew.core import Answer, Sentence, Span, Unit
from spancrew.errors import FormatError, Place, Remedy
from spancrew.formats._intake import Intake, at
from spancrew.formats._json import shown
from spancrew.formats._running_text import span_at
from spancrew.formats._sentence_splitter import Piece


class DocumentMark(NamedTuple):
    """A labelled stretch of a document, in code points."""

    start: int
    end: int
    label: str
    place: Place


class Cut(NamedTuple):
    """A piece of a document that is to be a sentence, and where it stands."""

    text: str
    start: int
    number: int
    is_alone: bool
    """Whether it is the whole document."""


MakeSentence = Callable[[Cut], Sentence]


def named_sentences(document: str, unit: Unit | None) -> MakeSentence:
    """Return how to make the sentences of a document that is known by its name."""

    def make(cut: Cut) -> Sentence:
        id_, meta = name_and_meta(document, cut)
        return Sentence.from_text(id_, cut.text, unit, meta)

    return make


def name_and_meta(document: str, cut: Cut) -> tuple[str, dict[str, Any]]:
    """Return the id of a sentence and where it stands; one alone has the name of its document."""
    if cut.is_alone:
        return document, {}
    return f"{document}:{cut.number}", {"document": document, "start": cut.start}


class CutDocument(NamedTuple):
    """A text with its sentences and where they stand."""

    text: str
    sentences: tuple[Sentence, ...]
    pieces: tuple[Piece, ...]
    places: tuple[Place, ...]

    @classmethod
    def of(
        cls, text: str, pieces: Sequence[Piece], make: MakeSentence, path: str
    ) -> "CutDocument":
        """Cut a text at the given pieces."""
        sentences, places = [], []
        line, counted = 1, 0
        for number, (start, end) in enumerate(pieces, start=1):
            line, counted = line + text.count("\n", counted, start), start
            place = Place(path, line)
            cut = Cut(text[start:end], start, number, len(pieces) == 1 and start == 0)
            sentences.append(at(place, partial(make, cut)))
            places.append(place)
        return cls(text, tuple(sentences), tuple(pieces), tuple(places))

    def add_to(self, intake: Intake) -> None:
        """Add all sentences."""
        for sentence, place in zip(self.sentences, self.places, strict=True):
            intake.add_sentence(sentence, place)

    def take(
        self, marks: Iterable[DocumentMark], worker: str | None, intake: Intake, place: Place
    ) -> None:
        """Add marks as the gold of all sentences, or as the answers of a worker."""
        found: list[list[Span]] = [[] for _ in self.pieces]
        starts = [start for start, _ in self.pieces]
        for mark in marks:
            number = self._number(mark, starts)
            start = starts[number]
            border = mark.start - start, mark.end - start
            span = span_at(self.sentences[number], border, mark.label, intake, mark.place)
            found[number].append(span)
        for sentence, spans in zip(self.sentences, found, strict=True):
            if worker is None:
                intake.add_gold(sentence.id, spans, place)
            else:
                intake.add_answer(Answer(sentence.id, worker, tuple(spans)), place)

    def _number(self, mark: DocumentMark, starts: list[int]) -> int:
        """Return the sentence that holds a mark; refuse one that reaches over a border."""
        number = bisect_right(starts, mark.start) - 1
        if number >= 0 and mark.end <= self.pieces[number][1]:
            return number
        raise FormatError(
            mark.place,
            f"{mark.label} {mark.start}-{mark.end} ({shown(self.text[mark.start : mark.end])}) "
            "is not inside one sentence",
            Remedy("split", "paragraphs"),
        )
