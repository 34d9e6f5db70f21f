"""Prolific: studies, submissions and bonuses.

Bonuses are set up in bulk, which pays nothing, and paid by a second request. That one is not
idempotent and pays some minutes later, so after it got lost, only a bonus that is shown says
anything; that none is shown does not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from spancrew.bridges._base import Payment, PlatformName, PlatformSubmission, State, Ticket
from spancrew.bridges._links import study_link
from spancrew.bridges._money import cents_of, money
from spancrew.bridges._prolific_api import PROLIFIC, ProlificApi
from spancrew.calling import Retries
from spancrew.errors import PlatformError

_STATES: dict[str, State] = {
    "RESERVED": "working",
    "ACTIVE": "working",
    "AWAITING REVIEW": "waiting",
    "APPROVED": "approved",
    "PARTIALLY APPROVED": "approved",
}


@dataclass(frozen=True, slots=True)
class StudyOrder:
    """A study to set up: ``reward`` is the base pay in cents, ``minutes`` what it should take."""

    name: str
    description: str
    url: str
    code: str
    places: int
    minutes: int
    reward: int
    approve_at_once: bool = False
    project: str | None = None


class Prolific:
    """Some studies of a researcher's account at Prolific."""

    name: PlatformName = "prolific"
    repeatable = False

    def __init__(
        self,
        studies: Sequence[str] = (),
        *,
        api: str = PROLIFIC,
        retries: Retries | None = None,
        at_once: int = 200,
    ) -> None:
        self.api, self.at_once = api, at_once
        self._studies = tuple(dict.fromkeys(studies))
        self._http = ProlificApi(api, retries)
        self._before: dict[str, PlatformSubmission] | None = None

    def create_study(self, order: StudyOrder) -> str:
        """Set up a study as a draft, which nobody sees, and return its id."""
        made = self._http.call("POST", "/studies/", json=_study(order))
        return _text(made, "id")

    def publish(self, study: str) -> None:
        """Show a study to people; from now on it costs money."""
        self._http.call("POST", f"/studies/{study}/transition/", json={"action": "PUBLISH"})

    def submissions(self) -> list[PlatformSubmission]:
        """Return all submissions of the studies."""
        rows = (
            (s, row) for s in self._studies for row in self._http.pages("/submissions/", study=s)
        )
        return [self._submission(study, row) for study, row in rows]

    def approve(self, submissions: Sequence[PlatformSubmission]) -> None:
        """Approve submissions; those that are approved already are left alone."""
        ids = [each.id for each in submissions if each.state == "waiting"]
        for k in range(0, len(ids), self.at_once):
            body = {"submission_ids": ids[k : k + self.at_once]}
            self._http.call("POST", "/submissions/bulk-approve/", json=body)

    def prepare(self, payments: Sequence[Payment], earlier: Mapping[str, int]) -> Ticket:
        """Set up a bulk of bonuses; note how many are shown on a submission once it is paid."""
        if self._before is None:
            self._before = {each.id: each for each in self.submissions()}
        needed = {
            each.key: 1 + max(earlier.get(each.key, 0), self._count(self._before, each))
            for each in payments
        }
        lines = "".join(f"{each.submission},{money(each.cents)}\n" for each in payments)
        body = {"study_id": payments[0].study, "csv_bonuses": lines}
        made = self._http.call("POST", "/submissions/bonus-payments/", json=body)
        _check_amount(made, sum(each.cents for each in payments))
        return {"bulk": _text(made, "id"), "needed": needed}

    def pay(self, ticket: Ticket, payments: Sequence[Payment]) -> None:  # noqa: ARG002  the bulk has them
        """Pay a bulk, by a request that is never repeated."""
        self._http.call("POST", f"/bulk-bonus-payments/{ticket['bulk']}/pay/", harmless=False)

    def shown(self, ticket: Ticket, payments: Sequence[Payment]) -> set[str]:
        """Return those of the payments that are shown on their submissions."""
        now = {each.id: each for each in self.submissions()}
        return {p.key for p in payments if self._count(now, p) >= ticket["needed"][p.key]}

    @staticmethod
    def _count(found: Mapping[str, PlatformSubmission], payment: Payment) -> int:
        submission = found.get(payment.submission)
        return submission.bonuses.count(payment.cents) if submission else 0

    def _submission(self, study: str, row: dict[str, Any]) -> PlatformSubmission:
        id_ = _text(row, "id")
        if "bonus_payments" not in row:
            # Lists may be short; the submission itself has it.
            row = {**row, **(self._http.call("GET", f"/submissions/{id_}/") or {})}
        return PlatformSubmission(
            id=id_,
            study=study,
            person=_text(row, "participant_id" if "participant_id" in row else "participant"),
            state=_STATES.get(str(row.get("status", "")).replace("_", " ").upper(), "closed"),
            code=row.get("study_code") or row.get("entered_code"),
            base=_cents(row.get("reward") or 0),
            bonuses=tuple(_cents(each) for each in row.get("bonus_payments") or ()),
        )


def _study(order: StudyOrder) -> dict[str, Any]:
    action = "AUTOMATICALLY_APPROVE" if order.approve_at_once else "MANUALLY_REVIEW"
    code = {"code": order.code, "code_type": "COMPLETED", "actions": [{"action": action}]}
    body = {
        "name": order.name,
        "internal_name": order.name,
        "description": order.description,
        "external_study_url": study_link(order.url),
        "prolific_id_option": "url_parameters",
        "completion_codes": [code],
        "total_available_places": order.places,
        "estimated_completion_time": order.minutes,
        "reward": order.reward,
        "device_compatibility": ["desktop", "tablet", "mobile"],
    }
    return body if order.project is None else {**body, "project": order.project}


def _check_amount(made: Any, cents: int) -> None:
    """Refuse a bulk of another amount than asked for, before it is paid."""
    amount = made.get("amount") if isinstance(made, dict) else None
    if amount is not None and _cents(amount) != cents:
        raise PlatformError(
            f"Prolific makes bonuses of {money(_cents(amount))} of the {money(cents)} that were "
            "asked for: nothing was paid"
        )


def _cents(said: Any) -> int:
    """Return an amount that Prolific gives in cents."""
    if isinstance(said, bool) or not isinstance(said, int | float):
        raise PlatformError(f"Prolific shows {said!r} where an amount in cents was expected")
    return cents_of(said) // 100


def _text(found: Any, name: str) -> str:
    value = found.get(name) if isinstance(found, dict) else None
    if not isinstance(value, str) or not value:
        raise PlatformError(f"Prolific answers without {name!r}, which was expected")
    return value
