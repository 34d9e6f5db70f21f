"""What a consensus method is: it learns from answers, and joins those on a sentence into one."""

from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, Self

import numpy as np

from spancrew.core import (
    Answers,
    BoolArray,
    Dataset,
    FloatArray,
    IntArray,
    Kind,
    Ragged,
    checked_numbers,
    is_model,
    offsets_of,
    refuse_wrong_gold,
)
from spancrew.errors import InvalidArrayError


class Beliefs(NamedTuple):
    """What the crowd is taken to say, and how sure that is.

    ``labels`` has a row of codes for every sentence; ``contested`` tells where two labels had as
    many votes on a token, so that the choice between them is arbitrary. ``spans`` has a
    probability for every token of ``labels``: that the span which begins there is right; 0 where
    none begins. By sentence: ``confidence`` is the probability that all its labels are right,
    ``errors`` the expected number of wrong and of missing spans, ``expected`` the expected number
    of true ones.
    """

    labels: Ragged
    contested: BoolArray
    spans: FloatArray
    confidence: FloatArray
    errors: FloatArray
    expected: FloatArray

    def __repr__(self) -> str:
        """Return how many sentences they are about."""
        return f"Beliefs(on {len(self.confidence):,} sentences)"

    @property
    def found(self) -> IntArray:
        """Return the number of spans in the labels of every sentence."""
        begins = offsets_of(self.labels.values & 1)[self.labels.offsets]
        return begins[1:] - begins[:-1]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Sentences with their answers, as far as consensus methods learn from them.

    ``known`` are experts' codes, a row for every sentence, empty where no expert has labelled it.
    ``words`` are numbers below ``vocabulary`` for the tokens of every sentence; ``spelling`` has
    the word of every number, or nothing where only the numbers are known. ``weight`` is how
    many sentences each stands for where experts' labels calibrate, such as the inverse of the
    probability with which it was drawn for an expert; by default 1.

    ``audit`` marks rows that an expert labelled blind to see how good the crowd is: extra rows
    beside the sentence's own, which has the same answers and is not known. The model of the
    workers is fitted without them (see :meth:`for_fit`). A method may calibrate what it states by
    them, each with its weight; other methods leave them alone. They may stand anywhere, as long as
    those of an earlier fit come first among them.

    ``models`` tells which workers are models and no people; None if all are people. ``kind``: with
    ``choices`` every token has a label in every answer, and so has the truth. ``scale`` tells that
    their labels are the steps of a scale, in the order of their ids.
    """

    answers: Answers
    lengths: IntArray
    labels: int
    workers: int
    known: Ragged | None = None
    words: Ragged | None = None
    vocabulary: int = 0
    weight: FloatArray | None = None
    audit: BoolArray | None = None
    spelling: tuple[str, ...] = ()
    models: BoolArray | None = None
    kind: Kind = "spans"
    scale: bool = False

    def __post_init__(self) -> None:
        """Refuse what does not fit together: kernels do not look where they read."""
        self.answers.checked_lengths(self.lengths, self.words)
        self.answers.refuse_beyond(self.labels, self.workers)
        if self.known is not None:
            refuse_wrong_gold("experts' labels", self.known, self.lengths, self.labels)
        if self.words is not None:
            checked_numbers("words of sentences", self.words.values, below=self.vocabulary)
        if self.spelling and len(self.spelling) != self.vocabulary:
            raise InvalidArrayError(
                f"spelling: {len(self.spelling)} words are given for {self.vocabulary} numbers"
            )
        if self.weight is not None:
            _refuse_wrong_weights(self.weight, len(self.lengths))
        if self.audit is not None:
            _refuse_wrong_audits(self.audit, self.is_known)

    def __repr__(self) -> str:
        """Return how much there is, without the columns."""
        known = int(self.is_known.sum())
        return f"Evidence({self.answers!r}, {self.workers:,} workers, {known:,} sentences known)"

    @classmethod
    def of(cls, dataset: Dataset, known: Ragged | None = None) -> Self:
        """Return a data set's answers and words; its gold is not looked at."""
        words, spelling = word_numbers(dataset)
        models = np.array([is_model(worker) for worker in dataset.workers], bool)
        return cls(
            dataset.answers,
            dataset.sentences.starts.lengths,
            len(dataset.labels),
            len(dataset.workers),
            known,
            words,
            len(spelling),
            spelling=spelling,
            models=models if models.any() else None,
            kind=dataset.kind,
            scale=dataset.kind == "choices" and dataset.labels.is_scale,
        )

    def take(self, sentences: IntArray) -> "Evidence":
        """Return the evidence of some sentences; none of them is known."""
        sizes = self.answers.per_sentence[sentences]
        ends = np.cumsum(sizes)
        within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - sizes, sizes)
        rows = np.repeat(self.answers.first[sentences], sizes) + within
        numbers = np.repeat(np.arange(len(sentences)), sizes)
        return replace(
            self,
            answers=self.answers.take(rows, numbers, len(sentences)),
            lengths=self.lengths[sentences],
            known=None,
            words=None if self.words is None else self.words.take(sentences),
            weight=None if self.weight is None else self.weight[sentences],
            audit=None,
        )

    def only(self, sentences: IntArray) -> "Evidence":
        """Return the evidence of some sentences, with what is known of them."""
        known = None if self.known is None else self.known.take(sentences)
        audit = None if self.audit is None else self.audit[sentences]
        return replace(self.take(sentences), known=known, audit=audit)

    def of_people(self) -> "Evidence":
        """Return the same without the answers of models."""
        people = answers_of_people(self.answers, self.models)
        return replace(self, answers=people, models=None)

    def for_fit(self) -> "Evidence":
        """Return what the model of the workers is fitted on: everything but audits."""
        if not self.is_audit.any():
            return self
        rows = np.flatnonzero(~self.is_audit)
        known = None if self.known is None else self.known.take(rows)
        return replace(self.take(rows), known=known)

    @property
    def possible(self) -> BoolArray:
        """Tell for every code whether it can be the true one: a label begins, for choices."""
        codes = np.arange(2 * self.labels + 1)
        return codes % 2 == 1 if self.kind == "choices" else codes >= 0

    @property
    def is_audit(self) -> BoolArray:
        """Tell for every row whether it is an audit."""
        return np.zeros(len(self.lengths), bool) if self.audit is None else self.audit

    @property
    def is_known(self) -> BoolArray:
        """Tell for every sentence whether an expert has labelled it."""
        if self.known is None:
            return np.zeros(len(self.lengths), bool)
        return self.known.lengths > 0


