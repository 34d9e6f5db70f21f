"""MTurk's operations on this machine, in the protocol that botocore speaks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.bridges.loopback import Answer, Loopback, Request, running

HIT = "3HIT000000000000000000000000AA"
_PAGE = 100


@dataclass
class FakeMTurk:
    """A requester's account: HITs, assignments and bonuses.

    A token is known for a day; ``tokens`` can be emptied to let that day pass. While ``lists`` is
    off, bonuses are paid but not listed yet.
    """

    web: Loopback = field(init=False)
    hits: dict[str, dict[str, Any]] = field(default_factory=dict)
    assignments: dict[str, dict[str, Any]] = field(default_factory=dict)
    bonuses: list[dict[str, Any]] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    balance: int = 10**9
    lists: bool = True

    def __post_init__(self) -> None:
        """Make the server."""
        self.web = Loopback(self.answer, _operation)
        self.hits[HIT] = {"HITId": HIT, "Reward": "0.00"}

    @property
    def api(self) -> str:
        """Return the address of the API."""
        return self.web.url

    @property
    def paid(self) -> list[tuple[str, int]]:
        """Return a line for every bonus that was paid: the assignment and the cents."""
        return [(each["AssignmentId"], _cents(each["BonusAmount"])) for each in self.bonuses]

    def add(self, person: str, *, status: str = "Approved", code: str = "C0") -> str:
        """Let a worker hand in an assignment, and return its id."""
        id_ = f"3ASSIGNMENT{len(self.assignments):019d}"
        answer = (
            "<QuestionFormAnswers><Answer><QuestionIdentifier>code</QuestionIdentifier>"
            f"<FreeText>{code}</FreeText></Answer></QuestionFormAnswers>"
        )
        self.assignments[id_] = {
            "AssignmentId": id_,
            "WorkerId": person,
            "HITId": HIT,
            "AssignmentStatus": status,
            "Answer": answer,
        }
        return id_

    def answer(self, request: Request) -> Answer:
        """Answer as the service model says."""
        if "Credential=" not in request.headers.get("authorization", ""):
            return _error("UnrecognizedClientException", "The security token is invalid.", 403)
        operations: dict[str, Callable[[dict[str, Any]], Answer]] = {
            "CreateHIT": self._create,
            "GetHIT": self._hit,
            "ListAssignmentsForHIT": lambda given: _page(given, "Assignments", self._of(given)),
            "ListBonusPayments": lambda given: _page(given, "BonusPayments", self._bonuses(given)),
            "ApproveAssignment": self._approve,
            "SendBonus": self._send,
        }
        return operations[_operation(request)](request.body)

    def _hit(self, given: dict[str, Any]) -> Answer:
        if given["HITId"] not in self.hits:
            return _error("RequestError", f"Hit {given['HITId']} does not exist.")
        return Answer(200, {"HIT": self.hits[given["HITId"]]})

    def _approve(self, given: dict[str, Any]) -> Answer:
        self.assignments[given["AssignmentId"]]["AssignmentStatus"] = "Approved"
        return Answer(200, {})

    def _of(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        return [each for each in self.assignments.values() if each["HITId"] == given["HITId"]]

    def _bonuses(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        wanted = given.get("AssignmentId")
        return [
            each
            for each in (self.bonuses if self.lists else ())
            if wanted in {None, each["AssignmentId"]}
        ]

    def _send(self, given: dict[str, Any]) -> Answer:
        token = given["UniqueRequestToken"]
        if token in self.tokens:
            return _error(
                "RequestError", f'The idempotency token "{token}" has already been processed.'
            )
        assignment = self.assignments.get(given["AssignmentId"])
        if assignment is None or assignment["WorkerId"] != given["WorkerId"]:
            return _error("RequestError", f"Assignment {given['AssignmentId']} does not exist.")
        cents = _cents(given["BonusAmount"])
        if cents > self.balance:
            return _error(
                "RequestError", "This Requester has insufficient funds in their account."
            )
        self.balance -= cents
        self.tokens.add(token)
        self.bonuses.append({**given, "GrantTime": 1_700_000_000})
        return Answer(200, {})

    def _create(self, given: dict[str, Any]) -> Answer:
        if given["UniqueRequestToken"] in self.tokens:
            return _error("RequestError", "The HIT already exists.")
        self.tokens.add(given["UniqueRequestToken"])
        id_ = f"3HITNEW{len(self.hits):023d}"
        self.hits[id_] = {**given, "HITId": id_}
        return Answer(200, {"HIT": {"HITId": id_, "Reward": given["Reward"]}})


def _operation(request: Request) -> str:
    return request.headers.get("x-amz-target", "").rpartition(".")[2]


def _page(given: dict[str, Any], name: str, rows: list[dict[str, Any]]) -> Answer:
    start = int(given.get("NextToken", 0))
    size = min(given.get("MaxResults", _PAGE), _PAGE)
    body: dict[str, Any] = {"NumResults": len(rows), name: rows[start : start + size]}
    if start + size < len(rows):
        body["NextToken"] = str(start + size)
    return Answer(200, body)


def _error(kind: str, message: str, status: int = 400) -> Answer:
    return Answer(status, {"__type": kind, "Message": message, "message": message})


def _cents(amount: str) -> int:
    whole, _, rest = amount.partition(".")
    return int(whole) * 100 + int((rest + "00")[:2])


@contextmanager
def mturk() -> Iterator[FakeMTurk]:
    """Run an MTurk."""
    found = FakeMTurk()
    with running(found.web):
        yield found
