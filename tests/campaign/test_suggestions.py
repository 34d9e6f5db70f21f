"""What models suggest to people: who sees it, what it changes, and how far they follow it."""

from dataclasses import replace

import numpy as np
import pytest

from spancrew.campaign import (
    Answered,
    Assigned,
    Assignment,
    Campaign,
    Event,
    Fitted,
    Mode,
    Plan,
    Submission,
    entry_of,
    event_of,
)
from spancrew.consensus import Bsc
from spancrew.errors import PlanError
from spancrew.feedback import Adaptive
from spancrew.simulate import Scene
from tests.campaign.driven import Driven
from tests.simulate.small import small_scene


@pytest.fixture(scope="module")
def scene() -> Scene:
    """Return a scene in which one of the best workers is a model."""
    drawn = small_scene(sentences=120, workers=8, seed=3)
    return replace(drawn, workers=(*drawn.workers[:7], "model:one"))


class Led(Driven):
    """A campaign in which one worker takes every suggestion that they see."""

    def answer(self, given: Assignment) -> None:
        """Take the suggestion, or say what the crowd says."""
        if given.worker == 0 and given.suggested is not None:
            self.campaign.tell(Submission(given.number, 0, given.suggested), self.now)
        else:
            super().answer(given)


def plan_with(scene: Scene, suggestions: float, mode: Mode = "stream") -> Plan:
    """Return a plan that asks two to four people."""
    rule, labels = Adaptive(0.8), scene.dataset.labels.names
    crew = 6 if mode == "rounds" else None
    plan = Plan(labels, feedback=rule, consensus=Bsc(), mode=mode, crew=crew, answers=3)
    return replace(plan, suggestions=suggestions)


def plain(event: Event) -> Event:
    """Return an event without what was suggested."""
    if not isinstance(event, Assigned):
        return event
    return replace(event, suggested=None, shown=False)


@pytest.mark.parametrize("mode", ["stream", "rounds"])
def test_suggestions_change_nothing_but_what_people_see(scene: Scene, mode: Mode) -> None:
    """With people who do not follow them, both journals are the same; replay is exact."""
    live = Driven(scene, plan_with(scene, 0.5, mode)).run()
    without = Driven(scene, plan_with(scene, 0.0, mode)).run()
    asked = [each for each in live.events if isinstance(each, Assigned)]
    suggested = [each for each in asked if each.suggested is not None]
    journal = [event_of(entry_of(event)) for event in live.events]

    assert [plain(event) for event in live.events[1:]] == without.events[1:]
    assert {each.purpose for each in suggested} == {"crew"}
    assert not any(each.shown and each.suggested is None for each in asked)
    assert 0.35 < np.mean([each.shown for each in suggested]) < 0.65
    assert min(each.at for each in suggested) >= next(
        each.at for each in live.events if isinstance(each, Fitted)
    )
    assert Campaign.replay(live.material, journal).snapshot() == live.campaign.snapshot()
    assert Campaign.restore(live.material, live.campaign.snapshot()).status() == (
        live.campaign.status()
    )
    assert without.campaign.status().anchoring is None


def test_who_follows_suggestions_agrees_with_them_more_where_they_see_them(scene: Scene) -> None:
    """The figure is the difference between those who saw one and those who did not."""
    live = Led(scene, plan_with(scene, 0.6)).run()
    given = {each.assignment: each for each in live.events if isinstance(each, Assigned)}
    agreed: dict[bool, list[float]] = {True: [], False: []}
    for answer in live.events:
        if isinstance(answer, Answered):
            asked = given[answer.assignment]
            if asked.suggested is not None:
                same = len({*answer.spans} & {*asked.suggested})
                both = len(answer.spans) + len(asked.suggested)
                agreed[asked.shown].append(2 * same / both if both else 1.0)
    found = live.campaign.status().anchoring

    assert found is not None
    assert found.more is not None
    assert (found.seen, found.unseen) == (len(agreed[True]), len(agreed[False]))
    assert found.agreed_seen == pytest.approx(np.mean(agreed[True]))
    assert found.agreed_unseen == pytest.approx(np.mean(agreed[False]))
    assert found.more == pytest.approx(np.mean(agreed[True]) - np.mean(agreed[False]))
    reach = 1.96 * np.sqrt(sum(np.var(each, ddof=1) / len(each) for each in agreed.values()))
    assert found.high == pytest.approx(found.more + reach)
    assert found.low == pytest.approx(found.more - reach)
    assert found.more > 0


@pytest.mark.parametrize("share", [-0.1, 0.95, True, "half"])
def test_some_always_answer_without_a_suggestion(scene: Scene, share: float) -> None:
    """Else nobody could tell what suggestions do."""
    with pytest.raises(PlanError, match=r"suggestions .*: it is a share from 0 to 0\.9"):
        plan_with(scene, share)


def test_choices_have_no_suggestions() -> None:
    """They are for spans."""
    with pytest.raises(PlanError, match="suggestions are for spans"):
        Plan(("a", "b"), kind="choices", suggestions=0.5)


def test_a_plan_has_suggestions_only_where_it_says_so() -> None:
    """Plans of earlier versions say nothing of them."""
    plan = Plan(("PER",), suggestions=0.8)

    assert Plan.from_json(plan.to_json()).suggestions == 0.8
    assert "suggestions" not in Plan(("PER",)).to_json()
