"""The paper's time steps in a live campaign."""

from typing import Any

import pytest

from spancrew.campaign import Assigned, CrewChosen, Judged, Settled, StepEnded
from spancrew.feedback import Adaptive
from tests.campaign.stage import LEASE, Stage
from tests.campaign.worlds import plain


def rounds(workers: int = 7, sentences: int = 10, **changes: Any) -> Stage:
    """Return a campaign in rounds: crews of six, three sentences a step."""
    return Stage(workers, plain(sentences), mode="rounds", **{"crew": 6, **changes})


def test_a_crew_is_cut_into_groups_that_do_not_overlap() -> None:
    """Each has a sentence of its own, and all are handed out at once."""
    stage = rounds()
    stage.campaign.ask(stage.everybody, stage.now)
    (crew,) = stage.of(CrewChosen)
    assigned = stage.of(Assigned)
    groups = {tuple(event.reason["group"]) for event in assigned}

    assert len(crew.crew) == 6
    assert sorted(event.worker for event in assigned) == sorted(crew.crew)
    assert len({event.sentence for event in assigned}) == 3
    assert sorted(worker for group in groups for worker in group) == sorted(crew.crew)


def test_a_step_waits_for_its_last_answer() -> None:
    """Nothing is judged before, and who is done waits."""
    stage = rounds(workers=6)
    given = stage.campaign.ask(stage.everybody, stage.now)
    for each in given[:-1]:
        stage.tell(each)
    before = len(stage.of(Judged))
    waits = stage.wait(given[0].worker)
    stage.tell(given[-1])

    assert before == 0
    assert waits.reason == "others are asked in this step"
    assert len(stage.of(Settled)) == 3
    assert stage.of(StepEnded)[-1].step == 1


def test_a_step_waits_for_its_expert() -> None:
    """What the expert says counts for the next crew."""
    stage = rounds(workers=6)
    for each in stage.campaign.ask(stage.everybody, stage.now):
        stage.tell(each, way=each.worker)
    waits = stage.wait(0)
    doubts = len(stage.campaign.expert_queue())
    for _ in range(doubts):
        stage.label()
    stage.campaign.ask(stage.everybody, stage.now)

    assert doubts > 0
    assert waits.reason == "others are asked in this step"
    assert [crew.step for crew in stage.of(CrewChosen)] == [1, 2]


def test_one_crew_is_chosen_for_a_step() -> None:
    """Crew, answers, verdicts, end: in this order, step by step."""
    stage = rounds().run(ways=(1, 1, 1, 2))
    steps = [event for event in stage.events if isinstance(event, CrewChosen | StepEnded)]
    begun = [event.step for event in steps if isinstance(event, CrewChosen)]

    assert stage.campaign.phase == "finished"
    assert begun == list(range(1, len(begun) + 1))
    kinds = [type(event).__name__ for event in steps if event.step > 0]
    assert kinds == ["CrewChosen", "StepEnded"] * len(begun)


def test_too_few_workers_wait_for_more() -> None:
    """A sentence needs its answers by different people."""
    stage = rounds(workers=1)
    waits = stage.wait(0)
    stage.campaign.join(stage.now)

    assert waits.reason == "others are asked in this step"
    assert stage.give(0)


def test_a_smaller_crowd_forms_fewer_groups() -> None:
    """Who is left over has no work in this step."""
    stage = rounds(workers=5)
    given = stage.campaign.ask(stage.everybody, stage.now)

    assert len(given) == 4
    assert len({each.sentence for each in given}) == 2


def test_those_who_are_not_there_are_not_chosen() -> None:
    """A crew is of people, not of names."""
    stage = rounds()
    stage.give(0, available=[0, 3, 4])

    assert set(stage.of(CrewChosen)[0].crew) == {0, 3, 4}


def test_a_stand_in_takes_the_place_of_one_who_does_not_come_back() -> None:
    """Of those who are there the policy's best."""
    stage = rounds(workers=7)
    given = stage.campaign.ask(stage.everybody, stage.now)
    gone, *others = given
    for each in others:
        stage.tell(each)
    (spare,) = set(stage.everybody) - {each.worker for each in given}
    stage.pass_time(LEASE)
    stand_in = stage.give(spare)
    stage.tell(stand_in)

    assert stand_in.sentence == gone.sentence
    assert len(stage.of(Settled)) == 3


def test_a_step_has_no_more_sentences_than_there_is_money_for() -> None:
    """Each might need its expert."""
    stage = rounds(budget=2.5)
    given = stage.campaign.ask(stage.everybody, stage.now)

    assert len({each.sentence for each in given}) == 2


def test_new_workers_are_waited_for_as_long_as_they_are_there() -> None:
    """Their first answer comes before the next crew."""
    stage = rounds(workers=4, warm_up="shared")
    for worker in range(4):
        stage.answer(worker)
    stage.label()
    late = stage.campaign.join(stage.now)
    waits = stage.wait(0)

    assert waits.reason == "others are asked in this step"
    assert stage.give(0, available=[0, 1, 2, 3]).purpose == "crew"
    assert stage.give(late).purpose == "warm-up"


@pytest.mark.parametrize("mode", ["stream", "rounds"])
def test_one_more_is_asked_only_where_it_pays(mode: str) -> None:
    """Two answers first; where they differ, one more, or an expert."""
    rule = Adaptive(error_cost=1.5)
    stage = Stage(8, plain(12), mode=mode, crew=8, answers=4, feedback=rule)
    stage.run(ways=(1, 2, 3))
    answers = [event.answers for event in stage.of(Settled)]
    outcomes = {event.outcome for event in stage.of(Judged)}

    assert stage.campaign.phase == "finished"
    assert min(answers) == 2
    assert max(answers) <= 4
    assert "more" in outcomes
    assert all(event.answers < 4 for event in stage.of(Judged) if event.outcome == "more")


def test_nobody_is_asked_for_an_answer_that_cannot_be_paid() -> None:
    """Not even of the group, if a stand-in had their money and a late answer holds the rest."""
    rule = Adaptive(error_cost=1.5)
    stage = Stage(4, plain(1), mode="rounds", crew=3, answers=3, feedback=rule, budget=1.3)
    slow, quick = stage.campaign.ask(stage.everybody, stage.now)
    third = stage.campaign.state.hand[0].crew[2]
    (spare,) = set(stage.everybody) - {slow.worker, quick.worker, third}
    stage.tell(quick, way=1)
    stage.campaign.halt(third, stage.now)
    stage.pass_time(LEASE)
    stand_in = stage.give(spare)
    stage.campaign.readmit(third, stage.now)
    stage.tell(stand_in, way=2)
    waits = stage.wait(third)
    before = stage.campaign.ledger()
    stage.tell(slow, way=1)

    assert stage.of(Judged)[0].outcome == "more"
    assert waits.reason == "others are asked in this step"
    assert before.left == 0.0
    assert before.spent + before.committed == pytest.approx(1.3)
    assert len(stage.campaign.state.leases) == 0
