"""Who may call what: every route with every role."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from spancrew.server.settings import ServerSettings
from tests.server.conftest import HandClock, House, Visitor, create, invite, invite_admin, running

EVERYBODY = {
    *("nobody", "worker", "expert", "foreign worker", "foreign expert"),
    *("admin", "foreign admin"),
}
SIGNED_IN = EVERYBODY - {"nobody"}
ADMIN, WORKER, EXPERT = {"admin"}, {"worker"}, {"expert"}
OWNER, ADMINS = {"admin"}, {"admin", "foreign admin"}
C = "/api/v1/campaigns/{c}"

MATRIX: dict[tuple[str, str], set[str]] = {
    ("GET", "/health"): EVERYBODY,
    ("GET", "/health/ready"): EVERYBODY,
    ("GET", "/metrics"): OWNER,
    ("POST", "/api/v1/session"): EVERYBODY,
    ("POST", "/api/v1/session/link"): EVERYBODY,
    ("DELETE", "/api/v1/session"): SIGNED_IN,
    ("GET", "/api/v1/me"): SIGNED_IN,
    ("PUT", "/api/v1/me/password"): SIGNED_IN,
    ("POST", "/api/v1/me/second-factor"): ADMINS,
    ("PUT", "/api/v1/me/second-factor"): ADMINS,
    ("DELETE", "/api/v1/me/second-factor"): ADMINS,
    ("POST", "/api/v1/admins"): OWNER,
    ("GET", "/api/v1/admins"): OWNER,
    ("PATCH", "/api/v1/admins/{a}"): OWNER,
    ("DELETE", "/api/v1/admins/{a}"): OWNER,
    ("POST", "/api/v1/admins/{a}/link"): OWNER,
    ("POST", "/api/v1/tokens"): SIGNED_IN,
    ("GET", "/api/v1/tokens"): SIGNED_IN,
    ("DELETE", "/api/v1/tokens/{id}"): SIGNED_IN,
    ("GET", "/api/v1/join/{key}"): EVERYBODY,
    ("POST", "/api/v1/join/{key}"): EVERYBODY,
    ("POST", "/api/v1/campaigns"): ADMINS,
    ("GET", "/api/v1/campaigns"): ADMINS,
    ("GET", "/api/v1/figures"): ADMINS,
    ("GET", "/api/v1/alerts"): ADMINS,
    ("GET", "/api/v1/pilots"): ADMINS,
    ("POST", "/api/v1/inspections"): ADMINS,
    ("POST", "/api/v1/rehearsals"): ADMINS,
    ("POST", "/api/v1/plans"): ADMINS,
    ("GET", "/api/v1/audit"): OWNER,
    ("GET", "/api/v1/audit/check"): OWNER,
    ("GET", "/api/v1/audit/export"): OWNER,
    ("POST", "/api/v1/audit/webhooks"): OWNER,
    ("GET", "/api/v1/audit/webhooks"): OWNER,
    ("DELETE", "/api/v1/audit/webhooks/{id}"): OWNER,
    ("POST", "/api/v1/audit/webhooks/{id}/resume"): OWNER,
    ("GET", "/api/v1/audit/webhooks/{id}/deliveries"): OWNER,
    ("GET", C): ADMIN,
    ("PATCH", C): ADMIN,
    ("DELETE", C): ADMIN,
    ("POST", f"{C}/start"): ADMIN,
    ("POST", f"{C}/pause"): ADMIN,
    ("POST", f"{C}/finish"): ADMIN,
    ("PUT", f"{C}/entry"): ADMIN,
    ("GET", f"{C}/status"): ADMIN,
    ("GET", f"{C}/certificate"): ADMIN,
    ("GET", f"{C}/certificate/record"): ADMIN,
    ("GET", f"{C}/certificate/page"): ADMIN,
    ("GET", f"{C}/ledger"): ADMIN,
    ("GET", f"{C}/standings"): ADMIN,
    ("GET", f"{C}/agreement"): ADMIN,
    ("GET", f"{C}/events"): ADMIN,
    ("GET", f"{C}/live"): ADMIN,
    ("GET", f"{C}/picture"): ADMIN,
    ("GET", f"{C}/outlook"): ADMIN,
    ("GET", f"{C}/threshold"): ADMIN,
    ("GET", f"{C}/assignments/{{a}}"): ADMIN,
    ("GET", f"{C}/export"): ADMIN,
    ("POST", f"{C}/workers"): ADMIN,
    ("GET", f"{C}/workers"): ADMIN,
    ("PATCH", f"{C}/workers"): ADMIN,
    ("GET", f"{C}/workers/page"): ADMIN,
    ("POST", f"{C}/invitations"): ADMIN,
    ("PATCH", f"{C}/workers/{{w}}"): ADMIN,
    ("POST", f"{C}/workers/{{w}}/link"): ADMIN,
    ("GET", f"{C}/workers/{{w}}/data"): ADMIN,
    ("DELETE", f"{C}/workers/{{w}}/data"): ADMIN,
    ("GET", f"{C}/payments.csv"): ADMIN,
    ("POST", f"{C}/experts"): ADMIN,
    ("GET", f"{C}/experts"): ADMIN,
    ("DELETE", f"{C}/experts/{{e}}"): ADMIN,
    ("POST", f"{C}/webhooks"): ADMIN,
    ("GET", f"{C}/webhooks"): ADMIN,
    ("DELETE", f"{C}/webhooks/{{id}}"): ADMIN,
    ("POST", f"{C}/webhooks/{{id}}/resume"): ADMIN,
    ("GET", f"{C}/webhooks/{{id}}/deliveries"): ADMIN,
    ("GET", f"{C}/guide"): WORKER | EXPERT | ADMIN,
    ("PUT", f"{C}/guide"): ADMIN,
    ("POST", f"{C}/guide/sentences"): ADMIN,
    ("GET", f"{C}/training/{{n}}"): WORKER,
    ("POST", f"{C}/training/{{n}}"): WORKER,
    ("POST", f"{C}/next"): WORKER,
    ("POST", f"{C}/answers"): WORKER,
    ("POST", f"{C}/skip"): WORKER,
    ("POST", f"{C}/heartbeat"): WORKER,
    ("GET", f"{C}/progress"): WORKER,
    ("GET", f"{C}/expert/queue"): EXPERT | ADMIN,
    ("POST", f"{C}/expert/next"): EXPERT,
    ("POST", f"{C}/expert/put-back"): EXPERT,
    ("POST", f"{C}/expert/answers"): EXPERT,
    ("GET", f"{C}/expert/labels"): EXPERT,
    ("POST", f"{C}/expert/corrections"): EXPERT,
    ("GET", f"{C}/last-answer"): WORKER,
    ("POST", f"{C}/last-answer"): WORKER,
    ("GET", f"{C}/sentences"): EXPERT | ADMIN,
    ("GET", f"{C}/sentences/{{number}}"): EXPERT | ADMIN,
    ("POST", f"{C}/sentences/{{number}}/overrule"): ADMIN,
    ("POST", f"{C}/sentences/{{number}}/reopen"): ADMIN,
    ("POST", f"{C}/sentences"): ADMIN,
}
# What would end the session or the campaign that all other calls of this test need.
LAST = [("DELETE", "/api/v1/session"), ("DELETE", C)]


@dataclass
class Cast:
    """One of every kind, and a campaign to try."""

    house: House
    campaign: str
    visitors: dict[str, Visitor]


@pytest.fixture(scope="module")
def cast(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cast]:
    """Set up two campaigns with people."""
    folder, clock = tmp_path_factory.mktemp("roles"), HandClock()
    with running(folder, clock, ServerSettings(clock=clock, stream_seconds=0.0)) as house:
        admin = house.admin()
        ours, other = create(admin, folder), create(admin, folder)
        visitors = {
            "nobody": house.nobody,
            "worker": invite(admin, ours),
            "expert": invite(admin, ours, "experts"),
            "foreign worker": invite(admin, other),
            "foreign expert": invite(admin, other, "experts"),
            "admin": admin,
            "foreign admin": invite_admin(admin, other),
        }
        # Those whose links are renewed and whose data are erased.
        invite(admin, ours)
        invite(admin, ours, "experts")
        yield Cast(house, ours, visitors)


def test_every_route_has_its_row(cast: Cast) -> None:
    """A new route must say who may call it."""
    document = cast.house.app.openapi()
    routes = {
        (method.upper(), path) for path, known in document["paths"].items() for method in known
    }

    assert routes == set(MATRIX)


def test_every_role_gets_what_it_may_and_nothing_else(cast: Cast) -> None:
    """Strangers get 401, others 403, and foreign campaigns are not there."""
    order = [key for key in MATRIX if key not in LAST] + LAST
    wrong = []
    for method, path in order:
        for role, visitor in cast.visitors.items():
            status = _try(cast, visitor, method, path)
            allowed = role in MATRIX[method, path]
            if not _is_right(status, role, path, allowed=allowed):
                wrong.append((method, path, role, status))
            if (method, path) == LAST[0]:
                cast.visitors[role] = visitor

    assert wrong == []


def _try(cast: Cast, visitor: Visitor, method: str, path: str) -> int:
    if (method, path) == LAST[0]:
        return 200 if visitor.secret else 401  # tried on its own below
    values = {"{c}": cast.campaign, "{w}": "w1", "{e}": "e1", "admins/{a}": "admins/a0"}
    for name, value in {**values, "{id}": "0", "{a}": "0", "{n}": "0", "{key}": "nokey"}.items():
        path = path.replace(name, value)
    return visitor.call(method, path.removeprefix("/api/v1")).status_code


def _is_right(status: int, role: str, path: str, *, allowed: bool) -> bool:
    if allowed:
        # Without a body, or with ids that are not there, they get no further, but in.
        return status not in {401, 403} and status < 500
    if role == "nobody":
        return status == 401
    if role.startswith("foreign") and path.startswith(C):
        return status == 404
    return status == 403


@pytest.mark.parametrize("role", ["worker", "expert", "admin"])
def test_signing_out_ends_a_session(house: House, admin: Visitor, role: str) -> None:
    """For everybody, at once."""
    made = {"name": f"The {role}"}
    visitor = house.admin() if role == "admin" else None
    if visitor is None:
        campaign = create(admin, house.path.parent)
        visitor = invite(admin, campaign, f"{role}s", **made)

    visitor.ok("DELETE", "/session")

    assert visitor.call("GET", "/me").status_code == 401
