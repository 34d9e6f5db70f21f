"""What somebody with bad intentions might try, and what each attempt gets."""

import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route

from spancrew.core import Dataset, Sentence, Span
from spancrew.server.settings import Rate, ServerSettings
from tests.server.conftest import (
    HandClock,
    House,
    Visitor,
    create,
    demo,
    gold_spans,
    invite,
    running,
    upload,
)

SQL = "'; DROP TABLE journal; --"
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Yield one server for all attempts."""
    clock = HandClock()
    settings = ServerSettings(clock=clock, request_rate=Rate(1e6, 1_000_000))
    with running(tmp_path_factory.mktemp("attacks"), clock, settings) as made:
        yield made


@pytest.fixture(scope="module")
def admin(house: House) -> Visitor:
    """Return an admin."""
    return house.admin()


@pytest.fixture(scope="module")
def campaign(house: House, admin: Visitor) -> str:
    """Return a campaign that runs."""
    made = create(admin, house.path.parent, sentences=60)
    admin.ok("POST", f"/campaigns/{made}/start")
    return made


@pytest.fixture(scope="module")
def worker(admin: Visitor, campaign: str) -> Visitor:
    """Return a worker of the campaign."""
    return invite(admin, campaign)


def work_of(worker: Visitor, campaign: str) -> dict[str, Any]:
    """Return the assignment of a worker."""
    work: dict[str, Any] = worker.ok("POST", f"/campaigns/{campaign}/next")["assignment"]
    return work


def submit(worker: Visitor, campaign: str, body: Any) -> int:
    """Hand in an answer and return the status."""
    return worker.call("POST", f"/campaigns/{campaign}/answers", json=body).status_code


def test_the_assignment_of_another_worker_is_not_there(
    admin: Visitor, campaign: str, worker: Visitor
) -> None:
    """Neither to answer nor to skip nor to keep."""
    other = invite(admin, campaign)
    work = work_of(worker, campaign)
    number = {"assignment": work["assignment"]}

    assert submit(other, campaign, {**number, "spans": []}) == 404
    for route in ("skip", "heartbeat"):
        assert other.call("POST", f"/campaigns/{campaign}/{route}", json=number).status_code == 404


def test_a_foreign_campaign_is_not_there(
    admin: Visitor, campaign: str, worker: Visitor, tmp_path: Path
) -> None:
    """It answers as one that does not exist."""
    other = create(admin, tmp_path)

    foreign = worker.call("POST", f"/campaigns/{other}/next")
    missing = worker.call("POST", "/campaigns/0000000000000000/next")

    assert foreign.status_code == missing.status_code == 404
    assert foreign.json() == missing.json()


def test_a_foreign_campaign_does_not_tell_what_it_would_take(
    admin: Visitor, worker: Visitor, tmp_path: Path
) -> None:
    """A body that is invalid is not looked at where the campaign is not the caller's."""
    assert submit(worker, create(admin, tmp_path), {"nonsense": 1}) == 404


def test_a_replayed_answer_counts_once(admin: Visitor, campaign: str, worker: Visitor) -> None:
    """With its key it is the same receipt; without one, or changed, a conflict."""
    work = work_of(worker, campaign)
    before = admin.ok("GET", f"/campaigns/{campaign}/ledger")["answers"]
    body = {"assignment": work["assignment"], "spans": [], "key": "k1"}
    first = worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)["receipt"]
    again = worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)["receipt"]

    assert (first["again"], again["again"]) == (False, True)
    assert first["paid"] == again["paid"]
    assert submit(worker, campaign, {**body, "key": None}) == 409
    assert submit(worker, campaign, {**body, "key": "k2"}) == 409
    assert admin.ok("GET", f"/campaigns/{campaign}/ledger")["answers"] == before + 1


