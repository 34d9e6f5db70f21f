"""A campaign that a crowd of a rehearsal works through, with gold for an expert."""

import numpy as np

from spancrew.campaign import (
    Assignment,
    Campaign,
    Event,
    Material,
    Plan,
    Spans,
    Submission,
    Waiting,
)
from spancrew.core import CodeArray, decode, is_model
from spancrew.simulate import Scene

MODEL_PRICE = 0.01
"""What an answer of a model costs."""

PATIENCE = 50
"""Turns in which nothing happens before a campaign counts as stuck."""


class Driven:
    """A live campaign on the sentences of a scene; its gold is known to the expert only."""

    def __init__(
        self,
        scene: Scene,
        plan: Plan,
        prices: tuple[float, ...] | None = None,
        begins_with: int | None = None,
    ) -> None:
        """Open a campaign on all sentences, or on some to which the others are added."""
        self.scene = scene
        self.material = Material.of(scene.dataset, use_gold=False)
        first = len(self.material) if begins_with is None else begins_with
        self.campaign = Campaign.open(plan, self.material.first(first), 0.0)
        if first < len(self.material):
            rest = scene.dataset.take(np.arange(first, len(self.material)))
            self.campaign.add(Material.of(rest, use_gold=False), 0.0)
        self.events: list[Event] = []
        self.now = 0.0
        people = 0
        for name in scene.workers:
            if is_model(name):
                self.campaign.join(0.0, price=MODEL_PRICE, model=name)
            else:
                self.campaign.join(0.0, price=prices[people] if prices else None)
                people += 1
        self.campaign.start(0.0)

    def run(self) -> "Driven":
        """Let everybody be there and work until the campaign is over."""
        idle = 0
        while self.campaign.phase == "running" and idle < PATIENCE:
            self.now += 1.0
            before = self.campaign.version
            self.turn()
            idle = 0 if self.campaign.version > before else idle + 1
        return self

    def turn(self) -> None:
        """Let everybody answer what they have in hand, then the expert all questions."""
        everybody = range(len(self.scene.workers))
        self.ask_models()
        if self.campaign.plan.models_first:
            for number in everybody:
                self.campaign.next(number, everybody, self.now)
                self.ask_models()
                self.ask_expert()
        for each in self.campaign.ask(everybody, self.now):
            self.answer(each)
        self.ask_expert()
        self.events += self.campaign.news()

    def ask_models(self) -> None:
        """Let models answer all that they are asked."""
        everybody = range(len(self.scene.workers))
        for number in np.flatnonzero(~self.scene.people).tolist():
            while isinstance(found := self.campaign.next(number, everybody, self.now), Assignment):
                self.answer(found)

    def ask_expert(self) -> None:
        """Let the expert answer all questions."""
        while not isinstance(sheet := self.campaign.next_expert("e1", self.now), Waiting):
            gold = self.spans(self.scene.dataset.gold[sheet.sentence])
            self.campaign.tell_expert(sheet.sentence, "e1", gold, self.now)

    def answer(self, given: Assignment) -> None:
        """Hand in what the crowd of the rehearsal says."""
        codes = self.scene.source.answers(np.array([given.sentence]), np.array([given.worker]))
        submission = Submission(given.number, given.worker, self.spans(codes[0]))
        self.campaign.tell(submission, self.now)

    def spans(self, codes: CodeArray) -> Spans:
        """Return codes as spans."""
        found = decode(codes, self.scene.dataset.labels)
        return tuple((span.start, span.end, span.label) for span in found)
