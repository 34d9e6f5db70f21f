"""A campaign on a stage: short words for what people do in it."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from spancrew.campaign import (
    Assignment,
    Campaign,
    Event,
    ExpertSheet,
    Material,
    Plan,
    Receipt,
    Spans,
    Submission,
    Waiting,
)
from spancrew.consensus import MajorityVote
from spancrew.feedback import AgreementGate, Prices
from spancrew.policies import Cucb
from tests.campaign.worlds import LABELS, plain, said

E = TypeVar("E")

LEASE = 100.0

PLAN = Plan(
    LABELS.names,
    policy=Cucb(0.3),
    feedback=AgreementGate(0.4),
    consensus=MajorityVote(),
    crew=4,
    answers=2,
    warm_up="none",
    audit=0,
    prices=Prices(0.1, 1.0),
    lease=LEASE,
)
"""Two answers a sentence, no warm-up: an expert where the two do not agree."""


class Stage:
    """A campaign that has been started, its events and its clock."""

    def __init__(
        self,
        workers: int = 4,
        material: Material | None = None,
        prices: Sequence[float] = (),
        **changes: Any,
    ) -> None:
        self.material = plain() if material is None else material
        self.campaign = Campaign.open(replace(PLAN, **changes), self.material, 0.0)
        self.now = 1.0
        self._events: list[Event] = []
        for number in range(workers):
            self.campaign.join(self.now, price=prices[number] if prices else None)
        self.campaign.start(self.now)

    @property
    def events(self) -> list[Event]:
        """Return all that has happened."""
        self._events += self.campaign.news()
        return self._events

    def of(self, kind: type[E]) -> list[E]:
        """Return the events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def everybody(self) -> range:
        """Return the workers."""
        return range(len(self.campaign.state.workers))

    def next(
        self, worker: int, available: Collection[int] | None = None, ahead: int = 0
    ) -> Assignment | Waiting:
        """Let a worker ask for work, with everybody there."""
        there = self.everybody if available is None else available
        return self.campaign.next(worker, there, self.now, ahead=ahead)

    def give(self, worker: int, available: Collection[int] | None = None) -> Assignment:
        """Let a worker ask for work and get some."""
        found = self.next(worker, available)
        assert isinstance(found, Assignment)
        return found

    def wait(self, worker: int, available: Collection[int] | None = None) -> Waiting:
        """Let a worker ask for work and get none."""
        found = self.next(worker, available)
        assert isinstance(found, Waiting)
        return found

    def spans(self, sentence: int, way: int) -> Spans:
        """Return what somebody says of a sentence."""
        return said(way, int(self.material.lengths[sentence]), self.campaign.plan.kind)

    def tell(self, given: Assignment, way: int = 1, key: str | None = None) -> Receipt:
        """Hand in an answer."""
        spans = self.spans(given.sentence, way)
        submission = Submission(given.number, given.worker, spans, 2.0, key)
        return self.campaign.tell(submission, self.now)

    def answer(self, worker: int, way: int = 1) -> Receipt:
        """Let a worker ask for work and answer it."""
        return self.tell(self.give(worker), way)

    def sheet(self, expert: str = "e1") -> ExpertSheet:
        """Let an expert ask for work and get some."""
        found = self.campaign.next_expert(expert, self.now)
        assert isinstance(found, ExpertSheet)
        return found

    def label(self, way: int = 1, expert: str = "e1") -> Receipt:
        """Let an expert label what they get."""
        sentence = self.sheet(expert).sentence
        return self.campaign.tell_expert(sentence, expert, self.spans(sentence, way), self.now)

    def pass_time(self, seconds: float) -> None:
        """Let time go on, and leases end."""
        self.now += seconds
        self.campaign.tick(self.now)

    def turn(self, ways: Sequence[int] = (1,)) -> None:
        """Let everybody answer what they get, each in their way, then an expert all questions."""
        self.now += 1.0
        for each in self.campaign.ask(self.everybody, self.now):
            self.tell(each, ways[each.worker % len(ways)])
        while isinstance(self.campaign.next_expert("e1", self.now), ExpertSheet):
            self.label()

    def run(self, ways: Sequence[int] = (1,), turns: int = 200) -> "Stage":
        """Take turns until the campaign is over."""
        for _ in range(turns):
            if self.campaign.phase != "running":
                break
            self.turn(ways)
        return self
