"""Real answers in the order of their arrival: each decision knows only the past."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from spancrew.consensus import (
    Beliefs,
    Consensus,
    Evidence,
    has_hired,
    heard,
    is_fit_due,
    revision,
    taken,
    together,
)
from spancrew.core import BoolArray, Dataset, FloatArray, IntArray, Ragged, offsets_of
from spancrew.errors import SpancrewError
from spancrew.simulate._gates import Gate

STEP = 20
"""Sentences that are decided at a time; what was seen in one step counts in the next."""


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Sentences with answers in the order of their arrival; gold is what the expert would say."""

    evidence: Evidence
    gold: Ragged

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.gold)

    def take(self, order: IntArray) -> "Arrivals":
        """Return the sentences in another order."""
        return Arrivals(self.evidence.take(order), self.gold.take(order))


class DrawnAudits(NamedTuple):
    """Which of the sentences that the crowd settles an expert labels blind.

    All those whose number in ``luck``, drawn evenly from 0 to 1, is below ``share``.
    """

    share: float
    luck: FloatArray

    @classmethod
    def none(cls, sentences: int) -> Self:
        """Return that nothing is audited."""
        return cls(0.0, np.ones(sentences))


class Streamed(NamedTuple):
    """What was decided on sentences, in the order of their arrival.

    ``asked`` tells on which the expert was asked, ``audited`` which of the others the expert
    labelled blind. ``stated`` are the labels that the crowd's answers made on arrival,
    ``confidence`` how sure they were; both also where the expert was asked. ``settled`` are the
    labels with the expert's in place of these, ``final`` the same after the method has judged
    once more with all that it has learned to the end, if audits do not show that this is worse.
    ``has_hired`` tells whether the method heard a tagger in the end.
    """

    asked: BoolArray
    audited: BoolArray
    stated: Ragged
    confidence: FloatArray
    settled: Ragged
    final: Ragged
    has_hired: bool


def arrivals_of(dataset: Dataset) -> Arrivals:
    """Return the sentences that have gold and an answer; refuse a data set without any."""
    chosen = np.flatnonzero(dataset.has_gold & (dataset.answers.per_sentence > 0))
    if not len(chosen):
        missing = "gold" if len(dataset.answers) else "answers"
        if len(dataset.answers) and dataset.has_gold.any():
            missing = "gold and answers together"
        raise SpancrewError(
            f"no sentence has {missing}: a frontier needs workers' answers, and gold to stand for "
            "the expert"
        )
    return Arrivals(Evidence.of(dataset).take(chosen), dataset.gold.take(chosen))


def stream(
    arrivals: Arrivals, method: Consensus, gate: Gate, audits: DrawnAudits | None = None
) -> Streamed:
    """Take sentences as they arrive, and decide on each with what was learned before.

    Where the expert is asked, gold is the answer, and the method learns from it; from audits it
    learns no more than how sure to be. It is fitted again whenever that is due, and anew at the
    end, without audits, as if all had been there from the start.
    """
    audits = DrawnAudits.none(len(arrivals)) if audits is None else audits
    method = heard(method, arrivals.evidence)
    asked, audited = np.zeros((2, len(arrivals)), bool)
    parts: list[Beliefs] = []
    model = method.fit(_past(arrivals, asked[:0]))
    for part in _parts(len(arrivals)) if method.learns else [slice(0, len(arrivals))]:
        some = arrivals.evidence.take(np.arange(part.start, part.stop))
        beliefs = model.judge(some.answers, some.lengths, some.words)
        asked[part] = _asked(gate, part, some, beliefs)
        audited[part] = ~asked[part] & (audits.luck[part] < audits.share)
        parts.append(beliefs)
        if method.learns and part.stop < len(arrivals):
            past = _past(arrivals, asked[: part.stop])
            model = method.fit(_audited(past, arrivals, audited, audits.share), model)
    judged = together(parts)
    everything = _audited(_past(arrivals, asked), arrivals, audited, audits.share)
    extra = np.concatenate([np.arange(len(arrivals)), np.flatnonzero(audited)])
    revised = revision(method, everything, judged.labels.take(extra))
    final = revised.labels
    by_expert = asked | audited
    return Streamed(
        asked,
        audited,
        judged.labels,
        judged.confidence,
        _with_expert(arrivals.gold, by_expert, judged.labels),
        _with_expert(arrivals.gold, by_expert, final.take(np.arange(len(arrivals)))),
        revised.model is not None and has_hired(revised.model),
    )


def _parts(sentences: int) -> Iterator[slice]:
    """Yield what is judged between two fits: whole steps until the next one is due."""
    fitted = 0
    while fitted < sentences:
        seen = min(fitted + STEP, sentences)
        while seen < sentences and not is_fit_due(seen, fitted):
            seen = min(seen + STEP, sentences)
        yield slice(fitted, seen)
        fitted = seen


def _asked(gate: Gate, part: slice, some: Evidence, beliefs: Beliefs) -> BoolArray:
    """Decide step by step; the model is the same for all of them."""
    found = []
    for first in range(part.start, part.stop, STEP):
        place = slice(first, min(first + STEP, part.stop))
        rows = np.arange(place.start, place.stop) - part.start
        answers = some.take(rows).of_people().answers
        found.append(gate.asks(place, answers, taken(beliefs, rows)))
    return np.concatenate(found)


def _past(arrivals: Arrivals, asked: BoolArray) -> Evidence:
    """Return what is known of the first sentences: their answers, and what the expert said."""
    gold = arrivals.gold.take(np.flatnonzero(asked))
    lengths = np.zeros(len(asked), np.int64)
    lengths[asked] = gold.lengths
    seen = arrivals.evidence.take(np.arange(len(asked)))
    return replace(seen, known=Ragged(gold.values, offsets_of(lengths)))


def _audited(past: Evidence, arrivals: Arrivals, audited: BoolArray, share: float) -> Evidence:
    """Return the past with a further row for each audited sentence."""
    seen = len(past.lengths)
    extra = np.flatnonzero(audited[:seen])
    if not len(extra) or past.known is None:
        return past
    more = arrivals.evidence.take(np.concatenate([np.arange(seen), extra]))
    gold = arrivals.gold.take(extra)
    lengths = np.concatenate([past.known.lengths, gold.lengths])
    is_audit = np.arange(len(lengths)) >= seen
    return replace(
        more,
        known=Ragged(np.concatenate([past.known.values, gold.values]), offsets_of(lengths)),
        weight=np.where(is_audit, 1 / share, 1.0),
        audit=is_audit,
    )


def _with_expert(gold: Ragged, by_expert: BoolArray, crowd: Ragged) -> Ragged:
    """Return gold where an expert has labelled the sentence, and else the crowd's labels."""
    values = gold.values.copy()
    others = np.repeat(~by_expert, gold.lengths)
    values[others] = crowd.values[others]
    return Ragged(values, gold.offsets)
