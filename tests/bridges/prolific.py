"""Prolific's documented routes on this machine, with books that tests can look at."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tests.bridges.loopback import Answer, Loopback, Request, running

TOKEN = "secret-of-the-researcher"  # noqa: S105  the fake knows only this one
STUDY = "65f0a1b2c3d4e5f6a7b8c9d0"


@dataclass
class FakeProlific:
    """A workspace: studies, submissions, bulks of bonuses, and what was paid.

    ``paid`` has a line for every bonus that was paid. While ``shows`` is off, none is shown yet:
    payments are made some minutes later.
    """

    web: Loopback = field(init=False)
    studies: dict[str, dict[str, Any]] = field(default_factory=dict)
    submissions: dict[str, dict[str, Any]] = field(default_factory=dict)
    bulks: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    paid: list[tuple[str, int]] = field(default_factory=list)
    shows: bool = True
    short_lists: bool = False
    counts: bool = True

    def __post_init__(self) -> None:
        """Make the server."""
        self.web = Loopback(self.answer)

    @property
    def api(self) -> str:
        """Return the address of the API."""
        return f"{self.web.url}/api/v1"

    def add(
        self, person: str, *, status: str = "APPROVED", reward: int = 0, code: str = "C0"
    ) -> str:
        """Let a person take part, and return their submission."""
        id_ = f"s{len(self.submissions):023d}"
        self.submissions[id_] = {
            "id": id_,
            "study_id": STUDY,
            "participant_id": person,
            "status": status,
            "reward": reward,
            "study_code": code,
        }
        return id_

    def answer(self, request: Request) -> Answer:
        """Answer as Prolific's documentation says."""
        if request.headers.get("authorization") != f"Token {TOKEN}":
            return _error(401, "Authentication credentials were not provided.")
        routes: dict[str, Callable[[Request, str], Answer]] = {
            r"GET /submissions/": lambda request, _: self._list(request.query),
            r"GET /submissions/(\w+)/": lambda _, id_: self._get(id_),
            r"POST /submissions/bonus-payments/": lambda request, _: self._set_up(request.body),
            r"POST /submissions/bulk-approve/": lambda request, _: self._approve(request.body),
            r"POST /bulk-bonus-payments/(\w+)/pay/": lambda _, id_: self._pay(id_),
            r"POST /studies/": lambda request, _: self._create(request.body),
            r"POST /studies/(\w+)/transition/": lambda _, id_: self._publish(id_),
        }
        route = request.route.replace("/api/v1", "", 1)
        for pattern, answer in routes.items():
            if found := re.fullmatch(pattern, route):
                return answer(request, found[found.re.groups])
        return _error(404, "Not found.")

    def _get(self, id_: str) -> Answer:
        return (
            Answer(200, self._one(id_)) if id_ in self.submissions else _error(404, "Not found.")
        )

    def _pay(self, id_: str) -> Answer:
        if id_ not in self.bulks:
            return _error(404, "Not found.")
        self.paid += self.bulks[id_]
        return Answer(202, {})

    def _publish(self, id_: str) -> Answer:
        self.studies[id_]["status"] = "ACTIVE"
        return Answer(200, {})

    def _list(self, query: dict[str, str]) -> Answer:
        found = [
            self._one(k) for k, s in self.submissions.items() if s["study_id"] == query["study"]
        ]
        size = int(query.get("page_size", 20))
        start = (int(query.get("page", 1)) - 1) * size
        if start and start >= len(found):
            return _error(404, "Invalid page.")
        rows = found[start : start + size]
        if self.short_lists:
            rows = [{k: v for k, v in row.items() if k != "bonus_payments"} for row in rows]
        return Answer(
            200, {"results": rows, **({"meta": {"count": len(found)}} if self.counts else {})}
        )

    def _one(self, id_: str) -> dict[str, Any]:
        bonuses = [float(cents) for key, cents in self.paid if key == id_] if self.shows else []
        return {**self.submissions[id_], "bonus_payments": bonuses}

    def _set_up(self, body: dict[str, str]) -> Answer:
        lines = [line.split(",") for line in body["csv_bonuses"].splitlines()]
        unknown = [id_ for id_, _ in lines if id_ not in self.submissions]
        if body["study_id"] != STUDY or unknown:
            return _error(400, f"The following ids are incorrect: {', '.join(unknown)}")
        if any(not re.fullmatch(r"\d+\.\d\d", amount) for _, amount in lines):
            return _error(400, "Amounts are decimals.")
        bulk = [(id_, int(Decimal(amount) * 100)) for id_, amount in lines]
        name = f"b{len(self.bulks)}"
        self.bulks[name] = bulk
        amount = sum(cents for _, cents in bulk)
        fees = amount / 3
        return Answer(
            201,
            {
                "id": name,
                "study": STUDY,
                "amount": amount,
                "fees": fees,
                "total_amount": amount + fees,
            },
        )

    def _approve(self, body: dict[str, list[str]]) -> Answer:
        for id_ in body["submission_ids"]:
            self.submissions[id_]["status"] = "APPROVED"
        return Answer(202, {})

    def _create(self, body: dict[str, Any]) -> Answer:
        id_ = f"{len(self.studies):024x}"
        self.studies[id_] = {**body, "id": id_, "status": "UNPUBLISHED"}
        return Answer(201, self.studies[id_])


def _error(status: int, detail: str) -> Answer:
    return Answer(status, {"error": {"status": status, "detail": detail}})


@contextmanager
def prolific() -> Iterator[FakeProlific]:
    """Run a Prolific."""
    found = FakeProlific()
    with running(found.web):
        yield found
