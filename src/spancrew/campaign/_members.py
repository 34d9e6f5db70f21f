"""What models are asked: beside the people, and before them where they can."""

from collections.abc import Iterator

from spancrew.campaign._assigning import assigned
from spancrew.campaign._events import Event
from spancrew.campaign._records import WorkerRecord
from spancrew.campaign._state import State
from spancrew.campaign._values import Waiting

_AHEAD = 50
"""Sentences that models may answer before people get them."""


def work(state: State, worker: WorkerRecord, now: float) -> list[Event] | Waiting:
    """Give a model a sentence that people are at, or get next."""
    if not state.money.affords(worker.price):
        return Waiting("the budget is spent", 60.0)
    for sentence in _in_turn(state):
        if _may_get(state, worker, sentence):
            return [assigned(state, worker.number, sentence, now, "member")]
    return Waiting("no sentence needs a model now", 2.0)


def _in_turn(state: State) -> Iterator[int]:
    """Yield the sentences that models can be asked about, the most urgent first.

    That is what people are at, else what they get next; the other way round if models come first.
    """
    in_hand = [each for each, hand in state.hand.items() if not hand.is_at_expert]
    coming = list(map(int, state.order[state.taken : state.taken + _AHEAD]))
    yield from coming + in_hand if state.plan.models_first else in_hand + coming
    yield from (each for each, hand in state.hand.items() if hand.is_at_expert)


def _may_get(state: State, worker: WorkerRecord, sentence: int) -> bool:
    most, done = state.plan.members, state.by_models.get(sentence)
    if done is None:
        return most is None or most > 0
    return worker.number not in done.away and (most is None or done.taken < most)
