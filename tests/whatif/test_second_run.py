"""A what-if against a campaign that was really played by the other rule."""

import pytest

from spancrew.whatif import OtherRule, collected_from_events, what_if
from tests.whatif.played import (
    collected,
    demo_scene,
    long_scene,
    played,
    true_f1,
    without_gold,
)

FIRST = "gate:threshold=0.65"


@pytest.mark.parametrize("other", ["gate:threshold=0.5", "gate:threshold=0.8"])
def test_decisions_and_cost_are_those_of_a_second_campaign(other: str) -> None:
    """On the same answers, a rule that looks at nothing but answers is known exactly."""
    second = played(demo_scene, other).campaign
    found = what_if(collected(played(demo_scene, FIRST)), OtherRule(feedback=other))
    status, f1 = second.status(), true_f1(second, demo_scene().dataset.gold)

    assert found.after.expert_share.known
    assert found.after.cost.known
    assert found.after.expert_share.estimate == pytest.approx(status.by_expert / status.settled)
    assert found.after.cost.estimate == pytest.approx(second.ledger().spent)
    assert found.after.f1.estimate == pytest.approx(f1, abs=0.02)
    assert found.after.f1.low <= f1 <= found.after.f1.high
    assert not found.after.f1.known


def test_what_a_learning_rule_would_do_is_an_estimate_that_covers_it() -> None:
    """Experts whom nobody asked would have taught it; their labels are drawn."""
    rule = "expected-error:expert_share=0.3"
    second = played(long_scene, rule).campaign
    found = what_if(collected(played(long_scene, FIRST)), OtherRule(feedback=rule), draws=3)
    status, share, cost = second.status(), found.after.expert_share, found.after.cost
    true = status.by_expert / status.settled

    assert not share.known
    assert found.drawn > 0
    assert found.draws == 3
    assert found.after.consensus == "auto"
    assert share.estimate == pytest.approx(true, abs=0.02)
    assert share.low <= true <= share.high
    assert cost.low <= second.ledger().spent <= cost.high


def test_the_labels_that_differ_are_those_of_the_second_campaign() -> None:
    """Where the other rule trusts the crowd, its labels are known, sentence by sentence."""
    other = played(demo_scene, "gate:threshold=0.5").campaign
    first = played(demo_scene, FIRST)
    found = what_if(collected(first), OtherRule(threshold=0.5))
    so_far = other.labels_so_far(revise=True)
    place = {int(sentence): k for k, sentence in enumerate(so_far.sentence)}
    known = [change for change in found.changes if change.known]

    assert len(known) > 50
    for change in known:
        k = place[change.sentence]
        assert change.by_before == "expert"
        assert change.by_after in {"crowd", "audit"}
        if change.by_after == "crowd":
            assert change.after == other.state.spans(so_far.codes[k])
    assert round(found.changed.low) == sum(each.before != each.after for each in known)


def test_a_running_campaign_is_compared_on_what_is_settled() -> None:
    """Questions that an expert has not answered yet stay open."""
    live = played(demo_scene, FIRST)
    half = live.events[: len(live.events) // 2]

    running = collected_from_events(without_gold(live.scene.dataset), half)
    found = what_if(running, OtherRule(threshold=0.5))

    assert running.campaign is not None
    assert 0 < found.sentences <= running.campaign.status().settled < 600
    assert found.after.expert_share.estimate < found.before.expert_share.estimate
