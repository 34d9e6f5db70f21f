"""The page that crowd workers come to, and what browsers are shown where there is nothing."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from httpx import Response
from sqlalchemy import update

from spancrew.errors import StoreError
from spancrew.server.people.schema import people
from spancrew.server.people.sessions import COOKIE
from spancrew.stores import writing
from tests.server.conftest import House, Visitor, create

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
ACCEPTED = "workerId=A1&assignmentId=B2&hitId=h&turkSubmitTo=https%3A%2F%2Fwww.mturk.com"


@pytest.fixture
def campaign(admin: Visitor, tmp_path: Path) -> str:
    """Return a campaign."""
    return create(admin, tmp_path)


def entry(admin: Visitor, campaign: str, platform: str = "prolific") -> str:
    """Open the way in and return the path of its address."""
    made = admin.ok("PUT", f"/campaigns/{campaign}/entry", json={"platform": platform})
    return str(made["url"]).removeprefix("http://crew.test")


def open_(house: House, path: str, **headers: str) -> Response:
    """Open an address as a browser does, without cookies and without following redirects."""
    house.client.cookies.clear()
    answer: Any = house.client.get(path, headers={**HTML, **headers}, follow_redirects=False)
    house.client.cookies.clear()
    return answer  # type: ignore[no-any-return]


def test_a_worker_of_prolific_is_sent_to_their_work(
    house: House, admin: Visitor, campaign: str
) -> None:
    """With a session, as the same worker each time, and as by the API."""
    path = f"{entry(admin, campaign)}?PROLIFIC_PID=abc&STUDY_ID=s&SESSION_ID=x"
    answers = [open_(house, path), open_(house, path)]
    by_api = house.nobody.call("GET", path).json()["me"]["pseudonym"]
    me = [
        Visitor(house.client, answer.cookies[COOKIE]).ok("GET", "/me")["pseudonym"]
        for answer in answers
    ]

    assert path.startswith("/join/")
    assert [(a.status_code, a.headers["location"]) for a in answers] == [(303, "/work")] * 2
    assert me == [by_api, by_api] == ["w0", "w0"]


def test_only_the_page_for_mturk_may_be_framed_and_only_by_mturk(
    house: House, admin: Visitor, campaign: str
) -> None:
    """It begins no session, since browsers would lose it there; its link does, in a window."""
    cover = open_(house, f"{entry(admin, campaign, 'mturk')}?{ACCEPTED}")
    (link,) = re.findall(r'href="([^"]+)" target="_blank" rel="noopener"', cover.text)
    window = open_(house, unescape(link))
    others = [open_(house, path) for path in ("/sign-in", "/enter", "/nothing")]

    assert cover.status_code == 200
    assert "set-cookie" not in cover.headers
    assert "x-frame-options" not in cover.headers
    assert "frame-ancestors https://*.mturk.com" in cover.headers["content-security-policy"]
    assert 'action="https://www.mturk.com/mturk/externalSubmit"' in cover.text
    assert 'name="assignmentId" value="B2"' in cover.text
    assert (window.status_code, window.headers["location"]) == (303, "/work")
    assert window.cookies[COOKIE]
    for each in [window, *others]:
        assert each.headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in each.headers["content-security-policy"]


def test_a_preview_on_mturk_shows_the_instructions_and_registers_nobody(
    house: House, admin: Visitor, campaign: str
) -> None:
    """What an admin writes there is text, whatever it looks like."""
    guide = {"instructions": "Mark </script><b>names</b>."}
    admin.ok("PUT", f"/campaigns/{campaign}/guide", json=guide)
    path = entry(admin, campaign, "mturk")
    page = open_(house, f"{path}?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=h")

    assert page.status_code == 200
    assert "This is a preview" in page.text
    assert "names" in page.text
    assert "<b>" not in page.text
    assert "<form" not in page.text
    assert "set-cookie" not in page.headers
    assert admin.ok("GET", f"/campaigns/{campaign}/workers") == []


@pytest.mark.parametrize(
    "address",
    ["https://evil.example", "http://www.mturk.com", "https://mturk.com@evil.example", "["],
)
def test_a_code_is_handed_to_mturk_alone(
    house: House, admin: Visitor, campaign: str, address: str
) -> None:
    """An address in the link that is not theirs gets no form."""
    path = entry(admin, campaign, "mturk")
    page = open_(house, f"{path}?workerId=A1&assignmentId=B2&turkSubmitTo={address}")

    assert page.status_code == 200
    assert "<form" not in page.text


@pytest.mark.parametrize(
    ("query", "status", "told"),
    [
        ("", 422, "We do not know who you are"),
        ("?PROLIFIC_PID=a%0d%0ab", 422, "We do not know who you are"),
    ],
)
def test_a_worker_without_an_id_reads_what_to_do(
    house: House, admin: Visitor, campaign: str, query: str, status: int, told: str
) -> None:
    """As a page, with the remedy."""
    page = open_(house, entry(admin, campaign) + query)

    assert page.status_code == status
    assert told in page.text
    assert "Open the study from the platform" in page.text


def test_a_key_that_is_not_there_and_one_who_has_left_are_told_so(
    house: House, admin: Visitor, campaign: str
) -> None:
    """In the language of the reader."""
    path = f"{entry(admin, campaign)}?PROLIFIC_PID=abc"
    open_(house, path)
    admin.ok("DELETE", f"/campaigns/{campaign}/workers/w0/data")
    person = house.directory.people.find(campaign=campaign, role="worker")
    assert person is not None
    with writing(house.directory.engine) as connection:
        mine = people.c.id == person.id
        connection.execute(update(people).where(mine).values(platform_id="abc"))
    left = open_(house, path)
    nowhere = open_(house, "/join/nothing?PROLIFIC_PID=abc", **{"Accept-Language": "zh-CN"})

    assert (left.status_code, nowhere.status_code) == (403, 404)
    assert "You have left this study" in left.text
    assert "没有这项研究" in nowhere.text


def test_an_address_without_a_page_is_told_in_the_language_of_the_reader(house: House) -> None:
    """Browsers get a page, programs JSON, and the API always JSON."""
    page = open_(house, "/nothing/here", **{"Accept-Language": "zh"})
    bad_id = open_(house, "/campaigns/NOT-AN-ID")
    plain = house.client.get("/nothing/here")
    api = open_(house, "/api/v1/nothing")

    assert (page.status_code, bad_id.status_code) == (404, 404)
    assert "这里什么都没有" in page.text
    assert "There is nothing here" in bad_id.text
    assert page.headers["content-type"].startswith("text/html")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert plain.json()["error"]["code"] == api.json()["error"]["code"] == "not_found"


def test_a_page_that_cannot_be_made_is_a_page_that_says_so(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the store is away or nobody knows why; the API goes on in JSON."""

    def away(*_: object) -> None:
        raise StoreError("the store at secret:place is away")

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    cookie = {"Cookie": f"{COOKIE}=x"}
    monkeypatch.setattr(house.directory.secrets, "find", away)
    store = open_(house, "/work", **cookie)
    api = open_(house, "/api/v1/me", **cookie)
    monkeypatch.setattr(house.directory.secrets, "find", broken)
    bug = open_(house, "/work", **cookie)

    assert (store.status_code, bug.status_code) == (503, 500)
    assert store.headers["retry-after"] == "2"
    assert api.json()["error"]["code"] == "store"
    for each in (store, bug):
        assert "Something went wrong" in each.text
        assert "secret:place" not in each.text
        assert each.headers["x-frame-options"] == "DENY"


def test_a_method_that_is_not_there_is_refused_readably(house: House) -> None:
    """A form that is sent to a page which takes none."""
    answer = house.client.post("/sign-in", headers=HTML)

    assert answer.status_code == 405
    assert "This page cannot be shown" in answer.text
    assert "GET" in answer.headers["allow"]
