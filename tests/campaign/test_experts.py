"""The experts' queue."""

import pytest

from spancrew.campaign import Claimed, ExpertAnswered, Settled, Waiting
from spancrew.consensus import SpanVote
from spancrew.errors import AnswerRefusedError, CampaignError, ConflictError, UnknownWorkerError
from spancrew.feedback import CrowdOnly, ExpertOnly
from tests.campaign.stage import LEASE, Stage
from tests.campaign.worlds import plain


def doubtful(doubts: int = 3) -> Stage:
    """Return a campaign with sentences in the queue."""
    stage = Stage(workers=2, crew=2)
    for _ in range(doubts):
        stage.answer(0, way=1)
        stage.answer(1, way=2)
    return stage


def test_the_queue_is_ordered_by_the_loss_to_be_expected() -> None:
    """What an expert's word is worth most on comes first."""
    stage = Stage(2, plain(3, tokens=6), crew=2, consensus=SpanVote(), feedback=ExpertOnly())
    for ways in [(1, 1), (1, 3), (0, 3)]:
        stage.answer(0, ways[0])
        stage.answer(1, ways[1])
    queue = stage.campaign.expert_queue()

    assert len({doubt.loss for doubt in queue}) == 3
    assert [doubt.loss for doubt in queue] == sorted((d.loss for d in queue), reverse=True)
    assert stage.sheet().sentence == queue[0].sentence


def test_a_warm_up_comes_first() -> None:
    """Workers wait for it."""
    stage = Stage(workers=3, warm_up="shared", crew=3)
    for worker in range(3):
        stage.answer(worker)
    stage.answer(0, way=1)
    stage.answer(1, way=2)

    assert [doubt.purpose for doubt in stage.campaign.expert_queue()] == ["warm-up", "crew"]


def test_an_expert_sees_all_answers_and_what_the_crowd_makes_of_them() -> None:
    """Side by side, and without names."""
    stage = doubtful(1)
    sheet = stage.sheet()

    assert [given.worker for given in sheet.answers] == [0, 1]
    assert [given.spans for given in sheet.answers] == [
        stage.spans(sheet.sentence, 1),
        stage.spans(sheet.sentence, 2),
    ]
    assert sheet.crowd
    assert sheet.doubt.claimed_by == "e1"


def test_a_clock_that_is_set_back_leaves_no_sentence_with_an_expert_for_long() -> None:
    """Another one gets it now; the first one may go on with it as long as nobody has."""
    stage = doubtful(1)
    stage.sheet("e1")
    stage.now -= 86_400.0
    again = stage.sheet("e1")
    stage.now -= 86_400.0
    other = stage.sheet("e2")

    assert again.until == other.until + 86_400.0 == stage.now + LEASE + 86_400.0


def test_two_experts_get_different_sentences() -> None:
    """Until the time of one is over."""
    stage = doubtful(2)
    first, second = stage.sheet("e1"), stage.sheet("e2")
    third = stage.campaign.next_expert("e3", stage.now)
    stage.now += LEASE
    later = stage.sheet("e3")

    assert first.sentence != second.sentence
    assert isinstance(third, Waiting)
    assert later.sentence in {first.sentence, second.sentence}


def test_what_an_expert_has_in_hand_comes_again() -> None:
    """It is written down once, however often they look."""
    stage = doubtful()
    sheets = {stage.sheet().sentence for _ in range(5)}

    assert len(sheets) == 1
    assert len(stage.of(Claimed)) == 1


def test_the_word_of_an_expert_is_final() -> None:
    """Answers are scored against it."""
    stage = doubtful(1)
    receipt = stage.label(way=1)
    (settled,) = stage.of(Settled)

    assert receipt.paid == 1.0
    assert (settled.by, settled.confidence) == ("expert", 1.0)
    assert settled.rewards == ((0, 1.0), (1, 0.0))
    assert [label.voters for label in settled.labels] == [(0,)]


def test_the_slower_of_two_experts_is_told_so() -> None:
    """One answer a sentence is paid."""
    stage = doubtful(1)
    sentence = stage.sheet("e1").sentence
    stage.now += LEASE
    stage.label(expert="e2")

    with pytest.raises(ConflictError, match="another one may have been quicker"):
        stage.campaign.tell_expert(sentence, "e1", (), stage.now)
    assert len(stage.of(ExpertAnswered)) == 1


