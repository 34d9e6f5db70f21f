"""What every event does to the state, by its kind."""

from spancrew.campaign import _apply_outcomes as outcomes
from spancrew.campaign import _apply_people as people
from spancrew.campaign import _apply_work as work
from spancrew.campaign import _events as events
from spancrew.campaign._state import Applier

APPLIERS: dict[type[events.Event], Applier] = {
    events.Started: people.started,
    events.Paused: people.paused,
    events.Finished: people.finished,
    events.BudgetSet: people.budget_set,
    events.RuleSet: people.rule_set,
    events.Joined: people.joined,
    events.Halted: people.halted,
    events.Readmitted: people.readmitted,
    events.CapSet: people.cap_set,
    events.CrewChosen: work.crew_chosen,
    events.Assigned: work.assigned,
    events.Recalled: work.recalled,
    events.Extended: work.extended,
    events.Expired: work.expired,
    events.Skipped: work.skipped,
    events.Returned: work.returned,
    events.Answered: work.answered,
    events.Judged: outcomes.judged,
    events.Claimed: outcomes.claimed,
    events.ExpertAnswered: outcomes.expert_answered,
    events.Settled: outcomes.settled,
    events.Scored: outcomes.scored,
    events.StepEnded: outcomes.step_ended,
    events.Fitted: outcomes.fitted,
}
