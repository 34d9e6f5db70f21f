"""Webhooks with a real receiver: signed, in order, at least once, through failures."""

import hashlib
import hmac
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event, Timer
from typing import Any

import pytest

from spancrew.server.hooks.delivery import checked_hook, pause_after, target_of
from spancrew.server.refusals import RefusedError
from spancrew.server.settings import ServerSettings
from tests.server.conftest import HandClock, House, Visitor, create, invite, running
from tests.server.receiver import Receiver, receiving
from tests.waiting import wait_until


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Yield a receiver that takes everything."""
    with receiving() as found:
        yield found


def hooked(admin: Visitor, campaign: str, url: str, **values: Any) -> dict[str, Any]:
    """Add a webhook from the first event on."""
    made: dict[str, Any] = admin.ok(
        "POST", f"/campaigns/{campaign}/webhooks", json={"url": url, "after": 0, **values}
    )
    return made


def test_events_arrive_in_order_and_signed(
    house: House, admin: Visitor, tmp_path: Path, receiver: Receiver
) -> None:
    """Whoever knows the secret can check it."""
    campaign = create(admin, tmp_path)
    hook = hooked(admin, campaign, receiver.url)
    admin.ok("POST", f"/campaigns/{campaign}/start")
    for _ in range(3):
        invite(admin, campaign)
    wait_until(lambda: len(receiver.accepted) == 5)

    assert [each["version"] for each in receiver.accepted] == [1, 2, 3, 4, 5]
    assert [each["kind"] for each in receiver.accepted[:2]] == ["Opened", "Started"]
    for body, headers in zip(receiver.bodies, receiver.headers, strict=True):
        signed = headers["x-spancrew-timestamp"].encode() + b"." + body
        expected = hmac.new(hook["secret"].encode(), signed, hashlib.sha256).hexdigest()
        assert headers["x-spancrew-signature"] == f"sha256={expected}"
        assert headers["x-spancrew-timestamp"] == str(int(house.clock()))


def test_a_webhook_gets_only_the_kinds_it_wants(
    house: House, admin: Visitor, tmp_path: Path, receiver: Receiver
) -> None:
    """And moves on past the others."""
    campaign = create(admin, tmp_path)
    hooked(admin, campaign, receiver.url, kinds=["Joined"])
    admin.ok("POST", f"/campaigns/{campaign}/start")
    invite(admin, campaign)
    admin.ok("POST", f"/campaigns/{campaign}/pause")
    wait_until(lambda: admin.ok("GET", f"/campaigns/{campaign}/webhooks")[0]["cursor"] == 4)

    assert [each["kind"] for each in receiver.accepted] == ["Joined"]


def test_without_a_version_only_what_is_new_is_sent(
    house: House, admin: Visitor, tmp_path: Path, receiver: Receiver
) -> None:
    """The past is there with after = 0."""
    campaign = create(admin, tmp_path)
    hooked(admin, campaign, receiver.url, after=None)
    admin.ok("POST", f"/campaigns/{campaign}/start")
    wait_until(lambda: receiver.accepted)

    assert [each["kind"] for each in receiver.accepted] == ["Started"]


def test_a_receiver_that_fails_is_tried_again_until_it_has_everything(
    house: House, admin: Visitor, tmp_path: Path, receiver: Receiver
) -> None:
    """After a pause that grows; every attempt is in the list. Redirects are not followed."""
    receiver.statuses = [500, 302, 404]
    campaign = create(admin, tmp_path)
    hook = hooked(admin, campaign, receiver.url)
    for attempt in range(1, 4):
        wait_until(partial(_has_failed, admin, campaign, attempt))
        house.clock.now += 60
    wait_until(lambda: receiver.accepted)
    wait_until(lambda: _failures(admin, campaign) == 0)

    log = admin.ok("GET", f"/campaigns/{campaign}/webhooks/{hook['id']}/deliveries")
    assert [each["status"] for each in log] == [200, 404, 302, 500]
    assert [each["attempt"] for each in log] == [4, 3, 2, 1]
    assert [each["version"] for each in receiver.accepted] == [1]


def _has_failed(admin: Visitor, campaign: str, times: int) -> bool:
    return _failures(admin, campaign) >= times


def _failures(admin: Visitor, campaign: str) -> int:
    return int(admin.ok("GET", f"/campaigns/{campaign}/webhooks")[0]["failures"])


def test_a_receiver_that_is_away_for_too_long_is_given_up_and_can_be_resumed(
    house: House, admin: Visitor, tmp_path: Path, receiver: Receiver
) -> None:
    """From where it stopped; nothing is left out."""
    receiver.statuses = [503] * 21
    campaign = create(admin, tmp_path)
    hook = hooked(admin, campaign, receiver.url)
    for attempt in range(1, 22):
        wait_until(partial(_has_failed, admin, campaign, attempt))
        assert admin.ok("GET", f"/campaigns/{campaign}/webhooks")[0]["stopped"] == (attempt == 21)
        house.clock.now += 2 * 3600
    admin.ok("POST", f"/campaigns/{campaign}/webhooks/{hook['id']}/resume")
    wait_until(lambda: receiver.accepted)

    assert [each["version"] for each in receiver.accepted] == [1]


def test_a_restart_loses_no_event(tmp_path: Path, clock: HandClock, receiver: Receiver) -> None:
    """What was written while the receiver was away arrives after the server came back."""
    settings = ServerSettings(clock=clock, hook_poll=0.02)
    receiver.statuses = [500]
    with running(tmp_path, clock, settings) as house:
        admin = house.admin()
        campaign = create(admin, tmp_path)
        hooked(admin, campaign, receiver.url)
        wait_until(lambda: _failures(admin, campaign) == 1)
        admin.ok("POST", f"/campaigns/{campaign}/start")
    clock.now += 60
    with running(tmp_path, clock, settings):
        wait_until(lambda: len(receiver.accepted) == 2)

    assert [each["version"] for each in receiver.accepted] == [1, 2]


@pytest.mark.parametrize("status", [200, 500])
def test_a_clock_that_is_set_back_delays_nothing(
    tmp_path: Path, clock: HandClock, receiver: Receiver, status: int
) -> None:
    """Neither what a dead process held nor the pause after a failure lasts any longer."""
    settings = ServerSettings(clock=clock, hook_poll=0.02)
    receiver.statuses = [status] * (status == 500)
    with running(tmp_path, clock, settings) as house:
        admin = house.admin()
        campaign = create(admin, tmp_path)
        hook = hooked(admin, campaign, receiver.url)
        if status == 500:
            wait_until(lambda: _failures(admin, campaign) == 1)
        else:
            wait_until(lambda: admin.ok("GET", f"/campaigns/{campaign}/webhooks")[0]["cursor"])
            webhooks = house.directory.webhooks
            wait_until(lambda: webhooks.hold(hook["id"], "dead", clock(), clock() + 30.0))
        clock.now -= 900.0
        admin.ok("POST", f"/campaigns/{campaign}/start")
        wait_until(lambda: len(receiver.accepted) == 2)

    assert [each["version"] for each in receiver.accepted] == [1, 2]


def test_two_processes_deliver_every_event_once(
    tmp_path: Path, clock: HandClock, receiver: Receiver
) -> None:
    """As long as none of them dies, there is one deliverer at a time."""
    settings = ServerSettings(clock=clock, hook_poll=0.01)
    with running(tmp_path, clock, settings) as one, running(tmp_path, clock, settings):
        admin = one.admin()
        campaign = create(admin, tmp_path)
        hooked(admin, campaign, receiver.url)
        for count in range(2, 12):
            invite(admin, campaign)
            wait_until(lambda count=count: len(receiver.accepted) >= count)  # type: ignore[misc]
        # Both servers stop now, while the last delivery may not be noted yet.

    assert [each["version"] for each in receiver.accepted] == list(range(1, 12))


def test_a_delivery_under_way_is_noted_before_the_server_stops(
    tmp_path: Path, clock: HandClock, receiver: Receiver
) -> None:
    """Else the next server would send the same events again."""
    settings = ServerSettings(clock=clock, hook_poll=0.02)
    receiver.held = Event()
    with running(tmp_path, clock, settings) as house:
        admin = house.admin()
        campaign = create(admin, tmp_path)
        hooked(admin, campaign, receiver.url)
        wait_until(lambda: receiver.bodies)
        Timer(0.2, receiver.held.set).start()
    with running(tmp_path, clock, settings) as house:
        found = house.admin().ok("GET", f"/campaigns/{campaign}/webhooks")

    assert found[0]["cursor"] == 1
    assert len(receiver.bodies) == 1


def test_a_removed_webhook_gets_nothing(
    house: House, admin: Visitor, tmp_path: Path, receiver: Receiver
) -> None:
    """And its attempts are gone."""
    campaign = create(admin, tmp_path)
    hook = hooked(admin, campaign, receiver.url, after=None)
    path = f"/campaigns/{campaign}/webhooks/{hook['id']}"
    admin.ok("DELETE", path)
    with receiving() as another:
        hooked(admin, campaign, another.url, after=None)
        admin.ok("POST", f"/campaigns/{campaign}/start")
        wait_until(lambda: another.accepted)

    assert receiver.bodies == []
    assert admin.call("GET", f"{path}/deliveries").status_code == 404
    assert admin.call("DELETE", path).status_code == 404
    assert admin.call("POST", f"{path}/resume").status_code == 404


def test_kinds_that_do_not_exist_are_refused(house: House, admin: Visitor, tmp_path: Path) -> None:
    """Rather than waited for."""
    campaign = create(admin, tmp_path)
    answer = admin.call(
        "POST",
        f"/campaigns/{campaign}/webhooks",
        json={"url": "https://x.example/", "kinds": ["Exploded"]},
    )

    assert answer.status_code == 422


@pytest.mark.parametrize(
    "url", ["https://crew.example/x", "http://localhost:1/x", "http://[::1]:1/x"]
)
def test_https_and_this_machine_are_good_addresses(url: str) -> None:
    """Plain http goes no further."""
    assert checked_hook(url, private=False) == url


def test_plain_http_needs_permission() -> None:
    """It could be read on the way."""
    with pytest.raises(RefusedError):
        checked_hook("http://crew.example/x", private=False)

    assert checked_hook("http://crew.example/x", private=True)


@pytest.mark.parametrize(
    "host",
    [
        "10.0.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "172.16.0.1",
        "0.0.0.0",  # noqa: S104  it is called, not listened on
        "[fd00::1]",
        "[::ffff:10.0.0.1]",
        "100.64.0.1",
    ],
)
def test_private_addresses_are_not_called(host: str) -> None:
    """The network of the server is not for those who set up webhooks."""
    import asyncio

    with pytest.raises(OSError, match="private network"):
        asyncio.run(target_of(f"https://{host}/x", private=False))

    assert asyncio.run(target_of(f"https://{host}/x", private=True)).host == host


def test_pauses_grow_up_to_ten_minutes() -> None:
    """With some chance in them."""
    assert [pause_after(n, lambda: 1.0) for n in (0, 1, 3, 20)] == [1.0, 2.0, 8.0, 600.0]
    assert pause_after(3, lambda: 0.0) == 4.0


def test_a_slow_receiver_delays_nobody_else(
    tmp_path: Path, clock: HandClock, receiver: Receiver
) -> None:
    """Others get what comes while it has not answered yet."""
    receiver.held = Event()
    settings = ServerSettings(clock=clock, hook_poll=0.02, hook_timeout=600.0)
    with running(tmp_path, clock, settings) as house, receiving() as quick:
        try:
            admin = house.admin()
            campaign = create(admin, tmp_path)
            hooked(admin, campaign, receiver.url)
            wait_until(lambda: receiver.bodies)
            hooked(admin, campaign, quick.url)
            admin.ok("POST", f"/campaigns/{campaign}/start")
            wait_until(lambda: len(quick.accepted) == 2)
            still_waits = not receiver.accepted
        finally:
            receiver.held.set()
        wait_until(lambda: len(receiver.accepted) == 2)

    assert still_waits
    assert [each["version"] for each in receiver.accepted] == [1, 2], "in order, none twice"
