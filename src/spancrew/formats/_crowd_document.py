"""Read one document of a crowd directory: sentences from gold, answers from each worker's copy."""

from collections.abc import Container, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from spancrew.core import Answer, Sentence, Span
from spancrew.errors import Place
from spancrew.formats._alignment import Match, align
from spancrew.formats._columns import counted, known
from spancrew.formats._crowd_layout import CrowdLayout
from spancrew.formats._intake import Intake, at
from spancrew.formats._token_file import TaggedToken, sentences_in, tagged_tokens


class _KnownSentence(NamedTuple):
    """A sentence and the characters of its tokens."""

    id: str
    tokens: list[str]

    @property
    def characters(self) -> str:
        return "".join(self.tokens)


class DocumentReader:
    """Takes the documents of a crowd directory, one at a time."""

    def __init__(self, layout: CrowdLayout, intake: Intake, labels: Container[str]) -> None:
        self._layout = layout
        self._intake = intake
        self._labels = labels

    def take(self, document: str) -> None:
        """Take the sentences of a document and every answer on them."""
        found, in_text = self._take_gold(document)
        found = found or self._take_first_copy(document)
        for worker, files in self._layout.workers.items():
            if document in files:
                note = self._intake.repair
                rows = tagged_tokens(files[document], self._labels, note, in_text)
                self._take_copy(worker, files[document], rows, found)

    def _take_gold(self, document: str) -> tuple[list[_KnownSentence], frozenset[str]]:
        """Return the sentences and the tokens that have a label stuck to them in the gold.

        Such a token was in the text that workers saw; its label is not their answer.
        """
        path = self._layout.gold.get(document)
        if path is None:
            return [], frozenset()
        tokens = tagged_tokens(path, self._labels, self._intake.repair)
        found = [
            self._take_sentence(document, index, rows, has_gold=True)
            for index, rows in enumerate(sentences_in(tokens))
        ]
        return found, frozenset(row.written for row in tokens if row.written != row.token)

    def _take_first_copy(self, document: str) -> list[_KnownSentence]:
        """Take the sentences from the first worker who has any, without gold."""
        for files in self._layout.workers.values():
            if document not in files:
                continue
            # What is mended here is noted when the same file is read for its answers.
            tokens = tagged_tokens(files[document], self._labels, lambda *_: None)
            if tokens:
                what = f"no gold for document {document!r}: its sentences are those of this file"
                self._intake.repair("gold", Place(str(files[document])), what)
                return [
                    self._take_sentence(document, index, rows, has_gold=False)
                    for index, rows in enumerate(sentences_in(tokens))
                ]
        return []

    def _take_sentence(
        self, document: str, index: int, rows: list[TaggedToken], *, has_gold: bool
    ) -> _KnownSentence:
        place = rows[0].place
        id_ = f"{document}:{index}"
        meta = {"document": document, "index": index}
        names = [row.token for row in rows]
        self._intake.add_sentence(at(place, lambda: Sentence.from_tokens(id_, names, meta)), place)
        spans = self._spans(rows, f"gold of sentence {id_!r}") if has_gold else None
        if spans is not None:
            self._intake.add_gold(id_, spans, place)
        return _KnownSentence(id_, [row.characters for row in rows])

    def _take_copy(
        self, worker: str, path: Path, rows: list[TaggedToken], found: list[_KnownSentence]
    ) -> None:
        """Take the answers of one worker."""
        matches = align([each.characters for each in found], [row.characters for row in rows])
        if rows and not matches:
            what = f"no sentence of the document is in it (it begins with {rows[0].token!r})"
            self._intake.repair("refused", Place(str(path)), f"{what}; it was left out")
            return
        for match in matches:
            self._take_answer(worker, rows[match.start : match.end], found[match.sentence])
        self._note_unplaced(rows, matches)
        self._note_unanswered(path, found, matches)

    def _take_answer(self, worker: str, rows: list[TaggedToken], found: _KnownSentence) -> None:
        where = f"sentence {found.id!r}, worker {worker!r}"
        spans = self._spans(rows, where)
        self._note_borders(rows, where)
        if spans is None:
            return
        if [row.characters for row in rows] != found.tokens:
            self._note_other_tokens(rows, found, where)
            spans = _moved(spans, rows, found)
        self._intake.add_answer(Answer(found.id, worker, spans), rows[0].place)

    def _spans(self, rows: list[TaggedToken], where: str) -> tuple[Span, ...] | None:
        """Return the spans in the tags; None if they are not known."""
        tags = [row.tag for row in rows]
        places = [row.place for row in rows]
        if not known(tags, places, where):
            return None
        return self._intake.spans(tags, "iob2", places, where)

    def _note_borders(self, rows: list[TaggedToken], where: str) -> None:
        """Note blank lines that differ from those of the gold file."""
        if not rows[0].opens:
            what = f"{where}: no blank line before the sentence"
            self._intake.repair("sentence-border", rows[0].place, what)
        for row in rows[1:]:
            if row.opens:
                what = f"{where}: a blank line inside the sentence, before {row.token!r}"
                self._intake.repair("sentence-border", row.place, what)

    def _note_other_tokens(
        self, rows: list[TaggedToken], found: _KnownSentence, where: str
    ) -> None:
        """Note tokens that were split or joined."""
        theirs = [start for start, _ in _bounds([row.characters for row in rows])]
        ours = [start for start, _ in _bounds(found.tokens)]
        for row, start in zip(rows, theirs, strict=True):
            inside = sum(start < other < start + len(row.characters) for other in ours)
            if start not in ours:
                what = f"{where}: {row.token!r} is part of a token; its tag counts for the whole"
                self._intake.repair("split-token", row.place, what)
            if inside:
                what = f"{where}: {row.token!r} is {inside + 1} tokens; its tag counts for all"
                self._intake.repair("joined-token", row.place, what)

    def _note_unplaced(self, rows: list[TaggedToken], matches: list[Match]) -> None:
        """Note stretches of a file that belong to no sentence."""
        edges = [Match(-1, 0, 0), *matches, Match(-1, len(rows), len(rows))]
        for before, after in pairwise(edges):
            if left := after.start - before.end:
                first = rows[before.end]
                what = f"{counted(left, 'token')} from {first.token!r} on match no sentence"
                self._intake.repair("refused", first.place, f"{what}; left out")

    def _note_unanswered(
        self, path: Path, found: list[_KnownSentence], matches: list[Match]
    ) -> None:
        answered = {match.sentence for match in matches}
        missing = [each.id for number, each in enumerate(found) if number not in answered]
        if missing and matches:
            what = f"{len(missing)} of {counted(len(found), 'sentence')} not whole in the file"
            what = f"{what}, the first one {missing[0]!r}; taken as not answered"
            self._intake.repair("partial", Place(str(path)), what)


def _moved(
    spans: Sequence[Span], rows: Sequence[TaggedToken], found: _KnownSentence
) -> tuple[Span, ...]:
    """Carry spans over from a worker's tokens to those of the sentence, by characters."""
    sentence = Sentence(found.id, found.characters, tuple(_bounds(found.tokens)))
    bounds = _bounds([row.characters for row in rows])
    moved = []
    for span in spans:
        start, end, _ = sentence.locate(bounds[span.start][0], bounds[span.end - 1][1])
        moved.append(Span(start, end, span.label))
    return tuple(moved)


def _bounds(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Return the borders of tokens that follow each other without blanks."""
    bounds = []
    start = 0
    for token in tokens:
        bounds.append((start, start + len(token)))
        start += len(token)
    return bounds
