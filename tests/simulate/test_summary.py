"""Outcomes in a few numbers, and which setting to take."""

import json
from dataclasses import replace
from statistics import mean, stdev

import numpy as np
import pytest

from spancrew.feedback import AgreementGate, CrowdOnly, ExpertOnly, FeedbackRule
from spancrew.metrics import Metric
from spancrew.policies import Random
from spancrew.simulate import (
    EXACT,
    METRICS,
    MeanSd,
    Outcome,
    Setting,
    Summary,
    as_json,
    cheapest,
    mean_sd,
    rehearse,
    summary_of,
)
from tests.simulate.small import small_scene

PLAIN = Setting(Random(), AgreementGate(0.4), crew=6, answers=3, runs=4)


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    """Return what came of four runs."""
    return rehearse(small_scene(), PLAIN)


def summary(name: str, f1: float, money: float, saved: float) -> Summary:
    """Return a summary of which only some numbers count."""
    none = MeanSd(0.0, 0.0)
    final, paid, kept = (MeanSd(each, 0.0) for each in (f1, money, saved))
    return Summary(name, none, final, none, paid, kept, none, none, none, none)


def test_a_spread_is_mean_and_sample_deviation() -> None:
    """The latter is 0 for a single run."""
    values = [1.0, 2.0, 4.0]

    assert mean_sd(np.array(values)) == pytest.approx((mean(values), stdev(values)))
    assert mean_sd(np.array([3.0])) == (3.0, 0.0)


def test_a_summary_has_the_last_points_of_all_runs(outcome: Outcome) -> None:
    """By the metric that is asked for, exact unless told."""
    found = summary_of("x", outcome)
    by_token = summary_of("x", outcome, Metric("token"))

    assert found.name == "x"
    assert found.answers_f1 == mean_sd(outcome.answers[EXACT][:, -1, 2])
    assert found.final_f1 == mean_sd(outcome.final[EXACT][:, -1, 2])
    assert by_token.final_f1 == mean_sd(outcome.final[Metric("token")][:, -1, 2])
    assert found.expert_share.mean == pytest.approx(mean(outcome.experts[:, -1].tolist()) / 23)
    assert (found.warm_up.mean, found.audited.mean) == (1.0, 0.0)
    assert found.money.mean == pytest.approx(mean(outcome.money.tolist()))
    assert found.saved.mean == pytest.approx(1 - found.money.mean / 23)
    assert found.regret == mean_sd(outcome.regret[:, -1])
    assert found.answers == mean_sd(outcome.asked / 23)


def test_the_cheapest_that_is_good_enough_is_found() -> None:
    """Better ones that cost more are not needed."""
    settings = [
        summary("fine", 0.97, 60.0, 0.4),
        summary("enough", 0.95, 40.0, 0.6),
        summary("cheap", 0.9, 20.0, 0.8),
        summary("experts", 1.0, 130.0, -0.3),
    ]

    assert cheapest(settings, 0.95) == settings[1]
    assert cheapest(settings, 0.96) == settings[0]
    assert cheapest(settings, 0.0) == settings[2]


def test_where_none_is_good_enough_the_best_that_saves_is() -> None:
    """Experts alone would be better, and cheaper than any that saves nothing."""
    settings = [summary("a", 0.7, 60.0, 0.4), summary("b", 0.8, 90.0, 0.1)]
    dear = summary("c", 0.99, 110.0, -0.1)

    assert cheapest([*settings, dear], 0.95) == settings[1]
    assert cheapest([dear], 0.5) is None
    assert cheapest([], 0.5) is None


def test_a_record_has_the_numbers_of_the_outcome(outcome: Outcome) -> None:
    """As the command line prints them, and nothing that JSON does not know."""
    record = json.loads(json.dumps(as_json(outcome), allow_nan=False))
    names = {metric.name for metric in METRICS}

    assert set(record["answers_f1"]) == set(record["final"]) == names
    assert set(record["final"]["exact"]) == {"p", "r", "f1", "f1_sd"}
    assert record["answers_f1"]["exact"] == pytest.approx(
        mean(outcome.answers[EXACT][:, -1, 2].tolist())
    )
    for place, part in enumerate(("p", "r", "f1")):
        values = outcome.final[EXACT][:, -1, place].tolist()

        assert record["final"]["exact"][part] == pytest.approx(mean(values))
    lost = outcome.regret[:, -1].tolist()

    assert record["regret"] == pytest.approx({"mean": mean(lost), "sd": stdev(lost)})
    assert (record["runs"], record["sentences"], record["settled"]) == (4, 23, 23)
    assert record["answers"] == mean(outcome.asked.tolist())
    assert record["answers_per_sentence_mean"] == pytest.approx(record["answers"] / 23)


def test_the_money_of_a_record_adds_up(outcome: Outcome) -> None:
    """Crowd and experts; saved is against experts alone."""
    record = as_json(outcome)
    money = record["money"]

    assert record["cost"] == pytest.approx(money["crowd"] + money["expert"])
    assert money["expert_only"] == 23.0
    assert money["saved"] == pytest.approx(1 - record["cost"] / 23.0)
    assert money["expert"] == pytest.approx(record["expert_labels"])
    assert record["expert_labels"] == pytest.approx(sum(record["experts"].values()))
    assert record["experts"]["gate"] == pytest.approx(record["expert_share"] * 23)
    assert (record["experts"]["warm_up"], record["workers"]) == (1.0, 9)


def test_experts_alone_are_never_the_cheapest() -> None:
    """Beside the crowd they cost more than without it."""
    scene = small_scene()
    rules: dict[str, FeedbackRule] = {"expert": ExpertOnly(), "crowd": CrowdOnly()}
    found = [
        summary_of(name, rehearse(scene, replace(PLAIN, feedback=rule)))
        for name, rule in rules.items()
    ]
    best = cheapest(found, 1.0)

    assert found[0].saved.mean < 0
    assert best is None or best.name == "crowd"
