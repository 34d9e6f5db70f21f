"""What happens, as it happens: a stream of server-sent events for those who watch."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

from spancrew.server.api import live as _routes_live
from spancrew.server.desk.summary import LiveStatus
from spancrew.server.live import hub as _live
from spancrew.server.live.hub import Channel
from spancrew.server.settings import Rate, ServerSettings
from tests.server.busy import Busy, busy, sent
from tests.server.conftest import HandClock, House, Visitor, create, invite, running
from tests.serving import serving
from tests.waiting import PATIENCE, wait_until


@pytest.fixture
def settings(clock: HandClock) -> ServerSettings:
    """Let streams end as soon as they have said what there is."""
    return ServerSettings(clock=clock, hook_poll=0.02, stream_seconds=0.0)


@pytest.fixture
def patient(tmp_path: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Yield a server whose streams go on, and which looks often."""
    monkeypatch.setattr(_live, "PAUSE", 0.02)
    monkeypatch.setattr(_routes_live, "_CHECK", 0.05)
    with running(tmp_path, clock, ServerSettings(clock=clock, stream_seconds=20.0)) as house:
        yield house


def stream(made: Busy, **options: Any) -> list[tuple[str, Any, str | None]]:
    """Return everything that a stream says until it ends."""
    answer = made.admin.call("GET", f"/campaigns/{made.campaign}/live", **options)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    return sent(answer.text)


class Watching:
    """A stream that is read by a thread until it ends."""

    def __init__(self, visitor: Visitor, campaign: str) -> None:
        self._visitor = visitor
        self._path = f"/campaigns/{campaign}/live"
        self.said: list[tuple[str, Any, str | None]] = []
        self._thread = Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        self.said = sent(self._visitor.call("GET", self._path).text)

    def end(self) -> list[tuple[str, Any, str | None]]:
        """Wait for the end and return what was said."""
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the stream does not end"
        return self.said


def events_in(said: list[tuple[str, Any, str | None]]) -> list[dict[str, Any]]:
    """Return the events of the journal that were said."""
    return [event for kind, data, _ in said if kind == "journal" for event in data["events"]]


def test_a_stream_begins_with_figures_and_the_last_events(house: House, admin: Visitor) -> None:
    """Status and ledger are those of the other routes, events those of the journal."""
    made = busy(admin, house.path.parent, sentences=12)
    made.work(4)
    (kind, figures, _), (name, journal, id_) = stream(made)

    assert (kind, name) == ("figures", "journal")
    assert figures == {"status": made.look("status"), "ledger": made.look("ledger")}
    expected = made.events()[-100:]
    plain = [{k: v for k, v in event.items() if k != "sentence"} for event in journal["events"]]
    assert plain == expected
    assert journal["skipped"] == 0
    assert int(id_ or 0) == journal["version"] == made.look("status")["version"]


def test_events_say_which_sentence_they_are_about(house: House, admin: Visitor) -> None:
    """Numbers mean nothing to people; ids do."""
    made = busy(admin, house.path.parent, sentences=12)
    made.work(2)
    ids = list(made.data.sentences.ids)
    (_, journal, _) = stream(made)[1]

    for event in journal["events"]:
        number = event["body"].get("sentence")
        assert event["sentence"] == (None if number is None else ids[number])
    assert any(event["sentence"] for event in journal["events"])


@pytest.mark.parametrize("by", ["after", "Last-Event-ID"])
def test_a_stream_goes_on_where_it_broke(house: House, admin: Visitor, by: str) -> None:
    """Only what is new comes; nothing new is no event at all."""
    made = busy(admin, house.path.parent, sentences=12)
    made.work(2)
    seen = made.look("status")["version"]
    made.work(1)
    journal = stream(made, **{"params" if by == "after" else "headers": {by: str(seen)}})[1][1]

    assert [event["version"] for event in journal["events"]] == [
        event["version"] for event in made.events()[seen:]
    ]
    now = made.look("status")["version"]
    assert [kind for kind, _, _ in stream(made, params={"after": now})] == ["figures"]
    assert [kind for kind, _, _ in stream(made, headers={"Last-Event-ID": "x"})] == [
        "figures",
        "journal",
    ]


