"""Forged cookies, requests from other sites, strings made to do harm, and what leaks."""

import json
from typing import Any

import pytest
from starlette.routing import Route

from tests.server.attacks.conftest import work_of
from tests.server.attacks.premises import Premises
from tests.server.conftest import House, Visitor, invite

SQL = "'; DROP TABLE journal; --"


@pytest.mark.parametrize("change", ["forged", "tampered", "digest", "empty", "odd"])
def test_a_forged_cookie_is_nobody(place: Premises, admin: Visitor, change: str) -> None:
    """Nor does the digest that is in the database help."""
    from spancrew.server.people.credentials import digest_of

    assert admin.secret is not None
    secrets = {
        "forged": "A" * 43,
        "tampered": admin.secret[:-1] + ("A" if admin.secret[-1] != "A" else "B"),
        "digest": digest_of(admin.secret),
        "empty": "",
        "odd": "\xff\xfe",
    }
    headers = {"Cookie": f"spancrew_session={secrets[change]}".encode("latin-1")}

    assert place.nobody.call("GET", "/me", headers=headers).status_code == 401


@pytest.mark.parametrize("given", [None, "", "wrong", "é"])
def test_a_request_without_the_csrf_token_is_refused(
    place: Premises, admin: Visitor, given: str | None
) -> None:
    """A form on another site has the cookie, but not the token."""
    headers: dict[str, Any] = {"Cookie": f"spancrew_session={admin.secret}"}
    if given is not None:
        headers["X-CSRF-Token"] = given.encode("utf-8")

    answer = place.nobody.call("POST", "/tokens", json={"name": "evil"}, headers=headers)

    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "csrf"


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://crew.test.evil.example"]
)
def test_a_request_from_another_site_is_refused(
    place: Premises, admin: Visitor, origin: str
) -> None:
    """Even with the right token; our own pages are let through."""
    evil = admin.call("POST", "/tokens", json={"name": "x"}, headers={"Origin": origin})
    ours = {"Origin": place.origin}
    good = admin.call("POST", "/tokens", json={"name": "x"}, headers=ours)

    assert evil.status_code == 403
    assert evil.json()["error"]["code"] == "foreign_origin"
    assert good.status_code == 201


def test_another_site_cannot_sign_a_browser_in(place: Premises) -> None:
    """As somebody else, to see what they enter."""
    answer = place.nobody.call(
        "POST",
        "/session/link",
        json={"token": "x"},
        headers={"Origin": "https://evil.example"},
    )

    assert answer.status_code == 403


def test_sql_in_every_string_is_only_a_string(place: Premises, admin: Visitor) -> None:
    """The tables are there afterwards, and the strings as they were."""
    made = admin.ok(
        "POST",
        "/campaigns",
        data={
            "name": SQL,
            "data": "demo",
            "gold": "ignore",
            "plan": json.dumps({"warm_up": "none"}),
        },
    )
    campaign = made["id"]
    admin.ok("POST", f"/campaigns/{campaign}/start")
    worker = invite(admin, campaign, name=SQL)
    invite(admin, campaign, "experts", name=SQL)
    work = work_of(worker, campaign)
    tries: list[tuple[Visitor, str, str, Any]] = [
        (place.nobody, "POST", "/session", {"name": SQL, "password": SQL}),
        (place.nobody, "POST", "/session/link", {"token": SQL}),
        (admin, "PUT", "/me/password", {"name": SQL, "password": SQL}),
        (admin, "POST", "/tokens", {"name": SQL}),
        (admin, "POST", f"/campaigns/{campaign}/webhooks", {"url": SQL, "kinds": [SQL]}),
        (admin, "PUT", f"/campaigns/{campaign}/entry", {"platform": SQL}),
        (admin, "PATCH", f"/campaigns/{campaign}", {"feedback": SQL}),
        (admin, "PATCH", f"/campaigns/{campaign}/workers/w0", {"state": "paused", "reason": SQL}),
        (admin, "GET", f"/campaigns/{SQL}", None),
        (admin, "GET", f"/campaigns/{campaign}/workers/{SQL}/data", None),
        (admin, "GET", f"/campaigns/{campaign}/export?format={SQL}", None),
        (admin, "GET", f"/campaigns/{campaign}/events?after={SQL}", None),
        (
            worker,
            "POST",
            f"/campaigns/{campaign}/answers",
            {
                "assignment": work["assignment"],
                "spans": [{"start": 0, "end": 1, "label": SQL}],
                "key": SQL,
            },
        ),
        (
            worker,
            "POST",
            f"/campaigns/{campaign}/skip",
            {"assignment": work["assignment"], "reason": SQL},
        ),
        (place.nobody, "GET", f"/join/{SQL}?PROLIFIC_PID={SQL}", None),
    ]

    statuses = [who.call(method, path, json=body).status_code for who, method, path, body in tries]

    assert not [status for status in statuses if status >= 500]
    assert admin.ok("GET", f"/campaigns/{campaign}")["name"] == SQL
    assert admin.ok("GET", f"/campaigns/{campaign}/workers")[0]["person"]["name"] == SQL
    assert admin.ok("GET", f"/campaigns/{campaign}/status")["version"] > 1


@pytest.mark.parametrize(
    "url",
    [
        "https://x.example/\r\nSet-Cookie: a=b",
        "https://x.example/\nx",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "//x.example",
        "https://user:secret@x.example/",
        "https://x.example:99999/",
        "https://[::1",
        "https://exa mple/",
        "http://x.example/",
        "ftp://x.example/",
    ],
)
def test_odd_addresses_are_refused(admin: Visitor, campaign: str, url: str) -> None:
    """For webhooks, and those that no browser should follow for completion, too."""
    hook = admin.call("POST", f"/campaigns/{campaign}/webhooks", json={"url": url})
    body = {"platform": "prolific", "completion_url": url}
    entry = admin.call("PUT", f"/campaigns/{campaign}/entry", json=body)

    assert hook.status_code == 422
    assert entry.status_code == (200 if url == "http://x.example/" else 422)


def test_every_answer_has_the_headers_of_a_careful_server(
    place: Premises, admin: Visitor, campaign: str
) -> None:
    """Good answers, refusals, and addresses that are not there."""
    answers = [
        admin.call("GET", "/me"),
        place.nobody.call("GET", "/me"),
        place.nobody.call("GET", "/nothing/here"),
        place.nobody.call("GET", "/health"),
        admin.call("GET", f"/campaigns/{campaign}/export"),
        admin.call("POST", "/tokens", content=b"{" * 10),
    ]

    for answer in answers:
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert len(answer.headers["x-request-id"]) == 16


def test_what_nobody_foresaw_tells_nothing(house: House) -> None:
    """Neither in the answer nor, of what was sent, in the log."""

    def fail(_request: Any) -> Any:
        raise RuntimeError("the secret is xyzzy")

    house.app.router.routes.insert(0, Route("/api/v1/boom", fail))
    answer = house.nobody.call("GET", "/boom")

    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "internal"
    assert "xyzzy" not in answer.text + house.log.getvalue()
    assert "RuntimeError" in house.log.getvalue()
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_formula_in_a_name_stays_text_in_a_spreadsheet(admin: Visitor, campaign: str) -> None:
    """The list of payments is opened in one."""
    invite(admin, campaign, name="=HYPERLINK(1)")

    table = admin.call("GET", f"/campaigns/{campaign}/payments.csv").text

    assert "'=HYPERLINK(1)" in table
