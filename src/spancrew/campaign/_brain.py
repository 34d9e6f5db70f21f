"""What the consensus method has learned so far, and what it makes of answers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from spancrew.campaign._events import Fitted, Spans
from spancrew.campaign._material import Material
from spancrew.campaign._records import InHand
from spancrew.campaign._state import State
from spancrew.consensus import Beliefs, Evidence, Model, is_worse
from spancrew.core import Answers, IntArray, Ragged, offsets_of


class AnswerSheet(NamedTuple):
    """The answers on some sentences, as consensus methods and rules want them."""

    answers: Answers
    lengths: IntArray
    words: Ragged


class Brain:
    """The model in use. It follows from the journal, so that it is made only when it is needed."""

    def __init__(self) -> None:
        self._model: Model | None = None
        self._fits = 0

    def model(self, state: State) -> Model:
        """Return the model after all fits so far."""
        if self._model is None or self._fits > len(state.fits):
            self._model, self._fits = fit(state, Fitted(0.0, 0, len(state.workers)), None), 0
        while self._fits < len(state.fits):
            self._model = fit(state, state.fits[self._fits], self._model)
            self._fits += 1
        return self._model

    def knows(self, fits: int) -> bool:
        """Tell whether the model after this number of fits is here."""
        return self._model is not None and self._fits == fits

    def install(self, model: Model, fits: int) -> None:
        """Use a model that was fitted elsewhere."""
        self._model, self._fits = model, fits

    def judge(self, state: State, sheet: AnswerSheet) -> Beliefs:
        """Join the answers on sentences."""
        return self.model(state).judge(sheet.answers, sheet.lengths, sheet.words)


def fit(state: State, fitted: Fitted, before: Model | None) -> Model:
    """Return what the method learns from the evidence of a fit."""
    return state.plan.joins.fit(evidence(state, fitted), before)


def evidence(state: State, fitted: Fitted) -> Evidence:
    """Return what a fit learns from; what happens later does not change it."""
    found = state.log.evidence(state.material, fitted.seen, fitted.workers)
    if state.plan.kind == "spans":
        return found
    return replace(found, kind="choices", scale=state.material.labels.is_scale)


def sheet_of(material: Material, hands: Sequence[InHand]) -> AnswerSheet:
    """Return the answers on sentences in hand."""
    sentence = np.array([hand.sentence for hand in hands], np.int64)
    held = [each for hand in hands for each in hand.ordered]
    row = np.repeat(np.arange(len(hands), dtype=np.int32), [len(hand.answers) for hand in hands])
    lengths = material.lengths[sentence]
    empty = np.zeros(0, material.labels.dtype)
    codes = np.concatenate([empty, *(each.codes for each in held)])
    workers = np.array([each.worker for each in held], np.int32)
    answers = Answers(row, workers, Ragged(codes, offsets_of(lengths[row])), len(hands))
    return AnswerSheet(answers, lengths, material.words.take(sentence))


class Revision(NamedTuple):
    """The sentences that the crowd settled, judged once more."""

    sentence: IntArray
    beliefs: Beliefs


def revision(state: State) -> Revision | None:
    """Judge the sentences that the crowd settled once more.

    The method learns anew from all there is, so that labels do not depend on what it took for
    true when it had seen little, and without audits, so that these tell how good the labels are.
    Where audits show that this makes labels worse, nothing is revised; nor is it by a method that
    learns nothing.
    """
    rows = len(state.log)
    if not state.plan.method.learns or not rows:
        return None
    everything = evidence(state, Fitted(0.0, rows, len(state.workers))).for_fit()
    is_own = state.log.weight.all == 0
    by_crowd = np.flatnonzero(state.log.by_crowd.all[is_own])
    model = state.plan.joins.fit(everything)
    part = everything.take(by_crowd)
    sentence = state.log.sentence.all[is_own][by_crowd].astype(np.int64)
    found = Revision(sentence, model.judge(part.answers, part.lengths, part.words))
    return None if _makes_worse(state, found) else found


def _makes_worse(state: State, found: Revision) -> bool:
    """Tell whether experts who audited sentences liked the labels better as they were settled."""
    place = {sentence: row for row, sentence in enumerate(found.sentence.tolist())}
    stated = state.stated.sentence.all.tolist()
    rows = [row for row, each in enumerate(stated) if each in state.audited and each in place]
    if not rows:
        return False
    audited = [stated[row] for row in rows]
    return is_worse(
        Ragged.of([state.experts_say[each].tolist() for each in audited]),
        state.stated.labels(state.material).take(np.array(rows)),
        found.beliefs.labels.take(np.array([place[each] for each in audited])),
    )


def revised(state: State) -> dict[int, Spans]:
    """Return the labels of the sentences that the crowd settled, judged once more.

    Audited sentences have the labels of the expert.
    """
    found = revision(state)
    if found is None:
        return {}
    return {
        sentence: state.spans(found.beliefs.labels[row])
        for row, sentence in enumerate(found.sentence.tolist())
        if sentence not in state.audited
    }
