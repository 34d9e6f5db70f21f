"""What is refused: by a platform, or before anything is sent to it."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spancrew.bridges import Attempt, PayoutJournal
from spancrew.errors import PaymentRefusedError, PlatformError
from tests.bridges.books import Fake, account, payout, pays, plan_for, states, wanted
from tests.bridges.loopback import Fault
from tests.bridges.mturk import FakeMTurk
from tests.bridges.prolific import FakeProlific


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


def test_a_plan_waits_for_what_another_may_have_paid(fake: Fake, journal: PayoutJournal) -> None:
    """The plan that it belongs to has to be resumed before another is sent."""
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
    with pytest.raises(PlatformError, match=f"payout resume {plan.id}"):
        payout(fake, journal).send(more)
    payout(fake, journal).send(plan)
    with pytest.raises(PlatformError, match="make a new plan"):
        payout(fake, journal).send(more)

    assert Counter(fake.paid) == wanted(plan)


def test_a_bonus_with_a_known_token_was_paid(fake_mturk: FakeMTurk, tmp_path: Path) -> None:
    """By somebody with the same plan and another journal: MTurk refuses it, and lists it."""
    plan = plan_for(fake_mturk, [120, 250])
    for name in ("here", "there"):
        with PayoutJournal(tmp_path / name) as journal:
            payout(fake_mturk, journal).send(plan)
            found = states(journal, plan)

    assert found == ["paid", "paid"]
    assert Counter(fake_mturk.paid) == wanted(plan)
