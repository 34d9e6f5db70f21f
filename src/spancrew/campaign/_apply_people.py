"""What happens to the campaign as a whole and to its workers."""

from spancrew.campaign._events import (
    BudgetSet,
    CapSet,
    Finished,
    Halted,
    Joined,
    Paused,
    Readmitted,
    RuleSet,
    Started,
)
from spancrew.campaign._records import Worker
from spancrew.campaign._state import State
from spancrew.feedback import feedback_rule


def started(state: State, event: Started) -> None:
    """Hand out assignments."""
    del event
    state.phase, state.reason = "running", ""


def paused(state: State, event: Paused) -> None:
    """Hand out none."""
    del event
    state.phase, state.reason = "paused", ""


def finished(state: State, event: Finished) -> None:
    """Hand out none any more; money for what nobody has begun is free."""
    state.phase, state.reason = "finished", event.reason
    for hand in state.hand.values():
        state.money.put_aside(-hand.aside - hand.for_expert)
        hand.aside = hand.for_expert = 0.0
    for question in state.questions.values():
        if question.purpose == "warm-up":
            state.money.put_aside(-state.plan.prices.expert)


def budget_set(state: State, event: BudgetSet) -> None:
    """Change what may be spent."""
    state.money.budget = event.budget


def rule_set(state: State, event: RuleSet) -> None:
    """Decide by another rule from now on."""
    state.plan = state.plan.with_rule(feedback_rule(event.feedback))


def joined(state: State, event: Joined) -> None:
    """Make room for a worker."""
    price = state.plan.prices.answer if event.price is None else event.price
    worker = Worker(event.worker, price, event.cap)
    if not _warms_up(state):
        worker.state = "ready"
    state.workers.append(worker)
    state.standings = state.standings.joined_by(price)


def _warms_up(state: State) -> bool:
    """Tell whether a new worker begins with a warm-up; without experts and gold none is shared."""
    if state.plan.warm_up == "shared":
        return state.plan.has_experts or len(state.material.known) > 0
    return state.plan.warm_up == "own"


def halted(state: State, event: Halted) -> None:
    """Give a worker nothing any more."""
    worker = state.workers[event.worker]
    if worker.state in {"new", "ready"}:
        worker.before = worker.state
    worker.state = "banned" if event.banned else "paused"


def readmitted(state: State, event: Readmitted) -> None:
    """Let a worker go on where they were."""
    worker = state.workers[event.worker]
    worker.state = worker.before


def cap_set(state: State, event: CapSet) -> None:
    """Change the most answers of a worker."""
    state.workers[event.worker].cap = event.cap
