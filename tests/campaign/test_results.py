"""What is written of every decision, and what can be seen of a campaign."""

from dataclasses import asdict

import numpy as np
import pytest

from spancrew.campaign import (
    Answered,
    Assigned,
    Campaign,
    CrewChosen,
    Judged,
    RuleSet,
    Scored,
    Settled,
    Submission,
)
from spancrew.consensus import DawidSkene, MajorityVote, SpanVote
from spancrew.core import Span, encode
from spancrew.errors import AnswerRefusedError, PlanError, SpancrewError
from spancrew.feedback import AgreementGate, CrowdOnly, ExpectedErrorGate, ExpertOnly
from tests.campaign.stage import Stage
from tests.campaign.worlds import LABELS, plain


@pytest.mark.parametrize("mode", ["stream", "rounds"])
def test_every_assignment_says_why_it_was_this_worker(mode: str) -> None:
    """Their rank in the crew, its size, the step, what was known of them, the seed."""
    stage = Stage(5, plain(8), mode=mode, seed=7).run(ways=(1, 1, 1, 2))
    crews = {event.step: event.crew for event in stage.of(CrewChosen)}

    for event in stage.of(Assigned):
        reason = event.reason
        crew = crews[reason["step"]]
        assert reason["seed"] == 7
        assert reason["crew"] == len(crew)
        if reason["rank"] is None:
            assert event.worker not in crew or mode == "stream"
        else:
            assert crew[reason["rank"] - 1] == event.worker
        assert reason["scored"] >= 0
        assert 0 <= reason["mean"] <= 1


def test_a_crew_says_among_how_many_it_was_chosen() -> None:
    """Best first."""
    stage = Stage(workers=5)
    stage.give(0, available=[0, 1, 2])
    (crew,) = stage.of(CrewChosen)

    assert crew.available == 3
    assert sorted(crew.crew) == [0, 1, 2]


def test_every_final_label_says_who_voted_for_it_and_how_sure_it_is() -> None:
    """The exact span counts, not a part of it."""
    stage = Stage(3, answers=3, crew=3, consensus=SpanVote(), feedback=CrowdOnly())
    for worker, way in enumerate((1, 1, 3)):
        stage.answer(worker, way)
    (settled,) = stage.of(Settled)
    labels = {(each.start, each.end, each.label): each for each in settled.labels}

    assert settled.by == "crowd"
    assert settled.answers == 3
    assert labels[0, 1, "LOC"].voters == (0, 1)
    assert 0 < labels[0, 1, "LOC"].confidence < 1
    assert 0 < settled.confidence < 1


def test_every_verdict_says_what_decided() -> None:
    """The agreement, and the errors to be expected."""
    stage = Stage(2, crew=2)
    stage.answer(0)
    stage.answer(1)
    stage.answer(0, 1)
    stage.answer(1, 2)
    agreed, doubted = stage.of(Judged)

    assert (agreed.outcome, agreed.reason, agreed.errors) == ("crowd", 1.0, 0.0)
    assert doubted.outcome == "expert"
    assert doubted.reason is not None
    assert doubted.reason < 0.4
    assert doubted.errors > 0


def test_choices_are_one_label_for_every_question() -> None:
    """What lacks one, or joins two, is refused."""
    stage = Stage(material=plain(kind="choices"), kind="choices")
    given = stage.give(0)

    for spans in [(), ((0, 1, "LOC"),), ((0, 3, "LOC"),), ((0, 2, "LOC"), (2, 3, "PER"))]:
        with pytest.raises(AnswerRefusedError, match=r"question \d has no answer of its own"):
            stage.campaign.tell(Submission(given.number, 0, spans), stage.now)
    assert stage.tell(given)


def test_the_score_of_choices_is_the_accuracy() -> None:
    """Two of three questions right are two thirds."""
    stage = Stage(2, plain(4, known=1, kind="choices"), kind="choices", warm_up="shared")
    stage.tell(stage.give(0), way=1)
    stage.tell(stage.give(1), way=0)
    right, wrong = stage.of(Scored)

    assert right.reward == 1.0
    assert wrong.reward == pytest.approx(1 / 3)


def test_a_campaign_of_choices_gets_to_its_end() -> None:
    """Agreement, votes and experts work on choices as on spans."""
    stage = Stage(5, plain(8, kind="choices"), kind="choices", answers=3).run(ways=(1, 1, 2))

    assert stage.campaign.phase == "finished"
    for event in stage.of(Settled):
        assert [(label.start, label.end) for label in event.labels] == [(0, 1), (1, 2), (2, 3)]


def test_another_rule_decides_from_now_on() -> None:
    """The method stays, and the plan says so."""
    stage = Stage(2, crew=2)
    stage.answer(0)
    stage.answer(1)
    stage.campaign.set_rule("expert", stage.now)
    stage.answer(0)
    stage.answer(1)

    assert [event.outcome for event in stage.of(Judged)] == ["crowd", "expert"]
    assert stage.of(RuleSet)[0].feedback == "expert"
    assert stage.campaign.plan.feedback == ExpertOnly()
    assert stage.campaign.plan.method == MajorityVote()


