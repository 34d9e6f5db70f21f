"""The audit log of a running server: whatever an admin does is in it, before it is done."""

import csv
import hashlib
import io
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from sqlalchemy import update

from spancrew.errors import StoreError
from spancrew.server.api.access import EXPORTED, LOOKED_AT, caller, expert_of, worker_of
from spancrew.server.api.trail import SAFE, action_of
from spancrew.server.pages.render import languages, words
from spancrew.server.people.audit import AuditEntry
from spancrew.server.people.audit_schema import audit_head
from spancrew.server.start import app
from spancrew.stores import writing
from tests.conftest import ROOT
from tests.server.conftest import API, House, Visitor, create, invite

OPEN = {"session.sign_in", "session.follow_link", "crowd platforms.join_by_post"}
"""Routes that change something and that nobody needs to be signed in for."""


def _entries(house: House, after: int = 0) -> list[AuditEntry]:
    return [row.entry for row in house.directory.audit.read(after=after)]


def _last(house: House) -> AuditEntry:
    return house.directory.audit.newest(1)[0].entry


def _actions(house: House, after: int = 0) -> list[str]:
    return [entry.action for entry in _entries(house, after)]


def _changing() -> list[APIRoute]:
    """Return the routes of the API that change something."""
    routers = vars(app)["_ROUTERS"]
    routes = [each for router in routers for each in router.routes if isinstance(each, APIRoute)]
    return [each for each in routes if _methods(each) and each.path.startswith(API)]


def _methods(route: APIRoute) -> set[str]:
    return (route.methods or set()) - SAFE


def _knows_caller(dependant: Any) -> bool:
    return dependant.call is caller or any(map(_knows_caller, dependant.dependencies))


def test_every_route_that_changes_something_knows_who_calls() -> None:
    """Those for strangers are few, and note sign-ins by themselves."""
    routes = _changing()
    strangers = {action_of(each) for each in routes if not _knows_caller(each.dependant)}

    assert len(routes) > 25
    assert strangers <= OPEN


def test_no_route_that_changes_something_can_be_forgotten(house: House) -> None:
    """Whatever it answers, every call of an admin to any such route is one entry."""
    forgotten = []
    admin = house.admin()
    for route in _changing():
        if action_of(route) in OPEN:
            continue
        path = route.path.removeprefix(API)
        for name in ("{c}", "{w}", "{e}", "{id}", "{n}"):
            path = path.replace(name, {"{w}": "w1", "{e}": "e1"}.get(name, "1"))
        for method in _methods(route):
            before = house.directory.audit.last()
            answer = admin.call(method, path)
            found = _entries(house, before)
            if [(e.action, e.status) for e in found] != [(action_of(route), answer.status_code)]:
                forgotten.append((method, path, answer.status_code, found))
        if action_of(route) == "session.sign_out":
            admin = house.admin()

    assert forgotten == []


def test_every_action_is_described() -> None:
    """On the page on the audit log, and on the page that shows it in every language."""
    page = (ROOT / "docs" / "how-to" / "audit-log.md").read_text("utf-8")
    routers = vars(app)["_ROUTERS"]
    routes = [each for router in routers for each in router.routes if isinstance(each, APIRoute)]
    noted = [each for each in routes if each in _changing() or _notes_looks(each.dependant)]
    actions = {action_of(each) for each in noted if not _is_for_crowd(each.dependant)}

    assert sorted(each for each in actions if f"`{each}`" not in page) == []
    for language in languages():
        shown = words(language)["audit"]
        assert [e for e in sorted(actions) if f"does_{e.replace('.', '_')}" not in shown] == []


def _notes_looks(dependant: Any) -> bool:
    looks = {LOOKED_AT.dependency, EXPORTED.dependency}
    return any(each.call in looks for each in dependant.dependencies)


def _is_for_crowd(dependant: Any) -> bool:
    calls = {each.call for each in dependant.dependencies}
    return bool(calls & {worker_of, expert_of}) or not _knows_caller(dependant)


