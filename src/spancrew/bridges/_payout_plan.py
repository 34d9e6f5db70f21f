"""A payout as it is planned and shown before anything is sent."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from spancrew.bridges._base import Payment, PlatformName
from spancrew.bridges._money import cents_of
from spancrew.bridges._owed import Due, Earner

if TYPE_CHECKING:
    from spancrew.client import CampaignClient


@dataclass(frozen=True)
class PayoutPlan:
    """Payments of one campaign on one platform; ``api`` is the address that they are sent to."""

    campaign: str
    platform: PlatformName
    api: str
    studies: tuple[str, ...]
    payments: tuple[Payment, ...]

    @cached_property
    def id(self) -> str:
        """Return a name that says all that is in it: another plan has another."""
        return sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:12]

    @property
    def cents(self) -> int:
        """Return what all payments come to."""
        return sum(each.cents for each in self.payments)

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "PayoutPlan":
        """Return a plan as a journal keeps it."""
        payments = tuple(Payment(**each) for each in record["payments"])
        return cls(**{**record, "studies": tuple(record["studies"]), "payments": payments})


def plan_of(
    campaign: str,
    platform: PlatformName,
    api: str,
    studies: Sequence[str],
    owed: Sequence[Due],
) -> PayoutPlan:
    """Return the plan that pays what is owed; those who are owed nothing are not in it."""
    payments = tuple(
        Payment(
            key=f"{campaign}/{each.worker}/{each.paid}-{each.paid + each.bonus}",
            worker=each.worker,
            person=each.person,
            study=each.study,
            submission=each.submission,
            before=each.paid,
            cents=each.bonus,
        )
        for each in owed
        if each.bonus > 0
    )
    return PayoutPlan(campaign, platform, api, tuple(studies), payments)


def earners_of(
    campaign: "CampaignClient", platform: PlatformName
) -> tuple[list[Earner], list[str]]:
    """Return the workers who came from a platform, with their earnings.

    Then the names of those who earned something and cannot be found there: they came by a link,
    or were erased.
    """
    found, strangers = [], []
    for each in campaign.people.workers():
        person, standing = each.person, each.standing
        if standing is None:
            continue
        earned = cents_of(standing.earned)
        if person.platform == platform and person.platform_id is not None:
            answers = standing.answers
            found.append(Earner(person.pseudonym, person.platform_id, answers, earned))
        elif earned:
            strangers.append(person.pseudonym)
    return found, strangers
