"""What a server holds in memory: nothing that nobody uses."""

from pathlib import Path

from spancrew.server.desk.desk import Desk
from spancrew.server.services import Services
from tests.server.conftest import House, Visitor, create


def services_of(house: House) -> Services:
    """Return what the routes of a server work with."""
    found: Services = house.app.state.services
    return found


def empty(desk: Desk) -> None:
    """Let all campaigns leave memory."""
    with desk._state:
        desk._queues.clear()


def test_lists_and_figures_load_no_campaign(house: House, admin: Visitor, tmp_path: Path) -> None:
    """Neither the page of campaigns nor Prometheus, and they say what the campaign would."""
    desk = services_of(house).desk
    names = [create(admin, tmp_path, sentences=4 + k) for k in range(3)]
    admin.ok("POST", f"/campaigns/{names[1]}/start")
    empty(desk)
    query = "&".join(f"campaign={name}" for name in names)
    listed = admin.ok("GET", "/campaigns")
    figures = admin.ok("GET", f"/figures?{query}")
    page = admin.call("GET", "/metrics").text

    assert desk._queues == {}
    assert {each["id"] for each in listed} == set(names)
    assert [each["phase"] for each in figures] == ["draft", "running", "draft"]
    assert [each["sentences"] for each in figures] == [4, 5, 6]
    for name in names:
        version = house.store.version(name)
        assert f'spancrew_journal_version{{campaign="{name}"}} {version}.0' in page