def answers_of_people(answers: Answers, models: BoolArray | None) -> Answers:
    """Return the answers of workers who are no models; who has joined since is a person."""
    if models is None:
        return answers
    worker = np.minimum(answers.worker, len(models))
    rows = np.flatnonzero(~np.append(models, False)[worker])
    return answers.take(rows, answers.sentence[rows], answers.sentences)


def _refuse_wrong_weights(weight: FloatArray, sentences: int) -> None:
    if weight.shape != (sentences,):
        raise InvalidArrayError(
            f"weights of sentences: {weight.shape} is their shape, but ({sentences},) is needed"
        )
    is_wrong = ~((weight > 0) & (weight < np.inf))
    if is_wrong.any():
        k = int(np.argmax(is_wrong))
        raise InvalidArrayError(
            f"weights of sentences: sentence {k} has {weight[k]:g}, but it must be above 0 and "
            "finite"
        )


def _refuse_wrong_audits(audit: BoolArray, is_known: BoolArray) -> None:
    if audit.shape != is_known.shape or audit.dtype != np.bool_:
        raise InvalidArrayError(
            f"audits: {audit.dtype}{list(audit.shape)} is given, but a bool for each of "
            f"{len(is_known)} sentences is needed"
        )
    if (audit & ~is_known).any():
        k = int(np.argmax(audit & ~is_known))
        raise InvalidArrayError(
            f"audits: row {k} is an audit, but no expert's labels are known for it: leave the row "
            "out until they are"
        )


def word_numbers(dataset: Dataset) -> tuple[Ragged, tuple[str, ...]]:
    """Return a number for every token, the same for the same word, and the word of each."""
    numbers: dict[str, int] = {}
    found = [
        numbers.setdefault(token, len(numbers))
        for sentence in dataset.sentences
        for token in sentence.tokens
    ]
    offsets = dataset.sentences.starts.offsets
    return Ragged(np.array(found, np.int32), offsets), tuple(numbers)


class Model(Protocol):
    """What a method has learned; it never changes."""

    def judge(self, answers: Answers, lengths: IntArray, words: Ragged | None = None) -> Beliefs:
        """Join the answers on each sentence; ``lengths`` are the tokens of each."""
        ...


class Consensus(Protocol):
    """A method that joins the answers on every sentence."""

    @property
    def learns(self) -> bool:
        """Tell whether a fit changes anything; it does, unless a method says otherwise."""
        return True

    def fit(self, evidence: Evidence, before: Model | None = None) -> Model:
        """Learn from all evidence so far; experts' labels count as true, those of audits not.

        ``before`` is what the same method learned earlier, from the first part of the same
        evidence: fitting may go on from there. Evidence without sentences gives the model that
        nothing is known of.
        """
        ...


def goes_on(evidence: Evidence, begun: int) -> bool:
    """Tell whether to go on from a fit that began anew with so many sentences.

    What a model took for true when it had seen little it goes on to take for true, so a fit begins
    anew whenever there are twice as many sentences as at the last time.
    """
    return len(evidence.lengths) < 2 * begun


LEAST, GROWTH = 50, 0.15


def is_fit_due(seen: int, fitted: int) -> bool:
    """Tell whether to fit again: after 50 new sentences, later when there are 15 % more.

    So the work of all fits together grows with the number of sentences, not with its square.
    """
    return seen >= fitted + max(LEAST, GROWTH * fitted)
