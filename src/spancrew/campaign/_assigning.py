"""Who gets which sentence."""

from collections.abc import Collection, Iterator
from typing import Any

from spancrew.campaign._crew import (
    chosen_crew,
    is_capped,
    is_left_out,
    may_work,
    there,
    weak_among,
)
from spancrew.campaign._events import Assigned, Event, Extended, Purpose, Recalled
from spancrew.campaign._records import InHand, WorkerRecord
from spancrew.campaign._state import State
from spancrew.campaign._values import Waiting
from spancrew.policies import own_sentences

_GOLD = 8
"""The use of chance that says whether an assignment is a sentence with known labels, and which."""


def assigned(
    state: State, worker: int, sentence: int, now: float, purpose: Purpose, **reason: Any
) -> Assigned:
    """Return the event that a worker gets a sentence."""
    price, extra = state.workers[worker].price, 0.0
    if purpose == "crew" and sentence in state.hand:
        extra = state.hand[sentence].beyond(price)
    standing = {
        "step": state.step,
        "scored": float(state.standings.count[0, worker]),
        "mean": float(state.standings.mean[0, worker]),
        "seed": state.plan.seed,
    }
    return Assigned(
        now,
        state.assignments + 1,
        sentence,
        worker,
        now + state.plan.lease,
        purpose,
        {**standing, **{name: value for name, value in reason.items() if name != "place"}},
        int(reason.get("place", 0)),
        extra,
    )


def stands_off(state: State, worker: WorkerRecord) -> Waiting | None:
    """Say why a worker cannot be given anything now; None if they can."""
    if state.phase == "finished":
        return Waiting("the campaign is over", over=True, code="over")
    if worker.state == "paused":
        return Waiting("you are paused", 60.0, code="paused")
    if worker.state == "banned":
        return Waiting("you are banned", 60.0, over=True, code="banned")
    if is_capped(state, worker):
        return _capped()
    if state.phase != "running":
        return Waiting("the campaign has a pause", 30.0, code="campaign_paused")
    return None


def _capped() -> Waiting:
    return Waiting("you have given as many answers as you may", over=True, code="capped")


def warm_up(state: State, worker: WorkerRecord, now: float) -> list[Event] | Waiting:
    """Give a new worker the sentence that they start with."""
    if worker.open:
        return Waiting("answer your first sentence before the next one", 5.0, code="first")
    if any(held.worker == worker.number for _, held in state.unscored):
        return Waiting("your first answer is being looked at", 10.0)
    for lease in state.late.values():
        if lease.worker == worker.number and lease.purpose == "warm-up":
            return [Extended(now, lease.number, now + state.plan.lease)]
    sentence = _first_sentence(state, worker)
    if sentence is None:
        return Waiting("there is nothing to begin with", 30.0)
    expert = state.known(sentence) is None and sentence not in state.questions
    cost = worker.price + (state.plan.prices.expert if expert else 0.0)
    if not state.money.affords(cost):
        return Waiting("the budget is spent", 60.0)
    return [assigned(state, worker.number, sentence, now, "warm-up")]


def _first_sentence(state: State, worker: WorkerRecord) -> int | None:
    """Return what a worker starts with: a sentence of their own, or one that serves all."""
    if state.plan.warm_up == "own":
        size = len(state.material)
        return int(own_sentences(state.chance(0), worker.number + 1, size)[0, -1])
    known = state.material.known
    if len(known):
        return int(known[worker.number % len(known)])
    if state.warm_sentence is not None:
        return state.warm_sentence
    return int(state.order[-1]) if state.waiting else None


def gold(state: State, worker: WorkerRecord, now: float) -> list[Event]:
    """Give a worker a sentence whose labels are known, if it is time for one."""
    known = state.material.known
    if not (state.plan.gold_share and len(known) and state.money.affords(worker.price)):
        return []
    drawn, place = state.chance(state.assignments + 1).uniform(2, _GOLD)[0].tolist()
    if drawn >= state.plan.gold_share:
        return []
    for k in range(len(known)):
        sentence = int(known[(int(place * len(known)) + k) % len(known)])
        if sentence not in worker.seen:
            return [assigned(state, worker.number, sentence, now, "gold")]
    return []


