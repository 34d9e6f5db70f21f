"""Alerts of a running server: raised once, told of once, shown to admins, cleared again."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, LiteralString

import pytest

from spancrew.server.alerts.watch import AlertWatch
from spancrew.server.people.directory import Directory
from spancrew.server.settings import ServerSettings
from spancrew.stores import open_sql
from tests.postgres import Postgres
from tests.server.conftest import HandClock, House, Visitor, create, invite, invite_admin, running
from tests.server.receiver import Receiver, receiving
from tests.waiting import wait_until

HOUR = 3600.0


@pytest.fixture
def settings(clock: HandClock) -> ServerSettings:
    """Return settings with which nobody looks but the test."""
    return ServerSettings(clock=clock, hook_poll=0.02, alert_seconds=HOUR)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Yield a receiver that takes everything."""
    with receiving() as found:
        yield found


def watch_of(house: House) -> AlertWatch:
    """Return the watch of a server."""
    found: AlertWatch = house.app.state.services.watch
    return found


def kinds(admin: Visitor) -> list[str]:
    """Return the alerts that an admin sees, but for that of the disk of this machine."""
    return [each["kind"] for each in admin.ok("GET", "/alerts") if each["kind"] != "disk"]


def poor(admin: Visitor, folder: Path) -> str:
    """Return a campaign that runs and has nearly spent its budget."""
    campaign = create(admin, folder, budget=1.3)
    admin.ok("POST", f"/campaigns/{campaign}/start")
    workers = [invite(admin, campaign) for _ in range(4)]
    work = workers[0].ok("POST", f"/campaigns/{campaign}/next")["assignment"]
    assert work is not None
    return campaign


def test_an_alert_is_shown_until_it_is_over(house: House, admin: Visitor, tmp_path: Path) -> None:
    """The budget is raised, and the alert is gone."""
    campaign = poor(admin, tmp_path)
    watch_of(house).look()
    (shown,) = [each for each in admin.ok("GET", "/alerts") if each["kind"] == "budget"]
    page = admin.call("GET", "/metrics").text
    admin.ok("PATCH", f"/campaigns/{campaign}", json={"budget": 100})
    watch_of(house).look()

    assert (shown["campaign"], shown["name"]) == (campaign, "Names in news")
    assert shown["message"].startswith("100% of the budget of 1.30 is spent or committed")
    assert shown["facts"]["left"] == 12
    assert shown["since"] == house.clock()
    assert f'spancrew_alert{{campaign="{campaign}",kind="budget"}} 1.0' in page
    assert kinds(admin) == []
    assert "spancrew_alert{" not in admin.call("GET", "/metrics").text.replace(
        'spancrew_alert{campaign="",kind="disk"}', ""
    )


def test_the_disk_of_an_embedded_store_is_looked_at(house: House, admin: Visitor) -> None:
    """It is that of the folder of its file."""
    free = shutil.disk_usage(house.path.parent).free
    found = watch_of(house).machine()

    assert found.disk_free == pytest.approx(free, rel=0.2)
    assert "spancrew_disk_free_bytes NaN" not in admin.call("GET", "/metrics").text


def test_only_admins_see_alerts(house: House, admin: Visitor, tmp_path: Path) -> None:
    """They speak of money and of the server."""
    campaign = create(admin, tmp_path)

    for visitor in (invite(admin, campaign), invite(admin, campaign, "experts")):
        assert visitor.call("GET", "/alerts").status_code == 403
    assert house.nobody.call("GET", "/alerts").status_code == 401


