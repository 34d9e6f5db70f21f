"""How payouts look on a terminal."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from spancrew.cli._printing import fact_table, table

if TYPE_CHECKING:
    from spancrew.bridges import Due, Payment, PayoutJournal, PayoutPlan, PlatformSubmission


def due_table(owed: "Sequence[Due]") -> RenderableType:
    """Return what every worker is owed."""
    from spancrew.bridges import money

    head = ("worker", "person", "answers", "earned", "base pay", "paid before", "bonus")
    rows = [
        (
            each.worker,
            each.person,
            f"{each.answers:,}",
            *map(money, (each.earned, each.base, each.paid, each.bonus)),
        )
        for each in owed
    ]
    return table("Owed", head, rows, words=2)


def total_table(plan: "PayoutPlan", fee: float) -> RenderableType:
    """Return what a plan costs, with fees that are assumed."""
    from spancrew.bridges import money

    fees = round(plan.cents * fee)
    facts = [
        (f"{len(plan.payments):,} bonuses", money(plan.cents)),
        (f"fees, if they are {fee:.1%} (--fee), without tax", money(fees)),
        ("in all", money(plan.cents + fees)),
    ]
    return fact_table("To pay", facts, words=1)


def plan_record(
    plan: "PayoutPlan", owed: "Sequence[Due]", strangers: Sequence[str], fee: float
) -> dict[str, Any]:
    """Return a plan as JSON, with amounts in cents."""
    return {
        "plan": plan.id,
        "campaign": plan.campaign,
        "platform": plan.platform,
        "api": plan.api,
        "studies": list(plan.studies),
        "bonuses": len(plan.payments),
        "cents": plan.cents,
        "fees": round(plan.cents * fee),
        "fee": fee,
        "owed": [asdict(each) for each in owed],
        "strangers": list(strangers),
    }


def payout_record(plan: "PayoutPlan", journal: "PayoutJournal") -> dict[str, Any]:
    """Return how far a payout is as JSON, with amounts in cents."""
    states = Counter(journal.state(each) for each in plan.payments)
    paid = sum(each.cents for each in plan.payments if journal.state(each) == "paid")
    return {
        "plan": plan.id,
        "campaign": plan.campaign,
        "platform": plan.platform,
        "api": plan.api,
        "bonuses": len(plan.payments),
        "cents": plan.cents,
        "paid_cents": paid,
        "begun": journal.has_begun(plan),
        **{state: states[state] for state in ("open", "sent", "refused", "paid")},
    }


def payout_table(records: Sequence[dict[str, Any]]) -> RenderableType:
    """Return a line for every plan."""
    from spancrew.bridges import money

    if not records:
        return "There is no payout yet; 'spancrew payout plan' makes a plan."
    head = ("plan", "campaign", "on", "bonuses", "amount", "paid", "refused", "uncertain")
    rows = [
        (
            each["plan"],
            each["campaign"],
            each["platform"],
            f"{each['bonuses']:,}",
            money(each["cents"]),
            money(each["paid_cents"]),
            f"{each['refused']:,}",
            f"{each['sent']:,}",
        )
        for each in records
    ]
    return table("Payouts", head, rows, words=3)


def payment_table(
    title: str, payments: "Sequence[Payment]", journal: "PayoutJournal"
) -> RenderableType:
    """Return payments with their states, and why."""
    from spancrew.bridges import money

    rows = [
        (p.worker, p.person, _STATES[journal.state(p)], journal.why(p), money(p.cents))
        for p in payments
    ]
    return table(title, ("worker", "person", "state", "why", "amount"), rows, words=4)


_STATES = {"open": "not sent", "sent": "uncertain", "paid": "paid", "refused": "refused"}


def submission_table(found: "Sequence[tuple[PlatformSubmission, str]]") -> RenderableType:
    """Return submissions, and what is to happen to them."""
    rows = [(each.id, each.person, each.code or "-", what) for each, what in found]
    return table("Submissions", ("id", "person", "code", ""), rows, words=4)
