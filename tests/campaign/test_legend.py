"""What people are told of the labels is part of the plan."""

from typing import Any

import pytest

from spancrew.campaign import LabelNote, Plan
from spancrew.errors import PlanError

LABELS = ["PER", "LOC"]
SAID: dict[str, Any] = {
    "instruction": "Mark every name.",
    "legend": {"PER": {"meaning": "a person", "colour": "teal", "key": "q"}, "LOC": {"key": "3"}},
    "ahead": 9,
}


def test_a_legend_goes_into_the_plan_and_comes_out_again() -> None:
    """As it is exported, and as it is in the journal."""
    plan = Plan.from_json({"labels": LABELS, **SAID})
    written = plan.to_json()

    assert plan.legend[0] == ("PER", LabelNote("a person", "teal", "q"))
    assert {name: written[name] for name in SAID} == SAID
    assert Plan.from_json(written).to_json() == written


def test_a_plan_that_says_nothing_is_written_as_before() -> None:
    """Plans and journals of earlier versions have no such fields."""
    written = Plan.from_json({"labels": LABELS}).to_json()

    assert not set(SAID) & set(written)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"legend": {"ORG": {}}}, "'ORG', which is none of the labels PER, LOC"),
    ({"legend": {"PER": {"colour": "mauve"}}}, "one of blue, orange"),
    ({"legend": {"PER": {"key": "n"}}}, "which do something else"),
    ({"legend": {"PER": {"key": "12"}}}, "a digit from 1 to 9"),
    ({"legend": {"PER": {"key": "q"}, "LOC": {"key": "q"}}}, "that of two labels"),
    ({"legend": {"PER": {"sound": "ping"}}}, "a meaning, a colour and a key"),
    ({"legend": ["PER"]}, "by its name"),
    ({"legend": {"PER": {"meaning": "a\nb"}}}, "one line of at most 500"),
    ({"instruction": "x" * 201}, "one line of at most 200"),
    ({"ahead": 32}, "from 0 to 31"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED, ids=lambda each: str(each)[:30])
def test_what_no_page_can_show_is_refused(given: dict[str, Any], message: str) -> None:
    """With what would be right."""
    with pytest.raises(PlanError, match=message):
        Plan.from_json({"labels": LABELS, **given})
