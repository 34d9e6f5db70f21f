"""Send the payments of a plan: each exactly once, whatever happens in between."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from spancrew.bridges._base import CrowdPlatform, Payment
from spancrew.bridges._money import money
from spancrew.bridges._payout_journal import Attempt, PaymentState, PayoutJournal
from spancrew.bridges._payout_plan import PayoutPlan
from spancrew.errors import PaymentRefusedError, PlatformError, UncertainPaymentError

_BETWEEN_LOOKS = 15.0
_TRIES = 3


def _now() -> float:
    return time.time()  # noqa: TID251  the real clock


@dataclass
class Payout:
    """A payout on a platform, with the journal that knows what was sent.

    A payment whose request got lost is looked up. If it is not shown, the platform is asked again
    for ``wait`` seconds. ``done`` hears of payments that are settled.
    """

    platform: CrowdPlatform
    journal: PayoutJournal
    wait: float = 300.0
    done: Callable[[Sequence[Payment]], None] = lambda _: None
    now: Callable[[], float] = _now
    pause: Callable[[float], None] = field(default=time.sleep)

    def send(self, plan: PayoutPlan) -> None:
        """Send what is not paid yet; also goes on with what was interrupted."""
        refuse_uncertain(self.journal, plan)
        for attempt, payments in self.journal.uncertain():
            if not self._is_paid(attempt, payments):
                self._pay(payments, again=True)
        self._refuse_stale(plan)
        self.journal.begin(plan)
        for batch in self._batches(plan):
            self._pay(batch)

    def missing(self, plan: PayoutPlan) -> list[Payment]:
        """Return the payments that are paid by the journal and that the platform does not show."""
        lacking = []
        for attempt, payments in self.journal.attempts(plan.payments, "paid"):
            shown = self.platform.shown(attempt.ticket, payments)
            lacking += [each for each in payments if each.key not in shown]
        return lacking

    def _refuse_stale(self, plan: PayoutPlan) -> None:
        """Refuse a plan that does not know of a later payment: it would pay the same again."""
        paid = self.journal.paid()
        for each in plan.payments:
            by_now = paid.get(each.worker, 0)
            if self.journal.state(each) != "paid" and by_now != each.before:
                raise PlatformError(
                    f"{each.worker} ({each.person}) was paid {money(by_now)} by now, and "
                    f"{money(each.before)} when this plan was made: make a new plan"
                )

    def _batches(self, plan: PayoutPlan) -> Iterator[list[Payment]]:
        """Yield what is to be sent, in parts that fit into a request: those of one study."""
        left: dict[str, list[Payment]] = {}
        for each in plan.payments:
            if self.journal.state(each) in {"open", "refused"}:
                left.setdefault(each.study, []).append(each)
        for payments in left.values():
            for k in range(0, len(payments), self.platform.at_once):
                yield payments[k : k + self.platform.at_once]

    def _pay(self, payments: Sequence[Payment], *, again: bool = False) -> None:
        """Send payments; ``again`` if they were sent before, and may have been made then."""
        for _ in range(_TRIES):
            attempt = self._prepared(payments)
            if attempt is None or self._is_settled(attempt, payments, again=again):
                return
            again = True
        raise _unknown(self.platform, payments)

    def _is_settled(self, attempt: Attempt, payments: Sequence[Payment], *, again: bool) -> bool:
        """Send payments once; tell whether it is known what became of them."""
        self.journal.send(attempt)
        try:
            self.platform.pay(attempt.ticket, payments)
        except UncertainPaymentError:
            return self._is_paid(attempt, payments)
        except PlatformError as error:
            is_refused = isinstance(error, PaymentRefusedError)
            if is_refused and again:
                # This one may be refused because the one before was made.
                raise _unknown(self.platform, payments, f"{error}. ") from None
            if not again:
                self._settle(payments, "refused", str(error))
            if not is_refused:
                raise
        else:
            self._settle(payments, "paid", "the platform said so")
        return True

    def _prepared(self, payments: Sequence[Payment]) -> Attempt | None:
        """Get payments ready; where all are refused together, those that are right go alone."""
        earlier = {each.key: self.journal.alike(each) for each in payments}
        try:
            ticket = self.platform.prepare(payments, earlier)
        except PaymentRefusedError as error:
            if len(payments) == 1:
                self._settle(payments, "refused", str(error))
            else:
                for each in payments:
                    self._pay([each])
            return None
        return Attempt(tuple(each.key for each in payments), ticket, self.now())

    def _is_paid(self, attempt: Attempt, payments: Sequence[Payment]) -> bool:
        """Tell whether a request that got lost was carried out; raise if nobody can know.

        A request is carried out as a whole, so one payment that is shown speaks for all.
        """
        waited = 0.0
        while not self.platform.shown(attempt.ticket, payments):
            if self.platform.repeatable:
                return False
            if waited >= self.wait:
                raise _unknown(self.platform, payments)
            self.pause(min(_BETWEEN_LOOKS, self.wait - waited))
            waited += _BETWEEN_LOOKS
        self._settle(payments, "paid", "found at the platform")
        return True

    def _settle(self, payments: Sequence[Payment], state: PaymentState, why: str) -> None:
        self.journal.settle([each.key for each in payments], state, why)
        self.done(payments)


def refuse_uncertain(journal: PayoutJournal, wanted: PayoutPlan | None = None) -> None:
    """Refuse to go on while it is uncertain what a plan paid, except the one that is wanted."""
    known = {each.key for each in wanted.payments} if wanted else set()
    for _, payments in journal.uncertain():
        unsure = [each for each in payments if each.key not in known]
        for plan in journal.plans.values():
            if any(each in plan.payments for each in unsure):
                raise PlatformError(
                    f"it is uncertain whether {len(unsure):,} payments of plan {plan.id} were "
                    f"made: 'spancrew payout resume {plan.id}' finds out"
                )


def _unknown(
    platform: CrowdPlatform, payments: Sequence[Payment], why: str = ""
) -> UncertainPaymentError:
    people = ", ".join(f"{each.person} ({money(each.cents)})" for each in payments)
    return UncertainPaymentError(
        f"nobody can tell whether {platform.name} made these payments: {people}; nothing else was "
        f"sent. {why}Look at their submissions on the platform; then resume, or say with "
        "'spancrew payout settle' whether they were paid"
    )
