"""A journal that is played once more by its own plan goes as it went."""

from dataclasses import replace

import pytest

from spancrew.campaign import Campaign, Past, Plan, Spans, StandIn, another_course
from spancrew.feedback import feedback_rule
from spancrew.whatif import OtherRule, what_if
from tests.campaign.stage import Stage
from tests.campaign.test_walks import walk
from tests.whatif.played import collected, long_scene, played

RULES = ["gate:threshold=0.4", "expected-error:expert_share=0.3"]


def labels(campaign: Campaign) -> dict[int, Spans]:
    """Return the labels of all sentences that are settled."""
    found = campaign.labels_so_far(revise=True)
    spans = campaign.state.spans
    return {int(s): spans(found.codes[k]) for k, s in enumerate(found.sentence)}


@pytest.mark.parametrize("rule", RULES)
def test_the_same_rule_changes_nothing_and_costs_the_same(rule: str) -> None:
    """It is known from the journal, and nothing is drawn."""
    live = played(long_scene, rule)
    found = what_if(collected(live), OtherRule(feedback=rule))

    assert found.changed == (True, 0.0, 0.0, 0.0)
    assert found.changes == ()
    assert found.after.expert_share == found.before.expert_share
    assert found.after.cost.estimate == live.campaign.ledger().spent
    assert found.after.cost.known
    assert found.drawn == 0


@pytest.mark.parametrize("rule", [*RULES, "adaptive"])
def test_a_journal_played_again_has_the_same_labels_fits_and_books(rule: str) -> None:
    """Nothing is taken from it but answers, what experts said, and when the method learned."""
    live = played(long_scene, rule)
    past = Past.of(live.events)
    again = another_course(live.material, past, live.campaign.plan, StandIn(0))
    first, second = live.campaign.state, again.campaign.state

    assert labels(again.campaign) == labels(live.campaign)
    assert [each.seen for each in second.fits] == [each.seen for each in first.fits]
    assert second.money.spent == first.money.spent
    assert second.audited == first.audited
    assert second.expert_answers == first.expert_answers
    assert not again.drawn
    assert not again.short


@pytest.mark.parametrize("seed", range(20, 26))
def test_no_journal_is_too_wild_to_be_played_again(seed: int) -> None:
    """Leases end, workers skip and are banned, rules change, the campaign ends early."""
    machine = walk(seed)
    plan, past = Plan.from_json(machine.events[0].plan), Past.of(machine.events)  # type: ignore[union-attr]
    again = another_course(machine.material, past, plan, StandIn(0), keeps_rule=True)
    for rule in ("crowd", "expert", "adaptive"):
        other = replace(plan, feedback=feedback_rule(rule))
        another_course(machine.material, past, other, StandIn(0))

    if plan.mode == "stream" and plan.budget is None:
        assert labels(again.campaign) == labels(machine.live)
        assert again.campaign.state.audited == machine.live.state.audited
        assert not again.drawn


@pytest.mark.parametrize("rule", ["crowd", *RULES])
def test_the_f1_of_the_same_rule_is_that_of_the_certificate(rule: str) -> None:
    """With its interval: audited sentences are delivered with the expert's labels."""
    live = played(long_scene, rule, audit=0.3)
    found = what_if(collected(live), OtherRule(feedback=rule))
    certified = live.campaign.certificate(revise=True).delivered.f1

    assert len(live.campaign.state.audited) > 1
    assert found.after.f1[1:] == pytest.approx(tuple(certified))


def test_what_an_expert_has_not_answered_yet_stays_open() -> None:
    """Audits that were drawn are waited for, and nobody stands in."""
    stage = Stage(workers=2, audit=6)
    for _ in range(6):
        for each in stage.campaign.ask(stage.everybody, stage.now):
            stage.tell(each)
    plan = stage.campaign.plan
    again = another_course(stage.material, Past.of(stage.events), plan, StandIn(0))

    assert len(stage.campaign.state.questions) == 6
    assert again.campaign.state.questions.keys() == stage.campaign.state.questions.keys()
    assert not again.drawn
