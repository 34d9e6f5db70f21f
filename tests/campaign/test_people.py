"""Starting and stopping, workers who pause or are banned, and answers that come twice or wrong."""

from collections.abc import Callable

import pytest

from spancrew.campaign import (
    Assigned,
    CrewChosen,
    Finished,
    Halted,
    Paused,
    Returned,
    Started,
    Submission,
    Waiting,
)
from spancrew.errors import (
    AnswerRefusedError,
    CampaignError,
    ConflictError,
    SpancrewError,
    UnknownWorkerError,
)
from tests.campaign.stage import LEASE, Stage
from tests.campaign.worlds import plain


def test_nothing_is_handed_out_before_the_start_and_in_a_pause() -> None:
    """What is in hand can be answered all the same."""
    stage = Stage()
    given = stage.give(0)
    stage.campaign.pause(stage.now)
    waits = stage.wait(1)
    receipt = stage.tell(given)
    stage.campaign.start(stage.now)

    assert (waits.reason, waits.over) == ("the campaign has a pause", False)
    assert receipt.paid == 0.1
    assert stage.give(1)


def test_starting_and_pausing_twice_is_once() -> None:
    """Nothing is written for what is so already."""
    stage = Stage()
    for _ in range(2):
        stage.campaign.start(stage.now)
        stage.campaign.start(stage.now)
        stage.campaign.pause(stage.now)
        stage.campaign.pause(stage.now)

    assert len(stage.of(Started)) == 2
    assert len(stage.of(Paused)) == 2


def test_a_draft_cannot_pause() -> None:
    """It has not begun."""
    stage = Stage(workers=0)
    draft = type(stage.campaign).open(stage.campaign.plan, stage.material, 0.0)

    with pytest.raises(CampaignError, match="has not begun"):
        draft.pause(1.0)


def test_a_campaign_ends_by_itself_when_every_sentence_is_settled() -> None:
    """And says so."""
    stage = Stage().run()
    status = stage.campaign.status()

    assert (status.phase, status.reason) == ("finished", "every sentence is settled")
    assert status.settled == status.sentences == 6
    assert stage.wait(0).over
    assert stage.campaign.is_done(0)


def test_what_is_over_stays_over() -> None:
    """A new campaign has to be opened."""
    stage = Stage()
    stage.campaign.finish(stage.now, "enough")
    stage.campaign.finish(stage.now, "again")

    assert [event.reason for event in stage.of(Finished)] == ["enough"]
    for act in (stage.campaign.start, stage.campaign.pause):
        with pytest.raises(CampaignError, match=r"over \(enough\); open a new one"):
            act(stage.now)
    with pytest.raises(CampaignError, match="over"):
        stage.campaign.set_rule("expert", stage.now)


@pytest.mark.parametrize("banned", [False, True])
def test_the_work_of_a_halted_worker_goes_to_others(banned: bool) -> None:
    """With its money, and its worker gets nothing any more."""
    stage = Stage()
    given = stage.give(0)
    before = stage.campaign.ledger()
    stage.campaign.halt(0, stage.now, banned=banned, reason="copies")
    waits = stage.wait(0)

    assert stage.of(Halted)[0].reason == "copies"
    assert [event.assignment for event in stage.of(Returned)] == [given.number]
    assert stage.campaign.ledger() == before
    assert waits.over == banned
    assert stage.give(1).sentence == given.sentence
    with pytest.raises(UnknownWorkerError, match="not one of yours"):
        stage.tell(given)


def test_a_worker_who_paused_can_come_back() -> None:
    """One who is banned cannot."""
    stage = Stage()
    stage.campaign.halt(0, stage.now)
    stage.campaign.readmit(0, stage.now)
    stage.campaign.halt(1, stage.now, banned=True)

    assert stage.give(0)
    with pytest.raises(CampaignError, match="worker 1 is banned for good"):
        stage.campaign.readmit(1, stage.now)


def test_a_late_answer_of_a_worker_in_a_pause_is_welcome() -> None:
    """That of one who is banned is not waited for, and its money is free."""
    stage = Stage(workers=3)
    late = [stage.give(0), stage.give(1)]
    stage.pass_time(LEASE)
    stage.campaign.halt(0, stage.now)
    stage.campaign.halt(1, stage.now, banned=True)

    assert stage.tell(late[0]).late
    with pytest.raises(UnknownWorkerError):
        stage.tell(late[1])


def test_halting_twice_is_once_and_a_pause_can_become_a_ban() -> None:
    """Never the other way round."""
    stage = Stage()
    for banned in (False, False, True, True, False):
        stage.campaign.halt(0, stage.now, banned=banned)

    assert [event.banned for event in stage.of(Halted)] == [False, True]
    assert stage.campaign.standings()[0].state == "banned"


