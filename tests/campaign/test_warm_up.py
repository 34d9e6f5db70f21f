"""What a new worker labels first, and sentences with known labels later on."""

from collections import Counter

import pytest

from spancrew.campaign import Assigned, ExpertAnswered, Recalled, Scored, Settled
from spancrew.feedback import CrowdOnly
from tests.campaign.stage import LEASE, Stage
from tests.campaign.worlds import plain


def warm_ups(stage: Stage) -> list[Assigned]:
    """Return the assignments that are warm-ups."""
    return [event for event in stage.of(Assigned) if event.purpose == "warm-up"]


def test_without_a_warm_up_everybody_is_ready() -> None:
    """And begins with the campaign."""
    stage = Stage()

    assert stage.give(0).purpose == "crew"
    assert stage.campaign.status().ready == 4


def test_one_sentence_with_gold_serves_all_and_costs_no_expert() -> None:
    """Answers are scored at once."""
    stage = Stage(material=plain(6, known=1), warm_up="shared")
    receipts = [stage.answer(worker) for worker in range(4)]

    assert {receipt.sentence for receipt in receipts} == {0}
    assert [event.reward for event in stage.of(Scored)] == [1.0] * 4
    assert stage.campaign.expert_queue() == []
    assert stage.campaign.standings()[0].by_gold == 1.0
    assert stage.campaign.status().ready == 4


def test_workers_share_the_gold_there_is() -> None:
    """So that it is not one sentence that everybody talks about."""
    stage = Stage(material=plain(6, known=3), warm_up="shared")

    assert [stage.give(worker).sentence for worker in range(4)] == [0, 1, 2, 0]


def test_without_gold_an_expert_labels_one_sentence_for_all() -> None:
    """It waits first in the queue, and is settled by it."""
    stage = Stage(warm_up="shared")
    answers = [stage.answer(worker, way=worker) for worker in range(3)]
    (doubt,) = stage.campaign.expert_queue()
    stage.label(way=1)
    scored = stage.of(Scored)

    assert len({receipt.sentence for receipt in answers}) == 1
    assert doubt.purpose == "warm-up"
    assert [event.reward == 1.0 for event in scored] == [False, True, False]
    assert stage.of(Settled)[0].by == "expert"
    assert stage.of(Settled)[0].answers == 0
    assert len(stage.of(ExpertAnswered)) == 1


def test_in_a_stream_nobody_waits_for_the_expert() -> None:
    """A worker goes on as soon as the first answer is there, scored or not."""
    stage = Stage(warm_up="shared")
    stage.answer(0)

    assert stage.give(0).purpose == "crew"
    assert stage.campaign.standings()[0].mean is None


def test_in_rounds_a_worker_waits_for_the_first_score() -> None:
    """The paper's crews are chosen by scores."""
    stage = Stage(workers=2, warm_up="shared", mode="rounds")
    stage.answer(0)
    waits = stage.wait(0)
    stage.answer(1)
    stage.label()

    assert waits.reason == "your first answer is being looked at"
    assert stage.give(0).purpose == "crew"


def test_everybody_can_have_a_sentence_of_their_own() -> None:
    """Each is labelled by an expert, as in the paper."""
    stage = Stage(warm_up="own", material=plain(12))
    for worker in range(4):
        stage.answer(worker)
    own = {event.sentence for event in warm_ups(stage)}

    assert len(stage.campaign.expert_queue()) == len(own) > 1


@pytest.mark.parametrize("mode", ["stream", "rounds"])
def test_the_answer_of_a_warm_up_counts_on_its_sentence(mode: str) -> None:
    """Its worker is not asked again, and not paid twice."""
    stage = Stage(6, plain(8), warm_up="own", mode=mode, crew=6, answers=4).run()
    recalled = stage.of(Recalled)
    pairs = Counter((event.sentence, event.worker) for event in stage.of(Assigned))

    assert stage.campaign.phase == "finished"
    assert recalled
    assert max(pairs.values()) == 1
    for event in recalled:
        (settled,) = (each for each in stage.of(Settled) if each.sentence == event.sentence)
        assert (event.worker, None) in settled.rewards


