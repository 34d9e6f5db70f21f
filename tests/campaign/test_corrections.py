"""Mistakes are corrected by events, and all that followed from them follows."""

from typing import Any

import pytest

from spancrew.campaign import (
    Answered,
    Campaign,
    Corrected,
    Event,
    ExpertAnswered,
    Receipt,
    Settled,
    Submission,
    entry_of,
    event_of,
)
from spancrew.consensus import Auto, DawidSkene
from spancrew.errors import CampaignError, ConflictError, SpancrewError, UnknownWorkerError
from spancrew.feedback import ExpectedErrorGate
from spancrew.policies import DifficultyThompson, Discounted, Random
from tests.campaign.as_if import as_if_said_at_once, everything
from tests.campaign.stage import Stage
from tests.campaign.worlds import plain

GATE = ExpectedErrorGate(expert_share=0.5)
PLANS: dict[str, dict[str, Any]] = {
    "cucb": {},
    "rounds": {"mode": "rounds"},
    "warm-up": {"warm_up": "shared"},
    "own warm-up": {"warm_up": "own", "mode": "rounds"},
    "difficulty": {"policy": DifficultyThompson()},
    "fading rounds": {"policy": Discounted(0.9), "mode": "rounds"},
    "audits": {"audit": 12, "feedback": GATE, "consensus": DawidSkene()},
    "auto": {"feedback": GATE, "consensus": Auto(), "audit": 6},
}
LATER = 200


def journal(stage: Stage) -> list[Event]:
    """Return the events of a campaign, as they come back from a store."""
    return [event_of(entry_of(event)) for event in stage.events]


@pytest.mark.parametrize("name", PLANS)
def test_a_correction_much_later_is_as_good_as_the_right_label_at_once(name: str) -> None:
    """To the last bit: standings, ledger, labels, evidence, doubts and certificate."""
    stage = Stage(6, plain(90), crew=6, **PLANS[name])
    while not stage.of(ExpertAnswered):
        stage.turn((1, 1, 2, 1, 3, 4))
    wrong, since = stage.of(ExpertAnswered)[0], len(stage.events)
    while len(stage.events) < since + LATER and stage.campaign.phase == "running":
        stage.turn((1, 1, 2, 1, 3, 4))
    before = everything(stage.campaign)
    right = stage.spans(wrong.sentence, 3)
    receipt = stage.campaign.correct(wrong.sentence, "e1", right, stage.now)
    told = (stage.campaign.plan, stage.material, journal(stage), wrong.sentence, right)
    at_once = Campaign.replay(stage.material, as_if_said_at_once(*told))

    assert len(stage.events) >= since + LATER
    assert receipt == Receipt(wrong.sentence)
    assert everything(stage.campaign) == everything(at_once) != before
    assert Campaign.replay(stage.material, journal(stage)).snapshot() == stage.campaign.snapshot()


def test_a_campaign_whose_choices_do_not_depend_on_scores_ends_in_the_same_place() -> None:
    """Two campaigns, driven alike: in one the expert is wrong at first."""
    found = []
    for first in (0, 1):
        stage = Stage(6, plain(60), crew=6, policy=Random(), mode="rounds")
        sentence = None
        for _ in range(200):
            stage.now += 1.0
            for each in stage.campaign.ask(stage.everybody, stage.now):
                stage.tell(each, (1, 1, 2, 1, 3, 4)[each.worker])
            while stage.campaign.expert_queue():
                stage.label(first if sentence is None else 1)
                sentence = stage.of(ExpertAnswered)[0].sentence
        assert sentence is not None
        if first != 1:
            right = stage.spans(sentence, 1)
            stage.campaign.correct(sentence, "e1", right, stage.now)
        assert stage.campaign.phase == "finished"
        found.append(everything(stage.campaign))

    assert found[0] == found[1]


def test_an_admin_overrules_the_crowd_and_workers_are_scored_anew() -> None:
    """The sentence is an expert's from then on, and costs nothing."""
    stage = Stage(4, plain(6)).run()
    sentence = stage.of(Settled)[0].sentence
    spent, crowd = stage.campaign.ledger().spent, stage.campaign.status().by_crowd
    right = stage.spans(sentence, 2)
    stage.campaign.overrule(sentence, "ann", right, stage.now, note="it is a person")
    (event,) = stage.of(Corrected)

    assert (event.by, event.who, event.overruled) == ("admin", "ann", True)
    assert event.note == "it is a person"
    assert {reward for _, reward in event.rewards} == {0.0}
    assert stage.campaign.status().by_crowd == crowd - 1
    assert stage.campaign.status().by_expert == 1
    assert stage.campaign.ledger().spent == spent
    means = {each.worker: each.mean for each in stage.campaign.standings()}
    assert all((means[worker] or 0.0) < 1.0 for worker, _ in event.rewards)
    assert stage.campaign.overrule(sentence, "ann", right, stage.now).again
    assert len(stage.of(Corrected)) == 1