def test_the_same_submission_counts_once_however_often_it_is_sent() -> None:
    """With the same key; the receipt is the same, but for one word."""
    stage = Stage()
    given = stage.give(0)
    first = stage.tell(given, key="a")
    again = [stage.tell(given, way=2, key="a") for _ in range(3)]

    assert not first.again
    assert all(each.again and each.paid == first.paid for each in again)
    assert stage.campaign.ledger().answers == 1


@pytest.mark.parametrize("key", [None, "b"])
def test_an_answer_cannot_be_changed(key: str | None) -> None:
    """Another key is another answer."""
    stage = Stage()
    given = stage.give(0)
    stage.tell(given, key="a")

    with pytest.raises(ConflictError, match="an answer cannot be changed"):
        stage.tell(given, key=key)


def test_an_answer_without_a_key_cannot_be_sent_again() -> None:
    """Nobody can tell that it is the same."""
    stage = Stage()
    given = stage.give(0)
    stage.tell(given)

    with pytest.raises(ConflictError):
        stage.tell(given)


@pytest.mark.parametrize(
    "spans",
    [
        ((0, 9, "LOC"),),
        ((2, 2, "LOC"),),
        ((-1, 1, "LOC"),),
        ((0, 1, "ORG"),),
        ((0, 2, "LOC"), (1, 3, "PER")),
    ],
    ids=["outside", "empty", "negative", "unknown label", "overlap"],
)
def test_spans_that_do_not_fit_are_refused(spans: tuple[tuple[int, int, str], ...]) -> None:
    """The assignment stays open for a better answer."""
    stage = Stage()
    given = stage.give(0)
    before = stage.campaign.snapshot()

    with pytest.raises(AnswerRefusedError):
        stage.campaign.tell(Submission(given.number, 0, spans), stage.now)
    assert stage.campaign.snapshot() == before
    assert stage.tell(given)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_a_time_that_no_answer_takes_is_refused(seconds: float) -> None:
    """A journal could not hold it."""
    stage = Stage()
    given = stage.give(0)

    with pytest.raises(AnswerRefusedError, match="cannot have taken"):
        stage.campaign.tell(Submission(given.number, 0, (), seconds), stage.now)
    assert stage.tell(given)


def test_the_order_of_spans_does_not_matter() -> None:
    """They are kept from left to right."""
    stage = Stage()
    given = stage.give(0)
    stage.campaign.tell(Submission(given.number, 0, ((2, 3, "PER"), (0, 1, "LOC"))), stage.now)

    assert stage.events[-1].spans == ((0, 1, "LOC"), (2, 3, "PER"))  # type: ignore[union-attr]


@pytest.mark.parametrize("stranger", [-1, 4, 99])
def test_strangers_are_refused_before_anything_happens(stranger: int) -> None:
    """Wherever they are named."""
    stage = Stage()
    campaign, now = stage.campaign, stage.now
    before = campaign.snapshot()
    calls: list[Callable[[], object]] = [
        lambda: campaign.next(stranger, [], now),
        lambda: campaign.next(0, [1, stranger], now),
        lambda: campaign.ask([0, 1, stranger], now),
        lambda: campaign.halt(stranger, now),
        lambda: campaign.readmit(stranger, now),
        lambda: campaign.set_cap(stranger, 3, now),
        lambda: campaign.tell(Submission(1, stranger, ()), now),
    ]

    for call in calls:
        with pytest.raises(UnknownWorkerError, match=f"worker {stranger} is not in this campaign"):
            call()
    assert campaign.snapshot() == before
    assert stage.of(Assigned) == []


def test_an_assignment_that_is_answered_is_not_shown_any_more() -> None:
    """Nor one that never was."""
    stage = Stage()
    given = stage.give(0)

    assert stage.campaign.assignment(given.number) == given
    stage.tell(given)
    for number in (given.number, 99):
        with pytest.raises(UnknownWorkerError, match=f"assignment {number} is not open"):
            stage.campaign.assignment(number)


def test_in_a_stream_only_the_crew_is_asked() -> None:
    """Others wait for the next step, or stand in where nobody of the crew can."""
    stage = Stage(workers=6, material=plain(12), crew=2)
    found = [stage.next(worker) for worker in range(6)]
    crews = {event.step: event.crew for event in stage.of(CrewChosen)}
    waits = [each for each in found if isinstance(each, Waiting)]

    assert all(event.worker in crews[event.reason["step"]] for event in stage.of(Assigned))
    assert {each.reason for each in waits} == {"others are asked in this step"}


def test_whoever_is_free_gets_the_sentence_that_is_closest_to_done() -> None:
    """Rather than a new one."""
    stage = Stage(workers=3, crew=3, answers=3)
    first = stage.give(0)

    assert stage.give(1).sentence == stage.give(2).sentence == first.sentence


def test_every_refusal_is_an_error_of_ours() -> None:
    """So that one handler can answer for all."""
    assert issubclass(CampaignError, SpancrewError)
    for kind in (UnknownWorkerError, AnswerRefusedError, ConflictError):
        assert issubclass(kind, CampaignError)
