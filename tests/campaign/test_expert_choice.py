"""Experts who take a certain sentence or put one back, and what their word teaches."""

import pytest

from spancrew.campaign import Campaign, Claimed, Taught, Waiting
from spancrew.errors import ConflictError
from tests.campaign.stage import LEASE, Stage
from tests.campaign.test_experts import doubtful


def test_an_expert_can_take_a_certain_sentence() -> None:
    """It stays theirs when they ask again, and the one they had before is free."""
    stage = doubtful(3)
    first, _, last = (doubt.sentence for doubt in stage.campaign.expert_queue())
    before = stage.sheet("e1")
    wanted = stage.campaign.next_expert("e1", stage.now, last)
    again = stage.sheet("e1")
    other = stage.sheet("e2")

    assert not isinstance(wanted, Waiting)
    assert (before.sentence, wanted.sentence, again.sentence) == (first, last, last)
    assert other.sentence == first
    assert [(e.sentence, e.expert, e.until) for e in stage.of(Claimed)] == [
        (first, "e1", stage.now + LEASE),
        (first, "e1", stage.now),
        (last, "e1", stage.now + LEASE),
        (first, "e2", stage.now + LEASE),
    ]


def test_a_sentence_that_another_expert_has_is_refused() -> None:
    """Without a trace; once their time is over it can be taken."""
    stage = doubtful(2)
    taken = stage.sheet("e1").sentence
    events = len(stage.events)

    with pytest.raises(ConflictError, match="another expert is at sentence"):
        stage.campaign.next_expert("e2", stage.now, taken)
    with pytest.raises(ConflictError, match="does not wait for an expert"):
        stage.campaign.next_expert("e2", stage.now, 999)
    assert len(stage.events) == events
    stage.now += LEASE
    later = stage.campaign.next_expert("e2", stage.now, taken)
    assert not isinstance(later, Waiting)
    assert later.doubt.claimed_by == "e2"


def test_nobody_takes_a_sentence_when_the_campaign_is_over() -> None:
    """Not even one that they had."""
    stage = doubtful(1)
    sentence = stage.sheet().sentence
    stage.campaign.finish(stage.now)

    assert isinstance(stage.campaign.next_expert("e1", stage.now, sentence), Waiting)


def test_an_expert_who_is_still_at_it_gets_more_time() -> None:
    """When half of it is over, so that looking often writes nothing."""
    stage = doubtful(1)
    first = stage.sheet()
    stage.now += LEASE / 2
    same = stage.campaign.next_expert("e1", stage.now, first.sentence)
    stage.now += 1.0
    more = stage.campaign.next_expert("e1", stage.now, first.sentence)

    assert not isinstance(same, Waiting)
    assert not isinstance(more, Waiting)
    assert same.until == first.until
    assert more.until == stage.now + LEASE
    assert len(stage.of(Claimed)) == 2


def test_a_sentence_that_was_put_back_goes_to_another_expert() -> None:
    """Whoever put it back gets all others first."""
    stage = doubtful(2)
    hard = stage.sheet("e1").sentence
    stage.campaign.put_back(hard, "e1", stage.now)
    easy = stage.sheet("e1").sentence
    doubts = {doubt.sentence: doubt for doubt in stage.campaign.expert_queue()}

    assert easy != hard
    assert (doubts[hard].claimed_by, doubts[easy].claimed_by) == (None, "e1")
    assert stage.sheet("e2").sentence == hard
    stage.campaign.tell_expert(easy, "e1", (), stage.now)
    assert isinstance(stage.campaign.next_expert("e1", stage.now), Waiting)


def test_a_lonely_expert_gets_back_what_they_put_back() -> None:
    """When nothing else is left, as nobody else will decide; a restart knows it, too."""
    stage = doubtful(2)
    hard = stage.sheet().sentence
    stage.campaign.put_back(hard, "e1", stage.now)
    stage.events  # noqa: B018  what has happened so far
    twin = Campaign.restore(stage.material, stage.campaign.snapshot())
    found = twin.next_expert("e1", stage.now)
    stage.label()

    assert not isinstance(found, Waiting)
    assert found.sentence != hard
    assert stage.sheet().sentence == hard


def test_only_what_an_expert_has_can_be_put_back() -> None:
    """Anything else changes nothing, however often it is asked for."""
    stage = doubtful(2)
    taken = stage.sheet("e1").sentence
    events = len(stage.events)
    stage.campaign.put_back(taken, "e2", stage.now)
    stage.campaign.put_back(999, "e1", stage.now)
    stage.campaign.put_back(taken, "e1", stage.now + LEASE)

    assert len(stage.events) == events


def test_a_receipt_says_what_the_word_of_an_expert_taught() -> None:
    """Whose mean was what before, and is what now; sent again it taught nothing more."""
    stage = doubtful(2)
    stage.label(way=1)
    sentence = stage.sheet().sentence
    spans = stage.spans(sentence, 2)
    receipt = stage.campaign.tell_expert(sentence, "e1", spans, stage.now, key="k")
    again = stage.campaign.tell_expert(sentence, "e1", spans, stage.now, key="k")
    means = [each.mean for each in stage.campaign.standings()]

    assert receipt.taught == (Taught(0, 0.0, 1.0, 0.5), Taught(1, 1.0, 0.0, 0.5))
    assert means == [0.5, 0.5]
    assert again.taught == ()


def test_a_warm_up_teaches_about_all_who_did_it() -> None:
    """Each had no mean before."""
    stage = Stage(workers=3, warm_up="shared", crew=3)
    for worker in range(3):
        stage.answer(worker, way=1 if worker else 2)
    receipt = stage.label(way=1)

    assert receipt.taught == (
        Taught(0, 0.0, None, 0.0),
        Taught(1, 1.0, None, 1.0),
        Taught(2, 1.0, None, 1.0),
    )


def test_in_rounds_means_move_when_the_step_ends() -> None:
    """The reward is known at once; the mean with the last sentence of the step."""
    stage = Stage(workers=4, mode="rounds")
    ways: dict[int, int] = {}
    for each in stage.campaign.ask(stage.everybody, stage.now):
        ways[each.sentence] = ways.get(each.sentence, 0) + 1
        stage.tell(each, ways[each.sentence])
    first, last = stage.label(way=1), stage.label(way=1)

    assert sorted(each.reward or 0.0 for each in first.taught) == [0.0, 1.0]
    assert [(each.before, each.after) for each in first.taught] == [(None, None)] * 2
    assert [each.counted for each in (*first.taught, *last.taught)] == [False] * 2 + [True] * 2
    assert [each.before for each in last.taught] == [None, None]
    assert [each.after for each in last.taught] == [each.reward for each in last.taught]