def test_a_warm_up_that_was_given_back_comes_again() -> None:
    """There is no way around it."""
    stage = Stage(warm_up="shared")
    given = stage.give(0)
    stage.campaign.skip(given.number, 0, "no", stage.now)
    again = stage.give(0)

    assert again.sentence == given.sentence
    assert again.number > given.number


def test_a_warm_up_that_took_too_long_gets_more_time() -> None:
    """The same assignment is open again."""
    stage = Stage(warm_up="shared")
    given = stage.give(0)
    stage.pass_time(LEASE + 50)
    again = stage.give(0)

    assert again.number == given.number
    assert again.until == stage.now + LEASE
    assert not stage.tell(again).late


def test_nothing_is_fetched_ahead_of_a_warm_up() -> None:
    """Who is new gets one sentence, not two."""
    stage = Stage(warm_up="shared")
    stage.give(0)
    stage.next(0, ahead=1)

    assert len(stage.of(Assigned)) == 1


def test_without_experts_and_gold_there_is_no_shared_warm_up() -> None:
    """Nobody could say how good an answer was."""
    stage = Stage(warm_up="shared", feedback=CrowdOnly())

    assert stage.give(0).purpose == "crew"


def test_a_worker_with_a_pause_in_the_warm_up_goes_on_where_they_were() -> None:
    """New if they had not answered, ready if a late answer has been scored."""
    stage = Stage(warm_up="shared", material=plain(6, known=1))
    late = stage.give(0)
    stage.pass_time(LEASE)
    stage.campaign.halt(0, stage.now)
    stage.campaign.halt(1, stage.now)
    stage.tell(late)
    for worker in (0, 1):
        stage.campaign.readmit(worker, stage.now)

    assert [each.state for each in stage.campaign.standings()[:2]] == ["ready", "new"]


def test_gold_is_mixed_in_as_often_as_asked() -> None:
    """Each sentence with gold once per worker; it is scored and paid like any other."""
    stage = Stage(material=plain(60, known=30), gold_share=0.3, workers=6, crew=6).run()
    purposes = Counter(event.purpose for event in stage.of(Assigned))
    shown = Counter(
        (event.worker, event.sentence) for event in stage.of(Assigned) if event.purpose == "gold"
    )

    assert 0.2 < purposes["gold"] / purposes.total() < 0.4
    assert max(shown.values()) == 1
    assert len(stage.of(Scored)) == purposes["gold"]
    assert stage.campaign.ledger().answers == purposes.total()
    assert {event.by for event in stage.of(Settled)} == {"crowd"}


def test_gold_shows_who_does_not_look() -> None:
    """The mean by gold is apart from the mean by the crowd."""
    stage = Stage(material=plain(60, known=30), gold_share=0.3, workers=6, crew=6)
    stage.run(ways=(1, 1, 1, 1, 1, 0))
    standings = stage.campaign.standings()

    assert standings[5].by_gold == 0.0
    assert standings[0].by_gold == 1.0


def test_sentences_with_gold_are_settled_from_the_beginning() -> None:
    """Nobody is asked to label them for the campaign."""
    stage = Stage(material=plain(6, known=2)).run()

    assert stage.campaign.status().by_gold == 2
    assert {event.sentence for event in stage.of(Assigned)} == {2, 3, 4, 5}


def test_an_answer_on_gold_is_scored_even_if_the_campaign_has_ended() -> None:
    """What was handed out is looked at."""
    stage = Stage(material=plain(6, known=1), warm_up="shared")
    given = stage.give(0)
    stage.campaign.finish(stage.now)
    stage.tell(given)

    assert [event.assignment for event in stage.of(Scored)] == [given.number]
