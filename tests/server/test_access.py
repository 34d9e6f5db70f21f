"""Revocation, scopes, sign-in and admins: what somebody with an old or a stolen secret can do."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from spancrew.server.people.credentials import Passwords
from spancrew.server.people.totp import code_at
from spancrew.server.settings import Rate, ServerSettings
from tests.server.conftest import HandClock, House, Visitor, create, invite, invite_admin, running

PASSWORD = "correct horse battery"  # noqa: S105  of nobody
ADA = {"name": "ada", "password": PASSWORD}


def token_of(visitor: Visitor, **wanted: Any) -> Visitor:
    """Return a program with a token of somebody."""
    made = visitor.ok("POST", "/tokens", json={"name": "script", **wanted})
    return Visitor(visitor.client, token=made["token"])


def can_enter(house: House, **said: Any) -> bool:
    """Tell whether name and password let somebody in."""
    return house.nobody.call("POST", "/session", json={**ADA, **said}).status_code == 200


def test_a_token_cannot_set_a_password(house: House, admin: Visitor) -> None:
    """Nor a second factor, nor make another token: it would outlive its revocation."""
    thief = token_of(admin)

    tries = [
        thief.call("PUT", "/me/password", json=ADA),
        thief.call("POST", "/tokens", json={"name": "child"}),
        thief.call("POST", "/me/second-factor"),
    ]

    assert [each.status_code for each in tries] == [403, 403, 403]
    assert not can_enter(house)


def test_a_secret_of_one_kind_is_none_of_another(house: House, admin: Visitor) -> None:
    """A session is no token, a token is no session, and neither of them is a link."""
    program = token_of(admin)
    strangers = [
        Visitor(house.client, token=admin.secret),
        Visitor(house.client, secret=program.token),
    ]
    links = [
        house.nobody.call("POST", "/session/link", json={"token": secret})
        for secret in (admin.secret, program.token)
    ]

    assert [each.call("GET", "/me").status_code for each in strangers] == [401, 401]
    assert [each.status_code for each in links] == [401, 401]
    assert admin.ok("GET", "/me")["role"] == program.ok("GET", "/me")["role"] == "admin"


def test_a_new_link_ends_all_that_came_from_the_old_one(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Sessions, tokens and the password that somebody set with it."""
    campaign = create(admin, tmp_path)
    thief = invite(admin, campaign)
    program = token_of(thief)
    thief.ok("PUT", "/me/password", json=ADA)
    late = token_of(thief)

    admin.ok("POST", f"/campaigns/{campaign}/workers/w0/link")

    assert [each.call("GET", "/me").status_code for each in (thief, program, late)] == [401] * 3
    assert not can_enter(house)


def test_a_changed_password_ends_tokens_and_one_time_links(house: House, admin: Visitor) -> None:
    """Whoever had the old one has nothing left."""
    admin.ok("PUT", "/me/password", json=ADA)
    program = token_of(admin)
    link = house.directory.secrets.issue("link", 1, house.clock(), lasts=60.0, once=True)[1]

    admin.ok("PUT", "/me/password", json={**ADA, "password": PASSWORD * 2, "old": PASSWORD})

    assert program.call("GET", "/me").status_code == 401
    assert house.nobody.call("POST", "/session/link", json={"token": link}).status_code == 401
    assert admin.call("GET", "/me").status_code == 200


@pytest.mark.parametrize("seconds", [1.0, -3600.0])
def test_a_revoked_token_ends_in_other_processes_within_a_second(
    tmp_path: Path, clock: HandClock, seconds: float
) -> None:
    """They ask the store whether anybody's access has ended; a clock that is set back ends it."""
    settings = ServerSettings(clock=clock)
    with running(tmp_path, clock, settings) as one, running(tmp_path, clock, settings) as other:
        admin = one.admin()
        made = admin.ok("POST", "/tokens", json={"name": "script"})
        elsewhere = Visitor(other.client, token=made["token"])
        before = elsewhere.call("GET", "/me").status_code
        admin.ok("DELETE", f"/tokens/{made['id']}")
        clock.now += seconds

        assert (before, elsewhere.call("GET", "/me").status_code) == (200, 401)


def test_a_token_that_reads_changes_nothing(admin: Visitor, tmp_path: Path) -> None:
    """It sees what its owner sees."""
    campaign = create(admin, tmp_path)
    reader = token_of(admin, scope="read")

    assert reader.ok("GET", f"/campaigns/{campaign}/status")["settled"] == 0
    for method, path in [
        ("POST", "/campaigns"),
        ("POST", f"/campaigns/{campaign}/start"),
        ("POST", f"/campaigns/{campaign}/workers"),
        ("DELETE", f"/campaigns/{campaign}"),
        ("POST", "/admins"),
    ]:
        refused = reader.call(method, path, json={})
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")


