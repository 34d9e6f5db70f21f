"""MTurk: HITs, assignments and bonuses, through boto3.

A bonus has a token, and the same one in its reason. MTurk refuses a second bonus with the same
token for a day; afterwards, the reasons of the bonuses that it lists say which ones were paid.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from spancrew.bridges._base import Payment, PlatformName, PlatformSubmission, State, Ticket
from spancrew.bridges._links import external_question
from spancrew.bridges._money import cents_of, money
from spancrew.bridges._retries import LostError, NotDoneError, persist
from spancrew.calling import Retries, needed, seconds_of
from spancrew.errors import PaymentRefusedError, PlatformError

MTURK = "https://mturk-requester.us-east-1.amazonaws.com"
MTURK_SANDBOX = "https://mturk-requester-sandbox.us-east-1.amazonaws.com"
_REGION = "us-east-1"
_STATES: dict[str, State] = {"Submitted": "waiting", "Approved": "approved", "Rejected": "closed"}
_CODE = re.compile(
    r"<QuestionIdentifier>\s*code\s*</QuestionIdentifier>\s*<FreeText>(.*?)</FreeText>", re.DOTALL
)
_BUSY = {"ThrottlingException", "Throttling", "TooManyRequestsException", "RequestLimitExceeded"}
_HOUR = 3600


@dataclass(frozen=True, slots=True)
class HitOrder:
    """A HIT to create: ``reward`` is the base pay in cents, ``places`` how many may take it."""

    title: str
    description: str
    url: str
    places: int
    minutes: int
    reward: int
    keywords: str = ""
    days: int = 7
    approve_after_days: int = 30


class MTurk:
    """Some HITs of a requester's account at MTurk, with the credentials that boto3 finds."""

    name: PlatformName = "mturk"
    repeatable = True
    at_once = 1

    def __init__(
        self,
        hits: Sequence[str] = (),
        *,
        api: str = MTURK_SANDBOX,
        retries: Retries | None = None,
    ) -> None:
        self.api = api
        self._hits = tuple(dict.fromkeys(hits))
        self._retries = retries or Retries()
        self._errors = needed("botocore.exceptions", "mturk")
        config = needed("botocore.config", "mturk").Config(
            # Whether a request may be sent again is decided here.
            retries={"total_max_attempts": 1},
            read_timeout=60,
        )
        self._mturk = (
            needed("boto3", "mturk")
            .Session()
            .client("mturk", region_name=_REGION, endpoint_url=api, config=config)
        )

    def create_hit(self, order: HitOrder) -> str:
        """Create a HIT, at once open to workers, and return its id; the same order only once."""
        found = self._call(
            "create_hit",
            Title=order.title,
            Description=order.description,
            Keywords=order.keywords,
            Question=external_question(order.url),
            Reward=money(order.reward),
            MaxAssignments=order.places,
            AssignmentDurationInSeconds=order.minutes * 60,
            LifetimeInSeconds=order.days * 24 * _HOUR,
            AutoApprovalDelayInSeconds=order.approve_after_days * 24 * _HOUR,
            UniqueRequestToken=sha256(repr(order).encode()).hexdigest(),
        )
        return str(found["HIT"]["HITId"])

    def submissions(self) -> list[PlatformSubmission]:
        """Return all assignments of the HITs that were handed in."""
        return [each for hit in self._hits for each in self._assignments(hit)]

    def _assignments(self, hit: str) -> Iterator[PlatformSubmission]:
        base = cents_of(self._call("get_hit", HITId=hit)["HIT"].get("Reward", "0"))
        bonuses: dict[str, list[int]] = {}
        for paid in self._pages("list_bonus_payments", "BonusPayments", HITId=hit):
            bonuses.setdefault(paid["AssignmentId"], []).append(cents_of(paid["BonusAmount"]))
        for row in self._pages("list_assignments_for_hit", "Assignments", HITId=hit):
            code = _CODE.search(row.get("Answer", ""))
            yield PlatformSubmission(
                id=row["AssignmentId"],
                study=hit,
                person=row["WorkerId"],
                state=_STATES.get(row["AssignmentStatus"], "closed"),
                code=code[1].strip() if code else None,
                base=base,
                bonuses=tuple(bonuses.get(row["AssignmentId"], ())),
            )

    def approve(self, submissions: Sequence[PlatformSubmission]) -> None:
        """Approve assignments; those that are approved already are left alone."""
        for each in submissions:
            if each.state == "waiting":
                self._call("approve_assignment", AssignmentId=each.id)

    def prepare(self, payments: Sequence[Payment], earlier: Mapping[str, int]) -> Ticket:  # noqa: ARG002  the key alone tells
        """Return the tokens of the bonuses: nothing has to be made ready."""
        return {"tokens": {each.key: _token(each) for each in payments}}

    def pay(self, ticket: Ticket, payments: Sequence[Payment]) -> None:
        """Send bonuses, each with its token."""
        for each in payments:
            try:
                self._send(each, ticket["tokens"][each.key])
            except PaymentRefusedError:
                # A token that was used before is refused, too; the list says which it was.
                if not self.shown(ticket, [each]):
                    raise

    def _send(self, payment: Payment, token: str) -> None:
        self._call(
            "send_bonus",
            harmless=False,
            WorkerId=payment.person,
            AssignmentId=payment.submission,
            BonusAmount=money(payment.cents),
            Reason=f"For your answers. Thank you! ({token})",
            UniqueRequestToken=token,
        )

    def shown(self, ticket: Ticket, payments: Sequence[Payment]) -> set[str]:
        """Return those of the payments whose token is in the reason of a bonus."""
        tokens = ticket["tokens"]
        return {p.key for p in payments if any(tokens[p.key] in r for r in self._reasons(p))}

    def _reasons(self, payment: Payment) -> list[str]:
        found = self._pages(
            "list_bonus_payments", "BonusPayments", AssignmentId=payment.submission
        )
        return [each.get("Reason", "") for each in found]

    def _pages(self, operation: str, name: str, **given: Any) -> Iterator[dict[str, Any]]:
        more: dict[str, Any] = {}
        while True:
            found = self._call(operation, **given, **more, MaxResults=100)
            yield from found.get(name, ())
            if not found.get("NextToken") or not found.get(name):
                return
            more = {"NextToken": found["NextToken"]}

    def _call(self, operation: str, *, harmless: bool = True, **given: Any) -> Any:
        return persist(
            lambda: self._answer(operation, given), self._retries, "MTurk", harmless=harmless
        )

    def _answer(self, operation: str, given: dict[str, Any]) -> Any:
        errors = self._errors
        try:
            return getattr(self._mturk, operation)(**given)
        except errors.ClientError as error:
            raise _refusal(error.response, operation) from None
        except (errors.NoCredentialsError, errors.PartialCredentialsError):
            raise PlatformError(
                "there are no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            ) from None
        except errors.ParamValidationError as error:
            raise PaymentRefusedError(f"MTurk would refuse this: {error}") from None
        except (errors.EndpointConnectionError, errors.ConnectTimeoutError):
            raise NotDoneError("no connection") from None
        except errors.BotoCoreError as error:
            raise LostError(type(error).__name__) from None


def _token(payment: Payment) -> str:
    """Return the key as a token: short, and without a word that a worker could misread."""
    return sha256(payment.key.encode()).hexdigest()[:32]


def _refusal(response: Mapping[str, Any], operation: str) -> Exception:
    error = response.get("Error", {})
    code, said = str(error.get("Code", "")), str(error.get("Message", ""))[:300]
    about = response.get("ResponseMetadata", {})
    status = about.get("HTTPStatusCode", 0)
    if code in _BUSY or status == 429:
        after = seconds_of(about.get("HTTPHeaders", {}).get("retry-after"))
        return NotDoneError("too many requests", after)
    if status >= 500:
        return LostError(f"HTTP status {status}")
    text = f"MTurk refuses {operation}: {said or 'without a reason'} ({code})"
    if status in {401, 403} or "UnrecognizedClient" in code or "InvalidSignature" in code:
        return PlatformError(f"{text}; look at the AWS credentials")
    return PaymentRefusedError(text)
