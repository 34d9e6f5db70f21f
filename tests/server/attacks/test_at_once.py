"""Attacks that need many requests at once, or a process that does not know yet what has ended."""

from functools import partial
from pathlib import Path

import pytest

from tests.server.attacks.premises import Premises
from tests.server.conftest import Visitor, create, invite, invite_admin
from tests.server.test_access import ADA, token_of
from tests.server.test_work import next_of, started
from tests.waiting import wait_until

MANY = 16
"""Requests that certainly do not all come to the same of two processes."""


def test_duplicates_that_come_at_once_count_once(place: Premises, tmp_path: Path) -> None:
    """All get the same receipt; one is paid."""
    campaign, (worker,) = started(place.admin, tmp_path, 1)
    work = next_of(worker, campaign)["assignment"]
    body = {"assignment": work["assignment"], "spans": [], "key": "once"}

    answers = place.at_once(worker, [("POST", f"/campaigns/{campaign}/answers", body)] * 20)

    assert {each.status_code for each in answers} == {200}
    assert sorted(each.json()["receipt"]["again"] for each in answers) == [False] + [True] * 19
    ledger = place.admin.ok("GET", f"/campaigns/{campaign}/ledger")
    assert (ledger["answers"], ledger["spent"]) == (1, 0.1)


def test_different_answers_that_come_at_once_leave_one(place: Premises, tmp_path: Path) -> None:
    """The first is taken; the others hear that they came too late."""
    campaign, (worker,) = started(place.admin, tmp_path, 1)
    work = next_of(worker, campaign)["assignment"]
    path, body = f"/campaigns/{campaign}/answers", {"assignment": work["assignment"], "spans": []}
    calls = [("POST", path, {**body, "key": f"k{n}"}) for n in range(10)]

    answers = place.at_once(worker, calls)

    assert sorted(each.status_code for each in answers) == [200] + [409] * 9


def test_forty_at_once_never_overspend(place: Premises, tmp_path: Path) -> None:
    """What is in hand is paid; nothing is begun that the budget does not hold."""
    campaign, workers = started(
        place.admin, tmp_path, 40, budget=1.0, feedback="crowd", crew=40, answers=3
    )
    for _ in range(3):
        works = [(worker, next_of(worker, campaign)["assignment"]) for worker in workers]
        for worker, work in works:
            if work is None:
                continue
            body = {"assignment": work["assignment"], "spans": [], "next": True}
            calls = [("POST", f"/campaigns/{campaign}/answers", body)] * 2
            answers = place.at_once(worker, calls)
            assert sorted(each.status_code for each in answers) == [200, 409]
    ledger = place.admin.ok("GET", f"/campaigns/{campaign}/ledger")

    assert ledger["spent"] <= 1.0 + 1e-9
    assert ledger["spent"] + ledger["committed"] <= 1.0 + 1e-9
    assert ledger["answers"] == 9
    assert ledger["spent"] == pytest.approx(0.1 * ledger["answers"])


def test_of_many_who_use_a_link_at_once_one_gets_in(place: Premises) -> None:
    """The database decides who was first."""
    link = place.admin.ok("POST", "/admins", json={"name": "Bo", "campaigns": []})["token"]

    answers = place.at_once(place.nobody, [("POST", "/session/link", {"token": link})] * 8)

    assert sorted(each.status_code for each in answers) == [200] + [401] * 7


def is_out(place: Premises, who: Visitor) -> bool:
    """Tell whether somebody is refused, whichever process they come to."""
    answers = place.at_once(who, [("GET", "/me", None)] * MANY)
    return {each.status_code for each in answers} == {401}


def test_what_has_ended_is_refused_by_every_process(place: Premises, tmp_path: Path) -> None:
    """A revoked token, all that came from an old link or a password, and a removed admin."""
    admin, campaign = place.admin, create(place.admin, tmp_path)
    token = admin.ok("POST", "/tokens", json={"name": "script"})
    program = Visitor(place.client, token=token["token"])
    thief, ada = invite(admin, campaign), invite_admin(admin, campaign)
    ended = [program, thief, token_of(thief), ada, token_of(ada)]
    for each in ended:
        assert {200} == {a.status_code for a in place.at_once(each, [("GET", "/me", None)] * MANY)}

    admin.ok("DELETE", f"/tokens/{token['id']}")
    admin.ok("POST", f"/campaigns/{campaign}/workers/w0/link")
    admin.ok("DELETE", f"/admins/{ada.me['pseudonym']}")

    for each in ended:
        wait_until(partial(is_out, place, each), "somebody is still let in")


def test_a_changed_password_ends_tokens_in_every_process(place: Premises, tmp_path: Path) -> None:
    """The session that changed it stays."""
    ada = invite_admin(place.admin, create(place.admin, tmp_path))
    ada.ok("PUT", "/me/password", json={**ADA, "name": "ada2"})
    program = token_of(ada)
    program.ok("GET", "/me")

    changed = {"name": "ada2", "password": ADA["password"] * 2, "old": ADA["password"]}
    ada.ok("PUT", "/me/password", json=changed)

    wait_until(partial(is_out, place, program), "an old token is still let in")
    assert ada.call("GET", "/me").status_code == 200


def test_guesses_at_the_same_moment_are_counted(place: Premises) -> None:
    """Forty at once are no more than five, one after the other."""
    calls = [("POST", "/session", {**ADA, "password": "guess"})] * 40
    answers = place.at_once(place.nobody, calls)

    assert sorted(each.status_code for each in answers) == [401] * 5 + [429] * 35
