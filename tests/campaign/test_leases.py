"""Time that workers have, and answers that come after it."""

import pytest

from spancrew.campaign import Answered, Assigned, Expired, Extended, Settled, Skipped, Submission
from spancrew.errors import UnknownWorkerError
from tests.campaign.stage import LEASE, Stage


def test_an_assignment_is_the_same_until_it_is_answered() -> None:
    """Asking twice is no way to more work."""
    stage = Stage()
    first = stage.give(0)
    again = stage.give(0)

    assert again == first
    assert first.until == stage.now + LEASE
    assert len(stage.of(Assigned)) == 1


def test_the_sentence_of_a_lease_that_is_over_goes_to_somebody_else() -> None:
    """To a worker who has not had it."""
    stage = Stage(workers=3, answers=1)
    slow = stage.give(0)
    stage.pass_time(LEASE)
    other = stage.give(1)

    assert stage.of(Expired)[0].assignment == slow.number
    assert other.sentence == slow.sentence


def test_a_lease_lasts_to_its_end() -> None:
    """Not a second less."""
    stage = Stage()
    stage.give(0)
    stage.pass_time(LEASE - 0.5)

    assert stage.of(Expired) == []


def test_a_late_answer_counts_while_its_sentence_needs_one() -> None:
    """It is paid, marked late, and nobody else is asked for it."""
    stage = Stage(workers=2)
    slow = stage.give(0)
    stage.pass_time(LEASE + 1)
    receipt = stage.tell(slow)
    (answer,) = stage.of(Answered)

    assert receipt.late
    assert receipt.paid == 0.1
    assert (answer.late, answer.surplus) == (True, False)
    assert stage.campaign.standings()[0].late == 1
    assert len(stage.campaign.state.hand[slow.sentence].answers) == 1


def test_an_answer_after_its_time_is_late_even_if_nobody_has_looked_at_the_clock() -> None:
    """The time on the assignment decides, not the moment of the next tick."""
    stage = Stage()
    slow = stage.give(0)
    stage.now += LEASE

    assert stage.tell(slow).late
    assert stage.of(Expired) == []


def test_a_late_answer_on_a_settled_sentence_is_kept_and_paid() -> None:
    """It is surplus: the sentence has all that it needs."""
    stage = Stage(workers=3)
    slow = stage.give(0)
    stage.pass_time(LEASE)
    for worker in (1, 2):
        given = stage.give(worker)
        assert given.sentence == slow.sentence
        stage.tell(given)
    receipt = stage.tell(slow)
    late = stage.of(Answered)[-1]

    assert [event.sentence for event in stage.of(Settled)] == [slow.sentence]
    assert stage.of(Settled)[0].answers == 2
    assert (late.late, late.surplus, receipt.paid) == (True, True, 0.1)
    assert stage.campaign.ledger().spent == pytest.approx(0.3)


def test_both_answers_are_paid_where_the_late_one_comes_before_that_of_the_stand_in() -> None:
    """K answers count; what was promised beyond is paid."""
    stage = Stage(workers=3)
    slow = stage.give(0)
    quick = stage.give(1)
    stage.pass_time(LEASE / 2)
    stage.tell(quick)
    stage.pass_time(LEASE / 2)
    stand_in = stage.give(2)
    stage.tell(slow)
    stage.tell(stand_in)
    answers = stage.of(Answered)

    assert slow.sentence == quick.sentence == stand_in.sentence
    assert [answer.surplus for answer in answers] == [False, False, True]
    assert stage.of(Settled)[0].answers == 2
    assert stage.campaign.ledger().spent == pytest.approx(0.3)


def test_a_heartbeat_gives_more_time_when_half_of_it_is_over() -> None:
    """Before that nothing need be written."""
    stage = Stage()
    given = stage.give(0)
    early = stage.campaign.heartbeat(given.number, 0, stage.now + 10)
    later = stage.campaign.heartbeat(given.number, 0, stage.now + 60)

    assert early == given.until
    assert later == stage.now + 60 + LEASE
    assert len(stage.of(Extended)) == 1


def test_a_heartbeat_does_not_raise_the_dead() -> None:
    """A lease that is over stays over; its answer is still welcome."""
    stage = Stage()
    given = stage.give(0)
    stage.pass_time(LEASE + 5)

    assert stage.campaign.heartbeat(given.number, 0, stage.now) == given.until
    assert stage.of(Extended) == []
    assert stage.tell(given).late


def test_a_skipped_sentence_goes_to_somebody_else_and_is_not_paid() -> None:
    """The worker does not get it again."""
    stage = Stage(workers=3)
    given = stage.give(0)
    stage.campaign.skip(given.number, 0, "too long", stage.now)
    again = stage.give(0)
    other = stage.give(1)

    assert stage.of(Skipped)[0].reason == "too long"
    assert again.sentence != given.sentence
    assert other.sentence in {given.sentence, again.sentence}
    assert stage.campaign.standings()[0].skipped == 1
    assert stage.campaign.ledger().spent == 0


def test_a_skip_after_the_time_changes_nothing() -> None:
    """The sentence is with somebody else already."""
    stage = Stage()
    given = stage.give(0)
    stage.pass_time(LEASE)
    stage.campaign.skip(given.number, 0, "slow", stage.now)

    assert stage.of(Skipped) == []
    assert stage.tell(given).late


@pytest.mark.parametrize("worker", [1, 2])
def test_an_assignment_belongs_to_its_worker(worker: int) -> None:
    """Nobody answers, skips or keeps alive what is another's."""
    stage = Stage()
    given = stage.give(0)
    foreign = Submission(given.number, worker, ())

    with pytest.raises(UnknownWorkerError, match="not one of yours"):
        stage.campaign.tell(foreign, stage.now)
    with pytest.raises(UnknownWorkerError, match="not one of yours"):
        stage.campaign.skip(given.number, worker, "", stage.now)
    with pytest.raises(UnknownWorkerError, match="not one of yours"):
        stage.campaign.heartbeat(given.number, worker, stage.now)


def test_a_worker_can_have_one_more_in_hand() -> None:
    """So that a page can fetch the next sentence before this one is answered."""
    stage = Stage()
    first = stage.give(0)
    second = stage.next(0, ahead=1)

    assert second != first
    assert stage.next(0, ahead=1) == second
    assert stage.give(0) == first


def test_who_may_give_one_answer_only_gets_one_assignment_however_far_they_ask() -> None:
    """A cap holds for what is promised, too."""
    stage = Stage(workers=1, answers=1, crew=1, cap=1)
    given = stage.next(0, ahead=1)

    assert stage.next(0) == given
    assert len(stage.of(Assigned)) == 1


def test_a_clock_that_is_set_back_does_not_make_a_lease_longer() -> None:
    """The sentence goes to somebody else now, not in a day; a clock that lags a little is fine."""
    stage = Stage(workers=3, answers=1)
    slow = stage.give(0)
    stage.now -= LEASE / 2
    same = stage.give(0)
    stage.now -= 86_400.0
    other = stage.give(1)

    assert same == slow
    assert stage.of(Expired)[0].assignment == slow.number
    assert other.sentence == slow.sentence
