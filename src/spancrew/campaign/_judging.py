"""What the feedback rule says of sentences whose answers are there, and how they are settled."""

import math
from collections.abc import Sequence

import numpy as np

from spancrew.campaign._audits import drawn
from spancrew.campaign._brain import AnswerSheet, Brain, sheet_of
from spancrew.campaign._events import (
    Event,
    FinalLabel,
    Judged,
    Outcome,
    Purpose,
    Scored,
    Settled,
    Spans,
)
from spancrew.campaign._log import Held
from spancrew.campaign._records import NOT_JUDGED, InHand
from spancrew.campaign._state import State
from spancrew.consensus import Beliefs, beliefs_of_people, by_people
from spancrew.core import CodeArray, FloatArray, Ragged
from spancrew.feedback import (
    Situation,
    Verdict,
    judge_with_others,
    rewards_of,
    sizes_of,
    weigh,
)

Rewards = tuple[tuple[int, float | None], ...]
"""Workers and what they learn."""


def ready_hands(state: State) -> list[InHand]:
    """Return the sentences that the rule looks at next, together.

    In a stream that is one sentence; in rounds all of the step, once nobody is at work on one.
    Where models come first, the rule looks at what they say before that.
    """
    if not state.ready:
        return []
    if state.plan.mode == "stream":
        return [state.hand[next(iter(state.ready))]]
    hands = [state.hand[each] for each in state.ready]
    begun = [hand for hand in hands if hand.judged == NOT_JUDGED]
    if not begun and (state.needing or any(hand.leases for hand in state.hand.values())):
        return []
    return sorted(begun or hands, key=lambda hand: hand.group)


def judge(state: State, brain: Brain, hands: Sequence[InHand], now: float) -> list[Event]:
    """Let the rule look, and settle what the crowd has decided."""
    sheet = sheet_of(state.material, hands)
    beliefs, said, by_others = _looked(state, brain, hands, sheet)
    verdict = _verdict(state, sheet, beliefs, hands)
    rewards = rewards_of(
        sheet.answers,
        verdict,
        state.plan.metric,
        np.full(len(sheet.answers), np.nan),
        lambda rows: said if by_others is None else by_others.take(rows),
    )
    sizes = sizes_of(beliefs)
    events: list[Event] = []
    for row, hand in enumerate(hands):
        crowd = state.spans(beliefs.labels[row])
        events.append(_judged(hand, verdict, beliefs, row, (float(sizes[row]), crowd, now)))
        if verdict.trusted[row]:
            own = rewards[sheet.answers.first[row] : sheet.answers.first[row + 1]]
            events += drawn(state, hand.sentence, now)
            learned = _learned(state, hand, own, said.labels[row]) if hand.answers else ()
            events.append(_settled_by_crowd(state, hand, beliefs, row, (learned, now)))
    return events


def _looked(
    state: State, brain: Brain, hands: Sequence[InHand], sheet: AnswerSheet
) -> tuple[Beliefs, Beliefs, Ragged | None]:
    """Return what all say of sentences, what people say, and what others say for every answer.

    The last is there if people are rewarded by it. Without models all of it is one look; where
    models come first, people have said nothing yet.
    """
    model, rule = brain.model(state), state.plan.feedback
    people = by_people(model)
    if not len(sheet.answers):
        beliefs = brain.judge(state, hands)
        return beliefs, beliefs, None
    if not rule.leave_one_out:
        beliefs = brain.judge(state, hands)
        return beliefs, beliefs_of_people(model, beliefs, sheet.answers, sheet.words), None
    said, by_others = judge_with_others(people, sheet.answers, sheet.lengths, sheet.words)
    return said if people is model else brain.judge(state, hands), said, by_others


def _verdict(
    state: State, sheet: AnswerSheet, beliefs: Beliefs, hands: Sequence[InHand]
) -> Verdict:
    none = np.zeros(len(hands), np.int64)
    left = np.array([max(state.plan.answers - len(hand.answers), 0) for hand in hands])
    before = None
    doubts = state.doubts
    if any(hand.errors is not None for hand in hands):
        # Where there was no look yet, None becomes NaN.
        before = np.array([hand.errors for hand in hands], np.float64)
        doubts = doubts._replace(turns=doubts.turns.copy())
    by_models = not len(sheet.answers)
    situation = Situation(doubts, none, left, state.prices, by_models)
    return weigh(state.plan.feedback, sheet.answers, beliefs, situation, before)


