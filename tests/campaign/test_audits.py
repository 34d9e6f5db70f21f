"""Audits: an expert labels some of the crowd's sentences without seeing any answer."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chisquare

from spancrew.campaign import (
    AuditDrawn,
    Audited,
    Campaign,
    Claimed,
    ExpertSheet,
    Fitted,
    Opened,
    Plan,
    Settled,
    entry_of,
    event_of,
)
from spancrew.campaign._brain import evidence
from spancrew.campaign._journal import Entry
from spancrew.consensus import Auto, DawidSkene
from spancrew.errors import PlanError
from spancrew.feedback import AgreementGate, CrowdOnly, ExpectedErrorGate
from tests.campaign.stage import PLAN, Stage
from tests.campaign.worlds import LABELS, plain
from tests.spread import often


def settled_by_crowd(stage: Stage) -> set[int]:
    """Return the sentences that the crowd has settled."""
    return {event.sentence for event in stage.of(Settled) if event.by == "crowd"}


@pytest.mark.parametrize(
    ("audit", "count"), [(0, 0), (0.25, 5), (0.26, 6), (7, 7), (20, 20), (500, 20)]
)
def test_as_many_are_audited_as_the_plan_says(audit: float, count: int) -> None:
    """A share is rounded up; nothing more can be audited than the crowd has settled."""
    stage = Stage(material=plain(20), audit=audit, seed=1).run()
    drawn = [event.sentence for event in stage.of(AuditDrawn)]

    assert len(stage.of(Audited)) >= count
    assert len(stage.of(Audited)) == stage.campaign.status().audited == len(drawn)
    assert set(drawn) <= settled_by_crowd(stage)
    assert stage.campaign.phase == "finished"


def test_any_sentence_of_the_crowd_is_as_likely_as_another() -> None:
    """Over many seeds, each is drawn as often."""
    drawn: Counter[int] = Counter()
    for seed in range(often(80, 300)):
        stage = Stage(material=plain(12), audit=3, seed=seed).run()
        drawn.update(event.sentence for event in stage.of(Audited))

    assert chisquare([drawn[sentence] for sentence in range(12)]).pvalue > 0.001


def test_doubtful_sentences_are_no_likelier_than_others() -> None:
    """Also among those that are drawn at once, before anything is added at the end."""
    drawn, settled = Counter[bool](), Counter[bool]()
    seeds = often(24, 60)
    for seed in range(seeds):
        stage = Stage(
            3, plain(20), audit=0.4, seed=seed, answers=3, crew=3, feedback=AgreementGate(-1.0)
        )
        while stage.campaign.phase == "running":
            stage.now += 1
            for each in stage.campaign.ask(stage.everybody, stage.now):
                is_odd_one = each.sentence % 2 and each.worker == 0
                stage.tell(each, 2 if is_odd_one else 1)
            if not stage.campaign.state.waiting and not stage.campaign.state.hand:
                break
        settled.update(bool(event.sentence % 2) for event in stage.of(Settled))
        drawn.update(bool(event.sentence % 2) for event in stage.of(AuditDrawn))

    expected = pytest.approx(4 * seeds, abs=6 * seeds**0.5)
    assert settled[True] == settled[False] == 10 * seeds
    assert drawn[True] == expected
    assert drawn[False] == expected


def test_what_experts_decide_is_never_audited() -> None:
    """There is nothing to find out about it."""
    stage = Stage(material=plain(30), audit=30, seed=5).run(ways=(1, 1, 1, 2))

    assert {event.sentence for event in stage.of(Audited)} == settled_by_crowd(stage)
    assert stage.campaign.status().by_expert > 0


def test_the_expert_sees_no_answer() -> None:
    """Neither the answers nor the consensus, nor how doubtful it is."""
    stage = Stage(material=plain(1), audit=1)
    stage.answer(0)
    stage.answer(1)
    sheet = stage.sheet()

    assert sheet.doubt.purpose == "audit"
    assert (sheet.answers, sheet.crowd) == ((), ())
    assert (sheet.doubt.agreement, sheet.doubt.errors, sheet.doubt.answers) == (None, None, 0)


def test_audits_stand_in_the_middle_of_the_queue() -> None:
    """Not at its end, where everybody would know what they are."""
    stage = Stage(6, plain(40), audit=20, seed=3, crew=6)
    for _ in range(40):
        for each in stage.campaign.ask(stage.everybody, stage.now):
            stage.tell(each, (1, 1, 1, 1, 2, 3)[each.worker])
    purposes = [doubt.purpose for doubt in stage.campaign.expert_queue()]
    last = len(purposes) - 1 - purposes[::-1].index("crew")

    assert "audit" in purposes[:last]


def test_labels_of_an_audit_are_final_and_rewards_stay() -> None:
    """The crowd's labels were scored; from then on the expert's count."""
    stage = Stage(material=plain(1), audit=1)
    stage.answer(0)
    stage.answer(1)
    before = stage.campaign.standings()
    receipt = stage.label(way=2)

    assert stage.of(Audited)[0].spans == stage.spans(0, 2)
    assert stage.campaign.standings() == before
    assert receipt.taught == ()
    assert stage.campaign.state.audited == {0: None}


def test_money_for_an_audit_is_kept_from_the_beginning() -> None:
    """A budget is never exceeded, and none is left aside when a campaign ends."""
    stage = Stage(material=plain(3), audit=1)
    for worker in (0, 1):
        stage.answer(worker)
    drawn = stage.of(AuditDrawn)
    committed = stage.campaign.ledger().committed
    stage.campaign.finish(stage.now)

    assert committed == (1.0 if drawn else 0.0)
    assert stage.campaign.ledger().committed == 0.0


def test_a_budget_that_is_spent_ends_audits_too() -> None:
    """As many as can be paid are added at the end."""
    everything = Stage(material=plain(10), audit=10).run().campaign.ledger()
    stage = Stage(material=plain(10), audit=10, budget=6.0).run()
    ledger = stage.campaign.ledger()

    assert everything.experts == 10
    assert ledger.spent <= 6.0
    assert 0 < ledger.experts < 10


def test_without_experts_nothing_is_audited_unless_one_asks_for_it() -> None:
    """A campaign that never asks an expert must not wait for one in the end."""
    none = Plan(LABELS.names, feedback=CrowdOnly())
    asked = Plan(LABELS.names, feedback=CrowdOnly(), audit=0.1)

    assert (none.audits, none.has_experts) == (0.0, False)
    assert (asked.audits, asked.has_experts) == (0.1, True)
    assert Plan(LABELS.names, feedback=ExpectedErrorGate()).audits == 0.05
    assert Stage(feedback=CrowdOnly(), audit=None).run().campaign.phase == "finished"


@pytest.mark.parametrize("audit", [-0.1, 1.5, float("nan"), float("inf"), True, "5"])
def test_what_is_neither_a_share_nor_a_number_is_refused(audit: float) -> None:
    """The message says what to give."""
    with pytest.raises(PlanError, match="give a share of the crowd's sentences below 1"):
        replace(PLAN, audit=audit)


def test_campaigns_from_before_audits_go_on_without() -> None:
    """Their plan says nothing of audits, and money was not kept for them."""
    old = dict(PLAN.to_json())
    del old["audit"]
    body = entry_of(Opened(1.0, old, 3)).body.replace('"v":2,', "")
    event = event_of(Entry("Opened", 1.0, body))

    assert isinstance(event, Opened)
    assert event.plan["audit"] == 0


def test_the_method_never_learns_labels_from_an_audit() -> None:
    """Audits are rows of their own, which weigh as many sentences as they stand for."""
    stage = Stage(5, plain(70), answers=3, crew=5, consensus=Auto(), audit=0.3)
    stage.run(ways=(1, 1, 1, 1, 2))
    state = stage.campaign.state
    found = evidence(state, Fitted(0.0, len(state.log), 5))
    rows = np.flatnonzero(found.is_audit)
    assert found.weight is not None

    assert len(rows) > 3
    assert found.weight[rows] == pytest.approx(1 / 0.3)
    assert len(found.for_fit().lengths) == len(found.lengths) - len(rows)
    assert not found.for_fit().is_audit.any()


def test_a_revision_says_the_same_whatever_audits_found() -> None:
    """Else they would not tell how good the revised labels are."""
    revised = []
    for way in (1, 3):
        stage = Stage(5, plain(60), answers=3, crew=5, consensus=DawidSkene(), audit=20, seed=2)
        for _ in range(200):
            stage.now += 1
            for each in stage.campaign.ask(stage.everybody, stage.now):
                stage.tell(each, 2 if (each.worker + each.sentence) % 9 == 0 else 1)
            while isinstance(sheet := stage.campaign.next_expert("e", stage.now), ExpertSheet):
                said = stage.spans(sheet.sentence, way if sheet.doubt.purpose == "audit" else 1)
                stage.campaign.tell_expert(sheet.sentence, "e", said, stage.now)
        assert stage.campaign.status().audited >= 20
        revised.append(stage.campaign.revised())

    assert revised[0] == revised[1]


def test_an_audit_survives_a_snapshot() -> None:
    """Also while an expert is at it."""
    stage = Stage(6, plain(30), audit=0.5, crew=6, consensus=Auto(), answers=3)
    for _ in range(12):
        for each in stage.campaign.ask(stage.everybody, stage.now):
            stage.tell(each)
    stage.sheet()
    copy = Campaign.restore(stage.material, stage.campaign.snapshot())
    again = Campaign.replay(stage.material, stage.events)
    assert stage.of(Claimed)
    assert stage.campaign.state.audits
    for one in (stage.campaign, copy, again):
        while isinstance(sheet := one.next_expert("e1", stage.now), ExpertSheet):
            one.tell_expert(sheet.sentence, "e1", stage.spans(sheet.sentence, 1), stage.now)

    assert copy.snapshot() == stage.campaign.snapshot() == again.snapshot()


def test_a_sentence_that_an_expert_is_asked_about_anyway_is_not_audited() -> None:
    """The warm-up of a worker waits for its labels; money is put aside once."""
    stage = Stage(4, plain(8), warm_up="own", audit=8)
    for _ in range(20):
        stage.now += 1
        for each in stage.campaign.ask(stage.everybody, stage.now):
            stage.tell(each)
    own = {worker.own for worker in stage.campaign.state.workers}
    drawn = {event.sentence for event in stage.of(AuditDrawn)}
    while isinstance(stage.campaign.next_expert("e1", stage.now), ExpertSheet):
        stage.label()

    assert not own & drawn
    assert stage.campaign.ledger().committed == 0.0


def test_the_forecast_has_the_audits_that_are_drawn() -> None:
    """They will be paid, also when everything is settled."""
    stage = Stage(material=plain(6), audit=6)
    for _ in range(6):
        stage.now += 1
        for each in stage.campaign.ask(stage.everybody, stage.now):
            stage.tell(each)
    ledger = stage.campaign.ledger()

    assert stage.campaign.status().settled == 6
    assert ledger.forecast == ledger.spent + ledger.committed == pytest.approx(1.2 + 6.0)