def test_an_expert_can_send_the_same_twice() -> None:
    """With the same key; with another, or as another, it is a second answer."""
    stage = doubtful(1)
    sentence = stage.sheet().sentence
    campaign, now = stage.campaign, stage.now
    first = campaign.tell_expert(sentence, "e1", (), now, key="k")
    again = campaign.tell_expert(sentence, "e1", (), now, key="k")

    assert (first.again, again.again) == (False, True)
    for expert, key in [("e1", "other"), ("e1", None), ("e2", "k")]:
        with pytest.raises(ConflictError):
            campaign.tell_expert(sentence, expert, (), now, key=key)
    assert campaign.ledger().experts == 1


def test_an_expert_is_not_spared_the_rules_for_spans() -> None:
    """Nothing is written, and the sentence waits on."""
    stage = doubtful(1)
    sentence = stage.sheet().sentence

    with pytest.raises(AnswerRefusedError):
        stage.campaign.tell_expert(sentence, "e1", ((0, 99, "PER"),), stage.now)
    assert [doubt.sentence for doubt in stage.campaign.expert_queue()] == [sentence]


def test_nobody_is_asked_when_the_campaign_is_over() -> None:
    """An answer would settle nothing."""
    stage = doubtful(1)
    sentence = stage.sheet().sentence
    stage.campaign.finish(stage.now, "enough")
    found = stage.campaign.next_expert("e1", stage.now)

    assert isinstance(found, Waiting)
    assert found.over
    with pytest.raises(CampaignError, match=r"the campaign is over \(enough\)"):
        stage.campaign.tell_expert(sentence, "e1", (), stage.now)


def test_experts_go_on_in_a_pause() -> None:
    """What is in hand can be answered."""
    stage = doubtful(1)
    stage.campaign.pause(stage.now)
    stage.label()

    assert len(stage.of(Settled)) == 1


def test_a_sentence_that_waits_for_nobody_has_no_sheet() -> None:
    """Its answers are nobody's business."""
    with pytest.raises(UnknownWorkerError, match="sentence 2 does not wait for an expert"):
        Stage().campaign.expert_sheet(2)


def test_a_campaign_without_experts_gets_to_its_end() -> None:
    """Whatever the crowd says is the label; no money is put aside for experts."""
    stage = Stage(feedback=CrowdOnly(), warm_up="shared", budget=6 * 2 * 0.1)
    stage.run(ways=(1, 2, 3, 4))

    assert stage.campaign.phase == "finished"
    assert {event.by for event in stage.of(Settled)} == {"crowd"}
    assert stage.campaign.ledger().experts == 0
    assert stage.campaign.ledger().spent == pytest.approx(1.2)


def test_the_queue_says_how_much_the_answers_agree() -> None:
    """Fleiss' kappa, the errors to be expected, and on how many answers both stand."""
    stage = Stage(2, plain(3, tokens=6), crew=2, consensus=SpanVote(), feedback=ExpertOnly())
    for ways in [(1, 1), (1, 4), (0, 3)]:
        stage.answer(0, ways[0])
        stage.answer(1, ways[1])
    queue = stage.campaign.expert_queue()
    by_answers = {frozenset(stage.campaign.expert_sheet(d.sentence).answers): d for d in queue}

    assert len(by_answers) == 3
    assert [doubt.answers for doubt in queue] == [2, 2, 2]
    assert [doubt.errors for doubt in queue] == [doubt.loss for doubt in queue]
    assert max(doubt.agreement or 0.0 for doubt in queue) == 1.0
    assert all(d.agreement is not None and d.agreement < 0.5 for d in queue if d.loss > 0.5)
    assert stage.campaign.expert_queue(2) == queue[:2]


def test_one_answer_has_no_agreement_and_a_warm_up_none_to_look_at() -> None:
    """What is not known is None, never 1."""
    alone = Stage(workers=1, crew=1, answers=1, feedback=ExpertOnly())
    alone.answer(0)
    warm = Stage(workers=2, warm_up="shared")
    warm.answer(0)
    (single,), (known,) = alone.campaign.expert_queue(), warm.campaign.expert_queue()

    assert (single.agreement, single.answers) == (None, 1)
    assert (known.agreement, known.errors, known.answers) == (None, None, 0)
