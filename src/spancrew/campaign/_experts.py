"""The experts' queue: what needs them most comes first."""

import math
from collections.abc import Sequence

from spancrew.campaign._brain import sheet_of
from spancrew.campaign._events import Claimed, Event, Scored, Settled
from spancrew.campaign._records import InHand, Question, is_up
from spancrew.campaign._state import State
from spancrew.campaign._values import Doubt, Taught
from spancrew.errors import ConflictError
from spancrew.metrics import agreement

_PUT_BACK = 0.0
"""Until when an expert has a sentence that they left to somebody else."""


def in_order(state: State) -> list[Question]:
    """Return the queue: what workers wait for, then by the errors that are to be expected."""
    return sorted(
        state.questions.values(),
        key=lambda each: (each.purpose != "warm-up", -each.loss, each.since, each.sentence),
    )


def first_for(state: State, expert: str, now: float) -> int | None:
    """Return the sentence in hand, else the first that nobody has; what they put back comes last.

    None if there is none.
    """
    free = []
    for each in in_order(state):
        if is_up(each.until, now, state.plan.lease):
            free.append(each)
        elif each.expert == expert:
            return each.sentence
    first = min(free, key=lambda each: _was_put_back(each, expert), default=None)
    return None if first is None else first.sentence


def _was_put_back(question: Question, expert: str) -> bool:
    return question.expert == expert and question.until == _PUT_BACK


def refuse_taken(state: State, sentence: int, expert: str, now: float) -> None:
    """Refuse a sentence that an expert wants but cannot have."""
    question = state.questions.get(sentence)
    if question is None:
        raise ConflictError(
            f"sentence {sentence} does not wait for an expert: another one may have been quicker"
        )
    if question.expert != expert and not is_up(question.until, now, state.plan.lease):
        raise ConflictError(
            f"another expert is at sentence {sentence}; take another one, or try again later"
        )


def claims(state: State, sentence: int, expert: str, now: float) -> list[Claimed]:
    """Lend a sentence to an expert, with more time if half of it is over; others are free again.

    Nothing happens if they have it and time enough.
    """
    lease, question = state.plan.lease, state.questions[sentence]
    given_up = [
        Claimed(now, each.sentence, expert, now)
        for each in state.questions.values()
        if each is not question and each.expert == expert and each.until > now
    ]
    if question.expert == expert and now + lease / 2 <= question.until <= now + 2 * lease:
        return given_up
    return [*given_up, Claimed(now, sentence, expert, now + lease)]


def put_back(state: State, sentence: int, expert: str, now: float) -> list[Claimed]:
    """Take a sentence back from an expert who leaves it to somebody else."""
    question = state.questions.get(sentence)
    if question is None or question.expert != expert or question.until <= now:
        return []
    return [Claimed(now, sentence, expert, _PUT_BACK)]


def means_of(state: State, sentence: int) -> dict[int, float | None]:
    """Return the mean rewards of those who answered on a sentence."""
    hand = state.hand.get(sentence)
    held = [*(hand.answers if hand else ()), *(h for s, h in state.unscored if s == sentence)]
    return {each.worker: _mean(state, each.worker) for each in held}


def _mean(state: State, worker: int) -> float | None:
    standings = state.standings
    return float(standings.mean[0, worker]) if standings.count[0, worker] else None


def taught(
    state: State, sentence: int, before: dict[int, float | None], events: Sequence[Event]
) -> tuple[Taught, ...]:
    """Return what events taught about the people who answered on a sentence."""
    rewards: dict[int, float | None] = {}
    for event in events:
        if isinstance(event, Scored) and event.sentence == sentence:
            rewards[event.worker] = event.reward
        elif isinstance(event, Settled) and event.sentence == sentence:
            # An answer of a warm-up was scored as such; here it teaches nothing.
            rewards = dict(event.rewards) | rewards
    counted = not state.lessons
    return tuple(
        Taught(worker, reward, before.get(worker), _mean(state, worker), counted)
        for worker, reward in rewards.items()
        if state.workers[worker].model is None
    )


def doubts(state: State, questions: Sequence[Question]) -> list[Doubt]:
    """Return questions as values, with how much the answers agree."""
    hands = [_hand(state, each) for each in questions]
    there = [hand for hand in hands if hand is not None]
    figures = iter(agreement(sheet_of(state.material, there).answers).tolist() if there else ())
    return [
        _doubt(question, hand, math.nan if hand is None else next(figures))
        for question, hand in zip(questions, hands, strict=True)
    ]


def _hand(state: State, question: Question) -> InHand | None:
    """Return the sentence in hand whose answers an expert is shown."""
    return state.hand.get(question.sentence) if question.purpose == "crew" else None


def _doubt(question: Question, hand: InHand | None, kappa: float) -> Doubt:
    return Doubt(
        question.sentence,
        question.loss,
        question.reason,
        question.purpose,
        question.since,
        question.expert if question.until else None,
        question.until,
        None if math.isnan(kappa) else kappa,
        None if hand is None else hand.errors,
        0 if hand is None else len(hand.answers),
    )