@pytest.mark.parametrize("change", ["forged", "tampered", "digest", "empty", "odd"])
def test_a_forged_cookie_is_nobody(house: House, admin: Visitor, change: str) -> None:
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

    assert house.nobody.call("GET", "/me", headers=headers).status_code == 401


@pytest.mark.parametrize("given", [None, "", "wrong", "é"])
def test_a_request_without_the_csrf_token_is_refused(
    house: House, admin: Visitor, given: str | None
) -> None:
    """A form on another site has the cookie, but not the token."""
    headers: dict[str, Any] = {"Cookie": f"spancrew_session={admin.secret}"}
    if given is not None:
        headers["X-CSRF-Token"] = given.encode("utf-8")

    answer = house.nobody.call("POST", "/tokens", json={"name": "evil"}, headers=headers)

    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "csrf"


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://crew.test.evil.example"]
)
def test_a_request_from_another_site_is_refused(admin: Visitor, origin: str) -> None:
    """Even with the right token; our own pages are let through."""
    evil = admin.call("POST", "/tokens", json={"name": "x"}, headers={"Origin": origin})
    ours = {"Origin": "http://crew.test"}
    good = admin.call("POST", "/tokens", json={"name": "x"}, headers=ours)

    assert evil.status_code == 403
    assert evil.json()["error"]["code"] == "foreign_origin"
    assert good.status_code == 201


def test_another_site_cannot_sign_a_browser_in(house: House) -> None:
    """As somebody else, to see what they enter."""
    answer = house.nobody.call(
        "POST",
        "/session/link",
        json={"token": "x"},
        headers={"Origin": "https://evil.example"},
    )

    assert answer.status_code == 403


def test_a_huge_body_is_refused(admin: Visitor, campaign: str, worker: Visitor) -> None:
    """Before it is read."""
    answer = worker.call(
        "POST",
        f"/campaigns/{campaign}/answers",
        content=b" " * 1_000_001,
        headers={"Content-Type": "application/json"},
    )

    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too_large"


def test_an_answer_of_ten_thousand_spans_is_refused(campaign: str, worker: Visitor) -> None:
    """At most a thousand are looked at."""
    spans = [{"start": k, "end": k + 1, "label": "PER"} for k in range(10_000)]
    work = work_of(worker, campaign)

    assert submit(worker, campaign, {"assignment": work["assignment"], "spans": spans}) == 422


@pytest.mark.parametrize(
    "span",
    [
        {"start": 0, "end": 10_000, "label": "PER"},
        {"start": 2**31 - 2, "end": 2**31 - 1, "label": "PER"},
        {"start": -1, "end": 1, "label": "PER"},
        {"start": 1, "end": 1, "label": "PER"},
        {"start": 0, "end": 1, "label": "NO-SUCH-LABEL"},
        {"start": 0, "end": 1, "label": SCRIPT},
        {"start": 0, "end": 1, "label": "PER", "gold": True},
        {"start": 0.5, "end": 1, "label": "PER"},
        {"start": "0", "end": 1, "label": "PER"},
        {"start": True, "end": 2, "label": "PER"},
        {"start": 2**70, "end": 2**71, "label": "PER"},
        {"start": 0, "end": 1, "label": None},
        None,
    ],
)
def test_spans_that_do_not_fit_are_refused(campaign: str, worker: Visitor, span: Any) -> None:
    """And the assignment is still there to be answered."""
    work = work_of(worker, campaign)
    body = {"assignment": work["assignment"], "spans": [span]}

    assert submit(worker, campaign, body) == 422
    assert submit(worker, campaign, {**body, "spans": []}) == 200


def test_overlapping_spans_are_refused(campaign: str, worker: Visitor) -> None:
    """With both of them named."""
    work = work_of(worker, campaign)
    spans = [{"start": 0, "end": 2, "label": "PER"}, {"start": 1, "end": 3, "label": "PER"}]

    answer = worker.call(
        "POST",
        f"/campaigns/{campaign}/answers",
        json={"assignment": work["assignment"], "spans": spans},
    )

    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "answer_refused"


