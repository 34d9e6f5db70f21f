"""Plans for people on a platform, and what must have become of them."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from spancrew.bridges import (
    MTurk,
    Payment,
    Payout,
    PayoutJournal,
    PayoutPlan,
    Prolific,
    Retries,
)
from tests.bridges.mturk import HIT, FakeMTurk
from tests.bridges.prolific import STUDY, FakeProlific

Fake = FakeProlific | FakeMTurk
CAMPAIGN = "0123456789abcdef"


def plan_for(fake: Fake, amounts: Sequence[int]) -> PayoutPlan:
    """Let people take part, and return a plan that pays them amounts in cents."""
    study = STUDY if isinstance(fake, FakeProlific) else HIT
    payments = [
        Payment(f"{CAMPAIGN}/w{k}/0-{cents}", f"w{k}", person, study, fake.add(person), 0, cents)
        for k, cents in enumerate(amounts)
        for person in [f"A{k:05d}"]
    ]
    name = Prolific.name if isinstance(fake, FakeProlific) else MTurk.name
    return PayoutPlan(CAMPAIGN, name, fake.api, (study,), tuple(payments))


def account(
    fake: Fake, pause: Callable[[float], None] = lambda _: None, at_once: int = 200
) -> Prolific | MTurk:
    """Return the account at a platform; it waits without sleeping."""
    retries = Retries(patience=20.0, pause=pause)
    if isinstance(fake, FakeProlific):
        return Prolific([STUDY], api=fake.api, retries=retries, at_once=at_once)
    return MTurk([HIT], api=fake.api, retries=retries)


def wanted(plan: PayoutPlan) -> Counter[tuple[str, int]]:
    """Return what must have been paid, each once."""
    return Counter((each.submission, each.cents) for each in plan.payments)


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
