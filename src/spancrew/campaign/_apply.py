"""What every event does to the state: here to the campaign as a whole and to its workers."""

import numpy as np

from spancrew.campaign import _apply_corrections as corrections
from spancrew.campaign import _apply_outcomes as outcomes
from spancrew.campaign import _apply_work as work
from spancrew.campaign import _events as events
from spancrew.campaign._plan import recorded_rule
from spancrew.campaign._records import WorkerRecord
from spancrew.campaign._state import Applier, State, lots_of, order_of
from spancrew.policies import JOINED


def sentences_added(state: State, event: events.SentencesAdded) -> None:
    """Take more sentences from the stock, behind those that wait."""
    state.material = material = state.stock.first(event.first + event.count)
    state.order = np.concatenate([state.order, order_of(state.plan, material, event.first)])
    state.lots = lots_of(state.plan, material)
    state.tally.gold += int(np.count_nonzero(material.known >= event.first))
    if event.key is not None:
        state.additions[event.key] = event.first, event.count
    if state.phase == "finished":
        state.phase, state.reason = "running", ""


def started(state: State, event: events.Started) -> None:
    """Hand out assignments."""
    del event
    state.phase, state.reason = "running", ""


def paused(state: State, event: events.Paused) -> None:
    """Hand out none."""
    del event
    state.phase, state.reason = "paused", ""


def finished(state: State, event: events.Finished) -> None:
    """End the campaign; money put aside for what nobody has begun is free."""
    state.phase, state.reason = "finished", event.reason
    for hand in state.hand.values():
        state.money.put_aside(-hand.aside - hand.for_expert)
        hand.aside = hand.for_expert = 0.0
    for question in state.questions.values():
        if question.purpose != "crew":
            state.money.put_aside(-state.plan.prices.expert)


def budget_set(state: State, event: events.BudgetSet) -> None:
    """Change what may be spent."""
    state.money.budget = event.budget


def rule_set(state: State, event: events.RuleSet) -> None:
    """Decide by another rule from now on."""
    state.plan = state.plan.with_rule(recorded_rule(event.feedback))


def joined(state: State, event: events.Joined) -> None:
    """Make room for a worker."""
    price = state.plan.prices.answer if event.price is None else event.price
    worker = WorkerRecord(event.worker, price, event.cap, event.model, event.version)
    if event.model is not None or not _warms_up(state):
        worker.state = "ready"
    state.workers.append(worker)
    # No policy weighs the price of a model, which has no seat in a crew.
    weighed = price if event.model is None else state.usual_price
    state.standings = state.standings.joined_by(weighed)
    state.log.what.extend([JOINED])


def _warms_up(state: State) -> bool:
    """Tell whether a new worker begins with a warm-up; without experts and gold none is shared."""
    if state.plan.warm_up == "shared":
        return state.plan.has_experts or len(state.material.known) > 0
    return state.plan.warm_up == "own"


def halted(state: State, event: events.Halted) -> None:
    """Stop giving a worker assignments."""
    worker = state.workers[event.worker]
    if worker.state in {"new", "ready"}:
        worker.before = worker.state
    worker.state = "banned" if event.banned else "paused"


def readmitted(state: State, event: events.Readmitted) -> None:
    """Let a worker go on where they were."""
    worker = state.workers[event.worker]
    worker.state = worker.before


def cap_set(state: State, event: events.CapSet) -> None:
    """Change the most answers of a worker."""
    state.workers[event.worker].cap = event.cap


APPLIERS: dict[type[events.Event], Applier] = {
    events.SentencesAdded: sentences_added,
    events.Started: started,
    events.Paused: paused,
    events.Finished: finished,
    events.BudgetSet: budget_set,
    events.RuleSet: rule_set,
    events.Joined: joined,
    events.Halted: halted,
    events.Readmitted: readmitted,
    events.CapSet: cap_set,
    events.CrewChosen: work.crew_chosen,
    events.Assigned: work.assigned,
    events.Recalled: work.recalled,
    events.Begun: work.begun,
    events.Extended: work.extended,
    events.Expired: work.expired,
    events.Skipped: work.skipped,
    events.Returned: work.returned,
    events.Answered: work.answered,
    events.Judged: outcomes.judged,
    events.Claimed: outcomes.claimed,
    events.ExpertAnswered: outcomes.expert_answered,
    events.Settled: outcomes.settled,
    events.AuditDrawn: outcomes.audit_drawn,
    events.Audited: outcomes.audited,
    events.Scored: outcomes.scored,
    events.Reanswered: corrections.reanswered,
    events.Reopened: corrections.reopened,
    events.Corrected: corrections.corrected,
    events.StepEnded: outcomes.step_ended,
    events.Fitted: outcomes.fitted,
}