def test_a_sentence_is_reopened_for_an_expert() -> None:
    """Its labels stay until the expert answers, who is paid."""
    stage = Stage(4, plain(12))
    while not stage.of(Settled):
        stage.turn()
    sentence = stage.of(Settled)[0].sentence
    stage.campaign.reopen(sentence, "ann", stage.now, note="look again")
    sheet = stage.sheet()
    spent = stage.campaign.ledger().spent
    stage.campaign.tell_expert(sentence, "e1", stage.spans(sentence, 4), stage.now, key="k")

    assert (sheet.sentence, sheet.doubt.purpose) == (sentence, "reopened")
    assert sheet.crowd == stage.spans(sentence, 1)
    assert stage.campaign.ledger().spent == spent + 1.0
    assert stage.of(Corrected)[0].labels[0].label == "PER"
    again = stage.campaign.tell_expert(sentence, "e1", (), stage.now, key="k")
    assert again.again
    stage.run()
    assert stage.campaign.phase == "finished"
    assert stage.campaign.ledger().committed == 0


def test_an_expert_corrects_only_labels_of_their_own() -> None:
    """Neither those of another expert, nor what an admin has said since."""
    stage = Stage(4, plain(6)).run((1, 2))
    sentence = stage.of(ExpertAnswered)[-1].sentence
    campaign, now = stage.campaign, stage.now

    assert campaign.own_labels("e1", 1) == [(sentence, stage.spans(sentence, 1))]
    assert campaign.own_labels("e2", 9) == []
    with pytest.raises(ConflictError, match="not yours"):
        campaign.correct(sentence, "e2", (), now)
    campaign.overrule(sentence, "ann", (), now)
    with pytest.raises(ConflictError, match="not yours"):
        campaign.correct(sentence, "e1", stage.spans(sentence, 1), now)


def refusals() -> dict[str, SpancrewError]:
    """Return why sentences cannot be corrected."""
    stage = Stage(4, plain(6, known=1), budget=20.0)
    first = stage.give(0)
    found: dict[str, SpancrewError] = {}
    for name, sentence in {"gold": 0, "open": first.sentence, "unknown": 99}.items():
        with pytest.raises(ConflictError) as refused:
            stage.campaign.overrule(sentence, "ann", (), stage.now)
        found[name] = refused.value
    return found


def test_what_cannot_be_corrected_is_refused_with_a_reason() -> None:
    """Gold, what is not settled, what is not there, what is asked already, what is over."""
    found = {name: str(error) for name, error in refusals().items()}
    stage = Stage(4, plain(6)).run((1, 2))
    sentence = stage.of(Settled)[0].sentence

    assert "came with its labels" in found["gold"]
    assert "not settled" in found["open"]
    assert "is not one of the 6" in found["unknown"]
    with pytest.raises(CampaignError, match="campaign is over"):
        stage.campaign.reopen(sentence, "ann", stage.now)


def test_a_worker_goes_back_to_an_answer_until_it_is_judged() -> None:
    """It is paid once, and what counts is what they said last."""
    stage = Stage(4, plain(6))
    first = stage.give(0)
    stage.tell(first, 1, "a")
    changed = Submission(first.number, 0, stage.spans(first.sentence, 2), key="b")
    receipt = stage.campaign.change(changed, stage.now)
    again = stage.campaign.change(changed, stage.now)
    second = stage.give(1)
    stage.tell(second, 2)
    (settled,) = stage.of(Settled)

    assert (receipt.again, again.again) == (False, True)
    assert second.sentence == first.sentence
    assert [label.label for label in settled.labels] == ["PER"]
    assert settled.rewards == ((0, 1.0), (1, 1.0))
    assert stage.campaign.ledger().spent == 0.2
    assert len(stage.of(Answered)) == 2
    with pytest.raises(ConflictError, match="has been judged"):
        stage.campaign.change(Submission(first.number, 0, ()), stage.now)
    with pytest.raises(UnknownWorkerError, match="none of your last answers"):
        stage.campaign.change(Submission(first.number, 2, ()), stage.now)
