"""A payout that ends at any moment goes on without paying anybody twice, or not at all."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from spancrew.bridges import (
    Payment,
    Payout,
    PayoutJournal,
    PayoutPlan,
    PlatformName,
    PlatformSubmission,
    Ticket,
)
from spancrew.errors import PaymentRefusedError, UncertainPaymentError
from tests.spread import often


class PowerCut(BaseException):
    """The process ends here: nothing of it can catch this."""


class Books:
    """A platform in memory, where every call may end the process: before it is done, or after.

    ``cuts`` are the outcomes of the calls to come: whether the power fails, or only the answer.
    """

    name: PlatformName = "prolific"
    api = "https://platform.example"

    def __init__(self, cuts: list[str], at_once: int, *, repeatable: bool) -> None:
        self.at_once, self.repeatable = at_once, repeatable
        self.cuts = cuts
        self.paid: list[str] = []

    def prepare(self, _payments: Sequence[Payment], _earlier: Mapping[str, int]) -> Ticket:
        """Pay nothing."""
        cut = self._next()
        if cut in {"cut before", "cut after"}:
            raise PowerCut
        if cut == "refuse":
            raise PaymentRefusedError("not this time")
        return {}

    def pay(self, _ticket: Ticket, payments: Sequence[Payment]) -> None:
        """Pay, as often as it is asked for, unless payments are repeatable."""
        cut = self._next()
        if cut == "cut before":
            raise PowerCut
        if cut == "lost before":
            raise UncertainPaymentError("no answer")
        if cut == "refuse":
            raise PaymentRefusedError("not this time")
        self.paid += [p.key for p in payments if not (self.repeatable and p.key in self.paid)]
        if cut == "cut after":
            raise PowerCut
        if cut == "lost after":
            raise UncertainPaymentError("no answer")

    def shown(self, _ticket: Ticket, payments: Sequence[Payment]) -> set[str]:
        """Show what was paid."""
        if self._next() in {"cut before", "cut after"}:
            raise PowerCut
        return {each.key for each in payments} & set(self.paid)

    def submissions(self) -> list[PlatformSubmission]:
        """Return nothing: nobody asks."""
        return []

    def approve(self, submissions: Sequence[PlatformSubmission]) -> None:
        """Do nothing: nobody asks."""

    def _next(self) -> str:
        return self.cuts.pop(0) if self.cuts else "fine"


def plan_of(people: int) -> PayoutPlan:
    """Return a plan for some people."""
    payments = [Payment(f"k{k}", f"w{k}", f"p{k}", "st", f"s{k}", 0, 5) for k in range(people)]
    return PayoutPlan("c", Books.name, Books.api, ("st",), tuple(payments))


def look(books: Books, journal: PayoutJournal) -> None:
    """Do what an admin does where nobody can tell: look at the platform."""
    for _, payments in journal.uncertain():
        for each in payments:
            journal.settle([each.key], "paid" if each.key in books.paid else "open")


@settings(max_examples=often(25, 60), deadline=None)
@given(
    cuts=st.lists(
        st.sampled_from(
            ["fine", "fine", "cut before", "cut after", "lost before", "lost after", "refuse"]
        ),
        max_size=40,
    ),
    people=st.integers(1, 7),
    at_once=st.integers(1, 3),
    repeatable=st.booleans(),
)
def test_everybody_is_paid_once_whatever_ends_when(
    cuts: list[str], people: int, at_once: int, repeatable: bool
) -> None:
    """Power cuts, lost answers and refusals, in any order, until all are paid."""
    plan = plan_of(people)
    books = Books(cuts, at_once, repeatable=repeatable)
    with TemporaryDirectory() as folder:
        while Counter(books.paid) != Counter(each.key for each in plan.payments):
            with PayoutJournal(Path(folder) / "j.sqlite") as journal:
                try:
                    Payout(books, journal, wait=0.0, pause=lambda _: None).send(plan)
                except PowerCut:
                    continue
                except UncertainPaymentError:
                    look(books, journal)

            assert max(Counter(books.paid).values(), default=0) <= 1
