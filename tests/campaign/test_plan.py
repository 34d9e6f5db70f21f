"""What a plan is, what it refuses, and how it is written."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.campaign import Campaign, Material, Plan
from spancrew.consensus import Auto, Bsc, ChoiceAuto, MajorityVote, Ordinal
from spancrew.core import Dataset
from spancrew.errors import PlanError, SpancrewError
from spancrew.feedback import CrowdOnly, ExpectedErrorGate, Prices
from spancrew.policies import Cucb, DifficultyThompson, Oracle
from tests.campaign.worlds import LABELS, World, plain, worlds

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"labels": ()}, "at least one label"),
    ({"labels": ("PER", "PER")}, "each name may stand once"),
    ({"mode": "batch"}, "mode 'batch' is not known (one of stream, rounds)"),
    ({"kind": "boxes"}, "kind 'boxes' is not known (one of spans, choices)"),
    ({"warm_up": "long"}, "warm_up 'long' is not known (one of shared, own, none)"),
    ({"crew": 0}, "crew 0: it must be from 1 to"),
    ({"crew": 2.5}, "crew 2.5: a whole number is needed"),
    ({"crew": True}, "crew True: a whole number is needed"),
    ({"crew": 10**9}, "crew 1000000000: it must be from 1 to 100000"),
    ({"answers": 0}, "answers 0: it must be from 1 to"),
    ({"crew": 3, "answers": 4}, "a crew of 3 cannot give 4 answers"),
    ({"seed": -1}, "seed -1: it must be from 0 to"),
    ({"seed": None}, "seed None: a whole number is needed"),
    ({"cap": 0}, "cap 0: it must be from 1 to"),
    ({"lease": 0.5}, "lease 0.5: at least 1 second"),
    ({"lease": float("nan")}, "lease nan: at least 1 second"),
    ({"lease": None}, "lease None: at least 1 second"),
    ({"presence": float("inf")}, "presence inf: at least 1 second"),
    ({"gold_share": 1.0}, "gold_share 1.0: it is a share from 0 to below 1"),
    ({"gold_share": -0.1}, "gold_share -0.1"),
    ({"budget": -1.0}, "budget -1.0: it is an amount of money"),
    ({"budget": float("inf")}, "budget inf"),
    ({"budget": "5"}, "budget '5'"),
    ({"prices": Prices(float("inf"), 1.0)}, "price inf"),
    ({"prices": Prices(0.1, float("inf"))}, "expert inf"),
    ({"policy": Oracle()}, "'oracle' needs the true scores"),
]

UNREADABLE: list[tuple[Any, str]] = [
    ({}, "labels"),
    ([1], "this is not a plan"),
    ({"labels": ["PER"], "workers": 3}, "a plan has no 'workers'; it has ahead, answers, audit"),
    ({"labels": "PER"}, "labels 'PER': write a list of names"),
    ({"labels": [1]}, "labels [1]: write a list of names"),
    ({"labels": ["PER"], "policy": 5}, "policy 5: write a name"),
    ({"labels": ["PER"], "policy": "best"}, "best"),
    ({"labels": ["PER"], "feedback": ["gate"]}, "feedback ['gate']: write a name"),
    ({"labels": ["PER"], "consensus": {"a": 1}}, "has no 'consensus'"),
    ({"labels": ["PER"], "prices": 3}, "prices 3 cannot be read"),
    ({"labels": ["PER"], "prices": {"worker": 1}}, "cannot be read"),
    ({"labels": ["PER"], "prices": {"answer": "x"}}, "this is not a plan"),
    ({"labels": ["PER"], "prices": {"answer": -1}}, "cannot be negative"),
]


@pytest.mark.parametrize(("changes", "message"), REFUSED, ids=lambda each: str(each)[:40])
def test_a_plan_that_cannot_be_followed_cannot_be_built(
    changes: dict[str, Any], message: str
) -> None:
    """The message has what was given and what is possible."""
    with pytest.raises(SpancrewError) as caught:
        Plan(**{"labels": ("PER",), **changes})

    assert message in str(caught.value)


@pytest.mark.parametrize(("given_", "message"), UNREADABLE, ids=lambda each: str(each)[:40])
def test_json_that_is_no_plan_is_refused(given_: Any, message: str) -> None:
    """Never with anything but a reason."""
    with pytest.raises(SpancrewError) as caught:
        Plan.from_json(given_)

    assert message in str(caught.value)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=3,
)


@given(
    st.sampled_from([*Plan.__dataclass_fields__]),
    VALUES,
)
def test_no_json_value_breaks_a_plan(name: str, value: Any) -> None:
    """It is a plan that can be followed, or refused."""
    try:
        plan = Plan.from_json({"labels": ["PER"], name: value})
    except SpancrewError:
        return

    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))).to_json() == plan.to_json()


@given(worlds())
def test_every_plan_comes_back_from_json(world: World) -> None:
    """Its method and its audits are told then, even where they were the usual ones."""
    written = json.loads(json.dumps(world.plan.to_json()))
    audit = world.plan.audits

    assert Plan.from_json(written) == replace(world.plan, consensus=world.plan.method, audit=audit)


def test_what_is_left_out_is_as_usual() -> None:
    """Null means the same."""
    plan = Plan.from_json({"labels": ["PER"], "policy": None, "budget": None, "prices": None})

    assert plan == Plan(("PER",))
    assert plan.policy == DifficultyThompson()
    assert plan.feedback == ExpectedErrorGate()
    assert plan.method == Auto()
    assert plan.mode == "stream"


def test_the_rule_says_how_many_answers_come_first() -> None:
    """Never more than there are to be in all."""
    two = Plan.from_json({"labels": ["PER"], "feedback": "adaptive", "answers": 4})
    one = replace(two, answers=1)

    assert (two.first, one.first, Plan(("PER",)).first) == (2, 1, 4)


def test_another_rule_keeps_the_method() -> None:
    """What was learned stays of use."""
    plan = Plan(("PER",), consensus=Bsc()).with_rule(CrowdOnly())
    usual = Plan(("PER",)).with_rule(CrowdOnly())

    assert plan.method == Bsc()
    assert usual.method == Auto()
    assert not plan.has_experts


def test_the_labels_of_plan_and_sentences_are_the_same() -> None:
    """Else answers would be refused one by one."""
    with pytest.raises(PlanError, match="labels PER, the sentences LOC, PER"):
        Campaign.open(Plan(("PER",)), plain(), 0.0)


def test_a_campaign_needs_a_sentence() -> None:
    """An empty data set has none."""
    with pytest.raises(PlanError, match="at least one sentence"):
        Material.of(Dataset.of([], labels=LABELS))


def test_the_price_and_the_method_have_their_names_in_json() -> None:
    """Names, not pickles."""
    plan = Plan(("PER",), policy=Cucb(0.2), consensus=MajorityVote(), prices=Prices(0.2, 3))
    written = plan.to_json()

    assert written["policy"] == "cucb:scale=0.2"
    assert written["feedback"] == "expected-error"
    assert written["consensus"] == "mv"
    assert written["prices"] == {"answer": 0.2, "expert": 3}


def test_a_method_takes_the_form_for_choices() -> None:
    """One that has none stays, as journals of earlier versions name such; ratings are no spans."""
    chosen = Plan(("A", "B"), kind="choices", consensus=Auto())

    assert chosen.joins == ChoiceAuto()
    assert replace(chosen, consensus=Bsc()).joins == Bsc()
    assert replace(chosen, kind="spans").joins == Auto()
    with pytest.raises(PlanError, match="'ordinal' joins choices"):
        Plan(("A", "B"), consensus=Ordinal())
