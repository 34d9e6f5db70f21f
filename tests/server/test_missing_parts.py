"""Campaigns that need a package which is gone, and snapshots that do not fit."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from spancrew.campaign import pack, unpack
from spancrew.server.settings import ServerSettings
from spancrew.stores import Derived
from tests.server.conftest import HandClock, House, Visitor, create, invite, running
from tests.third_party import Alphabet, Optimist, registering


def worked(admin: Visitor, folder: Path, **plan: Any) -> str:
    """Return a campaign that is running, with a worker who has a sentence."""
    campaign = create(admin, folder, **plan)
    worker = invite(admin, campaign)
    admin.ok("POST", f"/campaigns/{campaign}/start")
    assert worker.ok("POST", f"/campaigns/{campaign}/next")["assignment"] is not None
    return campaign


def test_a_missing_plug_in_is_named_and_hurts_no_other_campaign(
    tmp_path: Path, clock: HandClock, settings: ServerSettings
) -> None:
    """Its journal stays as it is, and the campaign goes on once the package is there again."""
    with (
        registering("spancrew.policies", alphabet=Alphabet),
        running(tmp_path, clock, settings) as house,
    ):
        broken = worked(house.admin(), tmp_path, policy="alphabet")
        sound = worked(house.admin(), tmp_path)
    with running(tmp_path, clock, settings) as house:
        admin = house.admin()
        refused = admin.call("GET", f"/campaigns/{broken}/status")
        paused = admin.call("POST", f"/campaigns/{broken}/pause")
        listed = [each["id"] for each in admin.ok("GET", "/campaigns")]
        figures = admin.call("GET", "/metrics")
        admin.ok("POST", f"/campaigns/{sound}/pause")
    with (
        registering("spancrew.policies", alphabet=Alphabet),
        running(tmp_path, clock, settings) as house,
    ):
        phase = house.admin().ok("GET", f"/campaigns/{broken}/status")["phase"]

    assert refused.status_code == paused.status_code == 503
    assert refused.json()["error"]["code"] == "journal"
    assert "needs the policy 'alphabet', which is not installed" in refused.text
    assert "install the package that offers it" in paused.text
    assert sorted(listed) == sorted([broken, sound])
    assert figures.status_code == 200
    assert phase == "running"


def test_a_rule_that_was_set_later_is_named_as_well(
    tmp_path: Path, clock: HandClock, settings: ServerSettings
) -> None:
    """It stands in an event of its own, not in the plan."""
    with (
        registering("spancrew.feedback", optimist=Optimist),
        running(tmp_path, clock, settings) as house,
    ):
        admin = house.admin()
        campaign = worked(admin, tmp_path, feedback="crowd")
        admin.ok("PATCH", f"/campaigns/{campaign}", json={"feedback": "optimist"})
    with running(tmp_path, clock, settings) as house:
        refused = house.admin().call("GET", f"/campaigns/{campaign}/status")

    assert refused.status_code == 503
    assert "needs the feedback rule 'optimist', which is not installed" in refused.text


@pytest.mark.parametrize("fault", ["newer", "damaged", "foreign"])
def test_a_snapshot_that_does_not_fit_is_replaced_by_a_replay(
    house: House, admin: Visitor, tmp_path: Path, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says so; nobody else notices."""
    campaign = worked(admin, tmp_path)
    before = admin.ok("GET", f"/campaigns/{campaign}/status")
    version = house.store.version(campaign)
    with running(tmp_path, house.clock, ServerSettings(clock=house.clock)) as second:
        data = snapshot_of(second, campaign, fault)
        second.store.keep(campaign, "snapshot", Derived(version, data))
    with (
        running(tmp_path, house.clock, ServerSettings(clock=house.clock)) as third,
        caplog.at_level(logging.WARNING),
    ):
        after = third.admin().ok("GET", f"/campaigns/{campaign}/status")
        said = third.log.getvalue() + caplog.text

    assert after == before
    assert "its journal is replayed" in said


def snapshot_of(house: House, campaign: str, fault: str) -> bytes:
    """Return a snapshot of a campaign with something wrong."""
    desk = house.app.state.services.desk
    assert house.client.portal is not None
    data: bytes = house.client.portal.call(desk.look, campaign, lambda found: found.snapshot())
    plain, arrays = unpack(data)
    plain["form"]["State"].append("colour")
    return {
        "newer": pack(plain, arrays),
        "damaged": data[:-1] + bytes([data[-1] ^ 1]),
        "foreign": json.dumps(plain).encode(),
    }[fault]