def test_a_rule_can_be_given_as_a_value() -> None:
    """It goes into the journal by its name."""
    stage = Stage()
    stage.campaign.set_rule(AgreementGate(0.9), stage.now)

    assert stage.of(RuleSet)[0].feedback == "gate:threshold=0.9"


def test_experts_neither_come_nor_go_in_the_middle() -> None:
    """Money is put aside for them from the beginning."""
    with_experts, without = Stage(), Stage(feedback=CrowdOnly())

    with pytest.raises(PlanError, match="open a new campaign"):
        with_experts.campaign.set_rule("crowd", 1.0)
    with pytest.raises(PlanError, match="open a new campaign"):
        without.campaign.set_rule("gate", 1.0)
    with pytest.raises(SpancrewError, match="gut"):
        without.campaign.set_rule("gut-feeling", 1.0)


def test_status_adds_up() -> None:
    """Every sentence is settled, open, at an expert, or waiting."""
    stage = Stage(4, plain(9, known=2), crew=4)
    stage.answer(0)
    stage.answer(1)
    stage.answer(0, 1)
    stage.answer(1, 2)
    stage.give(0)
    status = stage.campaign.status()

    assert (status.by_gold, status.by_crowd, status.by_expert) == (2, 1, 0)
    assert (status.open, status.at_expert, status.waiting) == (1, 1, 4)
    assert status.settled == 3
    assert status.settled + status.open + status.at_expert + status.waiting == 9
    assert status.answers == 4
    assert status.version == len(stage.events)


def test_the_quality_to_be_expected_is_the_f1_of_the_labels_so_far() -> None:
    """Experts are right; of the crowd's spans some are wrong."""
    stage = Stage(3, answers=3, crew=3, consensus=SpanVote(), feedback=CrowdOnly())
    before = stage.campaign.status().expected_quality
    stage.run(ways=(1, 1, 3))
    status = stage.campaign.status()

    assert before is None
    assert status.expected_quality is not None
    assert 0 < status.expected_quality < 1
    assert status.expected_errors == pytest.approx(
        sum(event.errors for event in stage.of(Judged) if event.outcome == "crowd")
    )


def test_standings_say_what_is_known_of_every_worker() -> None:
    """Mean and interval of the rewards, by whose word, time, answers, money."""
    stage = Stage(3, plain(12), answers=3, crew=3, feedback=ExpertOnly()).run(ways=(1, 1, 2))
    good, _, bad = stage.campaign.standings()

    assert (good.mean, bad.mean) == (1.0, 0.0)
    assert (good.by_expert, good.by_crowd, good.by_gold) == (1.0, None, None)
    assert good.scored == good.answers == 12
    assert good.low is not None
    assert good.high is not None
    assert 0 < good.low < 1
    assert good.seconds == 2.0
    assert good.earned == pytest.approx(1.2)


def test_a_worker_of_whom_nothing_is_known_has_no_mean() -> None:
    """Rather than one of 0."""
    (standing,) = Stage(workers=1).campaign.standings()

    assert asdict(standing) | {"price": 0.1} == asdict(standing)
    assert standing.mean is standing.low is standing.high is standing.seconds is None


def test_labels_of_the_crowd_can_be_judged_once_more_in_the_end() -> None:
    """With all that was learned of the workers; whose word counts does not change."""
    stage = Stage(
        5, plain(70), answers=3, crew=5, consensus=DawidSkene(), feedback=ExpectedErrorGate()
    )
    stage.run(ways=(1, 1, 1, 1, 2))
    revised = stage.campaign.revised()
    by_crowd = {event.sentence for event in stage.of(Settled) if event.by == "crowd"}

    assert set(revised) == by_crowd
    for sentence, spans in revised.items():
        length = int(stage.material.lengths[sentence])
        assert len(encode((Span(*span) for span in spans), length, LABELS)) == length
    assert Stage().run().campaign.revised() == {}


def test_everything_is_in_the_journal() -> None:
    """Answers with their time and their key, as they were given."""
    stage = Stage()
    given = stage.give(0)
    stage.tell(given, way=2, key="k1")
    (answer,) = stage.of(Answered)

    assert answer.spans == stage.spans(given.sentence, 2)
    assert (answer.seconds, answer.key, answer.at) == (2.0, "k1", stage.now)


def test_a_seed_is_a_fate() -> None:
    """The same calls give the same events; another seed gives others."""
    same = [Stage(6, plain(12), seed=seed).run(ways=(1, 1, 2)).events for seed in (3, 3, 4)]

    assert same[0] == same[1]
    assert same[0][1:] != same[2][1:]


def test_order_is_not_that_of_the_file() -> None:
    """Sentences come in random order, so that what is settled early stands for all."""
    order = Campaign.open(Stage().campaign.plan, plain(50), 0.0).state.order

    assert sorted(order.tolist()) == list(range(50))
    assert not np.array_equal(order, np.arange(50))
