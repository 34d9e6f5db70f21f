"""Sessions, links, passwords and tokens."""

import asyncio
import json
from pathlib import Path

import pytest

from spancrew.server.people.credentials import Passwords
from spancrew.server.people.directory import create_admin_link
from spancrew.server.people.sessions import COOKIE
from spancrew.server.settings import Rate, ServerSettings
from tests.server.conftest import HandClock, House, Visitor, create, invite, running

PASSWORD = "correct horse battery"  # noqa: S105  of nobody


def test_the_admin_link_works_once(house: House) -> None:
    """Whoever finds it in a terminal later has nothing."""
    link = create_admin_link(house.directory, house.clock())
    house.nobody.enter(link)

    again = house.nobody.call("POST", "/session/link", json={"token": link})

    assert again.status_code == 401


def test_the_admin_link_works_for_a_day(house: House) -> None:
    """And not a second longer."""
    link = create_admin_link(house.directory, house.clock())
    house.clock.now += 24 * 3600

    late = house.nobody.call("POST", "/session/link", json={"token": link})

    assert late.status_code == 401


def test_a_worker_can_come_back_by_their_link(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """From another machine, as the same worker; until they get a new link."""
    campaign = create(admin, tmp_path)
    link = admin.ok("POST", f"/campaigns/{campaign}/workers", json={})["token"]
    first, second = house.nobody.enter(link), house.nobody.enter(link)

    assert first.me["pseudonym"] == second.me["pseudonym"] == "w0"

    admin.ok("POST", f"/campaigns/{campaign}/workers/w0/link")

    assert house.nobody.call("POST", "/session/link", json={"token": link}).status_code == 401
    assert first.call("GET", "/me").status_code == 401


def test_a_deleted_campaign_is_forgotten_with_its_people_at_once(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Sessions, sentences and answers do not stay in memory until something else takes over."""
    campaign = create(admin, tmp_path)
    worker = invite(admin, campaign)
    admin.ok("POST", f"/campaigns/{campaign}/start")
    worker.ok("POST", f"/campaigns/{campaign}/next", json={})
    for look in ("agreement", "picture"):
        admin.ok("GET", f"/campaigns/{campaign}/{look}")
    services = house.app.state.services
    kept = [services.agreements._held, services.pictures._held, services.shown._rows]
    assert all(kept)
    admin.ok("DELETE", f"/campaigns/{campaign}")

    assert worker.call("GET", "/me").status_code == 401
    assert not any(kept)


def test_the_cookie_cannot_be_read_by_scripts_nor_sent_by_other_sites(house: House) -> None:
    """HttpOnly, SameSite, and not over http where there is https."""
    link = create_admin_link(house.directory, house.clock())

    cookie = house.nobody.call("POST", "/session/link", json={"token": link}).headers["set-cookie"]

    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    assert "Path=/" in cookie


def test_the_cookie_is_secure_behind_https(tmp_path: Path, clock: HandClock) -> None:
    """As the public address says; browsers are told to stay there."""
    settings = ServerSettings(clock=clock, public_url="https://crew.example")
    with running(tmp_path, clock, settings) as house:
        link = create_admin_link(house.directory, house.clock())
        answer = house.nobody.call("POST", "/session/link", json={"token": link})

    assert "Secure" in answer.headers["set-cookie"]
    assert "max-age" in answer.headers["strict-transport-security"]


def test_secrets_are_not_in_the_database(house: House, admin: Visitor, tmp_path: Path) -> None:
    """Only their digests: whoever copies the file cannot sign in."""
    campaign = create(admin, tmp_path)
    link = admin.ok("POST", f"/campaigns/{campaign}/workers", json={})["token"]
    token = admin.ok("POST", "/tokens", json={"name": "script"})["token"]
    admin.ok("PUT", "/me/password", json={"name": "ada", "password": PASSWORD})

    found = b"".join(path.read_bytes() for path in tmp_path.glob("crew.db*"))
    assert admin.secret is not None
    for secret in (link, token, admin.secret, PASSWORD):
        assert secret.encode() not in found


def test_a_password_lets_in_and_changing_it_ends_other_sessions(
    house: House, admin: Visitor
) -> None:
    """The one that changed it goes on."""
    admin.ok("PUT", "/me/password", json={"name": "ada", "password": PASSWORD})
    sign_in = {"name": "ada", "password": PASSWORD}
    other = house.nobody.known_by(house.nobody.call("POST", "/session", json=sign_in))

    assert other.ok("GET", "/me")["role"] == "admin"

    wrong = admin.call(
        "PUT", "/me/password", json={"name": "ada", "password": PASSWORD * 2, "old": "no"}
    )
    body = {"name": "ada", "password": PASSWORD * 2, "old": PASSWORD}
    admin.ok("PUT", "/me/password", json=body)

    assert wrong.status_code == 403
    assert other.call("GET", "/me").status_code == 401
    assert admin.call("GET", "/me").status_code == 200
    assert house.nobody.call("POST", "/session", json=sign_in).status_code == 401


def test_a_guess_takes_much_memory() -> None:
    """What is kept says so, and tests that take less say so, too."""
    kept = asyncio.run(Passwords(ServerSettings().password_kibibytes).hashed(PASSWORD))

    assert kept.startswith("$argon2id$v=19$m=65536,t=3,")


def test_a_wrong_name_and_a_wrong_password_look_the_same(house: House, admin: Visitor) -> None:
    """Nobody learns who has an account."""
    admin.ok("PUT", "/me/password", json={"name": "ada", "password": PASSWORD})

    answers = [
        house.nobody.call("POST", "/session", json={"name": name, "password": "x" * 12})
        for name in ("ada", "bob")
    ]

    assert [each.status_code for each in answers] == [401, 401]
    assert answers[0].json() == answers[1].json()


def test_passwords_cannot_be_guessed_quickly(tmp_path: Path, clock: HandClock) -> None:
    """After some tries an address has to wait."""
    settings = ServerSettings(clock=clock, password_rate=Rate(0.2, 3))
    with running(tmp_path, clock, settings) as house:
        tries = [
            house.nobody.call("POST", "/session", json={"name": "ada", "password": "guess"})
            for _ in range(4)
        ]

        assert [each.status_code for each in tries] == [401, 401, 401, 429]
        assert tries[-1].headers["retry-after"] == "5"

        clock.now += 5
        again = house.nobody.call("POST", "/session", json={"name": "ada", "password": "guess"})

        assert again.status_code == 401


def test_a_session_that_calls_too_often_has_to_wait(tmp_path: Path, clock: HandClock) -> None:
    """And only that one."""
    settings = ServerSettings(clock=clock, request_rate=Rate(1.0, 5))
    with running(tmp_path, clock, settings) as house:
        one, other = house.admin(), house.admin()
        calls = [one.call("GET", "/me").status_code for _ in range(7)]

        assert calls == [200] * 5 + [429] * 2
        assert other.call("GET", "/me").status_code == 200


def test_a_token_has_the_rights_of_its_owner_and_needs_no_csrf(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Until it is revoked; it cannot make others."""
    made = admin.ok("POST", "/tokens", json={"name": "script"})
    script = Visitor(house.client, token=made["token"])

    campaign = create(script, tmp_path)

    assert script.ok("GET", f"/campaigns/{campaign}")["name"] == "Names in news"
    assert script.call("POST", "/tokens", json={"name": "child"}).status_code == 403
    assert [each["name"] for each in admin.ok("GET", "/tokens")] == ["script"]
    assert made["token"] not in json.dumps(admin.ok("GET", "/tokens"))

    admin.ok("DELETE", f"/tokens/{made['id']}")

    assert script.call("GET", "/me").status_code == 401


def test_the_token_of_a_worker_cannot_be_revoked_by_another(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """It is not there for them."""
    campaign = create(admin, tmp_path)
    one, other = invite(admin, campaign), invite(admin, campaign)
    made = one.ok("POST", "/tokens", json={"name": "mine"})

    assert other.call("DELETE", f"/tokens/{made['id']}").status_code == 404
    assert one.call("DELETE", f"/tokens/{made['id']}").status_code == 200


def test_a_session_ends_after_its_days(house: House, admin: Visitor) -> None:
    """However busy it was."""
    house.clock.now += 14 * 86400

    assert admin.call("GET", "/me").status_code == 401


@pytest.mark.parametrize("url", ["crew.example", "ftp://crew.example", "https://"])
def test_a_public_address_that_no_browser_could_use_is_refused(url: str) -> None:
    """When the server starts, not when somebody comes."""
    with pytest.raises(Exception, match="write it as https"):
        ServerSettings(public_url=url)


def test_cookie_and_csrf_token_are_different_secrets(admin: Visitor) -> None:
    """A page may show one of them to scripts."""
    assert admin.csrf != admin.secret
    assert COOKIE == "spancrew_session"
