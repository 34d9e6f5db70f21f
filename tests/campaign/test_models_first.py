"""Models come first: people are asked where they leave doubt, and where they are not heard."""

from dataclasses import replace

import pytest

from spancrew.campaign import (
    Answered,
    Assignment,
    Begun,
    Campaign,
    Judged,
    Plan,
    Settled,
    entry_of,
    event_of,
)
from spancrew.consensus import Bsc
from spancrew.feedback import Adaptive
from spancrew.simulate import Scene
from tests.campaign.driven import Driven
from tests.simulate.small import small_scene

MOST = 20
"""Sentences that are begun for one who asks for work, and one more."""


@pytest.fixture(scope="module")
def scene() -> Scene:
    """Return a scene in which the two best workers are models."""
    drawn = small_scene(sentences=140, workers=9, seed=3)
    return replace(drawn, workers=(*drawn.workers[:7], "model:one", "model:two"))


def streamed(scene: Scene, **changes: object) -> Driven:
    """Return a stream in which models come first."""
    rule = Adaptive(0.8, first=0)
    plan = Plan(scene.dataset.labels.names, feedback=rule, consensus=Bsc(), audit=0.1)
    return Driven(scene, replace(plan, **changes))  # type: ignore[arg-type]  # as a plan has them


def heard(live: Driven) -> Driven:
    """Let everybody work until the models are heard."""
    while not any(isinstance(event, Begun) for event in live.events):
        live.now += 1.0
        live.turn()
    return live


def test_people_are_asked_until_models_are_heard_and_then_where_they_leave_doubt(
    scene: Scene,
) -> None:
    """Nothing is paid twice, nothing stays aside, and the journal says it all."""
    live = streamed(scene).run()
    settled = [event for event in live.events if isinstance(event, Settled)]
    first = next(k for k, event in enumerate(live.events) if isinstance(event, Begun))
    before = [event for event in live.events[:first] if isinstance(event, Settled)]
    alone = [event for event in settled if not event.answers and event.by == "crowd"]
    ledger, status = live.campaign.ledger(), live.campaign.status()
    journal = [event_of(entry_of(event)) for event in live.events]
    opened = Campaign.replay(live.material, journal)

    assert live.campaign.phase == "finished"
    assert all(event.answers or event.by == "expert" for event in before)
    assert len(before) > 30
    assert len(alone) > 10
    assert any(event.answers for event in settled[len(before) :])
    assert not any(event.rewards for event in alone)
    assert live.campaign.state.money.aside == 0
    assert ledger.answers == status.answers
    assert opened.snapshot() == live.campaign.snapshot()


def test_a_model_that_went_away_holds_nobody_up(scene: Scene) -> None:
    """Its sentences go to people, as before it was heard."""
    live = heard(streamed(scene))
    at = len(live.events)
    for model in (7, 8):
        live.campaign.halt(model, live.now)
    live.run()
    last = [event for event in live.events[at:] if isinstance(event, Settled)][-20:]

    assert live.campaign.phase == "finished"
    assert all(event.answers or event.by == "expert" for event in last)


class Lazy(Driven):
    """A campaign whose models answer every second sentence only."""

    def answer(self, given: Assignment) -> None:
        """Give the others back."""
        if given.purpose == "member" and given.sentence % 2:
            self.campaign.skip(given.number, given.worker, "too hard", self.now)
        else:
            super().answer(given)


def test_in_rounds_the_rule_looks_at_models_before_anybody_of_the_step_answers(
    scene: Scene,
) -> None:
    """Also where people are at work on a sentence of the step that no model has answered."""
    plan = replace(streamed(scene).campaign.plan, mode="rounds", crew=6, answers=3)
    live = Lazy(scene, plan).run()
    work = [each for each in live.events if isinstance(each, Begun | Judged | Answered)]
    begun = [k for k, each in enumerate(work) if isinstance(each, Begun)]

    assert live.campaign.phase == "finished"
    assert begun
    assert all(work[k].sentence % 2 == 0 for k in begun)
    for k in begun:
        after = next(each for each in work[k:] if not isinstance(each, Begun))
        assert isinstance(after, Judged)
        assert after.answers == 0


def test_whoever_asks_for_work_does_not_wait_until_models_have_settled_everything(
    scene: Scene,
) -> None:
    """They are told to come again, and models go ahead meanwhile."""
    live = heard(streamed(scene))
    live.campaign.set_rule(Adaptive(0.01, first=0), live.now)
    live.ask_models()
    before = live.campaign.state.taken
    while isinstance(found := live.campaign.next(6, range(7), live.now), Assignment):
        live.answer(found)
        before = live.campaign.state.taken

    assert found.reason == "models have settled many sentences"
    assert live.campaign.state.taken - before == MOST + 1
