"""A whole plan, from a pilot to what a campaign takes, and `spancrew plan` as a user runs it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from spancrew.campaign import Expected, Plan
from spancrew.cli._options import PlanOptions
from spancrew.cli._plan import _views
from spancrew.planner import Forecast
from spancrew.planner._planned import more_sentences
from spancrew.workbench import CampaignPlan, plan
from tests.cli.conftest import Run

FIGURES = ("f1", "cost", "expert_share", "expert_hours", "days")


@cache
def small_plan() -> CampaignPlan:
    """Return a plan from the small bundled pilot, for a campaign of 40 sentences."""
    return plan(
        "demo-zh", 40, 0.9, budget=38, deadline="3d", experts=2, currency="EUR", processes=1
    )


def _forecasts() -> list[Forecast]:
    return [each.forecast for each in small_plan().found.rows]


def test_the_record_has_every_figure_with_its_interval() -> None:
    """In the words that programs rely on, and nothing in it is beyond what JSON has."""
    record = small_plan().as_json()

    assert record.keys() == {"recommended", "alternatives", "pilot", "notes", "currency"}
    for each in (record["recommended"], *record["alternatives"]):
        assert {"plan", *FIGURES} <= each.keys()
        for name in FIGURES:
            assert each[name].keys() == {"mean", "low", "high"}
            assert each[name]["low"] <= each[name]["mean"] <= each[name]["high"]
        assert each["f1"]["high"] <= 1
    assert record["pilot"]["sentences"] == 60
    assert record["pilot"]["correction"].keys() == {"f1", "expert_share"}
    assert json.loads(json.dumps(record, allow_nan=False)) == record


def test_what_is_recommended_meets_the_aim() -> None:
    """The quality, the budget and the deadline; and it costs no more than experts alone."""
    found = small_plan().found
    best = found.recommended
    alone = next(each.forecast for each in found.alternatives if each.name == "experts only")

    assert best.f1.mean >= 0.9
    assert best.cost.mean <= 38
    assert best.days.mean <= 3
    assert best.cost.mean <= alone.cost.mean == 40


def test_costs_add_up() -> None:
    """The cost is what answers and experts' labels cost at the prices."""
    for each in small_plan().found.rows:
        work, cost = each.forecast.work, each.forecast.cost.mean

        assert cost == pytest.approx(0.1 * work.answers + work.labels)
        assert each.forecast.expert_hours.mean == pytest.approx(
            work.labels * small_plan().found.terms.people.expert_seconds / 3600
        )


def test_a_campaign_can_follow_every_plan() -> None:
    """With the labels of its own data, and the budget as a limit."""
    found = small_plan().found
    plans: list[dict[str, Any]] = list(filter(None, map(found.plan_of, _forecasts())))

    assert plans
    for each in plans:
        made = Plan.from_json({"labels": ["POS", "NEG"], **each})
        assert made.budget == 38
        assert made.to_json().items() >= each.items()


def test_a_plan_shows_itself() -> None:
    """In a line, as a table of pandas, in a notebook and as a page with the point marked."""
    result = small_plan()
    frame = result.frame()

    assert repr(result).startswith(f"CampaignPlan({result.found.sentence}")
    assert next(iter(frame["plan"])) == "recommended"
    assert {"f1", "f1_low", "f1_high", "cost", "days_high"} <= set(frame.columns)
    assert result.found.sentence in result._repr_html_()
    assert "recommended" in result.page()
    assert "EUR" in result.page()


def test_more_sentences_halve_an_interval() -> None:
    """What does not come from the pilot cannot be helped by a larger one."""
    assert more_sentences(100, 4.0, 0.5) == 540
    assert more_sentences(100, 1.0, 0.5) is None


def test_an_estimate_is_told_with_four_digits() -> None:
    """More would be noise."""
    assert Expected(0.123456, 0.1, 0.2).as_json() == {"mean": 0.1235, "low": 0.1, "high": 0.2}


