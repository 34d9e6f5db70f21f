"""What happens when answers and labels are corrected: all is as if it had been said at once.

What was asked and paid in between stays.
"""

import math

import numpy as np

from spancrew.campaign._apply_outcomes import note_reward, spans_of
from spancrew.campaign._correcting import rows_of
from spancrew.campaign._events import Corrected, Reanswered, Reopened
from spancrew.campaign._log import Held, Logged
from spancrew.campaign._records import Question
from spancrew.campaign._state import State
from spancrew.campaign._values import Remark
from spancrew.core import CodeArray
from spancrew.feedback import CorrectionCounts


def reanswered(state: State, event: Reanswered) -> None:
    """Put an answer in the place of the one that a worker gave before."""
    worker = state.workers[event.worker]
    worker.recent[event.assignment] = worker.recent[event.assignment]._replace(key=event.key)
    state.note_remark(event.assignment, Remark(event.unsure, event.note, event.flag))
    held = Held(event.worker, state.codes(event.sentence, event.spans), event.assignment)
    hand = state.hand.get(event.sentence)
    if hand is not None:
        hand.answers = [_instead(each, held) for each in hand.answers]
    state.unscored = [(sentence, _instead(each, held)) for sentence, each in state.unscored]
    if event.worker in state.warm:
        state.warm[event.worker] = _instead(state.warm[event.worker], held)


def _instead(before: Held, held: Held) -> Held:
    return held if before.assignment == held.assignment else before


def reopened(state: State, event: Reopened) -> None:
    """Ask an expert, who sees the labels that the sentence has."""
    state.money.put_aside(state.plan.prices.expert)
    state.questions[event.sentence] = Question(
        event.sentence, 0.0, None, "reopened", event.at, labels_of(state, event.sentence)
    )


def labels_of(state: State, sentence: int) -> tuple[tuple[int, int, str], ...]:
    """Return the labels that count of a sentence that has any."""
    place = np.flatnonzero(state.stated.sentence.all == sentence)
    if len(place) and sentence not in state.audited:
        return state.spans(state.stated.labels(state.material)[int(place[0])])
    known = state.known(sentence)
    return () if known is None else state.spans(known)


def corrected(state: State, event: Corrected) -> None:
    """Give a sentence other labels, and learn anew from everything."""
    sentence = event.sentence
    if state.questions.pop(sentence, None):
        # The campaign is over, and nobody answers this any more.
        state.audits.pop(sentence, None)
    codes = state.codes(sentence, spans_of(event.labels))
    _count(state, event)
    _show(state, event)
    state.experts_say[sentence] = codes
    # The order is that in which labels were given, and it tells an expert's last ones.
    state.expert_keys.pop(sentence, None)
    state.expert_keys[sentence] = event.who if event.by == "expert" else "", event.key
    state.corrections += 1
    _mend_evidence(state, event, codes)
    course = state.log.course
    people = np.where(state.people[course.worker], course.reward, np.nan)
    state.standings.relearn(course._replace(reward=people))
    _relearn_rewards(state, [worker for worker, _ in event.rewards])


def _count(state: State, event: Corrected) -> None:
    """Let the sentence be one of the experts', with as many spans as they found."""
    tally = state.tally
    if event.overruled:
        state.stated.drop(state.material, event.sentence)
        tally.crowd, tally.expert = tally.crowd - 1, tally.expert + 1
        tally.errors, tally.size = state.stated.sums
        tally.labelled += len(event.labels)
    elif _is_settled_by_expert(state, event.sentence):
        before = state.spans(state.experts_say[event.sentence])
        tally.labelled += len(event.labels) - len(before)


def _is_settled_by_expert(state: State, sentence: int) -> bool:
    """Tell whether an expert's labels are final; an answer to a warm-up may wait for its turn."""
    is_open = sentence in state.hand or sentence in state.order[state.taken :]
    return not is_open and sentence not in state.stated


def _show(state: State, event: Corrected) -> None:
    """Let the labels have been these when the rule learned how many errors to expect."""
    shown = state.shown.get(event.sentence)
    if shown is None:
        return
    before = set(state.spans(state.experts_say[event.sentence]))
    after, crowd = set(spans_of(event.labels)), set(shown.crowd)
    change = CorrectionCounts(len(after ^ crowd) - len(before ^ crowd), len(after) - len(before))
    state.doubts.correct(0, change, is_audit=shown.is_audit)


def _mend_evidence(state: State, event: Corrected, codes: CodeArray) -> None:
    rewards = dict(event.rewards)
    rows = [_mended(row, event, codes, rewards) for row in rows_of(state, event.sentence)]
    count = sum(state.log.sentence.all == event.sentence)
    state.log.correct(state.material, event.sentence, rows[:count])
    pending = iter(rows[count:])
    state.lessons = [
        each._replace(logged=next(pending)) if each.logged.sentence == event.sentence else each
        for each in state.lessons
    ]


def _mended(row: Logged, event: Corrected, codes: CodeArray, rewards: dict[int, float]) -> Logged:
    """Return a row with the labels that are known now, and with new rewards."""
    by_crowd = row.by_crowd and not event.overruled
    if by_crowd:
        return row if row.known is None else row._replace(known=codes)
    numbers = tuple(
        old if math.isnan(old) else rewards.get(held.worker, old)
        for held, old in zip(row.answers, row.rewards, strict=True)
    )
    return row._replace(known=codes, rewards=numbers, by_crowd=False)


def _relearn_rewards(state: State, workers: list[int]) -> None:
    """Add up the rewards of some workers once more, in the order in which they came."""
    for worker in workers:
        state.workers[worker].rewards.clear()
    log = state.log
    row = np.repeat(np.arange(len(log)), log.size.all)
    counts = np.isin(log.worker.all, workers) & ~np.isnan(log.reward.all)
    found = [
        (
            int(log.turn.all[k]),
            _decider(state, int(log.sentence.all[k]), log.by_crowd.all[k]),
            w,
            r,
        )
        for k, w, r in zip(
            row[counts].tolist(),
            log.worker.all[counts].tolist(),
            log.reward.all[counts].tolist(),
            strict=True,
        )
    ]
    for each in (lesson.logged for lesson in state.lessons):
        by = _decider(state, each.sentence, each.by_crowd)
        found += [
            (each.turn, by, held.worker, reward)
            for held, reward in zip(each.answers, each.rewards, strict=True)
            if held.worker in workers and not math.isnan(reward)
        ]
    for _, by, worker, reward in sorted(found, key=lambda each: each[0]):
        note_reward(state, worker, by, reward)


def _decider(state: State, sentence: int, by_crowd: bool) -> str:
    if by_crowd:
        return "crowd"
    return "expert" if sentence in state.experts_say else "gold"
