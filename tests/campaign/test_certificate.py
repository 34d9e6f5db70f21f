"""What audits say of the labels of a campaign."""

from dataclasses import replace

import numpy as np
import pytest

from spancrew.campaign import Campaign
from spancrew.consensus import Auto
from spancrew.core import Ragged, encode
from spancrew.core import Span as CoreSpan
from spancrew.feedback import ExpectedErrorGate
from spancrew.metrics import Metric
from tests.campaign.driven import Driven
from tests.campaign.stage import Stage
from tests.campaign.test_differential import plan_of
from tests.campaign.worlds import plain
from tests.simulate.small import small_scene
from tests.simulate.test_engine import NUMBERS


def test_nothing_audited_is_a_guess() -> None:
    """It has an estimate and no interval."""
    found = Stage(material=plain(8)).run().campaign.certificate()

    assert (found.kind, found.audited, found.level) == ("guess", 0, None)
    assert (found.delivered.f1.low, found.delivered.f1.high) == (None, None)


def test_nothing_settled_is_certified_as_nothing() -> None:
    """A campaign that has just begun has no labels to judge."""
    assert Stage(audit=0.5).campaign.certificate().sentences == 0


def test_everything_audited_is_the_truth() -> None:
    """The crowd's part is what the expert found; what is delivered is the expert's."""
    stage = Stage(material=plain(9), audit=9)
    for _ in range(9):
        stage.now += 1
        for each in stage.campaign.ask(stage.everybody, stage.now):
            stage.tell(each, 1)
    while stage.campaign.phase == "running":
        stage.label(way=1 if stage.campaign.status().audited < 6 else 2)
    found = stage.campaign.certificate()

    assert found.kind == "audited"
    assert found.crowd.f1 == pytest.approx((6 / 9, 6 / 9, 6 / 9))
    assert found.delivered.f1 == pytest.approx((1.0, 1.0, 1.0))
    assert found.wrong_sentences is not None
    assert found.wrong_sentences.seen == 3


@pytest.mark.parametrize("revise", [False, True])
def test_the_certificate_of_a_whole_campaign_holds(revise: bool) -> None:
    """With every crowd sentence audited, it says what a count of all labels says."""
    scene = small_scene(sentences=120, workers=9, seed=4)
    plan = plan_of(scene, NUMBERS["plain"])
    live = Driven(scene, replace(plan, consensus=Auto(), audit=120, warm_up="none"))
    live.run()
    certificate = live.campaign.certificate(revise=revise)

    assert certificate.crowd.f1.estimate == pytest.approx(_true_f1(live, revise=revise))
    assert certificate.crowd.f1.low == certificate.crowd.f1.high
    assert certificate.audited == certificate.crowd_sentences


def _true_f1(live: Driven, *, revise: bool) -> float:
    """Return the F1 of the labels that the crowd had given before any audit."""
    campaign: Campaign = live.campaign
    state = campaign.state
    sentence = state.stated.sentence.all.astype(np.int64)
    labels = state.stated.labels(state.material)
    if revise:
        state.audited.clear()
        revised = campaign.revised()
        rows = [
            encode(
                (CoreSpan(*span) for span in revised[each]),
                int(state.material.lengths[each]),
                state.material.labels,
            ).tolist()
            for each in sentence.tolist()
        ]
        labels = Ragged.of(rows)
    return Metric("exact").pool(labels, live.scene.dataset.gold.take(sentence)).f1


def test_a_rule_that_aims_at_a_quality_listens_to_audits() -> None:
    """Where experts find more errors than were expected, more is sent to them."""
    shares = []
    for way in (1, 3):
        stage = Stage(6, plain(150), crew=6, feedback=ExpectedErrorGate(quality=0.8), audit=0.3)
        for _ in range(150):
            stage.now += 1
            for each in stage.campaign.ask(stage.everybody, stage.now):
                stage.tell(each, 2 if (each.worker + each.sentence) % 5 == 0 else 1)
            _experts(stage, way)
        status = stage.campaign.status()
        shares.append(status.by_expert / status.settled)

    assert shares[1] > 2 * shares[0]


def _experts(stage: Stage, way: int) -> None:
    """Let an expert find the crowd right or wrong."""
    for doubt in stage.campaign.expert_queue():
        said = stage.spans(doubt.sentence, way)
        stage.campaign.tell_expert(doubt.sentence, "e1", said, stage.now)
