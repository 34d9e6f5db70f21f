"""Grow a data set sentence by sentence in little memory, refusing what is not valid."""

from array import array
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core._answers import Answer, Answers
from spancrew.core._dataset import Dataset, Sentences
from spancrew.core._final import Final, Finals
from spancrew.core._labels import MOST_LABELS, LabelSet
from spancrew.core._ragged import Ragged, frozen, offsets_of
from spancrew.core._sentence import Sentence
from spancrew.core._span import Span, in_order
from spancrew.core._types import IntArray, Kind
from spancrew.errors import (
    DuplicateError,
    InvalidSpanError,
    UnknownLabelError,
    UnknownSentenceError,
)


class DatasetBuilder:
    """Collects sentences, gold and answers and builds a :class:`Dataset` from them.

    Without ``labels`` the label set is what the spans use, in alphabetical order.
    """

    def __init__(self, labels: LabelSet | None = None, kind: Kind = "spans") -> None:
        self._declared = labels
        self._kind = kind
        self._label_ids: dict[str, int] = {name: k for k, name in enumerate(labels or ())}
        self._positions: dict[str, int] = {}
        self._texts: list[str] = []
        self._metas: dict[int, Mapping[str, Any]] = {}
        self._lengths, self._starts, self._ends = array("q"), array("i"), array("i")
        self._gold: dict[int, bytes] = {}
        self._finals: dict[int, tuple[Final, bytes]] = {}
        self._workers: dict[str, int] = {}
        self._answer_codes = array("H")
        self._answer_sentence, self._answer_worker = array("i"), array("i")
        self._seconds, self._at = array("d"), array("d")
        self._source = array("h")
        self._sources: dict[str, int] = {}

    def add_sentence(self, sentence: Sentence, gold: Iterable[Span] | None = None) -> int:
        """Add a sentence, with its gold if that is known, and return its position."""
        if sentence.id in self._positions:
            raise DuplicateError(f"sentence {sentence.id!r} is there twice: ids must be unique")
        position = self._positions[sentence.id] = len(self._texts)
        self._texts.append(sentence.text)
        self._lengths.append(len(sentence))
        self._starts.extend(start for start, _ in sentence.bounds)
        self._ends.extend(end for _, end in sentence.bounds)
        if sentence.meta:
            self._metas[position] = sentence.meta
        if gold is not None:
            self.add_gold(sentence.id, gold)
        return position

    def add_all(self, dataset: Dataset) -> None:
        """Add the sentences of a data set with gold and answers; final labels stay behind."""
        for position, sentence in enumerate(dataset.sentences):
            self.add_sentence(sentence, dataset.gold_spans(position))
        for k in range(len(dataset.answers)):
            self.add_answer(dataset.answer(k))

    def add_gold(self, sentence: str, spans: Iterable[Span]) -> None:
        """Add the gold of a sentence that is already there; an empty list is gold, too."""
        position = self.position(sentence)
        if position in self._gold:
            raise DuplicateError(f"sentence {sentence!r} has gold twice")
        self._gold[position] = self._encode(
            position, spans, f"gold of sentence {sentence!r}"
        ).tobytes()

    def add_final(self, sentence: str, final: Final) -> None:
        """Add the final labels of a sentence that is already there."""
        position = self.position(sentence)
        where = f"final labels of sentence {sentence!r}"
        if position in self._finals:
            raise DuplicateError(f"{where}: they are there twice")
        self._finals[position] = final, self._encode(position, final.labels, where).tobytes()

    def add_worker(self, worker: str) -> int:
        """Make a worker known, with or without answers, and return their index."""
        return self._workers.setdefault(worker, len(self._workers))

    def add_answer(self, answer: Answer) -> None:
        """Add an answer on a sentence that is already there."""
        position = self.position(answer.sentence, answer.worker)
        where = f"sentence {answer.sentence!r}, worker {answer.worker!r}"
        self._answer_codes.extend(self._encode(position, answer.spans, where))
        self._answer_sentence.append(position)
        self._answer_worker.append(self.add_worker(answer.worker))
        self._seconds.append(np.nan if answer.seconds is None else answer.seconds)
        self._at.append(np.nan if answer.at is None else answer.at)
        self._source.append(self._source_id(answer.source))

    def position(self, sentence: str, worker: str | None = None) -> int:
        """Return the position of a sentence; refuse an id that was never added."""
        try:
            return self._positions[sentence]
        except KeyError:
            what = "gold" if worker is None else f"an answer of worker {worker!r}"
            raise UnknownSentenceError(
                f"{what} is for sentence {sentence!r}, which is not in the data set"
            ) from None

    def build(self) -> Dataset:
        """Return the data set; refuse a second answer of one worker on one sentence."""
        labels = self._declared or LabelSet.of(self._label_ids)
        recode = self._recode(labels)
        offsets = offsets_of(np.frombuffer(self._lengths, np.int64))
        return Dataset(
            labels=labels,
            sentences=Sentences(
                tuple(self._positions),
                tuple(self._texts),
                Ragged(np.array(self._starts, np.int32), offsets),
                Ragged(np.array(self._ends, np.int32), offsets),
                dict(self._metas),
            ),
            workers=tuple(self._workers),
            gold=self._build_gold(recode),
            answers=self._build_answers(recode),
            finals=self._build_finals(recode),
            kind=self._kind,
        )

    def _encode(self, position: int, spans: Iterable[Span], where: str) -> "array[int]":
        """Return codes with the ids that labels have so far."""
        length = self._lengths[position]
        codes = array("H", bytes(2 * length))
        try:
            ordered = in_order(spans, length)
        except InvalidSpanError as error:
            raise InvalidSpanError(f"{where}: {error}") from None
        for span in ordered:
            begin = 2 * self._label_id(span.label) + 1
            codes[span.start] = begin
            for token in range(span.start + 1, span.end):
                codes[token] = begin + 1
        return codes

    def _label_id(self, label: str) -> int:
        if self._declared is not None:
            return self._declared.id(label)
        if len(self._label_ids) == MOST_LABELS and label not in self._label_ids:
            raise UnknownLabelError(f"label {label!r}: at most {MOST_LABELS} labels are possible")
        return self._label_ids.setdefault(label, len(self._label_ids))

    def _source_id(self, source: str | None) -> int:
        return -1 if source is None else self._sources.setdefault(source, len(self._sources))

    def _recode(self, labels: LabelSet) -> npt.NDArray[np.generic]:
        """Return the table from codes as collected to codes of the final label set."""
        table = np.zeros(2 * len(self._label_ids) + 1, labels.dtype)
        for name, k in self._label_ids.items():
            table[2 * k + 1] = 2 * labels.id(name) + 1
            table[2 * k + 2] = 2 * labels.id(name) + 2
        return table

    def _build_gold(self, recode: npt.NDArray[np.generic]) -> Ragged:
        lengths = np.zeros(len(self._texts), np.int64)
        for position, codes in self._gold.items():
            lengths[position] = len(codes) // 2
        collected = b"".join(self._gold[position] for position in sorted(self._gold))
        return Ragged(recode[np.frombuffer(collected, np.uint16)], offsets_of(lengths))

    def _build_finals(self, recode: npt.NDArray[np.generic]) -> Finals | None:
        if not self._finals:
            return None
        nothing: tuple[None, bytes] = (None, b"")
        found = [self._finals.get(position, nothing) for position in range(len(self._texts))]
        rows = [recode[np.frombuffer(codes, np.uint16)] for _, codes in found]
        return Finals.of(rows, [final for final, _ in found], recode.dtype)

    def _build_answers(self, recode: npt.NDArray[np.generic]) -> Answers:
        sentence = np.array(self._answer_sentence, np.int32)
        worker = np.array(self._answer_worker, np.int32)
        self._refuse_duplicates(sentence, worker)
        order = np.argsort(sentence, kind="stable")
        lengths = np.array(self._lengths, np.int64)[sentence]
        codes = Ragged(recode[np.array(self._answer_codes, np.uint16)], offsets_of(lengths))
        in_place = bool(np.all(order[:-1] < order[1:]))
        return Answers(
            sentence=frozen(sentence[order]),
            worker=frozen(worker[order]),
            codes=codes if in_place else codes.take(order),
            sentences=len(self._texts),
            seconds=_column(self._seconds, np.float64, order, np.isnan),
            at=_column(self._at, np.float64, order, np.isnan),
            source=_column(self._source, np.int16, order, lambda values: values < 0),
            sources=tuple(self._sources),
        )

    def _refuse_duplicates(
        self, sentence: npt.NDArray[np.int32], worker: npt.NDArray[np.int32]
    ) -> None:
        pairs = sentence.astype(np.int64) * max(len(self._workers), 1) + worker
        order = np.argsort(pairs, kind="stable")
        again = np.flatnonzero(np.diff(pairs[order]) == 0)
        if len(again):
            k = order[again[0]]
            raise DuplicateError(
                f"sentence {list(self._positions)[sentence[k]]!r}, worker "
                f"{list(self._workers)[worker[k]]!r}: two answers; one is allowed"
            )


def _column(
    values: "array[Any]",
    dtype: npt.DTypeLike,
    order: IntArray,
    is_unknown: Callable[[npt.NDArray[Any]], npt.NDArray[np.bool_]],
) -> npt.NDArray[Any] | None:
    """Return a column in the given order; None if nothing in it is known."""
    column = np.array(values, dtype)[order]
    return None if bool(np.all(is_unknown(column))) else frozen(column)
