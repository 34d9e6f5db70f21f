"""What can be seen of a campaign."""

import math

from spancrew.campaign._crew import is_capped
from spancrew.campaign._experts import doubts, in_order
from spancrew.campaign._log import Held
from spancrew.campaign._money import Money
from spancrew.campaign._quality import quality_of
from spancrew.campaign._records import Worker
from spancrew.campaign._state import State
from spancrew.campaign._values import (
    Assignment,
    Doubt,
    ExpertSheet,
    Given,
    Ledger,
    Status,
    WorkerStanding,
)
from spancrew.errors import UnknownWorkerError

_TWO_SIDED = 1.96
"""Standard errors to either side that hold 95 % of a normal distribution."""


def assignment(state: State, number: int) -> Assignment:
    """Return an assignment that can be answered."""
    lease = state.leases.get(number) or state.late.get(number)
    if lease is None:
        raise UnknownWorkerError(f"assignment {number} is not open")
    return Assignment(
        number, lease.sentence, lease.worker, lease.until, lease.purpose, lease.reason
    )


def status(state: State) -> Status:
    """Return how far the campaign is."""
    tally, quality = state.tally, quality_of(state.tally)
    return Status(
        phase=state.phase,
        reason=state.reason or _stands_still(state),
        sentences=len(state.material),
        settled=tally.settled,
        by_crowd=tally.crowd,
        by_expert=tally.expert,
        by_gold=tally.gold,
        open=sum(not hand.is_at_expert for hand in state.hand.values()),
        at_expert=len(state.questions),
        waiting=state.waiting,
        step=state.step,
        workers=len(state.workers),
        ready=sum(worker.state == "ready" for worker in state.workers),
        answers=state.answers,
        expected_errors=tally.errors,
        expected_quality=quality.expected,
        expected_low=quality.low,
        expected_high=quality.high,
        version=state.version,
    )


def ledger(state: State) -> Ledger:
    """Return the money."""
    money = state.money
    return Ledger(
        state.answers,
        state.expert_answers,
        money.spent,
        money.aside,
        _forecast(state),
        round(_by_experts_alone(state) - money.spent, 9),
        money.budget,
        None if money.budget is None else money.left,
    )


def standings(state: State) -> list[WorkerStanding]:
    """Return what is known of every worker."""
    return [_standing(state, worker) for worker in state.workers]


def expert_queue(state: State, most: int | None = None) -> list[Doubt]:
    """Return the sentences that wait for an expert, those that need one most first."""
    return doubts(state, in_order(state)[:most])


def expert_sheet(state: State, sentence: int) -> ExpertSheet:
    """Return a sentence of the queue with all its answers."""
    question = state.questions.get(sentence)
    if question is None:
        raise UnknownWorkerError(f"sentence {sentence} does not wait for an expert")
    hand = state.hand.get(sentence)
    held = hand.ordered if hand and question.purpose == "crew" else []
    answers = tuple(_given(state, each) for each in held)
    (doubt,) = doubts(state, [question])
    return ExpertSheet(sentence, question.until, doubt, answers, question.crowd)


def is_done(state: State, worker: int) -> bool:
    """Tell whether there will be nothing more for a worker to do."""
    own = state.workers[worker]
    over = state.phase == "finished" or own.state == "banned"
    return over or (is_capped(state, own) and not own.open)


def _given(state: State, held: Held) -> Given:
    return Given(held.worker, state.spans(held.codes))


def _stands_still(state: State) -> str:
    """Say why a campaign that runs begins no sentence."""
    from spancrew.campaign._assigning import cost_of_sentence  # noqa: PLC0415  it imports values

    if state.phase == "running" and not state.money.affords(cost_of_sentence(state)):
        return "the budget is spent" if state.waiting else ""
    return ""


def _forecast(state: State) -> float:
    """Return what all sentences will have cost if the rest costs what those so far did."""
    money = state.money
    done = state.tally.crowd + state.tally.expert
    left = state.waiting + len(state.hand)
    if not done:
        return round(money.spent + money.aside, 9)
    each = _settled_cost(state, money) / done
    expected = money.spent + each * left
    return round(expected if money.budget is None else min(expected, money.budget), 9)


def _settled_cost(state: State, money: Money) -> float:
    """Return what was spent on sentences that are settled."""
    in_hand = sum(
        state.workers[held.worker].price for hand in state.hand.values() for held in hand.answers
    )
    return max(money.spent - in_hand, 0.0)


def _by_experts_alone(state: State) -> float:
    return (state.tally.crowd + state.tally.expert) * state.plan.prices.expert


def _standing(state: State, worker: Worker) -> WorkerStanding:
    count = float(state.standings.count[0, worker.number])
    mean = float(state.standings.mean[0, worker.number])
    low, high = _interval(state, worker.number)
    by = {name: total / number for name, (number, total) in worker.rewards.items()}
    return WorkerStanding(
        worker=worker.number,
        state=worker.state,
        scored=sum(number for number, _ in worker.rewards.values()),
        mean=mean if count else None,
        low=low,
        high=high,
        by_crowd=by.get("crowd"),
        by_expert=by.get("expert"),
        by_gold=by.get("gold"),
        answers=worker.answered,
        late=worker.late,
        skipped=worker.skipped,
        seconds=worker.seconds / worker.timed if worker.timed else None,
        earned=worker.earned,
        cap=state.plan.cap if worker.cap is None else worker.cap,
        price=worker.price,
    )


def _interval(state: State, worker: int) -> tuple[float | None, float | None]:
    """Return the 95 % interval of a mean, as if two more rewards of 0 and 1 had been seen."""
    standings = state.standings
    count = float(standings.count[0, worker])
    if not count:
        return None, None
    mean = float(standings.mean[0, worker])
    squares = float(standings.squares[0, worker]) + 1.0
    center = (mean * count + 1.0) / (count + 2.0)
    variance = max(squares / (count + 2.0) - center * center, 0.0)
    half = _TWO_SIDED * math.sqrt(variance / (count + 2.0))
    return max(0.0, center - half), min(1.0, center + half)