def test_what_is_long_gone_is_counted_as_skipped(
    house: House, admin: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever was away for long gets the newest, and is told how much was left out."""
    monkeypatch.setattr(_live, "_KEPT", 10)
    made = busy(admin, house.path.parent, sentences=12)
    made.work(4)
    journal = stream(made, params={"after": 3})[1][1]

    assert len(journal["events"]) == 10
    assert journal["skipped"] == journal["events"][0]["version"] - 4
    assert journal["version"] == made.look("status")["version"]


def figures_at(admin: Visitor, house: House, version: int) -> LiveStatus:
    """Return real figures that claim to be of a version."""
    campaign = create(admin, house.path.parent)
    desk = house.app.state.services.desk
    assert house.client.portal is not None
    status, ledger = house.client.portal.call(
        desk.look, campaign, lambda found: (found.status(), found.ledger())
    )
    return LiveStatus(replace(status, version=version), ledger, 0)


def test_nothing_piles_up_for_those_who_read_slowly(house: House, admin: Visitor) -> None:
    """A channel keeps so many events and so many characters, however much happens."""
    channel = Channel("c")
    figures = figures_at(admin, house, 5000)
    channel.publish(figures, [(k, "x" * 10) for k in range(1, 5001)])
    assert len(channel.since(0).events) == 300
    assert channel.since(0).skipped == 4700

    channel.publish(figures, [(5000 + k, "y" * 200_000) for k in range(5)])

    assert len(channel.since(0).events) == 2
    assert channel.since(99_999).skipped == 0, "a version of the future is no version"


def test_a_stream_moves_with_the_campaign(patient: House) -> None:
    """An answer shows up in the stream that is open, and the end of the campaign ends it."""
    admin = patient.admin()
    made = busy(admin, patient.path.parent, sentences=12)
    watching = Watching(patient.admin(), made.campaign)
    hub = patient.app.state.services.live
    wait_until(lambda: hub.watchers == 1)
    before = made.look("status")["version"]
    made.work(1)
    wait_until(lambda: hub._channels[made.campaign].version > before)
    admin.ok("DELETE", f"/campaigns/{made.campaign}")
    said = watching.end()

    assert [kind for kind, _, _ in said][-1] == "end"
    assert said[-1][1] == {"reason": "campaign"}
    versions = [event["version"] for event in events_in(said)]
    assert versions == sorted(set(versions)), "no event twice, none out of order"
    assert versions[-1] > before
    wait_until(lambda: hub.watchers == 0)
    assert not hub._followers


def test_many_who_watch_share_one_look(patient: House) -> None:
    """Three dashboards, one follower; it goes when the last of them does."""
    admin = patient.admin()
    campaign = create(admin, patient.path.parent)
    visitors = [patient.admin() for _ in range(3)]
    watching = [Watching(visitor, campaign) for visitor in visitors]
    hub = patient.app.state.services.live
    wait_until(lambda: hub.watchers == 3)

    assert len(hub._followers) == 1
    for visitor in visitors:
        visitor.ok("DELETE", "/session")
    assert [each.end()[-1][1] for each in watching] == [{"reason": "session"}] * 3
    assert not hub._followers


def test_what_other_processes_write_shows_up(patient: House, clock: HandClock) -> None:
    """Two servers on one store: a worker at one of them moves the dashboard at the other."""
    admin = patient.admin()
    campaign = create(admin, patient.path.parent)
    watching = Watching(patient.admin(), campaign)
    hub = patient.app.state.services.live
    wait_until(lambda: hub.watchers == 1 and hub._channels[campaign].figures is not None)
    with running(patient.path.parent, clock, ServerSettings(clock=clock)) as other:
        elsewhere = other.admin()
        invite(elsewhere, campaign)
        wait_until(lambda: hub._channels[campaign].figures.status.workers == 1)
        elsewhere.ok("DELETE", f"/campaigns/{campaign}")
        said = watching.end()

    assert [event["kind"] for event in events_in(said)] == ["Opened", "Joined"]
    assert said[-1][1] == {"reason": "campaign"}


def test_streams_are_not_opened_in_a_hurry(tmp_path: Path, clock: HandClock) -> None:
    """After some, wait; too many at once, wait; and what is not there has none."""
    options = ServerSettings(clock=clock, stream_rate=Rate(0.1, 2), stream_seconds=0.0)
    with running(tmp_path, clock, options) as house:
        admin = house.admin()
        path = f"/campaigns/{create(admin, tmp_path)}/live"
        answers = [admin.call("GET", path) for _ in range(3)]
        assert [each.status_code for each in answers] == [200, 200, 429]
        assert answers[-1].headers["Retry-After"] == "10"
        assert house.admin().call("GET", "/campaigns/nosuch/live").status_code == 404


def test_too_many_streams_are_refused(
    house: House, admin: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process has room for so many."""
    monkeypatch.setattr(_live, "_MOST", 0)
    campaign = create(admin, house.path.parent)

    assert admin.call("GET", f"/campaigns/{campaign}/live").status_code == 429


def test_a_long_stream_is_noted_when_it_begins(patient: House) -> None:
    """It is counted with its status; its length is in the log, not among the latencies."""
    admin = patient.admin()
    campaign = create(admin, patient.path.parent)
    watching = Watching(patient.admin(), campaign)
    route = "/api/v1/campaigns/{c}/live"
    line = f'spancrew_requests_total{{method="GET",route="{route}",status="200"}} 1.0'

    def noted() -> list[str]:
        page = admin.call("GET", "/metrics").text.splitlines()
        return [
            row for row in page if row == line or ("request_seconds_sum" in row and route in row)
        ]

    wait_until(lambda: line in noted(), "it was not counted while it was open")
    while_open = noted()
    admin.ok("DELETE", f"/campaigns/{campaign}")
    watching.end()

    assert len(while_open) == 2
    assert noted() == while_open
    assert '"event": "ended"' in patient.log.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_a_server_stops_at_once_with_streams_open(tmp_path: Path, processes: int) -> None:
    """SIGTERM does not wait for those who only watch."""
    with serving(tmp_path, workers=processes) as server, server.admin() as admin:
        campaign = admin.create("watched", "demo", gold="ignore").id
        headers = {"Authorization": f"Bearer {server.admin_token()}"}
        url = f"{server.url}/api/v1/campaigns/{campaign}/live"
        with httpx.Client(headers=headers, timeout=30) as client:
            streams = [
                client.send(client.build_request("GET", url), stream=True) for _ in range(4)
            ]
            lines = [each.iter_lines() for each in streams]
            assert [next(each) for each in lines] == ["event: figures"] * 4
            began = time.monotonic()
            server.stop()
            assert time.monotonic() - began < 8
