"""Nobody gets a sentence before its answers can be judged at once."""

import asyncio
import threading

import pytest

from spancrew.campaign import Plan
from spancrew.server.desk import warmth as _warmth
from spancrew.server.desk.warmth import Warmth, kind_of

PLAN = Plan(("PER",), answers=2, crew=2)


def test_a_plan_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is compiled a request waits; with no patience left it says that it is not ready."""
    done = threading.Event()
    asked: list[Plan] = []

    def slow(plan: Plan) -> None:
        asked.append(plan)
        done.wait()

    monkeypatch.setattr(_warmth, "warm", slow)
    warmth = Warmth()
    assert not asyncio.run(warmth.reached(PLAN, patience=0.2))
    done.set()
    assert asyncio.run(warmth.reached(PLAN))
    assert asyncio.run(warmth.reached(Plan(("LOC",), answers=3, crew=3)))
    assert asked == [PLAN]


def test_a_plan_that_fails_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes wrong in miniature is left to the real campaign; the next plan has its turn."""

    def broken(_plan: Plan) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(_warmth, "warm", broken)
    warmth = Warmth()
    assert asyncio.run(warmth.reached(PLAN))
    assert asyncio.run(warmth.reached(Plan(("PER",), consensus=PLAN.method, kind="choices")))


def test_plans_that_need_the_same_code_are_alike() -> None:
    """Labels, prices and sizes change nothing; policy, rule, method and kind do."""
    assert kind_of(PLAN) == kind_of(Plan(("A", "B"), answers=4, budget=3.0))
    assert kind_of(PLAN) != kind_of(Plan(("PER",), kind="choices"))


def test_why_a_plan_was_not_compiled_is_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With its cause, for whoever wonders why the first answer takes long."""

    def broken(_plan: Plan) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(_warmth, "warm", broken)
    assert asyncio.run(Warmth().reached(PLAN))

    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[0] is ZeroDivisionError
