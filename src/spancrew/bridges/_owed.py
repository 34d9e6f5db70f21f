"""Who is owed what: the earnings of a campaign against what a platform has paid."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from spancrew.bridges._base import PlatformName, PlatformSubmission

Base = Literal["deduct", "extra"]
Others = Literal["deduct", "ignore"]


@dataclass(frozen=True, slots=True)
class Earner:
    """A worker of a campaign who came from a platform, with what they earned in cents."""

    worker: str
    person: str
    answers: int
    earned: int


@dataclass(frozen=True, slots=True)
class Due:
    """What one worker is owed, in cents: ``bonus`` is what is left to pay.

    ``base`` is what the approval of their submissions pays, ``paid`` are earlier payouts, and
    ``others`` bonuses on the platform that no payout of ours made. ``problem`` says why nothing
    can be paid.
    """

    worker: str
    person: str
    answers: int
    earned: int
    base: int
    paid: int
    others: int
    bonus: int
    study: str = ""
    submission: str = ""
    problem: str | None = None


def dues(
    earners: Iterable[Earner],
    submissions: Sequence[PlatformSubmission],
    paid: Mapping[str, int],
    *,
    base: Base = "deduct",
    others: Others = "ignore",
) -> list[Due]:
    """Return what every worker is owed; ``paid`` is by worker.

    Base pay is part of the earnings, or with "extra" comes on top of them. Bonuses by others count
    as paid with "deduct".
    """
    by_person: dict[str, list[PlatformSubmission]] = {}
    for each in submissions:
        by_person.setdefault(each.person, []).append(each)
    return [
        _due(each, by_person.get(each.person, []), paid.get(each.worker, 0), base, others)
        for each in earners
    ]


def _due(
    earner: Earner, handed_in: Sequence[PlatformSubmission], paid: int, base: Base, others: Others
) -> Due:
    accepted = [each for each in handed_in if each.state in {"waiting", "approved"}]
    rewarded = sum(each.base for each in accepted)
    foreign = max(0, sum(sum(each.bonuses) for each in handed_in) - paid)
    owed = earner.earned - paid
    owed -= rewarded if base == "deduct" else 0
    owed -= foreign if others == "deduct" else 0
    best = max(accepted, key=lambda each: (each.state == "approved", each.id), default=None)
    return Due(
        worker=earner.worker,
        person=earner.person,
        answers=earner.answers,
        earned=earner.earned,
        base=rewarded,
        paid=paid,
        others=foreign,
        bonus=max(owed, 0) if best else 0,
        study=best.study if best else "",
        submission=best.id if best else "",
        problem=None if best or owed <= 0 else _problem(handed_in),
    )


def _problem(handed_in: Sequence[PlatformSubmission]) -> str:
    if not handed_in:
        return "has no submission in these studies"
    if any(each.state == "working" for each in handed_in):
        return "has not finished their submission"
    return "returned their submission, or it was rejected or ran out of time"


FEES: dict[PlatformName, float] = {"prolific": 1 / 3, "mturk": 0.2}
"""What the platforms took of a bonus when this was written, as a share of it, without tax."""
