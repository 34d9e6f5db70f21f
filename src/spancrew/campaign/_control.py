"""What the person in charge does: start and stop, money, rules, workers.

Each returns what happens, or refuses.
"""

from spancrew.campaign._events import (
    BudgetSet,
    CapSet,
    Event,
    Finished,
    Halted,
    Joined,
    Paused,
    Readmitted,
    Returned,
    RuleSet,
    Started,
)
from spancrew.campaign._records import Worker
from spancrew.campaign._state import State
from spancrew.errors import CampaignError, PlanError
from spancrew.feedback import FeedbackRule, feedback_name, feedback_rule


def start(state: State, now: float) -> list[Event]:
    """Hand out assignments, for the first time or again after a pause."""
    _refuse_over(state)
    return [] if state.phase == "running" else [Started(now)]


def pause(state: State, now: float) -> list[Event]:
    """Hand out nothing until started again."""
    _refuse_over(state)
    if state.phase == "draft":
        raise CampaignError("the campaign has not begun, so it cannot pause; start it first")
    return [Paused(now)] if state.phase == "running" else []


def finish(state: State, now: float, reason: str) -> list[Event]:
    """End the campaign."""
    return [] if state.phase == "finished" else [Finished(now, reason)]


def set_budget(state: State, budget: float | None, now: float) -> list[Event]:
    """Change what may be spent; not below what is spent or promised."""
    promised = round(state.money.spent + state.money.aside, 9)
    if budget is not None and not promised <= budget < float("inf"):
        raise PlanError(
            f"budget {budget:g}: {promised:g} is spent or promised; give at least that"
        )
    return [BudgetSet(now, budget)]


def set_rule(state: State, feedback: FeedbackRule | str, now: float) -> list[Event]:
    """Decide by another feedback rule from now on."""
    _refuse_over(state)
    rule = feedback_rule(feedback) if isinstance(feedback, str) else feedback
    if state.plan.with_rule(rule).has_experts != state.plan.has_experts:
        raise PlanError(
            "a campaign with experts cannot go on without, nor the other way round: money is put "
            "aside for them from the beginning; open a new campaign"
        )
    return [RuleSet(now, feedback_name(rule))]


def join(state: State, now: float, price: float | None, cap: int | None) -> list[Event]:
    """Let a worker come."""
    if price is not None and not 0 <= price < float("inf"):
        raise PlanError(f"a price of {price:g} for an answer: it cannot be negative")
    _refuse_cap(cap)
    return [Joined(now, len(state.workers), price, cap)]


def halt(state: State, worker: Worker, now: float, banned: bool, reason: str) -> list[Event]:
    """Give a worker nothing any more; of one who is banned, nothing late is waited for either."""
    if worker.state == "banned" or (worker.state == "paused" and not banned):
        return []
    late = [each.number for each in state.late.values() if each.worker == worker.number]
    back = [Returned(now, number) for number in [*worker.open, *(late if banned else ())]]
    return [Halted(now, worker.number, banned, reason), *back]


def readmit(worker: Worker, now: float) -> list[Event]:
    """Let a worker go on who had a pause."""
    if worker.state == "banned":
        raise CampaignError(f"worker {worker.number} is banned for good and cannot be readmitted")
    return [Readmitted(now, worker.number)] if worker.state == "paused" else []


def set_cap(worker: Worker, cap: int | None, now: float) -> list[Event]:
    """Change the most answers of a worker."""
    _refuse_cap(cap)
    return [CapSet(now, worker.number, cap)]


def _refuse_over(state: State) -> None:
    if state.phase == "finished":
        raise CampaignError(f"the campaign is over ({state.reason}); open a new one")


def _refuse_cap(cap: int | None) -> None:
    if cap is not None and cap < 1:
        raise PlanError(f"cap {cap}: at least 1 is needed; to give a worker nothing, halt them")
