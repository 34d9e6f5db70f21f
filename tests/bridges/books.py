"""Plans for people on a platform, and what must have become of them."""

from collections import Counter
from collections.abc import Callable, Sequence

from spancrew.bridges import MTurk, Payment, PayoutPlan, Prolific, Retries
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
