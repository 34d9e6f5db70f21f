"""What a what-if knows, what it estimates, and what it refuses."""

import pytest

from spancrew.campaign import Answered, Campaign, Finished, Past, Settled, StandIn, another_course
from spancrew.certificates import Estimate
from spancrew.errors import SpancrewError
from spancrew.whatif import OtherRule, WhatIfFigure, collected_from_events, what_if
from tests.campaign.stage import Stage
from tests.whatif.played import collected, long_scene, played, without_gold


def course_of(stage: Stage, other: OtherRule) -> Campaign:
    """Return how a campaign on a stage would have gone."""
    plan = other.plan(stage.campaign.plan)
    past = Past.of(stage.events)
    return another_course(stage.material, past, plan, StandIn(0)).campaign


def test_fewer_answers_are_the_first_that_came() -> None:
    """The first two workers agree, and the third says something else."""
    stage = Stage(workers=3, answers=3, crew=3).run((1, 1, 2))
    few = course_of(stage, OtherRule(answers=2))

    assert stage.campaign.status().by_expert == 6
    assert few.status().by_expert < 6
    assert few.state.answers == 12
    assert few.ledger().spent == pytest.approx(1.2 + few.status().by_expert)


def test_an_answer_that_came_too_late_is_paid_all_the_same() -> None:
    """It was asked for before anybody knew that it would not count."""
    stage = Stage(workers=3)
    slow = stage.give(2)
    stage.pass_time(200)
    stage.run()
    stage.tell(slow)
    again = course_of(stage, OtherRule(answers=2))

    assert [each.surplus for each in stage.of(Answered)].count(True) == 1
    assert again.state.money.spent == stage.campaign.state.money.spent


def test_an_expert_who_was_never_asked_makes_a_change_an_estimate() -> None:
    """The rule is known to ask them, but not what they would have said."""
    found = what_if(collected(played(long_scene, "crowd")), OtherRule(feedback="expert"))

    assert found.after.expert_share == WhatIfFigure.exactly(1.0)
    assert found.drawn > 100
    assert not found.changed.known
    assert found.changed.low <= found.changed.estimate <= found.changed.high
    assert {each.known for each in found.changes if each.by_before == "crowd"} == {False}
    assert any("never asked" in note for note in found.notes)


def test_experts_who_were_all_asked_make_everything_known() -> None:
    """The other rule trusts the crowd, whose errors the experts have seen."""
    live = played(long_scene, "expert", audit=0)
    found = what_if(collected(live), OtherRule(feedback="crowd"))
    gold = live.scene.dataset.gold
    wrong = sum(live.spans(gold[each.sentence]) != each.after for each in found.changes)

    assert found.after.f1.known
    assert found.changed.known
    assert found.changed.estimate == wrong
    assert found.before.f1 == WhatIfFigure.exactly(1.0)
    assert found.after.f1.estimate < 1


def test_without_audits_quality_is_a_guess_and_says_so() -> None:
    """Its interval is wide, and the remedy is named."""
    live = played(long_scene, "gate:threshold=0.4", audit=0)
    found = what_if(collected(live), OtherRule(threshold=0.2))

    assert found.audited == 0
    assert found.after.f1.low < found.after.f1.estimate < found.after.f1.high
    assert any("audit=0.05" in note for note in found.notes)


@pytest.mark.parametrize(
    ("other", "remedy"),
    [
        ({}, "nothing is different"),
        ({"answers": 5}, "spancrew simulate"),
        ({"answers": 0}, "from 1 to 1000"),
        ({"feedback": "crowd", "threshold": 0.5}, "no threshold"),
        ({"feedback": "gat"}, "gate"),
        (
            {"feedback": "adaptive:first=0"},
            r"models first \(adaptive:first=0\).*spancrew simulate",
        ),
    ],
)
def test_what_cannot_be_tried_is_refused_with_a_remedy(
    other: dict[str, object], remedy: str
) -> None:
    """More answers than there are, no rule, or one that does not exist."""
    had = collected(played(long_scene, "gate:threshold=0.4"))

    with pytest.raises(SpancrewError, match=remedy):
        what_if(had, OtherRule(**other))  # type: ignore[arg-type]


def test_a_method_goes_with_the_rule_unless_it_was_chosen() -> None:
    """The usual method of a gate is the vote, that of expected errors is not."""
    plan = played(long_scene, "gate:threshold=0.4").campaign.plan
    chosen = OtherRule(consensus="ds").plan(plan)

    assert OtherRule(feedback="expected-error").plan(plan).method.learns
    assert not OtherRule(threshold=0.5).plan(plan).method.learns
    assert OtherRule(feedback="expected-error").plan(chosen).method == chosen.method


def test_nothing_settled_is_refused() -> None:
    """A campaign that has just begun has nothing to compare."""
    live = played(long_scene, "gate:threshold=0.4")
    first = next(k for k, event in enumerate(live.events) if isinstance(event, Settled))
    begun = [event for event in live.events[:first] if not isinstance(event, Finished)]

    with pytest.raises(SpancrewError, match="no sentence is settled"):
        collected_from_events(without_gold(live.scene.dataset), begun)


def test_estimates_that_differ_widen_their_interval() -> None:
    """One alone keeps its own; equal ones that are sure are known."""
    alone = WhatIfFigure.of_estimates([Estimate(0.9, 0.8, 0.95)])
    both = WhatIfFigure.of_estimates([Estimate(0.9, 0.8, 0.95), Estimate(0.7, 0.6, 0.75)])
    sure = WhatIfFigure.of_estimates([Estimate(0.9, 0.9, 0.9)])

    assert alone == pytest.approx((False, 0.9, 0.8, 0.95))
    assert both.estimate == pytest.approx(0.8)
    assert both.low < 0.6
    assert sure.known


def test_where_answers_are_missing_a_rule_decides_on_those_there_are() -> None:
    """A campaign that asked for two answers at first has no more on many sentences."""
    live = played(long_scene, "adaptive")
    found = what_if(collected(live), OtherRule(feedback="gate:threshold=0.4"))

    assert found.short > 0
    assert found.sentences == live.campaign.status().settled
    assert any("more answers than were collected" in note for note in found.notes)
