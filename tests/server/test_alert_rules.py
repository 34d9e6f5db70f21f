"""When an alert is raised and when it is cleared, by the rules alone."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.campaign import Ledger, Status
from spancrew.errors import SpancrewError
from spancrew.server.alerts.limits import AlertLimits, parsed_limits
from spancrew.server.alerts.rules import (
    Alert,
    AlertKey,
    MachineFigures,
    WatchedCampaign,
    alerts,
    is_ripe,
)

NOW = 1_800_000_000.0
HOUR = 3600.0
LIMITS = AlertLimits()
STATUS = Status(
    phase="running",
    reason="",
    sentences=100,
    settled=40,
    by_crowd=30,
    by_expert=10,
    by_gold=0,
    audited=2,
    open=5,
    at_expert=3,
    waiting=50,
    step=9,
    workers=6,
    ready=6,
    answers=120,
    models=0,
    model_answers=0,
    expected_errors=1.0,
    expected_quality=0.9,
    version=300,
)
LEDGER = Ledger(120, 10, 22.0, 3.0, 55.0, 18.0, 100.0, 75.0)
FINE = WatchedCampaign("c", STATUS, LEDGER, 4, 5, NOW - 60, NOW - HOUR)
MACHINE = MachineFigures(50, 100, NOW - HOUR)


def changed(status: dict[str, Any] | None = None, **values: Any) -> WatchedCampaign:
    """Return the figures of a campaign that is well but for some values."""
    return replace(FINE, status=replace(STATUS, **(status or {})), **values)


def kinds(
    *campaigns: WatchedCampaign, machine: MachineFigures = MACHINE, before: tuple[str, ...] = ()
) -> set[str]:
    """Return the kinds of the alerts that there are; those before are an hour old."""
    known = {key: Alert(key, NOW - HOUR, "") for key in map(key_of, before)}
    return {key.kind for key in alerts(machine, campaigns, LIMITS, NOW, known)}


def key_of(kind: Any) -> AlertKey:
    """Return the key of an alert of the campaign, or of the server."""
    return AlertKey(kind, "" if kind in {"disk", "backup"} else "c")


def spent(amount: float, **values: Any) -> WatchedCampaign:
    """Return a campaign that has spent an amount of its hundred."""
    return changed(ledger=replace(LEDGER, spent=amount, committed=0.0), **values)


def test_a_campaign_that_is_well_raises_nothing() -> None:
    """Nor does a machine."""
    assert kinds(FINE) == set()


RAISED = [
    ("budget", spent(90.0)),
    ("budget", spent(2.0, status={"reason": "the budget is spent"})),
    ("stalled", changed(settled_at=NOW - 0.5 * HOUR)),
    ("idle", changed(leases=2)),
    ("experts", changed(asked_at=NOW - 24 * HOUR)),
    ("experts", changed({"phase": "paused"}, asked_at=NOW - 24 * HOUR)),
]
KEPT_AWAY = [
    ("budget", spent(89.9)),
    ("budget", changed(ledger=replace(LEDGER, budget=None, left=None))),
    ("budget", changed(ledger=replace(LEDGER, budget=0.0, spent=0.0))),
    ("budget", spent(99.0, status={"settled": 100})),
    ("budget", spent(99.0, status={"phase": "finished"})),
    ("stalled", changed(settled_at=NOW - 0.49 * HOUR)),
    ("stalled", changed(settled_at=0.0, present=0)),
    ("stalled", changed({"phase": "paused"}, settled_at=0.0)),
    ("stalled", changed({"settled": 100}, settled_at=0.0)),
    ("idle", changed(leases=3)),
    ("idle", changed({"waiting": 0}, leases=0)),
    ("idle", changed(leases=0, present=0)),
    ("experts", changed(asked_at=NOW - 23.9 * HOUR)),
    ("experts", changed(asked_at=None)),
    ("experts", changed({"phase": "finished"}, asked_at=0.0)),
]


@pytest.mark.parametrize(("kind", "figures"), RAISED)
def test_an_alert_is_raised_at_its_limit(kind: str, figures: WatchedCampaign) -> None:
    """And it says what to do."""
    found = alerts(MACHINE, [figures], LIMITS, NOW, {})

    assert [key.kind for key in found] == [kind]
    (alert,) = found.values()
    assert alert.since == NOW
    assert ";" in alert.message


@pytest.mark.parametrize(("kind", "figures"), KEPT_AWAY)
def test_no_alert_is_raised_before_its_limit(kind: str, figures: WatchedCampaign) -> None:
    """Nor where there is nothing to worry about."""
    assert kind not in kinds(figures)


def test_the_machine_has_alerts_of_its_own() -> None:
    """Little room on the disk, or no backup; None says nothing."""
    assert kinds(machine=MachineFigures(9, 100, NOW - 47 * HOUR)) == {"disk"}
    assert kinds(machine=MachineFigures(10, 100, NOW - 48 * HOUR)) == {"backup"}
    assert kinds(machine=MachineFigures(None, None, None)) == set()


@pytest.mark.parametrize(
    ("kind", "between", "good"),
    [
        ("budget", spent(85.0), spent(84.9)),
        ("idle", changed(leases=3), changed(leases=4)),
        ("idle", changed(leases=3, present=4), changed(leases=4)),
    ],
)
def test_an_alert_goes_only_when_things_are_clearly_better(
    kind: str, between: WatchedCampaign, good: WatchedCampaign
) -> None:
    """Between the two limits it stays if it was there, and does not come if it was not."""
    assert kinds(between) == set()
    assert kinds(between, before=(kind,)) == {kind}
    assert kinds(good, before=(kind,)) == set()


def test_the_disk_has_two_limits_as_well() -> None:
    """A tenth, and a little more."""
    assert kinds(machine=replace(MACHINE, disk_free=11), before=("disk",)) == {"disk"}
    assert kinds(machine=replace(MACHINE, disk_free=12), before=("disk",)) == set()


def test_an_alert_of_a_campaign_that_is_gone_is_over() -> None:
    """Whatever it was."""
    assert kinds(before=("budget", "stalled", "idle", "experts")) == set()


def test_idle_workers_are_told_of_only_if_it_lasts() -> None:
    """For a moment, workers often have nothing to do."""
    key = key_of("idle")
    young, old = (Alert(key, NOW - seconds, "") for seconds in (599.0, 600.0))

    assert not is_ripe(young, LIMITS, NOW)
    assert is_ripe(old, LIMITS, NOW)
    assert is_ripe(Alert(key_of("budget"), NOW, ""), LIMITS, NOW)


def test_limits_can_be_written() -> None:
    """Those that are not named stay as they are; an alert that is off is never raised."""
    limits = parsed_limits("budget=0.5, stalled=45m,disk=.05,backup=off")
    late = MachineFigures(50, 100, 0.0)

    assert limits.budget == pytest.approx((0.5, 0.45))
    assert limits.disk == pytest.approx((0.05, 0.06))
    assert limits.stalled_seconds == 2700.0
    assert limits.experts_seconds == LIMITS.experts_seconds
    assert [key.kind for key in alerts(late, [spent(60.0)], limits, NOW, {})] == ["budget"]
    assert parsed_limits("") == LIMITS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bugdet=0.8", "'bugdet' is none of them (one of budget, stalled"),
        ("budget", "a share such as 0.8"),
        ("budget=80", "a share such as 0.8"),
        ("disk=0.0", "a share such as 0.8"),
        ("experts=24", "a time such as 45m"),
        ("experts=0h", "a time such as 45m"),
        ("idle=0.5", "a time such as 45m"),
    ],
)
def test_limits_that_make_no_sense_are_refused(text: str, words: str) -> None:
    """With what was expected."""
    with pytest.raises(SpancrewError, match=re.escape(words)):
        parsed_limits(text)


@given(st.lists(st.sampled_from([0.0, 84.9, 85.0, 89.9, 90.0, 100.0]), min_size=2, max_size=30))
def test_an_alert_never_comes_and_goes_between_its_limits(levels: list[float]) -> None:
    """It changes only if the share went all the way from one limit to the other."""
    known: dict[AlertKey, Alert] = {}
    was, edge = False, 0.0
    for step, level in enumerate(levels):
        known = alerts(MACHINE, [spent(level)], LIMITS, NOW + step, known)
        if bool(known) != was:
            was = bool(known)
            assert level >= 90.0 if was else level < 85.0
            edge = NOW + step
        if known:
            assert known[key_of("budget")].since == edge