def _judged(
    hand: InHand,
    verdict: Verdict,
    beliefs: Beliefs,
    row: int,
    rest: tuple[float, Spans, float],
) -> Judged:
    size, crowd, now = rest
    outcome: Outcome = "crowd" if verdict.trusted[row] else "expert"
    if verdict.more[row]:
        outcome = "more"
    reason = float(verdict.reason[row])
    return Judged(
        now,
        hand.sentence,
        outcome,
        len(hand.answers),
        None if math.isnan(reason) else reason,
        float(beliefs.errors[row]),
        size,
        crowd,
        bool(beliefs.contested[row]),
    )


def _settled_by_crowd(
    state: State, hand: InHand, beliefs: Beliefs, row: int, rest: tuple[Rewards, float]
) -> Settled:
    learned, now = rest
    labels = beliefs.labels
    sure = beliefs.spans[labels.offsets[row] : labels.offsets[row + 1]]
    held = [*hand.ordered, *state.said_by_models(hand.sentence)]
    final = _final(state.spans(labels[row]), sure, held, state)
    confidence = float(np.clip(beliefs.confidence[row], 0.0, 1.0))
    return Settled(now, hand.sentence, "crowd", final, confidence, len(hand.answers), learned)


def settled_by_expert(state: State, sentence: int, now: float) -> Settled:
    """Settle a sentence with the labels of an expert; answers are scored against them."""
    known = state.experts_say[sentence]
    hand = state.hand.get(sentence)
    answers = hand.ordered if hand else []
    held = [*answers, *state.said_by_models(sentence)]
    final = _final(state.spans(known), np.ones(len(known)), held, state)
    learned = _learned(state, hand, scores(state, answers, known), known) if hand else ()
    return Settled(now, sentence, "expert", final, 1.0, len(answers), learned)


def scores(state: State, answers: Sequence[Held], known: CodeArray) -> FloatArray:
    """Return the F1 of answers on a sentence whose labels are known."""
    if not answers:
        return np.zeros(0)
    length = len(known)
    offsets = np.arange(len(answers) + 1) * length
    given = Ragged(np.concatenate([each.codes for each in answers]), offsets)
    truth = Ragged(np.asarray(known), np.array([0, length]))
    same = np.zeros(len(answers), np.int64)
    return state.plan.metric.pairs(given, truth, gold_rows=same)[:, 2]


def scored(state: State, now: float) -> list[Event]:
    """Score the answers on sentences whose labels have become known."""
    events: list[Event] = []
    for sentence, held in state.unscored:
        known = state.known(sentence)
        if known is not None:
            worker = state.workers[held.worker]
            purpose: Purpose = "warm-up" if worker.own == sentence else "gold"
            reward = float(scores(state, [held], known)[0])
            events.append(Scored(now, held.assignment, sentence, held.worker, purpose, reward))
    return events


def _learned(state: State, hand: InHand, rewards: FloatArray, labels: CodeArray) -> Rewards:
    """Return worker and reward; who repeats the answer of their warm-up learns nothing.

    After the people come the models, scored against the labels of people or experts.
    """
    found: list[tuple[int, float | None]] = []
    for held, reward in zip(hand.ordered, rewards.tolist(), strict=True):
        is_new = state.workers[held.worker].own != hand.sentence
        found.append((held.worker, reward if is_new and not math.isnan(reward) else None))
    by_models = state.said_by_models(hand.sentence)
    marks = scores(state, by_models, labels).tolist()
    return (*found, *((held.worker, mark) for held, mark in zip(by_models, marks, strict=True)))


def final_labels(state: State, spans: Spans, answers: Sequence[Held]) -> tuple[FinalLabel, ...]:
    """Return labels of which somebody is sure, each with the workers who marked it."""
    length = max((span[1] for span in spans), default=0)
    return _final(spans, np.ones(length), answers, state)


def _final(
    spans: Spans, sure: FloatArray, answers: Sequence[Held], state: State
) -> tuple[FinalLabel, ...]:
    """Return final labels, each with the workers who marked exactly this span."""
    marked = [(held.worker, set(state.spans(held.codes))) for held in answers]
    return tuple(
        FinalLabel(
            *span,
            float(np.clip(sure[span[0]], 0.0, 1.0)),
            tuple(worker for worker, own in marked if span in own),
        )
        for span in spans
    )
