"""What a journal knows whatever the plan: who answered what, and what experts said."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeGuard

import numpy as np

from spancrew.campaign import _events as ev
from spancrew.campaign._plan import recorded_plan


@dataclass(frozen=True, slots=True)
class Past:
    """The events of a journal, and what they tell of sentences.

    ``asked`` are the sentences that experts were asked for, ``experts`` their answers so far, and
    ``audited`` those of the crowd that one has labelled since. ``settled`` says who decided.
    ``purposes`` are those of assignments. ``learns`` tells whether the consensus method was
    ever fitted.
    """

    events: tuple[ev.Event, ...]
    experts: dict[int, ev.ExpertAnswered] = field(default_factory=dict)
    settled: dict[int, ev.Settled] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)
    audited: set[int] = field(default_factory=set)
    purposes: dict[int, ev.Purpose] = field(default_factory=dict)
    learns: bool = False

    @classmethod
    def of(cls, events: Iterable[ev.Event]) -> "Past":
        """Return what all events of a journal tell."""
        those = corrected_journal(tuple(events))
        past = cls(those, asked={each.sentence for each in those if _asks_expert(each)})
        for event in past.events:
            match event:
                case ev.ExpertAnswered():
                    past.experts[event.sentence] = event
                case ev.Settled():
                    past.settled[event.sentence] = event
                case ev.Audited():
                    past.audited.add(event.sentence)
                case ev.Assigned():
                    past.purposes[event.assignment] = event.purpose
                case _:
                    pass
        return replace(past, learns=any(isinstance(each, ev.Fitted) for each in past.events))

    def is_crew(self, event: ev.Answered) -> bool:
        """Tell whether an answer is on a sentence of the campaign, not a warm-up or a check."""
        return self.purposes.get(event.assignment) == "crew"

    def answers_on(self) -> dict[int, int]:
        """Return how many answers there are on every sentence that has any."""
        found: dict[int, int] = {}
        for event in self.events:
            if isinstance(event, ev.Recalled) or (
                isinstance(event, ev.Answered) and self.is_crew(event)
            ):
                found[event.sentence] = found.get(event.sentence, 0) + 1
        return found

    def shuffled(self, rng: np.random.Generator) -> "Past":
        """Return a past in which the answers on each sentence came in another order."""
        places: dict[int, list[int]] = {}
        for place, event in enumerate(self.events):
            if isinstance(event, ev.Answered) and self.is_crew(event) and not event.surplus:
                places.setdefault(event.sentence, []).append(place)
        events = list(self.events)
        for own in places.values():
            for place, other in zip(own, rng.permutation(own).tolist(), strict=True):
                moved = self.events[other]
                assert isinstance(moved, ev.Answered)  # noqa: S101  as all places are
                events[place] = replace(moved, at=self.events[place].at)
        return replace(self, events=tuple(events))


def corrected_journal(events: tuple[ev.Event, ...]) -> tuple[ev.Event, ...]:
    """Return a journal in which everybody said at once what they said in the end.

    Where an admin overruled the crowd, an expert has said so.
    """
    last = {each.sentence: each for each in events if isinstance(each, ev.Corrected)}
    changed = {each.assignment: each for each in events if isinstance(each, ev.Reanswered)}
    price = _expert_price(events)
    found: list[ev.Event] = []
    for event in events:
        match event:
            case ev.Reanswered() | ev.Reopened():
                continue
            case ev.Corrected():
                if event.overruled and event.by == "admin":
                    spans = _spans(last[event.sentence])
                    found.append(
                        ev.ExpertAnswered(event.at, event.sentence, event.who, spans, price)
                    )
            case ev.Answered() if event.assignment in changed:
                found.append(_as_changed(event, changed[event.assignment]))
            case ev.ExpertAnswered() | ev.Audited() if event.sentence in last:
                found.append(replace(event, spans=_spans(last[event.sentence])))
            case _:
                found.append(event)
    return tuple(found)


def _as_changed(event: ev.Answered, last: ev.Reanswered) -> ev.Answered:
    return replace(event, spans=last.spans, unsure=last.unsure, note=last.note, flag=last.flag)


def _spans(event: ev.Corrected) -> ev.Spans:
    return tuple((each.start, each.end, each.label) for each in event.labels)


def _expert_price(events: tuple[ev.Event, ...]) -> float:
    first = events[0] if events else None
    return recorded_plan(first.plan).prices.expert if isinstance(first, ev.Opened) else 0.0


def _asks_expert(event: ev.Event) -> TypeGuard[ev.AuditDrawn | ev.Judged | ev.Assigned]:
    """Tell whether an expert is asked for a sentence; one whose labels are known needs none."""
    if isinstance(event, ev.Judged):
        return event.outcome == "expert"
    if isinstance(event, ev.Assigned):
        return event.purpose == "warm-up"
    return isinstance(event, ev.AuditDrawn)
