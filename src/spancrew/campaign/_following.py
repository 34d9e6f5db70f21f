"""What follows by itself from what has happened."""

from collections.abc import Collection, Iterable, Sequence

from spancrew.campaign import _audits as audits
from spancrew.campaign import _rounds as rounds
from spancrew.campaign._brain import Brain
from spancrew.campaign._events import (
    ALL_SETTLED,
    Event,
    Expired,
    Finished,
    Fitted,
    Returned,
    StepEnded,
)
from spancrew.campaign._judging import judge, ready_hands, scored, settled_by_expert
from spancrew.campaign._records import latest_end
from spancrew.campaign._state import State
from spancrew.campaign._suggesting import with_suggestions
from spancrew.consensus import is_fit_due


def follow(state: State, brain: Brain, now: float) -> Iterable[Event]:
    """Return what happens next without anybody doing anything; nothing if all is done."""
    if state.unscored and (events := scored(state, now)):
        return events
    if state.phase == "finished":
        return []
    if hands := ready_hands(state):
        return judge(state, brain, hands, now)
    if events := _by_experts(state, now):
        return events
    if state.plan.mode == "rounds" and (events := _in_rounds(state, now)):
        return with_suggestions(state, brain, events)
    return _finished(state, now)


def _by_experts(state: State, now: float) -> list[Event]:
    settled = [settled_by_expert(state, sentence, now) for sentence in state.settling]
    return [*settled, *(audits.audited(state, sentence, now) for sentence in state.auditing)]


def _in_rounds(state: State, now: float) -> list[Event]:
    if state.phase == "running" and (events := rounds.next_members(state, None, now)):
        return events
    is_done = state.step > state.ended and state.step > 0 and not state.hand
    return [StepEnded(now, state.step)] if is_done else []


def _finished(state: State, now: float) -> Sequence[Event]:
    is_done = not (state.waiting or state.hand or state.questions or state.unscored)
    if state.phase != "running" or not is_done or state.plan.stays_open:
        return []
    return audits.added(state, now) or [Finished(now, ALL_SETTLED)]


def due_fit(state: State) -> Fitted | None:
    """Return the fit that is due; None if none is."""
    if not state.plan.method.learns:
        return None
    seen, last = len(state.log), state.fits[-1].seen if state.fits else 0
    return fit_of(state, seen) if is_fit_due(seen, last) else None


def fit_of(state: State, seen: int) -> Fitted:
    """Return a fit on the first rows, with the workers and sentences of now."""
    return Fitted(0.0, seen, len(state.workers), len(state.material))


def expired(state: State, now: float) -> list[Event]:
    """Let the leases be over whose time is up; a late answer of a model is not waited for."""
    latest = latest_end(now, state.plan.lease)
    # As `is_up` says; a call for each of hundreds of leases would cost every answer.
    over = [lease for lease in state.leases.values() if not now < lease.until <= latest]
    return [
        Returned(now, each.number) if each.purpose == "member" else Expired(now, each.number)
        for each in over
    ]


def handed_out(state: State, available: Collection[int], now: float) -> list[Event]:
    """Return what a step of rounds needs: stand-ins, or the next crew."""
    return rounds.next_members(state, available, now) or rounds.begin(state, available, now)
