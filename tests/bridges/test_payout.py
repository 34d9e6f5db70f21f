"""Payments are made exactly once, on both platforms, whatever they answer."""

from collections import Counter
from dataclasses import replace

import pytest

from spancrew.bridges import Payout, PayoutJournal
from spancrew.errors import PlatformError, UncertainPaymentError
from tests.bridges.books import Fake, account, payout, pays, plan_for, states, wanted
from tests.bridges.loopback import Fault
from tests.bridges.mturk import FakeMTurk
from tests.bridges.prolific import FakeProlific


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
