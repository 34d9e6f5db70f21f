"""What models suggest to people, and who sees it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from spancrew.campaign._brain import Brain
from spancrew.campaign._events import Assigned, Event
from spancrew.campaign._state import State

_SUGGESTED = 12
"""The use of chance that says whether a worker sees what models suggest."""


def with_suggestions(state: State, brain: Brain, events: Iterable[Event]) -> Iterator[Event]:
    """Yield events; with assignments of people goes what the models that are heard suggest.

    Chance decides who sees it. What the others did not see is kept as well, to compare with.
    """
    for event in events:
        yield _suggested(state, brain, event) if isinstance(event, Assigned) else event


def _suggested(state: State, brain: Brain, event: Assigned) -> Assigned:
    share = state.plan.suggestions
    if not share or event.purpose != "crew":
        return event
    spans = brain.suggestion(state, event.sentence)
    if spans is None:
        return event
    lot = float(state.chance(event.assignment).uniform(1, _SUGGESTED)[0, 0])
    return replace(event, suggested=spans, shown=lot < share)
