"""When a campaign will be done, and whether it keeps to its forecast."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.campaign import Ledger, PlanForecast, Status
from spancrew.server.live.outlook import DAY, CourseSoFar, outlook_of, pace_of
from spancrew.server.live.picture import ProgressLine
from tests.campaign.test_plan_forecast import SAID
from tests.server.busy import busy
from tests.server.conftest import House

HOUR = 3600.0
FORECAST = PlanForecast.from_json(SAID)


def progress(days: float, settled: int, *, experts: int = 0) -> ProgressLine:
    """Return the line of a campaign that goes on evenly, for so many days; each costs 0.1."""
    made = ProgressLine()
    made.begin(0.0)
    made.start(0.0)
    for k in range(settled):
        at = (k + 1) / settled * days * DAY
        made.pay(at, 0.1, answers=1)
        made.settle(at, "expert" if k < experts else "crowd")
    return made


def course(settled: int, *, experts: int = 0, of: int = 500, **changes: Any) -> CourseSoFar:
    """Return a campaign in which so many sentences are settled, a part of them by experts."""
    forecast = changes.pop("forecast", FORECAST)
    spent = changes.pop("spent", 0.24 * settled)
    counts = {
        **dict.fromkeys(Status.__dataclass_fields__, 0),
        "phase": "running",
        "reason": "",
        "sentences": of,
        "settled": settled,
        "by_crowd": settled - experts,
        "by_expert": experts,
        "expected_quality": None,
        **changes,
    }
    total = spent / settled * of if settled else 0.0
    ledger = Ledger(0, 0, spent, 0.0, total, 0.0, None, None)
    return CourseSoFar(Status(**counts), ledger, counts["at_expert"], 1.0, forecast)


def places(found: Any) -> dict[str, str | None]:
    """Return where every figure is beside its interval."""
    return {name: getattr(found.forecast, name).place for name in ("cost", "expert_share", "days")}


@given(st.floats(0.01, 30), st.integers(10, 499))
def test_an_even_campaign_is_done_when_it_says(days: float, settled: int) -> None:
    """Whatever day it is asked: it needs as long for the rest as its part says."""
    line, now = progress(days, settled), days * DAY
    found = outlook_of(line, course(settled), now)
    whole = days * 500 / settled

    assert found.days == pytest.approx(days)
    assert found.pace is not None
    assert found.pace.seconds == (days * DAY if days < 1 else min(days // 1, 7) * DAY)
    if found.done_at is not None:
        one = found.pace.seconds / DAY / days  # a sentence more or less in the window
        assert found.done_at / DAY == pytest.approx(whole, rel=0.02 + 2 / (settled * one))
    else:
        assert settled * found.pace.seconds / DAY / days < 12


def test_too_little_to_tell_from() -> None:
    """In the first minute, with few sentences, in a draft, and while nobody may work."""
    assert pace_of(progress(0.0005, 20), 0.0005 * DAY) is None
    assert outlook_of(progress(0.5, 9), course(9), 0.5 * DAY).done_at is None
    draft = ProgressLine()
    draft.begin(0.0)
    empty = outlook_of(draft, course(0, phase="draft"), DAY)
    paused = outlook_of(progress(2, 100), course(100, phase="paused"), 2 * DAY)

    assert (empty.started_at, empty.days, empty.pace, empty.done_at) == (None,) * 4
    assert paused.done_at is None
    assert paused.days == 2


def test_a_pace_begins_again_after_a_pause() -> None:
    """Three idle days before it do not count, but they are days of the campaign."""
    line = progress(1, 100)
    line.start(4 * DAY)
    for k in range(50):
        line.settle(4 * DAY + (k + 1) / 50 * 6 * HOUR, "crowd")
    found = outlook_of(line, course(150), 4 * DAY + 6 * HOUR)

    assert found.pace is not None
    assert found.pace.seconds == 6 * HOUR
    assert found.pace.settled == pytest.approx(200)
    assert found.days == pytest.approx(4.25)


def test_a_finished_campaign_took_as_long_as_it_took() -> None:
    """Days end with its last event, whenever somebody looks; nothing is expected any more."""
    found = outlook_of(progress(5, 500), course(500, experts=100, phase="finished"), 90 * DAY)

    assert found.days == pytest.approx(5)
    assert found.done_at is None
    assert found.forecast is not None
    assert found.forecast.days.expected == pytest.approx(5)
    assert places(found) == {"cost": "within", "expert_share": "within", "days": "within"}


CASES: Sequence[tuple[str, CourseSoFar, float, dict[str, str | None]]] = [
    ("all as expected", course(250, experts=50), 2, {}),
    ("too many experts", course(250, experts=110), 2, {"expert_share": "above"}),
    ("hardly any expert", course(250, experts=10), 2, {"expert_share": "below"}),
    ("so many wait for them", course(200, experts=30, at_expert=80), 2, {"expert_share": "above"}),
    ("too dear", course(250, experts=50, spent=100.0), 2, {"cost": "above"}),
    ("cheaper", course(250, experts=50, spent=35.0), 2, {"cost": "below"}),
    ("more spent than all may cost", course(20, spent=151.0), 0.5, {"cost": "above"}),
    ("too slow", course(250, experts=50), 5, {"days": "above"}),
    ("late already", course(20, experts=4), 7, {"days": "above"}),
]


@pytest.mark.parametrize(("name", "so_far", "days", "odd"), CASES, ids=[c[0] for c in CASES])
def test_what_leaves_the_interval_is_told(
    name: str, so_far: CourseSoFar, days: float, odd: dict[str, str | None]
) -> None:
    """On either side; while it is too early to tell, nothing is said."""
    settled = so_far.status.settled
    line = progress(days, settled, experts=so_far.status.by_expert)
    found = outlook_of(line, so_far, days * DAY)
    usual = dict.fromkeys(("cost", "expert_share", "days"), "within" if settled >= 30 else None)

    assert places(found) == {**usual, **odd}, name


def test_a_small_sample_is_not_held_against_a_forecast() -> None:
    """35 % of 40 sentences may be chance where 30 % are the most expected; of 400, it is not."""
    small = outlook_of(progress(2, 40), course(40, experts=14), 2 * DAY)
    large = outlook_of(progress(2, 400), course(400, experts=140), 2 * DAY)

    assert places(small)["expert_share"] == "within"
    assert places(large)["expert_share"] == "above"


def test_hours_say_nothing_of_days() -> None:
    """Nobody works day and night, so the pace of an afternoon is not compared with days."""
    found = outlook_of(progress(0.2, 250), course(250, experts=50), 0.2 * DAY)

    assert places(found)["days"] is None
    assert found.done_at is not None


def test_a_forecast_of_another_size_is_scaled() -> None:
    """What was planned for 500 sentences is compared for the 1,000 that are not known."""
    twice = course(100, experts=20, of=1100, by_gold=100)
    found = outlook_of(progress(2, 100), twice, 2 * DAY)

    assert found.forecast is not None
    assert found.forecast.cost.forecast.high == 300
    assert found.forecast.expert_share.forecast.high == 0.3
    assert found.forecast.days.forecast.mean == 8


def test_the_outlook_of_a_campaign_that_runs(house: House, tmp_path: Path) -> None:
    """The plan keeps the forecast, the journal has the pace, and the figures are the ledger's."""
    admin = house.admin()
    forecast = {**SAID, "expert_share": {"mean": 0.0, "low": 0.0, "high": 0.0}}
    made = busy(admin, tmp_path, feedback="gate:threshold=0.9", forecast=forecast, audit=0)
    for _ in range(12):
        house.clock.now += 3 * HOUR
        made.work(3)
    found, ledger, status = made.look("outlook"), made.look("ledger"), made.look("status")
    plan = admin.ok("GET", f"/campaigns/{made.campaign}")["plan"]

    assert plan["forecast"]["cost"] == SAID["cost"]
    assert found["days"] == pytest.approx(1.5)
    assert found["pace"]["seconds"] == DAY
    assert found["pace"]["answers"] > 0
    assert found["forecast"]["cost"]["so_far"] == pytest.approx(ledger["spent"])
    assert found["forecast"]["cost"]["forecast"]["mean"] == pytest.approx(120 * 40 / 500)
    share = found["forecast"]["expert_share"]
    assert share["place"] == "above"
    assert share["so_far"] == share["expected"] == status["by_expert"] / status["settled"]
    assert found["version"] == status["version"]


def test_a_campaign_without_a_forecast_has_a_pace(house: House, tmp_path: Path) -> None:
    """There is nothing to compare it with."""
    made = busy(house.admin(), tmp_path)
    house.clock.now += HOUR
    made.work(2)

    assert made.look("outlook")["forecast"] is None
    assert made.look("outlook")["pace"]["seconds"] == HOUR


def test_a_forecast_that_says_nothing_is_refused(house: House, tmp_path: Path) -> None:
    """With the place of what is wrong."""
    admin = house.admin()
    odd = {**SAID, "days": {"mean": 4, "low": 5, "high": 6}}
    form = {
        "name": (None, "odd"),
        "data": (None, "demo"),
        "plan": (None, json.dumps({"forecast": odd})),
    }
    refused = admin.call("POST", "/campaigns", files=form)

    assert refused.status_code == 422
    assert "forecast of days" in refused.json()["error"]["message"]
