"""What happens to sentences: judged, settled, learned from."""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from spancrew.campaign._events import (
    AuditDrawn,
    Audited,
    Claimed,
    ExpertAnswered,
    FinalLabel,
    Fitted,
    Judged,
    Scored,
    Settled,
    Spans,
    StepEnded,
)
from spancrew.campaign._log import Logged, Said
from spancrew.campaign._records import InHand, OpenAudit, Question
from spancrew.campaign._state import SentenceLesson, Shown, State
from spancrew.feedback import Labelled, Verdict
from spancrew.policies import LEARNED, NOBODY

_RUN = np.zeros(1, np.int64)


def judged(state: State, event: Judged) -> None:
    """Keep what the rule said, and ask whom it wants to be asked."""
    hand = state.hand[event.sentence]
    errors = np.array([event.errors])
    if hand.errors is not None:
        state.doubts.learn_answer(_RUN, np.array([hand.errors]), errors)
    if state.plan.feedback.needs_probabilities:
        verdict = Verdict(
            np.array([event.outcome == "crowd"]), errors, np.array([event.outcome == "more"])
        )
        state.doubts.add(_RUN, errors, np.array([2.0 * len(event.crowd)]), verdict)
    hand.judged, hand.errors = event.answers, event.errors
    hand.size, hand.crowd = event.size, event.crowd
    if event.outcome == "more":
        hand.wanted = event.answers + 1
    elif event.outcome == "expert":
        hand.is_at_expert = True
        _ask_expert(state, event)
    else:
        state.tally.errors += event.errors
        state.tally.size += event.size
    state.look_at(hand)


def _ask_expert(state: State, event: Judged) -> None:
    if event.sentence in state.experts_say:
        state.settling[event.sentence] = None
        return
    question = state.questions.get(event.sentence)
    if question is not None:
        question.loss, question.reason = event.errors, event.reason
        question.crowd = event.crowd
        return
    state.questions[event.sentence] = Question(
        event.sentence, event.errors, event.reason, "crew", event.at, event.crowd
    )


def claimed(state: State, event: Claimed) -> None:
    """Lend a question to an expert."""
    question = state.questions[event.sentence]
    question.expert, question.until = event.expert, event.until


def expert_answered(state: State, event: ExpertAnswered) -> None:
    """Apply an expert's answer."""
    question = state.questions.pop(event.sentence)
    state.expert_answers += 1
    state.money.pay_expert(event.paid)
    state.expert_keys[event.sentence] = event.expert, event.key
    if question.purpose == "reopened":
        # What they said is a correction, and that is an event of its own.
        state.money.put_aside(-state.plan.prices.expert)
        return
    state.experts_say[event.sentence] = state.codes(event.sentence, event.spans)
    hand = state.hand.get(event.sentence)
    if question.purpose == "audit":
        state.auditing[event.sentence] = None
    elif (hand and hand.is_at_expert) or event.sentence == state.warm_sentence:
        state.settling[event.sentence] = None
    if question.purpose == "warm-up" or hand is None:
        state.money.put_aside(-state.plan.prices.expert)
    else:
        state.money.put_aside(-hand.for_expert)
        hand.for_expert = 0.0


def settled(state: State, event: Settled) -> None:
    """Give a sentence its final labels, and learn from it."""
    _count(state, event)
    state.settling.pop(event.sentence, None)
    by_models = state.said_by_models(event.sentence)
    state.by_models.pop(event.sentence, None)
    hand = state.hand.pop(event.sentence, None)
    if hand is None:
        return
    state.needing.pop(event.sentence, None)
    state.ready.pop(event.sentence, None)
    state.money.put_aside(-hand.aside - hand.for_expert)
    _free_pending(state, hand)
    by_crowd = event.by == "crowd"
    if by_crowd:
        _note_stated(state, hand, event)
    elif hand.errors is not None and state.plan.feedback.needs_probabilities:
        state.doubts.learn_expert(_RUN, _labelled(hand, hand.errors, spans_of(event.labels)))
        state.shown[event.sentence] = Shown(hand.crowd, is_audit=False)
    _note_rewards(state, event)
    held, known = (*hand.ordered, *by_models), state.experts_say.get(event.sentence)
    rewards = _numbers([reward for _, reward in event.rewards], len(held))
    row = Logged(event.sentence, held, known, rewards, state.version, by_crowd)
    _take_in(state, SentenceLesson(hand.group, row))


def _take_in(state: State, lesson: SentenceLesson) -> None:
    state.lessons.append(lesson)
    if state.plan.mode == "stream":
        _learn(state)


def _numbers(rewards: Sequence[float | None], count: int) -> tuple[float, ...]:
    """Return a reward for every answer, NaN where nothing is learned."""
    there = [math.nan if each is None else each for each in rewards]
    return (*there, *[math.nan] * (count - len(there)))


def spans_of(labels: Iterable[FinalLabel]) -> Spans:
    """Return final labels as spans."""
    return tuple((each.start, each.end, each.label) for each in labels)


