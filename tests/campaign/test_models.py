"""Models answer beside the people, and take nothing away from them."""

import pytest

from spancrew.campaign import (
    Answered,
    Assignment,
    Campaign,
    CrewChosen,
    Returned,
    Settled,
    Waiting,
    entry_of,
    event_of,
)
from spancrew.consensus import Bsc
from spancrew.errors import ConflictError, PlanError, UnknownWorkerError
from tests.campaign.stage import LEASE, Stage

PEOPLE = 4


def with_models(*names: str, price: float = 0.0, **changes: object) -> Stage:
    """Return a campaign of four people and some models, who have the numbers after them."""
    stage = Stage(PEOPLE, **changes)  # type: ignore[arg-type]  # as the stage takes them
    for name in names or ("m",):
        stage.campaign.join(stage.now, price=price, model=name, version="2")
    return stage


def answer_all(stage: Stage, model: int = PEOPLE) -> list[Assignment]:
    """Let a model answer all that it gets, in its way."""
    given = []
    while isinstance(found := stage.next(model), Assignment):
        stage.tell(found, 2)
        given.append(found)
    return given


def labels_of(stage: Stage) -> list[tuple[int, int, str]]:
    """Return the spans of all final labels."""
    labels = [each for event in stage.of(Settled) for each in event.labels]
    return [(each.start, each.end, each.label) for each in labels]


def test_a_model_answers_every_sentence_before_the_people_and_has_no_seat() -> None:
    """The crews are those of people, and sentences get as many answers of them as without it."""
    stage = with_models()
    given = answer_all(stage)
    stage.run()
    alone = Stage(PEOPLE).run()

    assert len({each.sentence for each in given}) == len(given) == len(stage.material)
    assert all(PEOPLE not in event.crew for event in stage.of(CrewChosen))
    assert stage.campaign.phase == "finished"
    assert [each.answers for each in stage.of(Settled)] == [2] * len(stage.material)
    assert stage.campaign.status().answers == alone.campaign.status().answers
    assert stage.campaign.status().workers == PEOPLE
    assert stage.campaign.status().model_answers == len(given)


def test_a_vote_that_learns_nothing_hears_no_model() -> None:
    """Labels are those of the people alone."""
    stage = with_models()
    answer_all(stage)

    assert labels_of(stage.run()) == labels_of(Stage(PEOPLE).run())


def test_rewards_and_standings_have_models_apart() -> None:
    """A model has a score, from which no policy learns."""
    stage = with_models()
    answer_all(stage)
    stage.run()
    *people, model = stage.campaign.standings()
    counts = stage.campaign.state.standings.count[0]

    assert (model.model, model.version, model.mean) == ("m", "2", model.by_crowd)
    assert model.mean is not None
    assert model.mean < 1
    assert all(each.model is None for each in people)
    assert counts[PEOPLE] == 0
    assert counts[:PEOPLE].sum() > 0
    assert all(event.rewards[-1][0] == PEOPLE for event in stage.of(Settled))


def test_an_expert_teaches_people_and_no_models() -> None:
    """Models have a score by experts all the same."""
    stage = with_models()
    answer_all(stage)
    while not stage.campaign.state.questions:
        for each in range(PEOPLE):
            stage.answer(each, each)
    receipt = stage.label()
    *_, model = stage.campaign.standings()

    assert receipt.taught
    assert all(each.worker < PEOPLE for each in receipt.taught)
    assert model.by_expert is not None


def test_the_ledger_has_models_apart() -> None:
    """What they cost is part of what is spent."""
    stage = with_models(price=0.01)
    given = answer_all(stage)
    stage.run()
    ledger = stage.campaign.ledger()

    assert ledger.model_answers == len(given)
    assert ledger.model_money == pytest.approx(0.01 * len(given))
    assert ledger.spent == pytest.approx(
        ledger.answers * 0.1 + ledger.experts + ledger.model_money
    )


def test_a_model_gets_nothing_that_the_budget_does_not_cover() -> None:
    """Money for people stays aside."""
    stage = with_models(price=1.0, budget=2.5)
    given = answer_all(stage)

    assert len(given) == 2
    assert stage.wait(PEOPLE).reason == "the budget is spent"


@pytest.mark.parametrize(("members", "answers"), [(0, [0, 0]), (1, [3, 0]), (2, [3, 3])])
def test_the_plan_says_how_many_models_answer_a_sentence(members: int, answers: list[int]) -> None:
    """Who asks first is heard first."""
    stage = with_models("one", "two", members=members)
    size = len(stage.material)
    counts = [len(answer_all(stage, PEOPLE + k)) for k in range(2)]

    assert counts == [size if each else 0 for each in answers]