def stream(
    state: State, worker: WorkerRecord, available: Collection[int], now: float
) -> list[Event] | Waiting:
    """Give a worker the sentence that is closest to done, or choose a new crew.

    Who is not of the crew waits until it has taken its seats, or until nobody of it can go on.
    Where everybody who is good enough is asked, only a weak worker waits.
    """
    if worker.number in state.crew and state.seats < len(state.crew):
        return crew_work(state, worker, now)
    if _is_over(state, available):
        return [chosen_crew(state, {*available, worker.number}, now)]
    if not is_left_out(state, worker.number, available) or nobody_can(
        state, there(state, set(available) & set(state.crew))
    ):
        return crew_work(state, worker, now, stands_in=True)
    return Waiting("others are asked in this step", 2.0, code="left_out")


def _is_over(state: State, available: Collection[int]) -> bool:
    """Tell whether a step of the stream is over: all seats taken, or nobody of it there."""
    if state.seats >= len(state.crew):
        return True
    return not there(state, set(available) & set(state.crew))


def nobody_can(state: State, able: Collection[int]) -> bool:
    """Tell whether none of some workers could be given a sentence now."""
    if state.waiting and state.money.affords(cost_of_sentence(state)):
        return False
    return not any(closest(state, state.workers[number]) is not None for number in able)


def left_out(state: State, available: Collection[int]) -> list[int]:
    """Return who of those present has nothing to do because the crew is asked first."""
    if state.phase != "running" or _is_anybody_next(state, available):
        return []
    able = there(state, available)
    out: Collection[int] = able
    if state.plan.crew_size == "auto":
        out = weak_among(state, able)
    return sorted(n for n in out if n not in state.crew and not state.workers[n].open)


def _is_anybody_next(state: State, available: Collection[int]) -> bool:
    """Tell whether whoever asks next is given a sentence, in the crew or not."""
    if state.plan.mode == "rounds":
        return not any(state.workers[number].open for number in state.crew)
    crew = there(state, set(available) & set(state.crew))
    return _is_over(state, available) or nobody_can(state, crew)


def crew_work(
    state: State, worker: WorkerRecord, now: float, *, stands_in: bool = False
) -> list[Event] | Waiting:
    """Give a worker the sentence that is closest to done, else a new one."""
    if not may_work(state, worker):
        return _capped()
    hand = closest(state, worker)
    if hand is None and (waits := _begins_none(state)) is not None:
        return waits
    sentence = int(state.order[state.taken]) if hand is None else hand.sentence
    place = state.taken if hand is None else hand.group
    if sentence == worker.own:
        return [Recalled(now, sentence, worker.number, place, ())]
    rank = None if stands_in else state.crew.index(worker.number) + 1
    reason = {"crew": len(state.crew), "seat": state.seats + 1, "rank": rank, "place": place}
    return [assigned(state, worker.number, sentence, now, "crew", **reason)]


def _begins_none(state: State) -> Waiting | None:
    """Say why no new sentence is begun; None if one can be."""
    if not state.waiting:
        return Waiting("all sentences are taken", 5.0)
    if not state.money.affords(cost_of_sentence(state)):
        return Waiting("the budget is spent", 60.0)
    return None


def cost_of_sentence(state: State) -> float:
    """Return what a sentence may cost at most: all its answers, and an expert."""
    expert = state.plan.prices.expert if state.plan.has_experts else 0.0
    return state.plan.answers * state.price + expert


def closest(state: State, worker: WorkerRecord) -> InHand | None:
    """Return the sentence in hand that is closest to done and that a worker may get."""
    return max(_open_to(state, worker), key=lambda hand: hand.taken, default=None)


def _open_to(state: State, worker: WorkerRecord) -> Iterator[InHand]:
    for sentence in state.needing:
        hand = state.hand[sentence]
        if worker.number not in hand.away and is_payable(state, hand, worker):
            yield hand


def is_payable(state: State, hand: InHand, worker: WorkerRecord) -> bool:
    """Tell whether there is money for a worker's answer on a sentence in hand."""
    extra = hand.beyond(worker.price)
    return not extra or state.money.affords(extra)