def _labelled(said: InHand | OpenAudit, expected: float, true: Spans) -> Labelled:
    """Return what an expert found of what was said of a sentence."""
    found, size = len(set(said.crowd) ^ set(true)), 2 * len(said.crowd)
    return Labelled(*(np.array([float(each)]) for each in (expected, found, size, len(true))))


def _note_stated(state: State, hand: InHand, event: Settled) -> None:
    """Keep what was stated of a sentence of the crowd, for its audit."""
    chance = [each.confidence for each in event.labels]
    codes = state.codes(event.sentence, spans_of(event.labels))
    said = Said(hand.size - len(chance), hand.errors or 0.0)
    state.stated.append(event.sentence, codes, chance, said)


def audit_drawn(state: State, event: AuditDrawn) -> None:
    """Ask an expert who sees no answer; the money for an expert on the sentence is for this."""
    hand = state.hand.get(event.sentence)
    state.money.put_aside(state.plan.prices.expert)
    audit = OpenAudit(1 / event.probability, state.step)
    if hand is not None:
        state.money.put_aside(-hand.for_expert)
        hand.for_expert = 0.0
        held = (*hand.ordered, *state.said_by_models(event.sentence))
        audit = OpenAudit(*audit[:2], hand.group, hand.errors or 0.0, hand.size, hand.crowd, held)
    state.audits[event.sentence] = audit
    state.questions[event.sentence] = Question(event.sentence, event.loss, None, "audit", event.at)


def audited(state: State, event: Audited) -> None:
    """Give a sentence of the crowd the labels of an expert, and learn how good the crowd is."""
    state.auditing.pop(event.sentence)
    audit = state.audits.pop(event.sentence)
    state.audited[event.sentence] = None
    state.tally.audited += 1
    if not audit.answers:
        return
    state.doubts.learn_audit(_RUN, _labelled(audit, audit.errors, event.spans))
    state.shown[event.sentence] = Shown(audit.crowd, is_audit=True)
    said = (audit.answers, state.experts_say[event.sentence], _numbers((), len(audit.answers)))
    row = Logged(event.sentence, *said, state.version, by_crowd=False, weight=audit.weight)
    _take_in(state, SentenceLesson(audit.group, row, audit.step))


def _count(state: State, event: Settled) -> None:
    tally = state.tally
    setattr(tally, event.by, getattr(tally, event.by) + 1)
    if event.by == "expert":
        tally.labelled += len(event.labels)


def _free_pending(state: State, hand: InHand) -> None:
    for held in hand.answers:
        if state.workers[held.worker].own != hand.sentence:
            state.standings.pending[0, held.worker] -= 1


def _note_rewards(state: State, event: Settled) -> None:
    for worker, reward in event.rewards:
        if reward is not None:
            note_reward(state, worker, event.by, reward)


def note_reward(state: State, worker: int, by: str, reward: float) -> None:
    """Count a reward by who decided on the labels it was measured against."""
    count, total = state.workers[worker].rewards.get(by, (0, 0.0))
    state.workers[worker].rewards[by] = count + 1, total + reward


def scored(state: State, event: Scored) -> None:
    """Learn from a single answer on a sentence whose labels are known."""
    worker = state.workers[event.worker]
    place = next(
        k for k, (_, held) in enumerate(state.unscored) if held.assignment == event.assignment
    )
    _, held = state.unscored.pop(place)
    by = "expert" if event.sentence in state.experts_say else "gold"
    note_reward(state, event.worker, by, event.reward)
    if event.purpose == "warm-up":
        state.standings.time += 1
        if worker.state == "new":
            worker.state = "ready"
        elif worker.before == "new":
            worker.before = "ready"
    known = state.known(event.sentence)
    row = Logged(event.sentence, (held,), known, (event.reward,), state.version)
    _take_in(state, SentenceLesson(event.worker, row))


def step_ended(state: State, event: StepEnded) -> None:
    """Learn from all sentences of a step, in the order of its groups."""
    state.ended = event.step
    _learn(state)


def _learn(state: State) -> None:
    """Learn from audits of steps before, then from the sentences of this step in their order."""
    is_stream = state.plan.mode == "stream"
    due = [each for each in state.lessons if is_stream or each.step < state.ended]
    state.lessons = [each for each in state.lessons if not (is_stream or each.step < state.ended)]
    by_place = [each.logged for each in sorted(due, key=lambda lesson: lesson.place)]
    for audit in (each for each in by_place if each.weight):
        state.log.append(audit)
    rows = [each for each in by_place if not each.weight]
    first = len(state.log)
    for row in rows:
        state.log.append(row)
    state.log.what.extend([*range(first, len(state.log)), LEARNED])
    width = max((len(row.answers) for row in rows), default=0)
    crew = np.full((len(rows), width), NOBODY)
    rewards = np.full((len(rows), width), np.nan)
    for k, row in enumerate(rows):
        crew[k, : len(row.answers)] = [held.worker for held in row.answers]
        rewards[k, : len(row.answers)] = row.rewards
    # Standings learn nothing about models, which have no seat in a crew.
    rewards[~state.people[crew]] = np.nan
    state.standings.learn(np.zeros(len(rows), np.int64), crew, rewards)


def fitted(state: State, event: Fitted) -> None:
    """Note that the method was fitted."""
    state.fits.append(event)