def test_an_entry_says_who_did_what_from_where(house: House, tmp_path: Path) -> None:
    """By session or by token."""
    admin = house.admin()
    c = create(admin, tmp_path)
    made = admin.ok("POST", "/tokens", json={"name": "script"})
    program = Visitor(house.client, token=made["token"])
    agent = {"User-Agent": "curl/8" + "x" * 300}
    program.ok("POST", f"/campaigns/{c}/start", headers=agent)
    person = house.directory.first_admin(0)

    assert _last(house) == AuditEntry(
        house.clock(),
        person.id,
        "admin",
        "token",
        "campaigns.start",
        credential=made["id"],
        campaign=c,
        address="testclient",
        agent=agent["User-Agent"][:200],
        status=200,
        before={"phase": "draft"},
        after={"phase": "running"},
    )
    created = next(e for e in _entries(house) if e.action == "campaigns.create")
    assert (created.via, created.campaign) == ("session", c)
    assert created.after == {"name": "Names in news", "sentences": 12}


def test_an_entry_says_what_changed(house: House, tmp_path: Path) -> None:
    """Before and after, for what can be changed; a call that is refused changes nothing."""
    admin = house.admin()
    c = create(admin, tmp_path)
    invite(admin, c, name="Ann")

    def said(method: str, path: str, **options: Any) -> tuple[Any, ...]:
        admin.call(method, f"/campaigns/{c}{path}", **options)
        last = _last(house)
        return last.target, last.status, last.before, last.after

    halted = {"state": "paused", "reason": "too quick"}
    assert said("PATCH", "/workers/w0", json=halted) == (
        *("w0", 200, {"state": "ready", "cap": None}),
        {"cap": None, **halted},
    )
    assert said("PATCH", "", json={"budget": 9.5}) == (
        *(None, 200, {"budget": None}),
        {"budget": 9.5},
    )
    assert said("PATCH", "", json={"feedback": "nonsense"}) == (None, 422, None, None)
    assert said("PUT", "/guide", json={"instructions": "Mark names."}) == (
        *(None, 200, {"characters": 0, "examples": 0, "practice": 0}),
        {"characters": 11, "examples": 0, "practice": 0},
    )
    url = "https://hooks.example/services/T0/secret?key=secret"
    assert said("POST", "/webhooks", json={"url": url, "kinds": ["Settled"]}) == (
        *("1", 201, None),
        {"host": "hooks.example", "kinds": ["Settled"]},
    )
    assert said("DELETE", "/webhooks/1") == ("1", 200, None, None)
    assert said("DELETE", "/workers/w0/data") == ("w0", 200, None, None)
    assert said("POST", "/experts", json={"name": "Eve"})[:2] == ("e0", 201)
    assert said("DELETE", "")[2] == {"name": "Names in news", "sentences": 12}


def test_sign_ins_of_admins_are_noted_and_failed_ones_too(house: House, tmp_path: Path) -> None:
    """Those of workers are their own business."""
    admin = house.admin()
    c = create(admin, tmp_path)
    admin.ok("PUT", "/me/password", json={"name": "boss", "password": "a long password"})
    before = house.directory.audit.last()
    wrong = {"name": "boss", "password": "another password"}
    assert house.nobody.call("POST", "/session", json=wrong).status_code == 401
    house.nobody.call("POST", "/session", json={"name": "nobody", "password": "x"})
    house.nobody.ok("POST", "/session", json={"name": "boss", "password": "a long password"})
    worker = invite(admin, c)
    worker.ok("DELETE", "/session")
    found = [(e.action, e.via, e.status) for e in _entries(house, before)]

    assert found == [
        ("session.sign_in", "password", 401),
        ("session.sign_in", "password", 200),
        ("people.invite_worker", "session", 201),
    ]
    assert _actions(house)[:2] == ["server.admin_link", "session.follow_link"]


