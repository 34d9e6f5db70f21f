"""The paper's time steps: a crew, its groups, a sentence for each."""

from collections.abc import Collection, Iterator

import numpy as np

from spancrew.campaign._assigning import assigned, cost_of_sentence, is_payable
from spancrew.campaign._crew import chosen_crew, may_work, replacement, there
from spancrew.campaign._events import CrewChosen, Event, Recalled, StepEnded
from spancrew.campaign._records import InHand
from spancrew.campaign._state import State
from spancrew.policies import Groups, best_first, deal, dealing_order


def begin(state: State, available: Collection[int], now: float) -> list[Event]:
    """Choose the next crew, if the step before is over and enough workers are there."""
    if state.hand or not state.waiting or not _affordable(state):
        return []
    if any(state.workers[number].state == "new" for number in available):
        return []
    if state.ended < state.step:
        return [StepEnded(now, state.step)]
    if len(there(state, available)) < state.plan.answers:
        return []
    return [chosen_crew(state, available, now)]


def _affordable(state: State) -> int:
    """Return how many sentences can be begun with the money that is left."""
    cost = cost_of_sentence(state)
    most = _largest_crew(state) // state.plan.answers
    return sum(state.money.affords(cost * count) for count in range(1, most + 1))


def _largest_crew(state: State) -> int:
    """Return how many workers a crew may have."""
    size = state.plan.crew_size
    return len(state.workers) if size == "auto" else size


def groups(state: State, crew: CrewChosen) -> list[tuple[int, tuple[int, ...]]]:
    """Return the sentences of a step with the workers of each, in the order they are asked."""
    plan, size = state.plan, _largest_crew(state)
    members = np.full((1, size), -1)
    members[0, : len(crew.crew)] = crew.crew
    most = min(_affordable(state), size // plan.answers)
    found = Groups(
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty((most, plan.answers), np.int64),
    )
    last = min(state.taken + most, len(state.order))
    queue = state.order[None, :last].astype(np.int32)
    order = dealing_order(state.chance(crew.step), size)
    count = deal(members, order, queue, np.array([state.taken]), found)
    dealt = Groups(*(column[:count] for column in found))
    if plan.feedback.first is not None:
        dealt = best_first(dealt, state.standings)
    return list(zip(dealt.sentence.tolist(), map(tuple, dealt.crew.tolist()), strict=True))


def hand_out(state: State, crew: CrewChosen, now: float) -> Iterator[Event]:
    """Yield what is handed out to the groups of a step; each is to be applied before the next."""
    for place, (sentence, members) in enumerate(groups(state, crew)):
        for member in members[: state.plan.first]:
            yield place_of(state, sentence, member, (place, members), now)


def place_of(
    state: State, sentence: int, member: int, group: tuple[int, tuple[int, ...]], now: float
) -> Event:
    """Return that a member of a group is asked, or that their first answer counts."""
    place, members = group
    if state.workers[member].own == sentence:
        return Recalled(now, sentence, member, place, members)
    rank = state.crew.index(member) + 1 if member in state.crew else None
    crew = len(state.crew)
    group_ = list(members)
    return assigned(
        state, member, sentence, now, "crew", place=place, group=group_, rank=rank, crew=crew
    )


def next_members(state: State, available: Collection[int] | None, now: float) -> list[Event]:
    """Return who is asked next where a sentence of the step needs one more answer.

    That is the next of its group, else, where it is known who is there, a stand-in.
    """
    for sentence in state.needing:
        hand = state.hand[sentence]
        member = _next_of_group(state, hand)
        if member is None and available is not None:
            member = _stand_in(state, hand, available)
        if member is not None:
            group = hand.group, hand.crew
            return [place_of(state, sentence, member, group, now)]
    return []


def _next_of_group(state: State, hand: InHand) -> int | None:
    return next((member for member in hand.crew if _is_free(state, hand, member)), None)


def _stand_in(state: State, hand: InHand, available: Collection[int]) -> int | None:
    return replacement(state, [each for each in available if _is_free(state, hand, each)])


def _is_free(state: State, hand: InHand, number: int) -> bool:
    """Tell whether a worker can be asked about a sentence now."""
    worker = state.workers[number]
    if number in hand.away or worker.open or not may_work(state, worker):
        return False
    return is_payable(state, hand, worker)
