"""Many workers at once: invited by a file, looked for, changed."""

import csv
import re
from pathlib import Path
from typing import Any

import pytest

from spancrew.errors import FormatError
from spancrew.server.api.roll import read_roll
from spancrew.server.pages.problems import in_words
from tests.server.conftest import House, Visitor, create, invite


def send(admin: Visitor, campaign: str, text: str) -> Any:
    """Send a CSV of workers."""
    file = {"file": ("people.csv", text.encode())}
    return admin.call("POST", f"/campaigns/{campaign}/invitations", files=file)


def page(admin: Visitor, campaign: str, query: str = "") -> dict[str, Any]:
    """Return a page of workers."""
    found: dict[str, Any] = admin.ok("GET", f"/campaigns/{campaign}/workers/page?{query}")
    return found


def numbers(found: dict[str, Any]) -> list[str]:
    """Return who is on a page."""
    return [each["person"]["pseudonym"] for each in found["workers"]]


def states(admin: Visitor, campaign: str) -> list[str]:
    """Return the states of all workers."""
    return [each["state"] for each in page(admin, campaign)["workers"]]


def test_a_crowd_is_invited_found_and_changed(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """120 by one file; names, prices and caps are theirs, and every link lets one of them in."""
    campaign = create(admin, tmp_path)
    admin.ok("POST", f"/campaigns/{campaign}/start")
    lines = [
        f"Worker {k:03},{'0.25' if k == 1 else ''},{'7' if k == 2 else ''}" for k in range(120)
    ]
    made = send(admin, campaign, "\n".join(["name,price,cap", *lines])).json()
    one = house.nobody.enter(made[1]["token"])
    one.ok("POST", f"/campaigns/{campaign}/next")
    pages = [page(admin, campaign, f"page={k}") for k in range(3)]
    change = {"workers": ["w3", "w1", "w100"], "state": "paused", "reason": "a break"}
    done = admin.ok("PATCH", f"/campaigns/{campaign}/workers", json=change)
    again = admin.ok("PATCH", f"/campaigns/{campaign}/workers", json=change)
    capped = {"workers": ["w2", "w4"], "cap": 7}
    caps = admin.ok("PATCH", f"/campaigns/{campaign}/workers", json=capped)

    assert len({each["url"] for each in made}) == len(made) == 120
    assert one.me["pseudonym"] == "w1"
    assert [len(each["workers"]) for each in pages] == [50, 50, 20]
    assert [numbers(each)[0] for each in pages] == ["w0", "w50", "w100"]
    assert {(each["total"], each["everybody"], len(each["found"])) for each in pages} == {
        (120, 120, 120)
    }
    standings = [each["standing"] for each in pages[0]["workers"][:3]]
    assert [each["price"] for each in standings] == [0.1, 0.25, 0.1]
    assert [each["cap"] for each in standings] == [None, None, 7]
    assert pages[0]["workers"][1]["state"] in {"new", "ready"}
    assert numbers(page(admin, campaign, "state=paused")) == ["w1", "w3", "w100"]
    assert numbers(page(admin, campaign, "state=paused&text=worker 00")) == ["w1", "w3"]
    assert page(admin, campaign, "state=invited")["total"] == 117
    assert numbers(page(admin, campaign, "text=W119")) == ["w119"]
    assert (done, again) == ({"changed": 3, "same": 0}, {"changed": 0, "same": 3})
    assert caps == {"changed": 1, "same": 1}
    assert one.ok("POST", f"/campaigns/{campaign}/next")["assignment"] is None


def test_what_is_done_with_many_is_in_the_audit_log(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Who and what, in a few words; neither names nor secrets."""
    campaign = create(admin, tmp_path)
    made = send(admin, campaign, "name\nAnn Lee\nBen\nCem\n").json()
    change = {"workers": ["w0", "w1"], "state": "banned", "reason": "fraud"}
    admin.ok("PATCH", f"/campaigns/{campaign}/workers", json=change)
    page(admin, campaign)
    log = admin.call("GET", "/audit").json()
    looked, changed, invited = log["entries"][:3]

    assert (invited["action"], invited["target"]) == ("people.invite_workers_by_file", "w0-w2")
    assert invited["after"] == {"invited": 3}
    assert changed["action"] == "people.change_workers"
    assert changed["before"] == {"state ready": "w0-w1", "cap None": "w0-w1"}
    assert changed["after"] == {"state": "banned", "workers": "w0-w1", "reason": "fraud"}
    assert looked["action"] == "people.find_workers"
    assert "Ann" not in str(log)
    assert not any(each["token"] in str(log) + house.log.getvalue() for each in made)


@pytest.mark.parametrize(
    ("workers", "status", "told"),
    [
        (["w0", "w1"], 409, "w1: banned for good; leave them out, nobody was readmitted"),
        (["w0", "w9"], 404, "w9 are not in this campaign; nothing was changed"),
    ],
)
def test_many_are_changed_or_none(
    admin: Visitor, tmp_path: Path, workers: list[str], status: int, told: str
) -> None:
    """One who cannot be readmitted stops it before it begins."""
    campaign = create(admin, tmp_path)
    send(admin, campaign, "name\nAnn\nBen\n")
    for worker, state in (("w0", "paused"), ("w1", "banned")):
        admin.ok("PATCH", f"/campaigns/{campaign}/workers/{worker}", json={"state": state})
    answer = admin.call(
        "PATCH", f"/campaigns/{campaign}/workers", json={"workers": workers, "state": "active"}
    )

    assert (answer.status_code, answer.json()["error"]["message"]) == (status, told)
    assert states(admin, campaign) == ["paused", "banned"]


def test_a_bad_file_invites_nobody(house: House, admin: Visitor, tmp_path: Path) -> None:
    """The line is told, in the language of the page; the good lines before it do not count."""
    campaign = create(admin, tmp_path)
    version = house.store.version(campaign)
    refused = send(admin, campaign, "name,price\nAnn,0.1\nBen,much\n")
    nothing = admin.call("POST", f"/campaigns/{campaign}/invitations", files={"x": b""})

    assert refused.status_code == nothing.status_code == 422
    assert refused.json()["error"] == {
        "code": "data",
        "message": "line 3: found the price 'much'; expected a number such as 0.12",
    }
    assert page(admin, campaign)["everybody"] == 0
    assert house.store.version(campaign) == version


def test_a_file_that_is_sent_twice_invites_once(admin: Visitor, tmp_path: Path) -> None:
    """Nor does a longer file with somebody of it; a name of another campaign does not matter."""
    first, second = create(admin, tmp_path), create(admin, tmp_path)
    made = send(admin, first, "name\nAnn\nBen\n\n").json()
    again = send(admin, first, "name\nAnn\nBen\n")
    longer = send(admin, first, "name\nCem\nBen\n")

    assert len(made) == page(admin, first)["everybody"] == 2
    assert {again.status_code, longer.status_code} == {422}
    assert longer.json()["error"]["message"] == (
        "line 3: found 'Ben', who is invited already; expected only people who are new; "
        "leave out the others, or give this one another name"
    )
    assert len(send(admin, second, "name\nAnn\n").json()) == 1


@pytest.mark.parametrize("crew", [2, "auto"])
def test_who_waits_for_the_crew_is_counted(
    house: House, admin: Visitor, tmp_path: Path, crew: int | str
) -> None:
    """A third worker waits while a crew of two has a seat; without a size nobody good does."""
    campaign = create(admin, tmp_path, crew=crew, answers=2, warm_up="none")
    admin.ok("POST", f"/campaigns/{campaign}/start")
    made = send(admin, campaign, "name\nAnn\nBen\nCem\n").json()
    people = [house.nobody.enter(each["token"]) for each in made]
    given = [each.ok("POST", f"/campaigns/{campaign}/next")["assignment"] for each in people]
    found = page(admin, campaign, "by=attention")

    assert found["crew"] == (None if crew == "auto" else crew)
    assert found["left_out"] == given.count(None) == (1 if crew == 2 else 0)


def test_a_roll_is_read_as_spreadsheets_write_it() -> None:
    """With semicolons or tabs, a mark at its beginning, empty rows at its end, any order."""
    found = read_roll(
        '\ufeffCap; Name ;price\r\n5;李华;0.1\r\n;"Lee; Ann";\r\n;;\r\n\r\n'.encode()
    )
    tabs = read_roll(b"name\tcap\nAnn\n\t3\n")

    assert [(each.name, each.price, each.cap) for each in found] == [
        ("李华", 0.1, 5),
        ("Lee; Ann", None, None),
    ]
    assert [(each.name, each.cap) for each in tabs] == [("Ann", None), (None, 3)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: found no column name, or one twice; expected the columns name"),
        ("Ann Lee\nBen\n", "line 1: found the column 'Ann Lee'; expected only the columns name"),
        ("name,email\n", "line 1: found the column 'email'"),
        ("name,name\n", "line 1: found no column name, or one twice"),
        ("price\n1\n", "line 1: found no column name, or one twice"),
        ("name\n\n", "found no worker; expected a line for every worker"),
        ("name,cap\nAnn,0\n", "line 2: found the cap '0'; expected a whole number from 1 up"),
        ("name,cap\nAnn,1.5\n", "line 2: found the cap '1.5'"),
        ("name,price\nA,nan\n", "line 2: found the price 'nan'; expected a number such as 0.12"),
        ("name;price\nA;0,12\n", "line 2: found the price '0,12'"),
        ("name,price\nA,-1\n", "line 2: found the price '-1'"),
        ("name\nA\nLee, Ann\n", "line 3: found 2 cells; expected 1, as the first line has"),
        ('name\nA\n"B\nC\n', "line 3: found the name 'B\\nC'; expected a name on one line"),
        (f"name\n{'x' * 201}\n", "line 2: found a name of 201 characters; expected at most 200"),
        ("name\nZoe\n", "line 2: found 'Zoe', who is invited already; expected only people who"),
        ("name\n" + "x\n" * 1001, "found 1,001 workers; expected at most 1,000; cut the file"),
    ],
)
def test_a_bad_roll_names_line_and_remedy(text: str, told: str) -> None:
    """Whatever is wrong with it."""
    with pytest.raises(FormatError) as caught:
        read_roll(text.encode(), {"Zoe"})
    error = caught.value
    place = "" if error.place.line is None else f"line {error.place.line}: "

    assert f"{place}{error.problem}".startswith(told)
    assert not re.search("[a-z]{3} [a-z]{2}", in_words(error.problem, "zh"))


def test_a_roll_with_a_cell_that_is_too_long_is_refused() -> None:
    """However long a cell may be: tables that were read before may have changed that."""
    before = csv.field_size_limit(100)
    try:
        with pytest.raises(FormatError, match="line 2: found a line that is no CSV"):
            read_roll(b"name\n" + b"x" * 101)
    finally:
        csv.field_size_limit(before)


def test_bytes_in_another_encoding_are_refused() -> None:
    """With the line where they begin."""
    with pytest.raises(FormatError, match=r"line 2: found bytes that are no UTF-8; expected UTF"):
        read_roll("name\n李华\n".encode("gb18030"))


def test_an_erased_worker_is_found_as_such(admin: Visitor, tmp_path: Path) -> None:
    """And no longer by name."""
    campaign = create(admin, tmp_path)
    invite(admin, campaign, name="Ann")
    admin.ok("DELETE", f"/campaigns/{campaign}/workers/w0/data")

    assert states(admin, campaign) == ["erased"]
    assert numbers(page(admin, campaign, "state=erased")) == ["w0"]
    assert page(admin, campaign)["found"] == []
    assert page(admin, campaign, "text=ann")["total"] == 0
