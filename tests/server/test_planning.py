"""Plans over HTTP: what they are made from, what they refuse, and how long they say it takes."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.campaign import Plan
from spancrew.errors import SpancrewError
from spancrew.server.rehearsal import planning
from spancrew.server.rehearsal.planning import PlanProgress
from spancrew.server.rehearsal.run import RehearsalJob
from spancrew.server.rehearsal.time_left import TimeLeft
from tests.server.conftest import HandClock, Visitor, demo
from tests.server.test_rehearsal import lines_of

WISHES: dict[str, Any] = {"sentences": 40, "quality": 0.6, "experts": 0, "currency": "EUR"}


def send(admin: Visitor, wishes: Any, **fields: str) -> Any:
    """Ask for a plan."""
    data = {"wishes": json.dumps(wishes), **fields}
    return admin.call("POST", "/plans", files={name: (None, each) for name, each in data.items()})


@pytest.mark.slow
def test_a_plan_comes_after_its_progress(admin: Visitor) -> None:
    """A campaign takes the recommended plan with its forecast, in the currency of the prices."""
    # Two workers leave few ways to try.
    wishes = WISHES | {"workers": 2, "quality": 0.45}
    *before, last = lines_of(send(admin, wishes, data="demo-zh"))
    found = last["plan"]
    best = found["recommended"]
    made = Plan.from_json({"labels": ["any"], **best["plan"]}).forecast

    assert best["f1"]["mean"] >= 0.45
    assert found["pilot"]["sentences"] == 60
    # Each phase is told again while it lasts, on a busy machine several times.
    assert list(dict.fromkeys(line["phase"] for line in before)) == ["fit", "search"]
    assert before[-1]["done"] <= before[-1]["of"] == 1000
    assert made is not None
    assert made.cost.as_json() == best["cost"]
    assert (made.sentences, made.currency) == (40, "EUR")


@pytest.mark.parametrize(
    ("wishes", "fields", "says"),
    [
        ({"quality": 95}, {"data": "demo-zh"}, "is 0.95 meant?"),
        ({"workers": 1}, {"data": "demo-zh"}, "a crowd needs at least 2"),
        ({"deadline": "soon"}, {"data": "demo-zh"}, "write days, weeks or hours"),
        ({"labels": 3}, {"data": "demo-zh"}, "wishes labels"),
        ({"workers": 100_000}, {"data": "demo-zh"}, "wishes workers"),
        ([], {"data": "demo-zh"}, "wishes"),
        ({}, {"assume": "names-in-news"}, "give the number of sentences and of workers"),
        ({"sentences": 9, "workers": 9}, {"assume": "best"}, "assumption 'best' is not known"),
    ],
)
def test_what_cannot_be_planned_is_refused(wishes: Any, fields: Any, says: str) -> None:
    """Before anything is computed, with a reason."""
    job = RehearsalJob(fields.get("data", ""), None, {}, 1, None, {}, wishes, fields.get("assume"))
    with pytest.raises(SpancrewError, match=re.escape(says)):
        planning.planned_of(job, lambda line: pytest.fail(f"it began: {line}"))


def test_what_is_refused_comes_with_a_status(admin: Visitor) -> None:
    """Wishes that say nothing, no data, and a pilot without gold."""
    odd = send(admin, {"labels": 3}, data="demo-zh")
    nothing = send(admin, WISHES)
    bare = send(admin, WISHES, text="Ana left.")

    assert [each.status_code for each in (odd, nothing, bare)] == [422, 422, 422]
    assert "wishes labels" in odd.json()["error"]["message"]
    assert "no sentence of the pilot has gold" in bare.json()["error"]["message"]


def test_a_large_pilot_is_thinned_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    """From its first sentence to its last; a small one stays as it is."""
    pilot = demo(40)
    kept = planning._thinned(pilot)
    monkeypatch.setattr(planning, "MOST_SENTENCES", 14)
    found = [each.id for each in planning._thinned(pilot).sentences]

    assert kept is pilot
    assert found == [each.id for each in pilot.sentences][::3]


@given(st.floats(0.1, 1000), st.integers(20, 400))
def test_the_time_left_of_an_even_job_is_true(seconds: float, steps: int) -> None:
    """Whenever it says anything; it says nothing before it can know."""
    clock = HandClock(0.0)
    left = TimeLeft(clock)
    for k in range(steps + 1):
        clock.now = seconds * k / steps
        told = left(k / steps)
        if told is not None:
            assert told == pytest.approx(seconds - clock.now, abs=1e-6 * seconds)
        else:
            assert clock.now < 2 or k / steps < 0.05


def test_a_slow_beginning_is_forgotten() -> None:
    """After twenty seconds of compiling, as many at another pace are enough to tell the truth."""
    clock = HandClock(0.0)
    left = TimeLeft(clock)
    left(0.0)
    clock.now = 20.0
    left(0.02)
    told = []
    for k in range(1, 50):
        clock.now = 20.0 + k
        told.append((left(0.02 + 0.02 * k), 49 - k))

    assert told[2][0] is not None
    assert told[2][0] > 100
    for seconds, true in told[20:]:
        assert seconds == pytest.approx(true, abs=1)


def test_progress_is_told_twice_a_second_with_the_time_left() -> None:
    """The fit has no pace; a phase begins its own."""
    lines: list[dict[str, Any]] = []
    clock = HandClock(0.0)
    progress = PlanProgress(lines.append, clock)
    progress.phase("Fitting")
    clock.now = 30.0
    progress.phase("Rehearsing")
    for k in range(1, 101):
        clock.now = 30.0 + k / 10
        progress(10 * k, 1000)

    assert [line["phase"] for line in lines[:3]] == ["fit", "search", "search"]
    assert len(lines) == 2 + 20
    assert lines[-1] == {"done": 1000, "of": 1000, "phase": "search", "left": 0.0}
    assert lines[11]["left"] == pytest.approx(5.0)