def test_a_model_that_lags_keeps_neither_sentence_nor_money() -> None:
    """Its lease goes back, it may have the sentence again, and its late answer is refused."""
    stage = with_models(price=0.5)
    given = stage.give(PEOPLE)
    aside = stage.campaign.state.money.aside
    stage.pass_time(LEASE + 1)

    assert [each.assignment for each in stage.of(Returned)] == [given.number]
    assert stage.campaign.state.money.aside == pytest.approx(aside - 0.5)
    with pytest.raises(UnknownWorkerError, match="not one of yours"):
        stage.tell(given)
    assert stage.give(PEOPLE).sentence == given.sentence


def test_a_sentence_that_a_model_gives_back_is_not_offered_again() -> None:
    """Another model may have it."""
    stage = with_models("one", "two", members=1)
    given = stage.give(PEOPLE)
    stage.campaign.skip(given.number, PEOPLE, "unreadable", stage.now)

    assert stage.give(PEOPLE).sentence != given.sentence
    assert stage.give(PEOPLE + 1).sentence == given.sentence


def test_a_banned_model_gives_everything_back() -> None:
    """It gets nothing any more, and nobody waits for it."""
    stage = with_models(price=0.5)
    stage.give(PEOPLE)
    stage.campaign.halt(PEOPLE, stage.now, banned=True)
    stage.run()

    assert stage.wait(PEOPLE).over
    assert stage.campaign.phase == "finished"
    assert stage.campaign.ledger().model_answers == 0
    assert stage.campaign.state.money.aside == 0


def test_an_answer_after_the_sentence_is_settled_is_paid_and_not_counted() -> None:
    """The model was asked, and so its answer is kept."""
    stage = with_models(price=0.5)
    given = stage.give(PEOPLE)
    while given.sentence not in {each.sentence for each in stage.of(Settled)}:
        for each in range(PEOPLE):
            stage.answer(each)
    receipt = stage.tell(given)

    assert receipt.paid == 0.5
    assert [each.surplus for each in stage.of(Answered) if each.worker == PEOPLE] == [True]


def test_the_cap_of_the_plan_is_for_people() -> None:
    """A model has a cap of its own, if any."""
    stage = with_models(cap=100)
    assert stage.campaign.standings()[PEOPLE].cap is None
    stage.campaign.set_cap(PEOPLE, 2, stage.now)

    assert len(answer_all(stage)) == 2
    assert isinstance(stage.next(PEOPLE), Waiting)


def test_a_model_has_a_name_of_its_own() -> None:
    """Exports tell models by their names."""
    stage = with_models()

    with pytest.raises(ConflictError, match="there is a model 'm'"):
        stage.campaign.join(stage.now, model="m")
    with pytest.raises(PlanError, match="needs a name"):
        stage.campaign.join(stage.now, model=" ")


def test_a_campaign_with_models_is_what_its_journal_says() -> None:
    """Replayed, restored from a snapshot, or gone on with: the same state."""
    stage = with_models("one", "two", price=0.01, consensus=Bsc())
    answer_all(stage)
    stage.give(PEOPLE + 1)
    stage.turn()
    written = [event_of(entry_of(event)) for event in stage.events]
    replayed = Campaign.replay(stage.material, written)
    snapshot = stage.campaign.snapshot()

    assert replayed.snapshot() == snapshot
    assert Campaign.restore(stage.material, snapshot).snapshot() == snapshot


@pytest.mark.parametrize("mode", ["stream", "rounds"])
@pytest.mark.parametrize("by", ["expert", "crowd"])
def test_the_score_of_a_model_follows_a_correction(mode: str, by: str) -> None:
    """As if the right labels had been there at once; people's standings do not know models."""
    stage = with_models(mode=mode)
    answer_all(stage)
    stage.run((1, 1, 3, 1))
    before = stage.campaign.standings()[PEOPLE]
    wrong = next(each for each in stage.of(Settled) if each.by == by)
    # The model has said this all the time, and was wrong so far.
    stage.campaign.overrule(wrong.sentence, "ann", stage.spans(wrong.sentence, 2), stage.now)
    after = stage.campaign.standings()[PEOPLE]
    again = Campaign.replay(stage.material, [event_of(entry_of(each)) for each in stage.events])

    assert before.mean is not None
    assert after.mean == pytest.approx(before.mean + 1 / before.scored)
    assert after.scored == before.scored
    assert not stage.campaign.state.standings.count[0, PEOPLE]
    assert again.snapshot() == stage.campaign.snapshot()
