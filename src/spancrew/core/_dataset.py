"""A data set of any size, in columns: sentences, gold and answers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core._answers import Answer, Answers
from spancrew.core._bio import decode
from spancrew.core._final import Final, Finals, FinalSpan
from spancrew.core._labels import LabelSet
from spancrew.core._members import is_model
from spancrew.core._ragged import Ragged, refuse_wrong_gold
from spancrew.core._sentence import Sentence
from spancrew.core._span import Span
from spancrew.core._types import BoolArray, IntArray, Kind
from spancrew.errors import InvalidSpanError, KindError, UnknownSentenceError

_BLOCK = 1024
"""Sentences whose borders are made at once, so that little memory is used."""
_SHOWN_LABELS = 8
"""Labels that are named where a data set is printed."""


class Sentences:
    """The sentences of a data set: texts in a list, token borders in two flat arrays."""

    def __init__(
        self,
        ids: tuple[str, ...],
        texts: tuple[str, ...],
        starts: Ragged,
        ends: Ragged,
        metas: Mapping[int, Mapping[str, Any]],
    ) -> None:
        self.ids = ids
        self.texts = texts
        self.starts = starts
        self.ends = ends
        self.metas = metas

    def __repr__(self) -> str:
        """Return how many there are."""
        return f"Sentences({len(self):,})"

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.ids)

    def __getitem__(self, position: int) -> Sentence:
        """Return one sentence as a value."""
        bounds = zip(self.starts[position].tolist(), self.ends[position].tolist(), strict=True)
        position %= len(self)
        meta = self.metas.get(position, {})
        return Sentence(self.ids[position], self.texts[position], tuple(bounds), meta)

    def __iter__(self) -> Iterator[Sentence]:
        """Yield the sentences in order; borders become tuples for many at once, which is quick."""
        for first in range(0, len(self), _BLOCK):
            rows = self.starts.offsets[first : first + _BLOCK + 1]
            inside = slice(rows[0], rows[-1])
            starts, ends = self.starts.values[inside].tolist(), self.ends.values[inside].tolist()
            bounds = list(zip(starts, ends, strict=True))
            borders = (rows - rows[0]).tolist()
            for position, (start, end) in enumerate(pairwise(borders), first):
                meta = self.metas.get(position, {})
                text = self.texts[position]
                yield Sentence(self.ids[position], text, tuple(bounds[start:end]), meta)

    def __eq__(self, other: object) -> bool:
        """Tell whether ids, texts, token borders and provenance are the same."""
        if not isinstance(other, Sentences):
            return NotImplemented
        return (
            self.ids == other.ids
            and self.texts == other.texts
            and self.starts == other.starts
            and self.ends == other.ends
            and dict(self.metas) == dict(other.metas)
        )

    __hash__ = None  # type: ignore[assignment]  # arrays have no cheap hash

    def take(self, positions: IntArray) -> "Sentences":
        """Return some of the sentences, in the given order."""
        return Sentences(
            tuple(self.ids[p] for p in positions),
            tuple(self.texts[p] for p in positions),
            self.starts.take(positions),
            self.ends.take(positions),
            {k: self.metas[p] for k, p in enumerate(positions.tolist()) if p in self.metas},
        )

    def index(self, id_: str) -> int:
        """Return the position of a sentence."""
        try:
            return self._positions[id_]
        except KeyError:
            raise UnknownSentenceError(f"sentence {id_!r} is not in the data set") from None

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {id_: position for position, id_ in enumerate(self.ids)}


@dataclass(frozen=True, eq=True)
class Dataset:
    """Sentences with what is known about them: gold (experts' spans) and workers' answers.

    ``gold`` has a row for every sentence; an empty row means that its gold is not known.
    ``finals`` are the labels that sentences end up with, None before any is settled.
    ``kind``: with ``choices`` every token is a question, and gold and answers have a label for
    each of them.
    Build one with :meth:`of`, with :class:`DatasetBuilder`, or by reading a file.

    >>> sentence = Sentence.from_tokens("s1", ["Ana", "left", "Rome"])
    >>> answer = Answer("s1", "w1", (Span(0, 1, "PER"),))
    >>> data = Dataset.of([sentence], gold={"s1": [Span(2, 3, "LOC")]}, answers=[answer])
    >>> len(data), len(data.answers), data.labels.names, data.gold_spans(0)
    (1, 1, ('LOC', 'PER'), (Span(start=2, end=3, label='LOC'),))
    """

    labels: LabelSet
    sentences: Sentences
    workers: tuple[str, ...]
    gold: Ragged
    answers: Answers
    finals: Finals | None = None
    kind: Kind = "spans"

    __hash__ = None  # type: ignore[assignment]  # arrays have no cheap hash

    def __post_init__(self) -> None:
        """Refuse gold and answers of other sentences, labels or workers."""
        lengths = self.sentences.starts.lengths
        self.answers.checked_lengths(lengths)
        self.answers.refuse_beyond(len(self.labels), len(self.workers))
        refuse_wrong_gold("gold", self.gold, lengths, len(self.labels))
        if self.finals is not None:
            refuse_wrong_gold("final labels", self.finals.codes, lengths, len(self.labels))
        if self.kind == "choices":
            self._refuse_open_questions()

    @classmethod
    def of(
        cls,
        sentences: Iterable[Sentence],
        gold: Mapping[str, Iterable[Span]] | None = None,
        answers: Iterable[Answer] = (),
        labels: LabelSet | None = None,
        kind: Kind = "spans",
    ) -> "Dataset":
        """Build from values; without ``labels`` they are taken from the spans."""
        from spancrew.core._builder import DatasetBuilder  # noqa: PLC0415  the builder makes Datasets

        builder = DatasetBuilder(labels, kind)
        known = gold or {}
        for sentence in sentences:
            builder.add_sentence(sentence, known.get(sentence.id))
        for id_ in known:
            builder.position(id_)
        for answer in answers:
            builder.add_answer(answer)
        return builder.build()

    def without_answers(self) -> "Dataset":
        """Return the sentences and their gold alone; all workers stay."""
        none = np.zeros(0, np.int64)
        return replace(self, answers=self.answers.take(none, none, len(self)), finals=None)

    def take(self, positions: npt.NDArray[np.integer]) -> "Dataset":
        """Return the data set of these sentences with their answers; all workers stay."""
        chosen = np.asarray(positions, np.int64)
        rows = [np.arange(*self.answers.first[p : p + 2]) for p in chosen]
        kept = np.concatenate([np.zeros(0, np.int64), *rows])
        sentence = np.repeat(np.arange(len(chosen)), [len(r) for r in rows])
        return replace(
            self,
            sentences=self.sentences.take(chosen),
            gold=self.gold.take(chosen),
            answers=self.answers.take(kept, sentence, len(chosen)),
            finals=None if self.finals is None else self.finals.take(chosen),
        )

    def __repr__(self) -> str:
        """Return how much there is, without the columns."""
        parts = [
            f"{len(self):,} sentences",
            f"gold on {int(self.has_gold.sum()):,}",
            f"{len(self.answers):,} answers by {len(self.workers):,} workers",
            f"{'choices' if self.kind == 'choices' else 'labels'} {self._label_names()}",
        ]
        if self.finals is not None:
            parts.append(f"final labels on {int(self.finals.is_settled.sum()):,}")
        return f"Dataset({'; '.join(parts)})"

    def _refuse_open_questions(self) -> None:
        """Refuse gold or an answer without a label of its own for every question."""
        for what, rows in (("gold", self.gold), ("an answer", self.answers.codes)):
            is_open = rows.values % 2 == 0
            if not is_open.any():
                continue
            at = int(np.argmax(is_open))
            row = int(np.searchsorted(rows.offsets, at, side="right")) - 1
            position = row if rows is self.gold else int(self.answers.sentence[row])
            raise InvalidSpanError(
                f"sentence {self.sentences.ids[position]!r}: {what} leaves question "
                f"{at - int(rows.offsets[row])} open; a choice is one label for every question"
            )

    def _label_names(self) -> str:
        names = self.labels.names
        more = f" and {len(names) - _SHOWN_LABELS} more" if len(names) > _SHOWN_LABELS else ""
        return (", ".join(names[:_SHOWN_LABELS]) or "none") + more

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.sentences)

    @property
    def by_people(self) -> Answers:
        """Return the answers of workers who are no models."""
        people = np.array([not is_model(worker) for worker in self.workers], bool)
        if people.all():
            return self.answers
        rows = np.flatnonzero(people[self.answers.worker])
        return self.answers.take(rows, self.answers.sentence[rows], self.answers.sentences)

    @property
    def has_gold(self) -> BoolArray:
        """Tell for every sentence whether its gold is known."""
        return self.gold.lengths > 0

    def gold_spans(self, position: int) -> tuple[Span, ...] | None:
        """Return the gold spans of a sentence; None where gold is not known."""
        row = self.gold[position]
        return decode(row, self.labels) if len(row) else None

    def final(self, position: int) -> Final | None:
        """Return the final labels of a sentence; None where it is not settled."""
        finals = self.finals
        if finals is None or not len(row := finals.codes[position]):
            return None
        at = finals.codes.offsets[position]
        spans = tuple(
            FinalSpan(
                span, float(finals.spans[at + span.start]), int(finals.votes[at + span.start])
            )
            for span in decode(row, self.labels)
        )
        confidence, answers = finals.confidence[position], finals.answers[position]
        return Final(spans, float(confidence), int(answers), finals.by[position])

    def answer(self, k: int) -> Answer:
        """Return one answer as a value."""
        columns = self.answers
        source = -1 if columns.source is None else int(columns.source[k])
        return Answer(
            sentence=self.sentences.ids[columns.sentence[k]],
            worker=self.workers[columns.worker[k]],
            spans=decode(columns.codes[k], self.labels),
            seconds=None if columns.seconds is None else _known(columns.seconds[k]),
            at=None if columns.at is None else _known(columns.at[k]),
            source=None if source < 0 else columns.sources[source],
        )

    def answers_on(self, position: int) -> Iterator[Answer]:
        """Yield the answers on a sentence in the order of arrival."""
        first, last = self.answers.first[position : position + 2]
        return (self.answer(k) for k in range(first, last))


def _known(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


def refuse_choices(dataset: Dataset, what: str) -> None:
    """Refuse choices where only spans will do; ``what`` is what was to be done, as in 'plan'."""
    if dataset.kind == "choices":
        raise KindError(
            f"this data has choices, and {what} works on spans only; a crowd for choices is "
            "calibrated to real answers, or replays them"
        )