def test_those_who_are_no_admins_sign_in_as_slowly_and_leave_no_trace(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many writes for a name that nobody has as for an admin's."""
    admin = house.admin()
    create(admin, tmp_path)
    admin.ok("PUT", "/me/password", json={"name": "boss", "password": "a long password"})
    writes: list[str] = []
    for name in ("begin", "end", "drop"):
        call = getattr(house.directory.audit, name)
        monkeypatch.setattr(house.directory.audit, name, partial(_noting, writes, name, call))
    for name in ("boss", "nobody"):
        house.nobody.call("POST", "/session", json={"name": name, "password": "wrong"})

    assert writes == ["begin", "end", "begin", "drop"]
    assert house.directory.audit.settle(house.clock() + 1) == 0


def _noting(calls: list[str], name: str, call: Callable[..., Any], *given: Any) -> Any:
    calls.append(name)
    return call(*given)


def test_an_admin_of_some_campaigns_does_not_read_the_log(house: House, tmp_path: Path) -> None:
    """Only owners do; that somebody else tried is noted."""
    admin = house.admin()
    c = create(admin, tmp_path)
    link = admin.ok("POST", "/admins", json={"name": "Ben", "campaigns": [c]})
    ben = house.nobody.enter(link["token"])
    hook = {"url": "https://siem.example/x"}
    refused = [
        ben.call("GET", "/audit").status_code,
        ben.call("GET", f"/audit/export?campaign={c}").status_code,
        ben.call("GET", "/audit/check").status_code,
        ben.call("POST", "/audit/webhooks", json=hook).status_code,
    ]

    pages = [
        house.client.get("/audit", headers=who.headers, follow_redirects=False)
        for who in (admin, ben)
    ]
    home = house.client.get("/campaigns", headers=ben.headers)

    assert refused == [403] * 4
    assert [page.status_code for page in pages] == [200, 303]
    assert 'href="/audit"' not in home.text
    assert [(e.action, e.status) for e in _entries(house)][-3:] == [
        ("audit.entries", 403),
        ("audit.export", 403),
        ("audit.add_webhook", 403),
    ]


def test_whoever_looks_at_personal_data_is_noted(house: House, tmp_path: Path) -> None:
    """A list that is looked at again and again now and then, what is handed out every time."""
    admin = house.admin()
    c = create(admin, tmp_path)
    worker = invite(admin, c)
    before = house.directory.audit.last()
    for _ in range(3):
        admin.ok("GET", f"/campaigns/{c}/workers")
        admin.ok("GET", f"/campaigns/{c}/status")
        admin.call("GET", f"/campaigns/{c}/export")
    worker.call("GET", f"/campaigns/{c}/workers")
    admin.call("GET", f"/campaigns/{c}/payments.csv")
    admin.call("GET", f"/campaigns/{c}/workers/w0/data")
    admin.ok("GET", f"/campaigns/{c}/experts")
    admin.call("GET", "/audit/export")
    house.clock.now += 900
    admin.ok("GET", f"/campaigns/{c}/workers")

    assert _actions(house, before) == [
        *("people.workers", "watch.export", "watch.export", "watch.export"),
        *("people.payments", "people.data", "people.experts", "audit.export", "people.workers"),
    ]


def test_an_entry_says_what_was_exported(house: House, tmp_path: Path) -> None:
    """With names or without."""
    admin = house.admin()
    c = create(admin, tmp_path)
    admin.call("GET", f"/campaigns/{c}/export?format=conll&names=true")

    assert _last(house).after == {"format": "conll", "names": "true"}


def test_a_look_that_was_refused_does_not_hide_the_next_one(house: House, tmp_path: Path) -> None:
    """Only what was shown counts as seen."""
    admin = house.admin()
    c = create(admin, tmp_path)
    before = house.directory.audit.last()
    admin.call("GET", f"/campaigns/{c}/workers/w0/data")
    admin.call("GET", "/campaigns/nothere/experts")
    admin.call("GET", "/campaigns/nothere/experts")

    assert [e.status for e in _entries(house, before)] == [404, 404, 404]


def test_what_cannot_be_noted_is_refused(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what could be noted before, but not after, is noted later, without its outcome."""
    admin = house.admin()
    c = create(admin, tmp_path)

    def broken(*_: object) -> int:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(house.directory.audit, "begin", broken)
        refused = admin.call("POST", f"/campaigns/{c}/start")
        hidden = admin.call("GET", f"/campaigns/{c}/workers")
    phase = admin.ok("GET", f"/campaigns/{c}")["phase"]
    with monkeypatch.context() as patch:
        patch.setattr(house.directory.audit, "end", broken)
        done = admin.call("POST", f"/campaigns/{c}/start")
    settled = house.directory.audit.settle(house.clock() + 1)

    assert (refused.status_code, hidden.status_code, phase) == (503, 503, "draft")
    assert (done.status_code, settled) == (200, 1)
    assert (_last(house).action, _last(house).status) == ("campaigns.start", None)
    assert "audit entry waits" in house.log.getvalue()


def test_a_log_that_was_tampered_with_stops_nobody_and_is_found(
    house: House, tmp_path: Path
) -> None:
    """The check says so, and entries wait."""
    admin = house.admin()
    c = create(admin, tmp_path)
    with writing(house.store.engine) as connection:
        connection.execute(update(audit_head).values(entries=1))
    started = admin.call("POST", f"/campaigns/{c}/start")
    checked = admin.ok("GET", "/audit/check")

    assert started.status_code == 200
    assert "audit entry waits" in house.log.getvalue()
    assert checked["problem"] == "entry 1 was changed, and its hash, too"


def test_neither_names_nor_secrets_are_in_the_log(house: House, tmp_path: Path) -> None:
    """Nothing of an erased worker, and nothing that would let anybody in."""
    admin = house.admin()
    c = create(admin, tmp_path)
    link = admin.ok("POST", f"/campaigns/{c}/workers", json={"name": "Grace Hopper"})
    again = admin.ok("POST", f"/campaigns/{c}/workers/w0/link")
    token = admin.ok("POST", "/tokens", json={"name": "script"})
    password = "correct horse battery"  # noqa: S105  of nobody
    admin.ok("PUT", "/me/password", json={"name": "boss", "password": password})
    entry = {"platform": "prolific", "completion_code": "C0DE1234"}
    key = admin.ok("PUT", f"/campaigns/{c}/entry", json=entry)["url"].rpartition("/")[2]
    hook = admin.ok("POST", f"/campaigns/{c}/webhooks", json={"url": "https://a.example/XYZZY"})
    admin.ok("DELETE", f"/campaigns/{c}/workers/w0/data")
    with closing(sqlite3.connect(house.path)) as raw:
        text = str(raw.execute("SELECT * FROM audit_log").fetchall())
    secret = [admin.secret, admin.csrf, link["token"], again["token"], token["token"], password]
    hidden = [*secret, key, hook["secret"], "C0DE1234", "XYZZY", "Grace", "Hopper", "boss"]

    assert [each for each in hidden if str(each) in text] == []
    assert house.directory.audit.verify().problem is None


def test_entries_are_listed_by_page_and_by_filter(house: House, tmp_path: Path) -> None:
    """The newest first, or those after an id."""
    admin = house.admin()
    c = create(admin, tmp_path)
    for verb in ("start", "pause", "start"):
        admin.ok("POST", f"/campaigns/{c}/{verb}")

    def listed(query: str) -> tuple[list[str], bool]:
        found = admin.ok("GET", f"/audit?{query}")
        return [each["action"] for each in found["entries"]], found["more"]

    phases = ["campaigns.start", "campaigns.pause", "campaigns.start"]
    assert listed(f"campaign={c}&limit=2") == (phases[:2], True)
    assert listed(f"campaign={c}&limit=2&before=5") == ([phases[0], "campaigns.create"], False)
    assert listed("action=campaigns.pause") == (["campaigns.pause"], False)
    assert listed("after=3&limit=3") == (phases, True)
    assert listed(f"since={house.clock() + 1}") == ([], False)
    assert listed("person=999") == ([], False)
    assert admin.call("GET", "/audit?action=%27%3B--").status_code == 422
    assert admin.ok("GET", "/audit?limit=1")["entries"][0]["name"] == "admin"


def test_the_export_can_be_verified_by_anybody(house: House, tmp_path: Path) -> None:
    """With SHA-256 and JSON alone."""
    admin = house.admin()
    c = create(admin, tmp_path)
    admin.ok("PATCH", f"/campaigns/{c}", json={"budget": 12.25})
    lines = admin.call("GET", "/audit/export").text.splitlines()
    previous = "0" * 64
    for line in lines:
        entry = json.loads(line)
        given, _ = entry.pop("hash"), entry.pop("name")
        content = json.dumps(entry, sort_keys=True, separators=(",", ":"))
        previous = hashlib.sha256((previous + content).encode()).hexdigest()
        assert given == previous

    checked = admin.ok("GET", "/audit/check")
    assert len(lines) == 5
    assert checked["problem"] is None


def test_the_export_is_a_table_that_no_spreadsheet_takes_for_formulas(
    house: House, tmp_path: Path
) -> None:
    """Whatever somebody sends as the name of their browser."""
    admin = house.admin()
    c = create(admin, tmp_path)
    admin.ok("POST", f"/campaigns/{c}/start", headers={"User-Agent": "=cmd()"})
    answer = admin.call("GET", f"/audit/export?format=csv&campaign={c}")
    rows = list(csv.DictReader(io.StringIO(answer.text)))

    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert [row["action"] for row in rows] == ["campaigns.create", "campaigns.start"]
    assert rows[1]["agent"] == "'=cmd()"
    assert json.loads(rows[1]["after"]) == {"phase": "running"}
