"""The payout journal: what was planned, sent and paid, in a file that survives a crash.

An entry is on the disk before what it announces is done. One process at a time can open it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from spancrew.bridges._base import Payment, Ticket
from spancrew.bridges._payout_plan import PayoutPlan
from spancrew.errors import StoreError
from spancrew.stores import EntryFile

PaymentState = Literal["open", "sent", "paid", "refused"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """Payments that were sent together at some time, with what finds them at the platform."""

    keys: tuple[str, ...]
    ticket: Ticket
    at: float


class PayoutJournal:
    """The payouts of one campaign on one platform."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.plans: dict[str, PayoutPlan] = {}
        self._attempts: dict[str, Attempt] = {}
        self._states: dict[str, PaymentState] = {}
        self._payments: dict[str, Payment] = {}
        self._why: dict[str, str] = {}
        self._begun: list[str] = []
        self._paid: Counter[str] = Counter()
        self._alike: Counter[tuple[str, int]] = Counter()
        self._entries = EntryFile(self.path, "payout journal", "payout")
        try:
            for entry in self._entries:
                self._apply(entry)
        except BaseException:
            self.close()
            raise

    def plan(self, plan: PayoutPlan) -> None:
        """Note a plan; one that is there already is left as it is."""
        for other in self.plans.values():
            if (plan.campaign, plan.api) != (other.campaign, other.api):
                raise StoreError(
                    f"{self.path} is the journal of campaign {other.campaign} on {other.api}"
                )
        if plan.id not in self.plans:
            self._add({"entry": "planned", "plan": asdict(plan)})

    def begin(self, plan: PayoutPlan) -> None:
        """Note that the payments of a plan are sent from now on."""
        self.plan(plan)
        if plan.id not in self._begun:
            self._add({"entry": "begun", "id": plan.id})

    def send(self, attempt: Attempt) -> None:
        """Note that payments are about to be sent."""
        self._add({"entry": "sent", **asdict(attempt)})

    def settle(self, keys: Sequence[str], state: PaymentState, why: str = "") -> None:
        """Note what became of payments."""
        self._add({"entry": "settled", "keys": list(keys), "state": state, "why": why})

    def state(self, payment: Payment) -> PaymentState:
        """Return what is known of a payment."""
        return self._states.get(payment.key, "open")

    def why(self, payment: Payment) -> str:
        """Return the reason of a refusal, or how it is known that something was paid."""
        return self._why.get(payment.key, "")

    def has_begun(self, plan: PayoutPlan) -> bool:
        """Tell whether the payments of a plan were ever sent."""
        return plan.id in self._begun

    def uncertain(self) -> list[tuple[Attempt, list[Payment]]]:
        """Return what was sent and never settled, by attempt."""
        return self.attempts(self._payments.values(), "sent")

    def attempts(
        self, payments: Iterable[Payment], state: PaymentState
    ) -> list[tuple[Attempt, list[Payment]]]:
        """Return those of the payments that are in a state, by the attempt to send them."""
        found: dict[int, tuple[Attempt, list[Payment]]] = {}
        for each in payments:
            attempt = self._attempts.get(each.key)
            if attempt is not None and self.state(each) == state:
                found.setdefault(id(attempt), (attempt, []))[1].append(each)
        return list(found.values())

    def paid(self) -> dict[str, int]:
        """Return what was paid to every worker, in cents."""
        return dict(self._paid)

    def alike(self, payment: Payment) -> int:
        """Return how many payments of this amount were made on this submission."""
        return self._alike[payment.submission, payment.cents]

    def _add(self, entry: dict[str, Any]) -> None:
        self._entries.add(entry)
        self._apply(entry)

    def _apply(self, entry: dict[str, Any]) -> None:
        match entry["entry"]:
            case "planned":
                plan = PayoutPlan.from_json(entry["plan"])
                self.plans[plan.id] = plan
                self._payments |= {each.key: each for each in plan.payments}
            case "begun":
                self._begun.append(entry["id"])
            case "sent":
                attempt = Attempt(tuple(entry["keys"]), entry["ticket"], entry["at"])
                self._attempts |= dict.fromkeys(attempt.keys, attempt)
                self._states |= dict.fromkeys(attempt.keys, "sent")
            case "settled":
                self._count(entry["keys"] if entry["state"] == "paid" else ())
                self._states |= dict.fromkeys(entry["keys"], entry["state"])
                self._why |= dict.fromkeys(entry["keys"], entry["why"])
            case _:
                raise self._entries.unknown(entry)

    def _count(self, keys: Sequence[str]) -> None:
        for payment in (self._payments[key] for key in keys if self._states.get(key) != "paid"):
            self._paid[payment.worker] += payment.cents
            self._alike[payment.submission, payment.cents] += 1

    def close(self) -> None:
        """Let others open it."""
        self._entries.close()

    def __enter__(self) -> Self:
        """Return the journal itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the journal."""
        self.close()


def journal_name(campaign: str, api: str) -> str:
    """Return the name of the file for a campaign on a platform; a sandbox has its own.

    >>> journal_name("3f0c", "https://api.prolific.com/api/v1")
    '3f0c@api.prolific.com.sqlite'
    """
    return f"{campaign}@{urlsplit(api).netloc.replace(':', '_')}.sqlite"