def test_script_in_sentences_and_labels_comes_back_as_data(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """JSON that no browser takes for a page."""
    sentences = [Sentence.from_tokens(f"{SCRIPT}{k}", [SCRIPT, "x"]) for k in range(3)]
    data = Dataset.of(sentences, {s.id: [Span(0, 1, SCRIPT)] for s in sentences})
    made = admin.ok(
        "POST",
        "/campaigns",
        data={"name": SCRIPT, "gold": "ignore", "plan": json.dumps({"warm_up": "none"})},
        files={"file": (SCRIPT, upload(data, tmp_path))},
    )
    admin.ok("POST", f"/campaigns/{made['id']}/start")
    worker = invite(admin, made["id"], name=SCRIPT)
    answer = worker.call("POST", f"/campaigns/{made['id']}/next")

    assert answer.json()["assignment"]["sentence"]["text"] == f"{SCRIPT} x"
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    export = admin.call("GET", f"/campaigns/{made['id']}/export")
    assert (
        export.headers["content-disposition"]
        == 'attachment; filename="script-alert-1-script.jsonl"'
    )
    assert export.headers["content-type"] == "application/octet-stream"


@pytest.mark.parametrize(
    "name", ["../../../etc/cron.d/evil", "/etc/passwd", "..\\..\\evil", "x\0y", "a" * 5000, "demo"]
)
def test_a_path_in_the_name_of_an_upload_leads_nowhere(
    house: House, admin: Visitor, name: str
) -> None:
    """The file is kept under a name of ours, and not for long."""
    folder = house.path.parent
    before = sorted(folder.rglob("*"))
    answer = admin.call(
        "POST",
        "/campaigns",
        data={"name": "x", "gold": "ignore"},
        files={
            "file": (name, b'{"spancrew": 1, "labels": ["PER"]}\n{"id": "a", "tokens": ["x"]}\n')
        },
    )

    assert answer.status_code == (400 if len(name) > 4000 else 201), answer.text
    assert sorted(folder.rglob("*")) == before


def test_archives_are_not_unpacked(admin: Visitor) -> None:
    """Neither a zip bomb nor compressed text."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.jsonl", b"0" * 20_000_000)
    for format_ in ("", "spancrew", "conll"):
        answer = admin.call(
            "POST",
            "/campaigns",
            data={"name": "bomb", "format": format_},
            files={"file": ("bomb.zip", file.getvalue())},
        )

        assert answer.status_code == 422
        assert "archive" in answer.json()["error"]["message"]


def test_a_bomb_of_a_spacy_file_is_refused_before_it_explodes(
    tmp_path: Path, clock: HandClock
) -> None:
    """What it would unpack to counts, not what it is."""
    bomb = zlib.compress(b"\0" * 50_000_000, 9)
    settings = ServerSettings(clock=clock, upload_limit=1_000_000)
    with running(tmp_path, clock, settings) as house:
        answer = house.admin().call(
            "POST",
            "/campaigns",
            data={"name": "bomb", "format": "spacy"},
            files={"file": ("bomb.spacy", bomb)},
        )

    assert len(bomb) < 100_000
    assert answer.status_code == 413


def test_an_upload_above_the_limit_is_refused(tmp_path: Path, clock: HandClock) -> None:
    """And below it is not, though it is above the limit of other bodies."""
    settings = ServerSettings(clock=clock, upload_limit=300_000, body_limit=10_000)
    with running(tmp_path, clock, settings) as house:
        admin = house.admin()
        answers = [
            admin.call(
                "POST",
                "/campaigns",
                data={"name": "x", "gold": "ignore"},
                files={"file": ("x", upload(demo(12), tmp_path) + b"\n" * blank)},
            ).status_code
            for blank in (20_000, 400_000)
        ]

    assert answers == [201, 413]


def test_nobody_can_upload_without_being_known(house: House) -> None:
    """The body is not even read."""
    answer = house.nobody.call("POST", "/campaigns", files={"file": ("x", b"x" * 1000)})

    assert answer.status_code == 401


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\1\2",
        b"\xff\xfe\0x",
        b'{"spancrew": 1, "labels": ["PER"]}\n{"id": "a", "tokens": ["x\\u0000y"]}\n',
        b'{"spancrew": 1, "labels": ["PER"]}\n{"id": "a", "tokens": ["\\ud800"]}\n',
        b'{"spancrew": 1, "labels": ["PER"]}\n' + b"[" * 100_000,
        b'{"spancrew": 1, "labels": ["PER"]}\n{"id": ' + b"9" * 10_000 + b"}\n",
        b'{"spancrew": 1, "labels": ["PER"]}\n',
        b'{"spancrew": 1, "labels": []}\n{"id": "a", "tokens": ["x"]}\n',
    ],
)
def test_data_that_cannot_be_read_are_refused_without_a_path(admin: Visitor, data: bytes) -> None:
    """The message says what is wrong, and nothing about the machine."""
    answer = admin.call(
        "POST", "/campaigns", data={"name": "x", "gold": "ignore"}, files={"file": ("x", data)}
    )

    assert answer.status_code == 422, answer.text
    assert "spancrew-" not in answer.text
    assert "upload" not in answer.text


def test_sql_in_every_string_is_only_a_string(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
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
        (house.nobody, "POST", "/session", {"name": SQL, "password": SQL}),
        (house.nobody, "POST", "/session/link", {"token": SQL}),
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
        (house.nobody, "GET", f"/join/{SQL}?PROLIFIC_PID={SQL}", None),
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


@pytest.mark.parametrize(
    "value", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000, "1e-999999"]
)
def test_numbers_that_are_none_are_refused(campaign: str, worker: Visitor, value: str) -> None:
    """Wherever JSON would take them."""
    work = work_of(worker, campaign)
    text = f'{{"assignment": {work["assignment"]}, "spans": [], "seconds": {value}}}'
    answer = worker.call(
        "POST",
        f"/campaigns/{campaign}/answers",
        content=text,
        headers={"Content-Type": "application/json"},
    )

    assert answer.status_code in ({200} if value == "1e-999999" else {400, 422})


@pytest.mark.parametrize("number", [2**63, 2**64, -1, 10**100, 1.5, "1", None, True, [1]])
def test_assignments_are_numbers_of_63_bits(campaign: str, worker: Visitor, number: Any) -> None:
    """Larger ones would not fit a database."""
    assert submit(worker, campaign, {"assignment": number, "spans": []}) == 422


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000, '"\\ud800"', "{", "", "null"])
def test_deep_or_broken_json_is_refused(campaign: str, worker: Visitor, text: str) -> None:
    """Without an error of the server."""
    answer = worker.call(
        "POST",
        f"/campaigns/{campaign}/answers",
        content=text,
        headers={"Content-Type": "application/json"},
    )

    assert answer.status_code == 422
    assert set(answer.json()) == {"error"}


@pytest.mark.parametrize(
    "plan",
    [
        "[]",
        "{",
        '{"labels": 5}',
        '{"labels": ["\\ud800"]}',
        '{"labels": ["PER", "PER"]}',
        '{"labels": []}',
        '{"labels": [1]}',
        '{"labels": ["PER"], "crew": "four"}',
        '{"labels": ["PER"], "crew": 1e400}',
        '{"labels": ["PER"], "crew": NaN}',
        '{"labels": ["PER"], "lease": -1}',
        '{"labels": ["PER"], "policy": {"policy": "__import__"}}',
        '{"labels": ["PER"], "policy": "os:system=1"}',
        '{"labels": ["PER"], "feedback": 7}',
        '{"labels": ["PER"], "prices": {"answer": "much"}}',
        '{"labels": ["PER"], "budget": "x"}',
        '{"labels": ["PER"], "seed": 1e3}',
        '{"labels": ["PER"], "seed": 99999999999999999999999}',
        '{"labels": ["PER"], "seed": null}',
        '{"labels": ["PER"], "mode": ["stream"]}',
        '{"labels": ["PER"], "nothing": 1}',
    ],
)
def test_a_plan_that_cannot_be_followed_is_refused(admin: Visitor, plan: str) -> None:
    """With a reason, whatever it holds."""
    data = b'{"spancrew": 1, "labels": ["PER"]}\n{"id": "a", "tokens": ["x"]}\n'
    answer = admin.call(
        "POST",
        "/campaigns",
        data={"name": "x", "gold": "ignore", "plan": plan},
        files={"file": ("x", data)},
    )

    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["message"]


def test_every_answer_has_the_headers_of_a_careful_server(
    house: House, admin: Visitor, campaign: str
) -> None:
    """Good answers, refusals, and addresses that are not there."""
    answers = [
        admin.call("GET", "/me"),
        house.nobody.call("GET", "/me"),
        house.nobody.call("GET", "/nothing/here"),
        house.nobody.call("GET", "/health"),
        admin.call("GET", f"/campaigns/{campaign}/export"),
        admin.call("POST", "/tokens", content=b"{" * 10),
    ]

    for answer in answers:
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert len(answer.headers["x-request-id"]) == 16


def test_what_nobody_foresaw_tells_nothing(house: House, admin: Visitor) -> None:
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


def test_a_worker_never_sees_what_is_known_or_who_else_is_there(
    admin: Visitor, tmp_path: Path
) -> None:
    """Gold, purposes, reasons and others are in no answer to a worker."""
    data = demo()
    campaign = create(admin, tmp_path, gold="use", gold_share=0.5, warm_up="shared")
    sentences = demo().sentences
    admin.ok("POST", f"/campaigns/{campaign}/start")
    workers = [invite(admin, campaign, name=f"Name {k}") for k in range(4)]
    seen: list[Any] = [worker.me for worker in workers]
    for _ in range(6):
        for worker in workers:
            seen.append(worker.ok("POST", f"/campaigns/{campaign}/next"))
            seen.append(worker.ok("POST", f"/campaigns/{campaign}/next", json={"ahead": 1}))
            work = seen[-2]["assignment"]
            if work is None:
                continue
            body = {"assignment": work["assignment"], "next": True}
            spans = gold_spans(data, work["sentence"]["id"])
            seen.append(
                worker.ok(
                    "POST",
                    f"/campaigns/{campaign}/heartbeat",
                    json={"assignment": work["assignment"]},
                )
            )
            seen.append(
                worker.ok("POST", f"/campaigns/{campaign}/answers", json={**body, "spans": spans})
            )
            seen.append(worker.ok("GET", f"/campaigns/{campaign}/progress"))
            seen.append(worker.ok("GET", "/me"))

    forbidden = {"gold", "purpose", "reason", "worker_number", "workers", "others", "standings"}
    forbidden |= {"votes", "voters", "crew", "score", "reward", "spans", "sentence_number", "meta"}
    keys = {key for each in seen for key in _keys(each)}
    assert len(sentences) == 12
    assert not keys & forbidden
    for worker, others in ((w, [o for o in workers if o is not w]) for w in workers):
        own = json.dumps(worker.ok("GET", f"/campaigns/{campaign}/progress"))
        assert not [o for o in others if f'"{o.me["pseudonym"]}"' in own]


def _keys(value: Any) -> set[str]:
    """Return all names in a value; why a worker has to wait is for them to know."""
    if isinstance(value, dict):
        rest = (each for name, each in value.items() if name != "waiting")
        return {*value, *(key for each in rest for key in _keys(each))}
    if isinstance(value, list):
        return {key for each in value for key in _keys(each)}
    return set()