def test_a_token_for_one_campaign_sees_no_other(admin: Visitor, tmp_path: Path) -> None:
    """Nor the server itself."""
    ours, other = create(admin, tmp_path), create(admin, tmp_path)
    program = token_of(admin, campaign=ours)

    assert program.call("GET", f"/campaigns/{ours}").status_code == 200
    assert program.call("GET", f"/campaigns/{other}").status_code == 404
    assert [each["id"] for each in program.ok("GET", "/campaigns")] == [ours]
    assert program.call("GET", "/admins").status_code == 403
    assert program.call("GET", "/metrics").status_code == 403
    assert program.call("POST", "/campaigns", data={"name": "x"}).status_code == 403


def test_a_scope_of_another_role_is_refused(admin: Visitor, tmp_path: Path) -> None:
    """A worker cannot ask for more than a worker may do."""
    worker = invite(admin, create(admin, tmp_path))

    refused = worker.call("POST", "/tokens", json={"name": "x", "scope": "admin"})

    assert refused.status_code == 403


def test_a_token_ends_and_says_when_it_was_used(house: House, admin: Visitor) -> None:
    """After 90 days, unless another number is wanted."""
    program = token_of(admin, days=2)
    before = admin.ok("GET", "/tokens")[0]
    house.clock.now += 86400.0
    program.ok("GET", "/me")
    after = admin.ok("GET", "/tokens")[0]
    house.clock.now += 86400.0

    assert before["used_at"] is None
    assert after["used_at"] == before["created_at"] + 86400.0
    assert after["expires_at"] == before["created_at"] + 2 * 86400.0
    assert program.call("GET", "/me").status_code == 401


def test_a_token_that_was_just_used_ends_on_time(house: House, admin: Visitor) -> None:
    """Though the server need not look it up again for a minute."""
    program = token_of(admin, days=1)
    house.clock.now += 86400.0 - 10.0
    program.ok("GET", "/me")
    house.clock.now += 10.0

    assert program.call("GET", "/me").status_code == 401


def test_a_link_that_lasts_outlives_a_new_password(house: House, admin: Visitor) -> None:
    """It is the admin's to renew; a one-time link ends."""
    secrets, person = house.directory.secrets, 1
    admin.ok("GET", "/me")
    lasting, once = (secrets.issue("link", person, 0.0, once=once)[1] for once in (False, True))
    secrets.end_derived(person, but=0)

    assert secrets.find("link", lasting, 1.0) is not None
    assert secrets.find("link", once, 1.0) is None


def test_no_password_fits_where_there_is_none() -> None:
    """Not even that of nobody, against which the time is taken."""
    assert not asyncio.run(Passwords(1024).fits(None, "nobody has this password"))


def test_an_admin_sees_and_ends_the_tokens_of_their_people(admin: Visitor, tmp_path: Path) -> None:
    """An owner everybody's; the admin of a campaign those of its people."""
    ours, other = create(admin, tmp_path), create(admin, tmp_path)
    ada = invite_admin(admin, ours)
    mine, foreign = token_of(invite(admin, ours)), token_of(invite(admin, other))
    seen = ada.ok("GET", "/tokens?everyone=true")
    every = admin.ok("GET", "/tokens?everyone=true")

    assert [(each["person"], each["role"]) for each in seen] == [("w0", "worker")]
    assert len(every) == 2
    assert ada.call("DELETE", f"/tokens/{every[1]['id']}").status_code == 404
    ada.ok("DELETE", f"/tokens/{seen[0]['id']}")
    assert mine.call("GET", "/me").status_code == 401
    assert foreign.call("GET", "/me").status_code == 200
    assert foreign.call("GET", "/tokens?everyone=true").status_code == 403


def test_an_account_has_to_wait_longer_after_each_failure(
    tmp_path: Path, clock: HandClock
) -> None:
    """From wherever the guesses come, and after a restart, too."""
    settings = ServerSettings(clock=clock, password_rate=Rate(1000.0, 1000))
    with running(tmp_path, clock, settings) as house:
        house.admin().ok("PUT", "/me/password", json=ADA)
        waits = [_guess(house) for _ in range(5)]
    with running(tmp_path, clock, settings) as house:
        waits += [_guess(house)]
        clock.now += 1.0
        waits += [_guess(house), _guess(house)]
        clock.now += 2.0

        assert waits == [None] * 5 + ["1", None, "2"]
        assert can_enter(house)
        assert _guess(house) is None


def test_nobody_waits_for_a_clock_that_was_set_back(house: House, admin: Visitor) -> None:
    """Only for as long as their failures ask for."""
    admin.ok("PUT", "/me/password", json=ADA)
    for _ in range(6):
        _guess(house)
    house.clock.now -= 86_400.0

    assert _guess(house) == "1"
    house.clock.now += 1.0
    assert can_enter(house)


def _guess(house: House) -> str | None:
    answer = house.nobody.call("POST", "/session", json={**ADA, "password": "guess"})
    assert answer.status_code in {401, 429}
    wait: str | None = answer.headers.get("retry-after")
    return wait


