"""The experts' queue: what needs them most comes first."""

from spancrew.campaign._events import Claimed
from spancrew.campaign._records import Question
from spancrew.campaign._state import State
from spancrew.campaign._values import Doubt


def in_order(state: State) -> list[Question]:
    """Return the queue: what workers wait for, then by the errors that are to be expected."""
    return sorted(
        state.questions.values(),
        key=lambda each: (each.purpose != "warm-up", -each.loss, each.since, each.sentence),
    )


def claim(state: State, expert: str, now: float) -> Claimed | None:
    """Lend an expert the first sentence that no other expert has; the one in hand comes again."""
    free = None
    for question in in_order(state):
        is_theirs = question.expert == expert
        if is_theirs and question.until > now:
            return Claimed(now, question.sentence, expert, question.until)
        if free is None and (is_theirs or question.until <= now):
            free = question
    if free is None:
        return None
    return Claimed(now, free.sentence, expert, now + state.plan.lease)


def doubt(question: Question) -> Doubt:
    """Return a question as a value."""
    return Doubt(
        question.sentence,
        question.loss,
        question.reason,
        question.purpose,
        question.since,
        question.expert,
    )
