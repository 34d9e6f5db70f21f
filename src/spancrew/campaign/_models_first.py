"""What models say before people are asked, where the plan has them first."""

from collections.abc import Callable, Iterable, Iterator

from spancrew.campaign._brain import Brain
from spancrew.campaign._events import Assigned, Begun, Event, Recalled
from spancrew.campaign._state import State

_AT_ONCE = 20
"""Sentences that are begun before somebody who asks for work is told to come again.

Models have answered more than that ahead of the people, so that they are not overtaken.
"""


def may_go_on(state: State) -> Callable[[], bool]:
    """Return what tells whether more sentences may be begun for somebody who asks for work.

    Models could settle all there are while they wait. In rounds that is one step.
    """
    taken, step = state.taken, state.step

    def goes_on() -> bool:
        if state.plan.mode == "stream":
            return state.taken <= taken + _AT_ONCE
        return state.step <= step or bool(state.hand)

    return goes_on


def models_first(
    state: State, brain: Brain, events: Iterable[Event], now: float
) -> Iterator[Event]:
    """Yield events, but where a sentence is new and models are heard on it, that it is begun.

    Then the rule looks first, and a person is asked only if it wants one. Each event is to be
    applied before the next.
    """
    for event in events:
        yield _begun(state, brain, event, now) or event


def _begun(state: State, brain: Brain, event: Event, now: float) -> Begun | None:
    """Return that a sentence is begun in place of the first work on it; None if it is not."""
    if not state.plan.models_first or not isinstance(event, Assigned | Recalled):
        return None
    if isinstance(event, Assigned) and event.purpose != "crew":
        return None
    if event.sentence in state.hand or not brain.hears_models_on(state, event.sentence):
        return None
    crew = event.crew if isinstance(event, Recalled) else tuple(event.reason.get("group", ()))
    return Begun(now, event.sentence, event.group, crew)
