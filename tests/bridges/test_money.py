"""Amounts in cents, and what follows from them for each worker."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.bridges import Due, Earner, PlatformSubmission, cents_of, dues, money
from spancrew.errors import PlatformError

CENTS = st.integers(0, 10_000)


def submission(
    person: str = "p", base: int = 0, bonuses: tuple[int, ...] = (), **more: str
) -> PlatformSubmission:
    """Return a submission that is approved, unless told otherwise."""
    given = {"id": "s", "study": "st", "state": "approved", "code": "C", **more}
    return PlatformSubmission(person=person, base=base, bonuses=bonuses, **given)  # type: ignore[arg-type]


@given(st.integers(-(10**9), 10**9))
def test_cents_come_back_from_their_text(cents: int) -> None:
    """As they are sent to a platform, and read from it."""
    assert cents_of(money(cents)) == cents
    assert Decimal(money(cents)) * 100 == cents


@given(st.lists(st.sampled_from([0.1, 0.05, 0.07, 0.2]), max_size=500))
def test_a_sum_of_prices_is_paid_to_the_cent(prices: list[float]) -> None:
    """However the floats add up."""
    assert cents_of(sum(prices)) == sum(round(price * 100) for price in prices)


@pytest.mark.parametrize("amount", [float("nan"), float("inf"), "a lot", "", 1e12])
def test_what_is_no_amount_is_refused(amount: float | str) -> None:
    """Also those that JSON and tables may hold."""
    with pytest.raises(PlatformError, match="no amount"):
        cents_of(amount)


@given(st.lists(CENTS, min_size=1, max_size=6), CENTS)
def test_payouts_add_up_to_the_earnings(steps: list[int], base: int) -> None:
    """Whenever somebody is paid in between: base pay first, then the rest, never more."""
    paid = earned = 0
    for step in steps:
        earned += step
        (due,) = dues([Earner("w0", "p", 1, earned)], [submission(base=base)], {"w0": paid})
        paid += due.bonus

    assert due.bonus >= 0
    assert paid == max(earned - base, 0)


def test_base_pay_on_top_is_not_deducted() -> None:
    """Only shown."""
    (due,) = dues([Earner("w0", "p", 9, 500)], [submission(base=200)], {}, base="extra")

    assert (due.base, due.bonus) == (200, 500)


@pytest.mark.parametrize(("others", "bonus"), [("ignore", 500), ("deduct", 350)])
def test_bonuses_by_others_count_as_paid_if_asked(others: str, bonus: int) -> None:
    """Those of our own are not among them."""
    found = [submission(bonuses=(100, 150))]
    (due,) = dues([Earner("w0", "p", 9, 600)], found, {"w0": 100}, others=others)  # type: ignore[arg-type]

    assert (due.paid, due.others, due.bonus) == (100, 150, bonus)


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        ([], "no submission"),
        ([submission(state="working")], "not finished"),
        ([submission(state="closed")], "returned"),
        ([submission(person="somebody else")], "no submission"),
    ],
)
def test_who_cannot_be_paid_is_named_with_the_reason(
    found: list[PlatformSubmission], problem: str
) -> None:
    """They do not just go missing."""
    (due,) = dues([Earner("w0", "p", 9, 600)], found, {})

    assert due.bonus == 0
    assert problem in str(due.problem)


def test_a_bonus_goes_to_a_submission_that_was_approved() -> None:
    """Of several, and base pay counts for all that were handed in."""
    found = [
        submission(id="s1", state="waiting", base=100),
        submission(id="s2", base=100),
        submission(id="s3", state="closed", base=100),
    ]
    (due,) = dues([Earner("w0", "p", 9, 600)], found, {})

    assert due == Due("w0", "p", 9, 600, 200, 0, 0, 400, "st", "s2")
