"""Prices, caps, and a budget that holds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spancrew.campaign import Answered, Assigned, ExpertAnswered, Finished, Settled
from spancrew.errors import PlanError
from spancrew.feedback import Adaptive, AgreementGate, CrowdOnly, ExpertOnly, FeedbackRule
from tests.campaign.stage import LEASE, Stage
from tests.campaign.worlds import plain
from tests.spread import often

BEGUN = 0.1 * 2 + 1.0
"""What is put aside for a sentence: two answers and an expert."""


def test_ten_times_ten_cents_are_a_dollar() -> None:
    """Money is exact."""
    stage = Stage(material=plain(5)).run()

    assert stage.campaign.ledger().spent == 1.0
    assert stage.campaign.ledger().committed == 0.0


def test_money_is_put_aside_for_a_sentence_that_is_begun() -> None:
    """All its answers and an expert; what was not needed is free when it is settled."""
    stage = Stage()
    begun = [stage.campaign.ledger()]
    for worker in (0, 1):
        stage.answer(worker)
        begun.append(stage.campaign.ledger())

    assert [ledger.committed for ledger in begun] == [0.0, 1.1, 0.0]
    assert [ledger.spent for ledger in begun] == [0.0, 0.1, 0.2]


def test_the_ledger_compares_with_experts_alone() -> None:
    """Saved is what experts on every settled sentence would have cost beyond what was spent."""
    stage = Stage(material=plain(6), budget=50.0)
    stage.answer(0)
    stage.answer(1)
    ledger = stage.campaign.ledger()

    assert ledger.saved == pytest.approx(1.0 - 0.2)
    assert ledger.forecast == pytest.approx(6 * 0.2)
    assert ledger.left == pytest.approx(50 - 0.2)
    assert (ledger.answers, ledger.experts) == (2, 0)


def test_a_forecast_above_the_budget_says_by_how_much() -> None:
    """It is what all sentences would cost; a budget does not hide that it is too small."""
    stage = Stage(material=plain(60), budget=2 * BEGUN)
    stage.answer(0)
    stage.answer(1)
    ledger = stage.campaign.ledger()

    assert ledger.forecast == pytest.approx(60 * 0.2)
    assert ledger.budget is not None
    assert ledger.forecast > ledger.budget


def test_no_sentence_is_begun_that_could_not_be_paid_to_its_end() -> None:
    """A cent less than its answers and an expert may cost is not enough."""
    short = Stage(budget=BEGUN - 0.01)
    enough = Stage(budget=BEGUN)

    assert short.wait(0).reason == "the budget is spent"
    assert short.campaign.status().reason == "the budget is spent"
    assert enough.give(0).purpose == "crew"


def test_a_budget_that_is_raised_lets_the_campaign_go_on() -> None:
    """Nothing else need be done."""
    stage = Stage(budget=0.0)
    stage.wait(0)
    stage.campaign.set_budget(50.0, stage.now)

    assert stage.run().campaign.status().settled == 6


def test_a_budget_never_falls_below_what_is_promised() -> None:
    """Promises are kept."""
    stage = Stage()
    stage.give(0)

    with pytest.raises(PlanError, match=r"budget 1: 1\.2 is spent or promised"):
        stage.campaign.set_budget(1.0, stage.now)
    stage.campaign.set_budget(BEGUN, stage.now)
    assert stage.campaign.ledger().left == 0.0


RULES: list[FeedbackRule] = [
    AgreementGate(0.4),
    ExpertOnly(),
    CrowdOnly(),
    Adaptive(),
    Adaptive(error_cost=4),
]


@settings(max_examples=often(20, 60))
@given(
    rule=st.sampled_from(RULES),
    mode=st.sampled_from(["stream", "rounds"]),
    warm_up=st.sampled_from(["none", "shared", "own"]),
    prices=st.lists(st.sampled_from([0.05, 0.1, 0.3]), min_size=6, max_size=6),
    budget=st.integers(0, 60).map(lambda tenths: tenths / 10),
    ways=st.lists(st.integers(0, 4), min_size=1, max_size=6),
)
def test_a_sentence_in_flight_is_paid(
    *,
    rule: FeedbackRule,
    mode: str,
    warm_up: str,
    prices: list[float],
    budget: float,
    ways: list[int],
) -> None:
    """However tight the budget: what is begun gets settled, and nothing is overspent."""
    shape = {"feedback": rule, "mode": mode, "warm_up": warm_up, "crew": 6, "answers": 3}
    stage = Stage(6, None, prices, budget=budget, **shape)
    stage.run(ways, turns=30)
    ledger = stage.campaign.ledger()
    paid = sum(
        event.paid for event in stage.events if isinstance(event, Answered | ExpertAnswered)
    )

    assert ledger.spent <= budget
    assert ledger.spent == pytest.approx(paid)
    assert ledger.committed == 0
    assert stage.campaign.state.hand == {}
    begun = {event.sentence for event in stage.of(Assigned) if event.purpose == "crew"}
    assert begun <= {event.sentence for event in stage.of(Settled)}


def test_a_dear_worker_who_comes_later_does_not_eat_the_money_of_others() -> None:
    """Of what is put aside for a sentence, an answer takes its share and no more."""
    stage = Stage(workers=1, answers=3, budget=1.3)
    stage.answer(0)
    dear = stage.campaign.join(stage.now, price=0.2)
    waits = stage.wait(dear)
    for _ in range(2):
        stage.answer(stage.campaign.join(stage.now))

    assert waits.reason == "the budget is spent"
    assert len(stage.of(Settled)) == 1


def test_a_dear_worker_is_paid_from_what_is_left() -> None:
    """The extra is written down with the assignment."""
    stage = Stage(workers=1, budget=5.0)
    stage.answer(0)
    dear = stage.campaign.join(stage.now, price=0.3)
    receipt = stage.tell(stage.give(dear, [dear]))

    assert stage.of(Assigned)[-1].extra == pytest.approx(0.2)
    assert receipt.paid == 0.3
    assert stage.campaign.ledger().spent == 0.4


def test_money_for_a_late_answer_stays_aside() -> None:
    """It may still come; a stand-in is paid from what is left."""
    stage = Stage(2, plain(1), answers=1, crew=2, feedback=CrowdOnly(), budget=0.1)
    slow = stage.give(0)
    stage.pass_time(LEASE)
    waits = stage.wait(1)
    stage.campaign.set_budget(0.2, stage.now)
    stage.answer(1)
    stage.tell(slow)

    assert waits.reason == "all sentences are taken"
    assert stage.campaign.ledger().spent == 0.2
    assert stage.campaign.ledger().committed == 0.0


def test_the_end_frees_what_nobody_works_for() -> None:
    """Open assignments are still paid, experts are not asked any more."""
    stage = Stage(warm_up="own", material=plain(12))
    for worker in range(3):
        stage.answer(worker)
    open_ = stage.give(0)
    stage.campaign.finish(stage.now, "enough")
    before = stage.campaign.ledger()
    stage.tell(open_)

    assert before.committed == pytest.approx(0.1)
    assert stage.campaign.ledger().committed == 0.0
    assert stage.of(Finished)[0].reason == "enough"
    assert stage.of(Answered)[-1].surplus


def test_who_works_for_nothing_costs_nothing() -> None:
    """A price of 0 is a price."""
    stage = Stage(4, None, [0.0] * 4, budget=1.0)
    stage.run()

    assert stage.campaign.ledger().spent == 0.0
    assert stage.campaign.phase == "finished"


@pytest.mark.parametrize("price", [-0.1, float("inf"), float("nan")])
def test_a_price_is_an_amount_of_money(price: float) -> None:
    """From 0 up."""
    with pytest.raises(PlanError, match="price"):
        Stage().campaign.join(1.0, price=price)


def test_a_worker_stops_at_the_cap() -> None:
    """What is promised counts as well; their page may say goodbye."""
    stage = Stage(cap=2, workers=2)
    stage.answer(0)
    stage.answer(1)
    stage.answer(0)
    waits = stage.wait(0)

    assert waits.over
    assert waits.reason == "you have given as many answers as you may"
    assert stage.campaign.is_done(0)
    assert not stage.campaign.is_done(1)


def test_a_worker_can_have_a_cap_of_their_own() -> None:
    """It goes before that of the plan, and None gives it back to the plan."""
    stage = Stage(workers=0, cap=3)
    short = stage.campaign.join(stage.now, cap=1)
    stage.campaign.join(stage.now)
    stage.answer(short)
    stopped = stage.wait(short)
    stage.campaign.set_cap(short, None, stage.now)

    assert stopped.over
    assert [each.cap for each in stage.campaign.standings()] == [3, 3]
    assert stage.give(short)


def test_a_cap_of_nothing_is_a_halt() -> None:
    """And is refused."""
    stage = Stage()

    with pytest.raises(PlanError, match="cap 0: at least 1"):
        stage.campaign.set_cap(0, 0, stage.now)
    with pytest.raises(PlanError, match="cap 0: at least 1"):
        stage.campaign.join(stage.now, cap=0)


def test_earnings_add_up_to_what_was_paid() -> None:
    """By worker, at their own price."""
    stage = Stage(4, None, [0.1, 0.2, 0.3, 0.4]).run()
    standings = stage.campaign.standings()

    assert [each.price for each in standings] == [0.1, 0.2, 0.3, 0.4]
    assert all(each.earned == pytest.approx(each.answers * each.price) for each in standings)
    assert sum(each.earned for each in standings) == pytest.approx(stage.campaign.ledger().spent)
