"""Payments are made exactly once, on both platforms, whatever they answer."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spancrew.bridges import Attempt, Payout, PayoutJournal, PayoutPlan
from spancrew.errors import (
    PaymentRefusedError,
    PlatformError,
    UncertainPaymentError,
)
from tests.bridges.books import Fake, account, plan_for, wanted
from tests.bridges.loopback import Fault
from tests.bridges.mturk import FakeMTurk, mturk
from tests.bridges.prolific import FakeProlific, prolific


@pytest.fixture(params=["prolific", "mturk"])
def fake(request: pytest.FixtureRequest) -> Iterator[Fake]:
    """Return a platform that runs: each of the two."""
    with prolific() if request.param == "prolific" else mturk() as found:
        yield found


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[PayoutJournal]:
    """Return a new journal."""
    with PayoutJournal(tmp_path / "payouts" / "j.sqlite") as found:
        yield found


def payout(fake: Fake, journal: PayoutJournal, **options: Any) -> Payout:
    """Return a payout that looks once for what got lost."""
    platform = account(fake, at_once=options.pop("at_once", 200))
    return Payout(platform, journal, **{"wait": 0.0, "pause": lambda _: None, **options})


def states(journal: PayoutJournal, plan: PayoutPlan) -> list[str]:
    """Return what the journal knows of every payment."""
    return [journal.state(each) for each in plan.payments]


def pays(fake: Fake) -> str:
    """Return what the request that pays is called."""
    return "/pay/" if isinstance(fake, FakeProlific) else "SendBonus"


def test_a_plan_is_paid_and_shown(fake: Fake, journal: PayoutJournal) -> None:
    """And sending it again pays nobody."""
    plan = plan_for(fake, [120, 250, 1, 250])
    made = payout(fake, journal, at_once=2)
    made.send(plan)
    made.send(plan)

    assert Counter(fake.paid) == wanted(plan)
    assert states(journal, plan) == ["paid"] * 4
    assert journal.paid() == {"w0": 120, "w1": 250, "w2": 1, "w3": 250}
    assert made.missing(plan) == []


@pytest.mark.parametrize("retry_after", ["3", None])
def test_a_busy_platform_is_asked_again(
    fake: Fake, journal: PayoutJournal, retry_after: str | None
) -> None:
    """After the time that it names; a request that pays was refused, so nobody is paid twice."""
    plan = plan_for(fake, [120])
    pauses: list[float] = []
    fake.web.faults += [Fault(pays(fake), 429, retry_after=retry_after) for _ in range(2)]
    Payout(account(fake, pauses.append), journal, wait=0.0).send(plan)

    assert Counter(fake.paid) == wanted(plan)
    assert len(pauses) == 2
    assert pauses[0] >= float(retry_after or 0)
    assert pauses[0] < pauses[1] or retry_after


@pytest.mark.parametrize("status", [0, 429, 500, 503])
def test_what_changes_nothing_is_asked_again(fake: Fake, status: int) -> None:
    """Also after it got lost."""
    plan = plan_for(fake, [120, 250])
    pauses: list[float] = []
    fake.web.faults += [Fault("", status, "after") for _ in range(3)]
    found = account(fake, pauses.append).submissions()

    assert [each.id for each in found] == [each.submission for each in plan.payments]
    assert len(pauses) == 3


def test_a_platform_that_stays_busy_is_given_up(fake: Fake, journal: PayoutJournal) -> None:
    """Nothing was done, and the payout goes on later."""
    plan = plan_for(fake, [120, 70])
    fake.web.faults += [Fault(pays(fake), 429, retry_after="9") for _ in range(9)]
    with pytest.raises(PlatformError, match="too many requests"):
        payout(fake, journal).send(plan)
    fake.web.faults.clear()
    before = list(fake.paid)
    payout(fake, journal).send(plan)

    assert before == []
    assert Counter(fake.paid) == wanted(plan)


@pytest.mark.parametrize("status", [0, 500, 502])
def test_a_payment_that_was_made_but_not_answered_is_found(
    fake: Fake, journal: PayoutJournal, status: int
) -> None:
    """The connection drops, or a proxy fails, after the payment."""
    plan = plan_for(fake, [120, 250, 120])
    fake.web.faults += [Fault(pays(fake), status, "after") for _ in range(2)]
    payout(fake, journal, at_once=2).send(plan)

    assert Counter(fake.paid) == wanted(plan)
    assert "found" in journal.why(plan.payments[0])


@pytest.mark.parametrize("status", [0, 500])
def test_mturk_is_paid_again_with_the_same_token(
    fake_mturk: FakeMTurk, journal: PayoutJournal, status: int
) -> None:
    """A request that never arrived is repeated: a second bonus would be refused."""
    plan = plan_for(fake_mturk, [120, 250])
    fake_mturk.web.faults.append(Fault("SendBonus", status, "before"))
    payout(fake_mturk, journal).send(plan)

    assert Counter(fake_mturk.paid) == wanted(plan)


def test_prolific_is_not_paid_again_when_nobody_can_tell(
    fake_prolific: FakeProlific, journal: PayoutJournal
) -> None:
    """It stops, names the people, and goes on only after somebody has looked."""
    plan = plan_for(fake_prolific, [120, 250, 70])
    fake_prolific.web.faults.append(Fault("/pay/", 0, "before"))
    with pytest.raises(UncertainPaymentError, match=r"A00000 \(1.20\), A00001 \(2.50\)"):
        payout(fake_prolific, journal, at_once=2).send(plan)
    with pytest.raises(UncertainPaymentError, match="A00000"):
        payout(fake_prolific, journal, at_once=2).send(plan)
    seen = states(journal, plan)
    unpaid = list(fake_prolific.paid)
    journal.settle([each.key for each in plan.payments[:2]], "open")
    payout(fake_prolific, journal, at_once=2).send(plan)

    assert seen == ["sent", "sent", "open"]
    assert unpaid == []
    assert Counter(fake_prolific.paid) == wanted(plan)


def test_prolific_is_looked_at_until_it_shows_what_it_pays_later(
    fake_prolific: FakeProlific, journal: PayoutJournal
) -> None:
    """Payments are made some minutes after the request."""
    plan = plan_for(fake_prolific, [120, 250])
    fake_prolific.shows = False
    fake_prolific.web.faults.append(Fault("/pay/", 0, "after"))
    looks: list[float] = []

    def later(seconds: float) -> None:
        looks.append(seconds)
        fake_prolific.shows = len(looks) == 3

    payout(fake_prolific, journal, wait=60.0, pause=later).send(plan)

    assert looks == [15.0, 15.0, 15.0]
    assert Counter(fake_prolific.paid) == wanted(plan)


@pytest.mark.parametrize("lags", [False, True])
def test_an_equal_bonus_from_before_is_not_mistaken_for_this_one(
    fake_prolific: FakeProlific, journal: PayoutJournal, lags: bool
) -> None:
    """Neither one by somebody else, nor one of ours that is shown only later."""
    plan = plan_for(fake_prolific, [120])
    (first,) = plan.payments
    if not lags:
        fake_prolific.paid.append((first.submission, 120))
    payout(fake_prolific, journal).send(plan)
    second = replace(first, key="next", before=120)
    later = replace(plan, payments=(second,))
    fake_prolific.shows = not lags
    fake_prolific.web.faults.append(Fault("/pay/", 0, "before"))
    with pytest.raises(UncertainPaymentError):
        payout(fake_prolific, journal).send(later)
    fake_prolific.shows = True
    with pytest.raises(UncertainPaymentError):
        payout(fake_prolific, journal).send(later)

    assert Counter(fake_prolific.paid) == {(first.submission, 120): 1 if lags else 2}
    assert journal.state(second) == "sent"


def test_mturk_after_a_day_goes_by_its_list(fake_mturk: FakeMTurk, journal: PayoutJournal) -> None:
    """Tokens end after 24 hours; a bonus that was paid has its token in the reason."""
    plan = plan_for(fake_mturk, [120])
    fake_mturk.lists = False
    fake_mturk.web.faults.append(Fault("SendBonus", 0, "after"))
    with pytest.raises(UncertainPaymentError, match=r"A00000.*already been processed"):
        payout(fake_mturk, journal).send(plan)
    fake_mturk.lists = True
    fake_mturk.tokens.clear()
    payout(fake_mturk, journal).send(plan)

    assert Counter(fake_mturk.paid) == wanted(plan)
    assert states(journal, plan) == ["paid"]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_wrong_account_stops_everything(fake: Fake, journal: PayoutJournal, status: int) -> None:
    """And the payout goes on when that is put right."""
    plan = plan_for(fake, [120, 250])
    kind = {"__type": "UnrecognizedClientException", "message": "no"}
    fake.web.faults.append(Fault(pays(fake), status, body=kind))
    with pytest.raises(PlatformError) as refused:
        payout(fake, journal, at_once=1).send(plan)
    payout(fake, journal).send(plan)

    assert not isinstance(refused.value, PaymentRefusedError)
    assert Counter(fake.paid) == wanted(plan)


def test_one_refusal_keeps_nobody_else_from_their_money(
    fake: Fake, journal: PayoutJournal
) -> None:
    """The reason is kept, and another try made when it is resumed."""
    plan = plan_for(fake, [120, 250, 70])
    books: dict[str, Any] = (
        fake.submissions if isinstance(fake, FakeProlific) else fake.assignments
    )
    gone = books.pop(plan.payments[1].submission)
    payout(fake, journal).send(plan)
    first = states(journal, plan)
    why = journal.why(plan.payments[1])
    books[plan.payments[1].submission] = gone
    payout(fake, journal).send(plan)

    assert first == ["paid", "refused", "paid"]
    assert plan.payments[1].submission in why
    assert Counter(fake.paid) == wanted(plan)


def test_an_account_without_money_pays_what_it_can(
    fake_mturk: FakeMTurk, journal: PayoutJournal
) -> None:
    """The rest after it was filled up."""
    plan = plan_for(fake_mturk, [120, 250, 70])
    fake_mturk.balance = 200
    payout(fake_mturk, journal).send(plan)
    first = states(journal, plan)
    fake_mturk.balance = 1000
    payout(fake_mturk, journal).send(plan)

    assert first == ["paid", "refused", "paid"]
    assert Counter(fake_mturk.paid) == wanted(plan)


def test_two_plans_for_the_same_money_pay_it_once(fake: Fake, journal: PayoutJournal) -> None:
    """The second was made before the first was sent."""
    plan = plan_for(fake, [120])
    (payment,) = plan.payments
    more = replace(plan, payments=(replace(payment, key="more", cents=300),))
    for each in (plan, more):
        journal.plan(each)
    payout(fake, journal).send(plan)
    with pytest.raises(PlatformError, match=r"was paid 1\.20 by now, and 0\.00 when"):
        payout(fake, journal).send(more)

    assert Counter(fake.paid) == wanted(plan)


def test_a_plan_is_stale_also_when_only_now_a_payment_is_found(
    fake: Fake, journal: PayoutJournal
) -> None:
    """What got lost is cleared up before anything else is sent."""
    plan = plan_for(fake, [120])
    (payment,) = plan.payments
    more = replace(plan, payments=(replace(payment, key="more", cents=300),))
    for each in (plan, more):
        journal.plan(each)
    platform = account(fake)
    journal.begin(plan)
    ticket = platform.prepare(plan.payments, {})
    journal.send(Attempt((payment.key,), ticket, 0.0))
    platform.pay(ticket, plan.payments)
    with pytest.raises(PlatformError, match="make a new plan"):
        payout(fake, journal).send(more)

    assert Counter(fake.paid) == wanted(plan)


def test_a_bonus_that_was_accepted_and_is_not_shown_is_reported(
    fake: Fake, journal: PayoutJournal
) -> None:
    """Somebody has to look, as nothing is sent again."""
    plan = plan_for(fake, [120, 250])
    made = payout(fake, journal)
    made.send(plan)
    if isinstance(fake, FakeProlific):
        fake.paid.pop()
    else:
        fake.bonuses.pop()

    assert made.missing(plan) == [plan.payments[1]]


def test_prolific_that_sets_up_another_amount_is_not_paid(
    fake_prolific: FakeProlific, journal: PayoutJournal
) -> None:
    """A mistake in the unit would cost a hundred times as much."""
    plan = plan_for(fake_prolific, [120])
    body = {"id": "b9", "amount": 12000.0}
    fake_prolific.web.faults.append(Fault("bonus-payments", 201, body=body))
    with pytest.raises(PlatformError, match=r"120\.00 of the 1\.20"):
        payout(fake_prolific, journal).send(plan)

    assert fake_prolific.paid == []