def test_the_table_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """What is recommended comes first, in words; then figures in full, with their intervals."""
    console = Console(width=80, highlight=False)
    for view in _views(small_plan()):
        console.print(view)
    lines = capsys.readouterr().out.splitlines()

    assert lines[0].startswith("Recommended: ")
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("  80 % interval") for line in lines) >= 2
    assert not any("…" in line for line in lines)


@pytest.mark.usefixtures("login")
def test_a_plan_that_was_written_sets_up_a_campaign(run: Run, tmp_path: Path) -> None:
    """All that the plan says is in the campaign."""
    (tmp_path / "plan.json").write_text(json.dumps(small_plan().plan))
    words = ("campaign", "create", "demo-zh", "--gold", "ignore", "--plan", "plan.json")
    code, out, err = run(*words, "--json")
    shown = json.loads(run("campaign", "show", json.loads(out)["id"], "--json")[1])

    assert (code, err) == (0, "")
    assert shown["plan"].items() >= (small_plan().plan or {}).items()


def test_a_target_that_nobody_reaches_is_refused_with_the_best(run: Run, tmp_path: Path) -> None:
    """Without experts, nobody corrects the crowd; and no file is left behind."""
    words = ("plan", "demo-zh", "--sentences", "40", "--experts", "0", "--processes", "1")
    code, out, err = run(*words, "--out", "plan.json")

    assert (code, out) == (2, "")
    assert "no plan reaches F1 0.95 without experts: the best reachable is 0." in err
    assert not (tmp_path / "plan.json").exists()


def test_a_plan_is_not_written_over_another_file(run: Run, tmp_path: Path) -> None:
    """Nothing is rehearsed before that is refused."""
    (tmp_path / "plan.json").write_text("{}")
    code, _, err = run("plan", "demo", "--out", "plan.json")

    assert code == 2
    assert "--force" in err


def test_nothing_on_the_frontier_is_beaten() -> None:
    """Who pays more gets more; what is recommended lies on the curve, and the page names it."""
    result = small_plan()
    dots = result.found.frontier
    best = result.found.recommended

    assert len(dots) >= 5
    assert list(dots) == sorted(dots)
    assert [dot.f1 for dot in dots] == sorted({dot.f1 for dot in dots})
    assert not any(
        dot.cost < 0.9 * best.cost.mean and dot.f1 > best.f1.mean + 0.01 for dot in dots
    )
    assert all(dot.rule in result.page() for dot in dots[:2])


def test_a_forecast_goes_with_its_plan_and_with_no_other(tmp_path: Path) -> None:
    """An option that changes the plan drops it; the budget is a limit and changes nothing."""
    found = small_plan()
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(found.plan), "utf-8")
    kept = PlanOptions(plan=file, budget=50.0).as_json(labels=["POS", "NEG"])["forecast"]

    assert found.plan is not None
    assert kept == found.plan["forecast"]
    assert kept["sentences"] == found.found.terms.aim.sentences
    assert kept["cost"]["mean"] == pytest.approx(found.found.recommended.cost.mean, abs=1e-4)
    assert kept["currency"] == "EUR"
    for other in (PlanOptions(plan=file, answers=2), PlanOptions(plan=file, expert_price=2.0)):
        assert "forecast" not in other.as_json()


@pytest.mark.parametrize(
    "command",
    [("plan", "--out"), ("plan", "--report"), ("simulate", "--report")],
)
def test_a_missing_folder_is_refused_before_anything_is_read(
    run: Run, tmp_path: Path, command: tuple[str, str]
) -> None:
    """Not after a minute of computing: the data need not even be there."""
    target = tmp_path / "nowhere" / "plan.html"
    name, option = command
    code, _, err = run(name, "no-such-data", option, str(target))

    assert code == 2
    assert "its folder does not exist; create it first" in " ".join(err.split())
