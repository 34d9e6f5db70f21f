"""The whole OpenAPI document under fire: whatever fits the schema, or nearly, gets no 5xx.

SPANCREW_SCHEMA_EXAMPLES says how many requests there are to each operation in each role.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from spancrew.server.settings import Rate, ServerSettings
from tests.server.conftest import HandClock, House, Visitor, create, invite, running
from tests.spread import often

EXAMPLES = int(os.environ.get("SPANCREW_SCHEMA_EXAMPLES", often(1, 4)))
# They would end the token by which everything else is tried; other tests try them.
ENDS = {"DELETE /api/v1/session"}
ENDS_CAMPAIGN = {"DELETE /api/v1/campaigns/{c}"}


@dataclass
class Range:
    """A server, a campaign, and who shoots at it."""

    house: House
    campaign: str
    visitors: dict[str, Visitor]

    def renew(self, role: str) -> None:
        """Give somebody a new token if the old one was ended by a request."""
        if role in self.visitors and self.visitors[role].call("GET", "/me").is_success:
            return
        admin = self.house.admin()
        who = {"admin": lambda: admin, "worker": lambda: invite(admin, self.campaign)}
        if role in who:
            self.visitors[role] = _with_token(self.house, who[role]())


@pytest.fixture(scope="module")
def shooting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Range]:
    """Set up a running campaign with people who have tokens."""
    # What it imports silences warnings, which a server that compiles in another thread undoes.
    import schemathesis  # noqa: F401  takes seconds, and only this file needs it

    folder, clock = tmp_path_factory.mktemp("schema"), HandClock()
    free = Rate(1e6, 1_000_000)
    options = ServerSettings(
        clock=clock,
        request_rate=free,
        sign_in_rate=free,
        password_rate=free,
        stream_rate=free,
        stream_seconds=0.0,
        hook_poll=60.0,
    )
    with running(folder, clock, options) as house:
        admin = house.admin()
        campaign = create(admin, folder)
        admin.ok("POST", f"/campaigns/{campaign}/start")
        invite(admin, campaign, "experts")
        made = Range(house, campaign, {"nobody": house.nobody})
        made.renew("admin")
        made.renew("worker")
        yield made


def _with_token(house: House, who: Visitor) -> Visitor:
    return Visitor(house.client, token=who.ok("POST", "/tokens", json={"name": "x"})["token"])


@pytest.mark.slow
@pytest.mark.parametrize("role", ["admin", "worker", "nobody"])
def test_nothing_that_can_be_sent_breaks_the_server(shooting: Range, role: str) -> None:
    """Every answer is one that the document announces, and every refusal says why."""
    import schemathesis

    schema = schemathesis.openapi.from_dict(shooting.house.app.openapi())
    for result in schema.get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]  # the document is ours
        if operation.label not in ENDS:
            _shoot(operation, shooting, role)


def _shoot(operation: Any, shooting: Range, role: str) -> None:
    announced = set(operation.definition.raw["responses"])

    @settings(
        max_examples=EXAMPLES * (1 + (role == "admin")),
        database=None,
        deadline=None,
        phases=[Phase.generate],
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(), known=st.booleans())
    def one(case: Any, known: bool) -> None:
        if known and operation.label not in ENDS_CAMPAIGN:
            _aim(case, shooting.campaign)
        answer = _send(case, shooting.visitors[role])
        if answer is None:
            return
        if answer.status_code == 401:
            shooting.renew(role)
        where = (operation.label, answer.status_code, answer.text[:300])
        assert answer.status_code < 500, where
        assert str(answer.status_code) in announced, where
        if answer.status_code >= 400:
            assert answer.json()["error"]["message"], where

    one()


def _aim(case: Any, campaign: str) -> None:
    """Let a request go to things that are there."""
    there = {"c": campaign, "w": "w0", "e": "e0", "a": 0, "id": 1}
    for name in case.path_parameters or {}:
        case.path_parameters[name] = there.get(name, case.path_parameters[name])


def _raw(value: Any) -> str | bytes:
    return value if isinstance(value, str | bytes) else str(value)


def _send(case: Any, visitor: Visitor) -> Any:
    """Send a request; None if it cannot be put on a wire at all."""
    made = case.as_transport_kwargs(base_url="http://crew.test")
    headers = {k: v for k, v in made["headers"].items() if k == "Content-Type"}
    options = {k: made[k] for k in ("params", "json", "data", "files") if made.get(k)}
    if "files" in options:
        options["files"] = [(field, (name, _raw(value))) for field, (name, value) in made["files"]]
    if isinstance(options.get("data"), bytes):
        options["content"] = options.pop("data")
    try:
        return visitor.client.request(
            made["method"], made["url"], headers={**headers, **visitor.headers}, **options
        )
    except (UnicodeEncodeError, ValueError):
        return None
    finally:
        visitor.client.cookies.clear()
