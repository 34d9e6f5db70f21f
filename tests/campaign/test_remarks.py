"""What workers say of their own answers: it reaches the expert and changes nothing else."""

from dataclasses import replace

import pytest

from spancrew.campaign import (
    Answered,
    Campaign,
    ExpertSheet,
    Remark,
    Submission,
    entry_of,
    event_of,
)
from spancrew.errors import AnswerRefusedError
from spancrew.feedback import ExpertOnly
from tests.campaign.as_if import everything
from tests.campaign.stage import Stage
from tests.campaign.worlds import plain

REMARK = Remark((0,), "Is this a name?", "broken")


def remarked(stage: Stage, worker: int, remark: Remark) -> Submission:
    """Let a worker answer with a remark, and return what they handed in."""
    given = stage.give(worker)
    spans = stage.spans(given.sentence, 1)
    submission = Submission(given.number, worker, spans, 2.0, f"k{worker}", remark=remark)
    stage.campaign.tell(submission, stage.now)
    return submission


def staged() -> tuple[Stage, ExpertSheet]:
    """Return a campaign with two answers on a sentence, one with a remark, and its sheet."""
    stage = Stage(4, plain(6), feedback=ExpertOnly())
    remarked(stage, 0, REMARK)
    remarked(stage, 1, Remark())
    return stage, stage.sheet()


def test_a_remark_is_on_the_sheet_of_the_expert() -> None:
    """Beside the answer it is about, after a replay and from a snapshot as well."""
    stage, sheet = staged()
    events = [event_of(entry_of(event)) for event in stage.events]
    again = Campaign.replay(stage.material, events)
    restored = Campaign.restore(stage.material, stage.campaign.snapshot())

    assert [given.remark for given in sheet.answers] == [REMARK, Remark()]
    for other in (again, restored):
        assert other.expert_sheet(sheet.sentence).answers == sheet.answers


def test_a_remark_changes_nothing_else() -> None:
    """Without remarks, money, labels and standings are the same to the last bit."""
    stage, _ = staged()
    stage.label()
    silent = [
        replace(each, unsure=(), note="", flag="") if isinstance(each, Answered) else each
        for each in stage.events
    ]
    without = Campaign.replay(stage.material, silent)

    assert everything(without) == everything(stage.campaign)
    assert without.state.remarks == {}


def test_an_answer_without_remarks_is_written_as_before() -> None:
    """So journals of earlier versions and of this one are the same, byte for byte."""
    stage, _ = staged()
    first, second = stage.of(Answered)

    assert '"unsure":[0],"note":"Is this a name?","flag":"broken"' in entry_of(first).body
    assert not {"unsure", "note", "flag"} & set(entry_of(second).body.split('"'))
    assert event_of(entry_of(second)) == second


def test_a_changed_answer_has_the_remark_that_came_with_it() -> None:
    """The one before is gone, as it was about other spans; the last one can be read again."""
    stage = Stage(4, plain(6), feedback=ExpertOnly())
    first = remarked(stage, 0, REMARK)
    last = stage.campaign.last_answer(0)
    spans = stage.spans(0, 2)
    later = Submission(first.assignment, 0, spans, key="b", remark=Remark(note="Sure now."))
    stage.campaign.change(later, stage.now)
    remarked(stage, 1, Remark())

    assert last is not None
    assert last.remark == REMARK
    assert stage.sheet().answers[0].remark == Remark(note="Sure now.")


def test_doubts_about_spans_that_are_not_there_are_refused() -> None:
    """An answer is taken as a whole or not at all."""
    stage = Stage(4, plain(6))
    with pytest.raises(AnswerRefusedError, match="no span of the answer begins at token 9"):
        remarked(stage, 0, Remark((9,)))

    assert stage.of(Answered) == []
