"""What the consensus method has learned so far, and what it makes of answers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from spancrew.campaign._events import Fitted, Spans
from spancrew.campaign._log import Held
from spancrew.campaign._material import Material
from spancrew.campaign._records import InHand
from spancrew.campaign._state import State
from spancrew.consensus import (
    Beliefs,
    Evidence,
    Model,
    are_heard,
    heard,
    hearing_models_alone,
    is_worse,
    models_of,
)
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
        self._corrections = 0

    def model(self, state: State) -> Model:
        """Return the model after all fits so far."""
        if self._model is None or self._fits > len(state.fits) or self._is_stale(state):
            self._model, self._fits = fit(state, Fitted(0.0, 0, len(state.workers)), None), 0
            self._corrections = state.corrections
        while self._fits < len(state.fits):
            self._model = fit(state, state.fits[self._fits], self._model)
            self._fits += 1
        return self._model

    def _is_stale(self, state: State) -> bool:
        """Tell whether labels were corrected that the model has learned from."""
        return self._corrections != state.corrections

    def knows(self, state: State) -> bool:
        """Tell whether the model after all fits so far is here."""
        is_there = self._model is not None and not self._is_stale(state)
        return is_there and self._fits == len(state.fits)

    def install(self, model: Model, state: State) -> None:
        """Use a model that was fitted elsewhere, after all fits so far."""
        self._model, self._fits, self._corrections = model, len(state.fits), state.corrections

    def judge(self, state: State, hands: Sequence[InHand]) -> Beliefs:
        """Join the answers on sentences, with those of the models that were there at the fit."""
        model = judging_model(state, self.model(state))
        known = models_of(model)
        beside = [
            [each for each in state.said_by_models(hand.sentence) if each.worker in known]
            for hand in hands
        ]
        sheet = sheet_of(state.material, hands, beside)
        return model.judge(sheet.answers, sheet.lengths, sheet.words)

    def hears_models_on(self, state: State, sentence: int) -> bool:
        """Tell whether models are heard on a sentence that no person has answered."""
        model = hearing_models_alone(self.model(state))
        sheet = _without_people(state, model, sentence)
        return bool(are_heard(model, sheet.answers, sheet.words)[0])

    def suggestion(self, state: State, sentence: int) -> Spans | None:
        """Return what models say of a sentence without any person; None if none is heard."""
        model = hearing_models_alone(self.model(state))
        sheet = _without_people(state, model, sentence)
        if not are_heard(model, sheet.answers, sheet.words)[0]:
            return None
        return state.spans(model.judge(sheet.answers, sheet.lengths, sheet.words).labels[0])


def _without_people(state: State, model: Model, sentence: int) -> AnswerSheet:
    """Return the answers that models gave on a sentence, as far as they were there at the fit."""
    known = models_of(model)
    said = [each for each in state.said_by_models(sentence) if each.worker in known]
    return sheet_of(state.material, [InHand(sentence, 0, 0, 0.0, 0.0, 0.0)], [said])


def judging_model(state: State, model: Model) -> Model:
    """Return the model that judges; where models come first, they are heard without people."""
    return hearing_models_alone(model) if state.plan.models_first else model


def fit(state: State, fitted: Fitted, before: Model | None) -> Model:
    """Return what the method learns from the evidence of a fit."""
    seen = evidence(state, fitted)
    return heard(state.plan.joins, seen).fit(seen, before)


def evidence(state: State, fitted: Fitted) -> Evidence:
    """Return what a fit learns from; what happens later does not change it."""
    material = state.material.first(fitted.sentences or state.opened)
    found = state.log.evidence(material, fitted.seen, fitted.workers)
    models = ~state.people[: fitted.workers]
    if models.any():
        found = replace(found, models=models)
    if state.plan.kind == "spans":
        return found
    return replace(found, kind="choices", scale=state.material.labels.is_scale)


def sheet_of(
    material: Material, hands: Sequence[InHand], beside: Sequence[Sequence[Held]] = ()
) -> AnswerSheet:
    """Return the answers of people on sentences in hand, and those that models gave beside."""
    sentence = np.array([hand.sentence for hand in hands], np.int64)
    more = beside or [()] * len(hands)
    sheets = [[*hand.ordered, *each] for hand, each in zip(hands, more, strict=True)]
    held = [each for sheet in sheets for each in sheet]
    row = np.repeat(np.arange(len(hands), dtype=np.int32), [len(sheet) for sheet in sheets])
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
    learns nothing, or where models settled sentences alone that are not heard any more.
    """
    rows = len(state.log)
    if not state.plan.method.learns or not rows:
        return None
    everything = evidence(
        state, Fitted(0.0, rows, len(state.workers), len(state.material))
    ).for_fit()
    is_own = state.log.weight.all == 0
    by_crowd = np.flatnonzero(state.log.by_crowd.all[is_own])
    model = judging_model(state, heard(state.plan.joins, everything).fit(everything))
    part = everything.take(by_crowd)
    if state.plan.models_first and not are_heard(model, part.answers, part.words).all():
        return None
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
