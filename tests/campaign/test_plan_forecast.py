"""What was expected of a campaign: kept with its plan, and refused where it says nothing."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.campaign import Campaign, Expected, Material, Plan, PlanForecast
from spancrew.errors import PlanError
from spancrew.formats import read

FIGURES = st.lists(st.floats(0, 1e6).map(lambda each: round(each, 4)), min_size=3, max_size=3)
EXPECTED = FIGURES.map(sorted).map(lambda found: Expected(found[1], found[0], found[2]))
FORECASTS = st.builds(
    PlanForecast,
    st.integers(1, 10**6),
    *([EXPECTED] * 4),
    currency=st.text(max_size=3),
)
SAID: dict[str, Any] = {
    "sentences": 500,
    "cost": {"mean": 120.0, "low": 100.0, "high": 150.0},
    "expert_share": {"mean": 0.2, "low": 0.15, "high": 0.3},
    "days": {"mean": 4, "low": 3, "high": 6},
    "f1": {"mean": 0.95, "low": 0.93, "high": 0.97},
    "currency": "EUR",
}
REFUSED: list[tuple[Any, str]] = [
    (5, "forecast 5: it is an object with cost, expert_share, days, f1"),
    ({**SAID, "sentences": 0}, "forecast of 0 sentences"),
    ({**SAID, "sentences": True}, "forecast of True sentences"),
    ({**SAID, "currency": 5}, "currency 5"),
    ({**SAID, "cost": 120}, "forecast of cost 120: give low, mean and high"),
    ({**SAID, "days": {"mean": 4, "low": 5, "high": 6}}, "forecast of days"),
    ({**SAID, "days": {"mean": 4, "low": 3}}, "forecast of days"),
    ({**SAID, "f1": {"mean": float("nan"), "low": 0, "high": 1}}, "forecast of f1"),
    ({**SAID, "f1": {"mean": -1, "low": -1, "high": 1}}, "forecast of f1"),
]


@given(FORECASTS)
def test_a_forecast_comes_back_with_its_plan(forecast: PlanForecast) -> None:
    """A plan without one does not mention it, as before there were any."""
    plan = Plan(("PER",), forecast=forecast)
    written = json.loads(json.dumps(plan.to_json()))

    assert Plan.from_json(written).forecast == forecast
    assert "forecast" not in Plan(("PER",)).to_json()


def test_a_campaign_keeps_the_forecast() -> None:
    """It is there after its snapshot was read, and after the rule was changed."""
    sentences = read("demo-zh").dataset.without_answers()
    plan = Plan.from_json({"labels": [*sentences.labels], "forecast": SAID})
    campaign = Campaign.open(plan, Material.of(sentences), 0.0)
    campaign.set_rule("crowd", 1.0)
    restored = Campaign.restore(Material.of(sentences), campaign.snapshot())

    assert restored.plan.forecast == PlanForecast.from_json(SAID)


@pytest.mark.parametrize(("given_", "message"), REFUSED, ids=lambda each: str(each)[:50])
def test_what_is_no_forecast_is_refused(given_: Any, message: str) -> None:
    """The message names the figure."""
    with pytest.raises(PlanError) as caught:
        Plan.from_json({"labels": ["PER"], "forecast": given_})

    assert message in str(caught.value)


@given(FORECASTS, st.integers(1, 10**6))
def test_cost_and_days_grow_with_the_sentences(forecast: PlanForecast, count: int) -> None:
    """Shares and F1 stay, and the way back leads to the same forecast."""
    other = forecast.for_sentences(count)
    back = other.for_sentences(forecast.sentences)

    assert other.cost.mean == pytest.approx(forecast.cost.mean * count / forecast.sentences)
    assert (other.expert_share, other.f1) == (forecast.expert_share, forecast.f1)
    assert back.cost == pytest.approx(forecast.cost)
    assert back.days == pytest.approx(forecast.days)