def test_an_admin_sees_the_alerts_of_their_campaigns(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Those of others and of the server are for owners."""
    own, other = poor(admin, tmp_path), poor(admin, tmp_path)
    house.clock.now += 48 * HOUR
    watch_of(house).look()
    ada = invite_admin(admin, own)

    assert {each["campaign"] for each in ada.ok("GET", "/alerts")} == {own}
    assert {each["campaign"] for each in admin.ok("GET", "/alerts")} >= {own, other, None}


def test_a_queue_that_stalls_and_workers_who_idle_are_told_of(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Workers are there, sentences wait, and nothing is settled for half an hour."""
    campaign = create(admin, tmp_path)
    admin.ok("POST", f"/campaigns/{campaign}/start")
    workers = [invite(admin, campaign) for _ in range(4)]
    seen = []
    for _ in range(5):
        for worker in workers:
            worker.ok("GET", f"/campaigns/{campaign}/progress")
        workers[0].ok("POST", f"/campaigns/{campaign}/next")
        watch_of(house).look()
        seen.append(kinds(admin))
        house.clock.now += 610.0

    assert seen[0] == []
    assert seen[1] == ["idle"]
    assert set(seen[3]) == {"idle", "stalled"}


def test_experts_who_let_a_question_wait_for_a_day_are_told_of(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Also if the campaign is paused, and by a server that has not seen it begin."""
    campaign = create(admin, tmp_path, feedback="expert", answers=2, crew=2)
    admin.ok("POST", f"/campaigns/{campaign}/start")
    for worker in [invite(admin, campaign) for _ in range(2)]:
        work = worker.ok("POST", f"/campaigns/{campaign}/next")["assignment"]
        body = {"assignment": work["assignment"], "spans": []}
        worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)
    admin.ok("POST", f"/campaigns/{campaign}/pause")
    house.clock.now += 24 * HOUR - 1
    watch_of(house).look()
    before = kinds(admin)
    house.clock.now += 1
    watch_of(house).look()

    assert before == []
    assert kinds(admin) == ["experts"]


def test_a_store_without_a_backup_is_told_of_when_it_is_old_enough(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """An empty store needs none; one that was made in time is enough."""
    watch_of(house).look()
    empty = kinds(admin)
    create(admin, tmp_path)
    house.clock.now += 48 * HOUR
    watch_of(house).look()
    late = kinds(admin)
    saved = another_watch(house, lambda: house.clock() - HOUR)
    house.clock.now += 4 * HOUR  # the first watch is over
    saved.look()

    assert (empty, late, kinds(admin)) == ([], ["backup"], [])


def another_watch(house: House, last_backup: Any = lambda: None) -> AlertWatch:
    """Return the watch of another process on the same store."""
    services = house.app.state.services
    return AlertWatch(
        Directory(house.store.engine), house.store, services.settings, services.log, last_backup
    )


def test_a_webhook_is_told_once_of_each_change(
    house: House, admin: Visitor, tmp_path: Path, receiver: Receiver
) -> None:
    """By one of two processes, whichever looks first; signed and shaped as all events are."""
    campaign = poor(admin, tmp_path)
    hook = {"url": receiver.url, "kinds": ["Alert"]}
    admin.ok("POST", f"/campaigns/{campaign}/webhooks", json=hook)
    other = another_watch(house)
    for _ in range(3):
        watch_of(house).look()
        assert other.look() is None
    wait_until(lambda: len(receiver.accepted) == 1)
    admin.ok("PATCH", f"/campaigns/{campaign}", json={"budget": 100})
    for _ in range(3):
        watch_of(house).look()
        other.look()
    wait_until(lambda: len(receiver.accepted) == 2)

    assert [each["body"]["state"] for each in receiver.accepted] == ["raised", "cleared"]
    assert {each["kind"] for each in receiver.accepted} == {"Alert"}
    first = receiver.accepted[0]
    assert (first["version"], first["body"]["alert"]) == (None, "budget")
    assert first["body"]["campaign"] == campaign
    assert "x-spancrew-signature" in receiver.headers[0]
    (shown,) = admin.ok("GET", f"/campaigns/{campaign}/webhooks")
    attempts = admin.ok("GET", f"/campaigns/{campaign}/webhooks/{shown['id']}/deliveries")
    assert [each["status"] for each in attempts] == [200, 200]


def test_a_receiver_that_is_away_gets_the_alert_later(
    house: House, admin: Visitor, tmp_path: Path, receiver: Receiver
) -> None:
    """Nothing is lost, and events of the journal wait behind it."""
    receiver.statuses = [500]
    campaign = poor(admin, tmp_path)
    admin.ok("POST", f"/campaigns/{campaign}/webhooks", json={"url": receiver.url})
    watch_of(house).look()
    wait_until(lambda: len(receiver.bodies) == 1)
    admin.ok("POST", f"/campaigns/{campaign}/pause")
    house.clock.now += 30.0
    wait_until(lambda: len(receiver.accepted) == 2)

    assert [each["kind"] for each in receiver.accepted] == ["Alert", "Paused"]


def test_an_alert_of_the_server_goes_to_every_address_once(
    house: House, admin: Visitor, tmp_path: Path, receiver: Receiver
) -> None:
    """To those that ask for alerts by name; a webhook for all events is for its campaign."""
    for kinds_ in (["Alert"], ["Alert", "Settled"], []):
        campaign = create(admin, tmp_path)
        hook = {"url": receiver.url, "kinds": kinds_}
        admin.ok("POST", f"/campaigns/{campaign}/webhooks", json=hook)
    house.clock.now += 48 * HOUR
    news = watch_of(house).look()
    wait_until(lambda: receiver.accepted)

    assert news is not None
    told = [each["body"]["alert"] for each in receiver.accepted]
    assert sorted(told) == sorted(each.key.kind for each in news.raised)
    assert "backup" in told


def test_messages_for_a_webhook_that_is_gone_or_away_do_not_pile_up(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """A hundred wait at most, and none for nobody."""
    campaign = poor(admin, tmp_path)
    hook = {"url": "http://127.0.0.1:9/away", "kinds": ["Alert"]}
    made = admin.ok("POST", f"/campaigns/{campaign}/webhooks", json=hook)
    for k in range(130):
        admin.ok("PATCH", f"/campaigns/{campaign}", json={"budget": (100, 1.3)[k % 2]})
        watch_of(house).look()
    outbox = messages(house)
    admin.ok("DELETE", f"/campaigns/{campaign}/webhooks/{made['id']}")
    watch_of(house).look()

    assert outbox == 100
    assert messages(house) == 0


def messages(house: House) -> int:
    """Return how many messages wait."""
    return _count(house, "directory_outbox")


def _count(house: House, rows: LiteralString) -> int:
    with house.store.engine.connect() as connection:
        query = f"SELECT count(*) FROM {rows}"  # noqa: S608  a literal
        return int(connection.exec_driver_sql(query).scalar() or 0)


def test_the_watch_is_taken_over_when_a_process_is_gone(house: House, clock: HandClock) -> None:
    """One watches, until it has not looked for three times as long as it should."""
    first, second = watch_of(house), another_watch(house)
    # The server looked when it began.
    wait_until(lambda: _count(house, "directory_watch WHERE held_until > 0"))
    looked = [second.look()]
    clock.now += 3 * HOUR
    looked += [second.look(), first.look()]

    assert looked[0] is None
    assert looked[1] is not None
    assert looked[2] is None

    clock.now -= 48 * HOUR

    assert first.look() is not None, "nobody waits for a clock that was set back"


def test_alerts_work_on_postgresql(
    tmp_path: Path, clock: HandClock, settings: ServerSettings, postgres: Postgres
) -> None:
    """The same tables, and nothing to say of the disk."""
    with running(tmp_path, clock, settings, postgres.database()) as house:
        admin = house.admin()
        poor(admin, tmp_path)
        watch_of(house).look()
        shown = admin.ok("GET", "/alerts")
        page = admin.call("GET", "/metrics").text

    assert [each["kind"] for each in shown] == ["budget"]
    assert "spancrew_disk_free_bytes NaN" in page


def test_a_campaign_that_is_idle_stays_out_of_memory(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Its summary says enough."""
    poor(admin, tmp_path)
    desk = house.app.state.services.desk
    with desk._state:
        desk._queues.clear()
    watch_of(house).look()

    assert desk._queues == {}
    assert kinds(admin) == ["budget"]


def test_a_store_of_before_gets_the_tables(tmp_path: Path) -> None:
    """Opened by a server, it has them; opened again, nothing changes."""
    for _ in range(2):
        store = open_sql(tmp_path / "crew.db")
        Directory(store.engine)
        with store.engine.connect() as connection:
            steps = connection.exec_driver_sql("SELECT version FROM schema").scalars().all()
        store.close()

        assert 6 in steps