@pytest.fixture
def secured(house: House, admin: Visitor) -> str:
    """Return the secret of the second factor that the admin has set."""
    admin.ok("PUT", "/me/password", json=ADA)
    secret: str = admin.ok("POST", "/me/second-factor")["secret"]
    code = code_at(secret, int(house.clock() // 30))
    admin.ok("PUT", "/me/second-factor", json={"secret": secret, "code": code, **_password()})
    return secret


def _password() -> dict[str, str]:
    return {"password": PASSWORD}


def test_with_a_second_factor_a_password_is_not_enough(house: House, secured: str) -> None:
    """A code lets in once, within its half minute or the one beside it."""
    step = int(house.clock() // 30)
    missing = house.nobody.call("POST", "/session", json=ADA)

    assert (missing.status_code, missing.json()["error"]["code"]) == (401, "second_factor")
    assert not can_enter(house, code=code_at(secured, step + 2))
    assert can_enter(house, code=code_at(secured, step))
    assert not can_enter(house, code=code_at(secured, step))
    assert not can_enter(house, code=code_at(secured, step - 1))
    assert can_enter(house, code=code_at(secured, step + 1))


def test_a_second_factor_ends_with_a_code_of_it(
    house: House, admin: Visitor, secured: str
) -> None:
    """Not with a wrong one."""
    step = int(house.clock() // 30)
    path = "/me/second-factor"

    assert admin.call("DELETE", path, json={"code": "000000"}).status_code == 401
    admin.ok("DELETE", path, json={"code": code_at(secured, step)})
    assert can_enter(house)


def test_a_factor_is_refused_without_the_password_or_its_code(
    house: House, admin: Visitor
) -> None:
    """Whoever sits down at an open browser cannot lock its owner out."""
    admin.ok("PUT", "/me/password", json=ADA)
    secret = admin.ok("POST", "/me/second-factor")["secret"]
    code = code_at(secret, int(house.clock() // 30))
    body = {"secret": secret, "code": code, "password": PASSWORD}

    wrong = [
        admin.call("PUT", "/me/second-factor", json={**body, "password": "guess"}).status_code,
        admin.call("PUT", "/me/second-factor", json={**body, "code": "000000"}).status_code,
    ]

    assert wrong == [403, 422]
    assert can_enter(house)


def test_admins_have_their_campaigns_and_no_others(admin: Visitor, tmp_path: Path) -> None:
    """They may create some, which are then theirs; an owner sees all."""
    ours, other = create(admin, tmp_path), create(admin, tmp_path)
    ada = invite_admin(admin, ours)

    own = create(ada, tmp_path)

    assert {each["id"] for each in ada.ok("GET", "/campaigns")} == {ours, own}
    assert ada.call("GET", f"/campaigns/{other}/status").status_code == 404
    assert ada.client.get(f"/campaigns/{other}", headers=ada.headers).status_code == 404
    assert ada.ok("GET", f"/figures?campaign={other}&campaign={own}")[0]["id"] == own
    assert {each["id"] for each in admin.ok("GET", "/campaigns")} == {ours, other, own}


def test_rights_are_taken_back_at_once(admin: Visitor, tmp_path: Path) -> None:
    """And given again."""
    campaign = create(admin, tmp_path)
    ada = invite_admin(admin, campaign)
    name = ada.me["pseudonym"]

    admin.ok("PATCH", f"/admins/{name}", json={"campaigns": []})
    without = ada.call("GET", f"/campaigns/{campaign}").status_code
    admin.ok("PATCH", f"/admins/{name}", json={"campaigns": None})

    assert (without, ada.call("GET", "/admins").status_code) == (404, 200)
    admin.ok("DELETE", f"/admins/{name}")
    assert ada.call("GET", "/me").status_code == 401


def test_the_last_owner_stays(admin: Visitor) -> None:
    """A server without one could only be opened from its machine."""
    name = admin.me["pseudonym"]

    tries = [
        admin.call("DELETE", f"/admins/{name}"),
        admin.call("PATCH", f"/admins/{name}", json={"campaigns": []}),
    ]

    assert [each.json()["error"]["code"] for each in tries] == ["last_owner"] * 2


def test_links_do_not_name_the_host_of_a_request(admin: Visitor, tmp_path: Path) -> None:
    """Somebody who forges it would get the secrets of those who are invited."""
    campaign = create(admin, tmp_path)

    made = admin.call(
        "POST", f"/campaigns/{campaign}/workers", json={}, headers={"Host": "evil.example"}
    ).json()

    assert made["url"] == f"/enter#{made['token']}"


def test_a_known_address_stands_in_links(tmp_path: Path, clock: HandClock) -> None:
    """As it was configured."""
    settings = ServerSettings(clock=clock, public_url="https://crew.example")
    with running(tmp_path, clock, settings) as house:
        made = house.admin().ok("POST", "/admins", json={"name": "Ada", "campaigns": None})

    assert made["url"] == f"https://crew.example/enter#{made['token']}"
