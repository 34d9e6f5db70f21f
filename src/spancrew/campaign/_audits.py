"""Audits: an expert labels some of the crowd's sentences without seeing any answer."""

import numpy as np

from spancrew.campaign._events import AuditDrawn, Audited
from spancrew.campaign._state import State
from spancrew.feedback import still_to_audit


def drawn(state: State, sentence: int, now: float) -> list[AuditDrawn]:
    """Return whether a sentence that the crowd settles is audited.

    One whose labels an expert has given, or has been asked for, needs no audit.
    """
    chance = state.audit_chance
    is_asked = sentence in state.experts_say or sentence in state.questions
    if is_asked or state.lots[sentence] >= chance:
        return []
    return [AuditDrawn(now, sentence, chance, _loss(state))]


def added(state: State, now: float) -> list[AuditDrawn]:
    """Return what is audited in addition when all sentences are settled, as far as money goes."""
    chance = state.audit_chance
    if not chance:
        return []
    stated = state.stated.sentence.all
    is_open = np.array([s not in state.experts_say for s in stated.tolist()], bool)
    is_drawn = np.array([s in state.audited for s in stated.tolist()], bool)
    crowd = np.flatnonzero(is_open | is_drawn)
    has_grown = len(state.material) > state.opened
    audits = chance if has_grown else state.plan.audits
    missing = still_to_audit(audits, state.lots[stated[crowd]], is_drawn[crowd])
    sentences = stated[crowd[missing]].tolist()
    payable = sum(
        state.money.affords((k + 1) * state.plan.prices.expert) for k in range(len(sentences))
    )
    return [AuditDrawn(now, sentence, chance, 0.0) for sentence in sentences[:payable]]


def audited(state: State, sentence: int, now: float) -> Audited:
    """Return that an expert has labelled a sentence of the crowd."""
    return Audited(now, sentence, state.spans(state.experts_say[sentence]))


def _loss(state: State) -> float:
    """Return a place in the middle of the experts' queue."""
    losses = [each.loss for each in state.questions.values() if each.purpose == "crew"]
    return sum(losses) / len(losses) if losses else 0.0
