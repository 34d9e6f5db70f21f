"""Policies by name."""

import pytest

from spancrew.errors import SpancrewError
from spancrew.policies import Cucb, Thompson, policies, policy, policy_name
from tests.policies.test_contract import SPECS

BUILT_IN = {
    "random",
    "oracle",
    "epsilon-greedy",
    "cucb",
    "thompson",
    "kl-ucb",
    "bayes-ucb",
    "difficulty-thompson",
    "discounted",
}


def test_every_built_in_policy_is_registered() -> None:
    """Through the entry points, as those of others are."""
    assert policies().keys() >= BUILT_IN


@pytest.mark.parametrize("spec", SPECS)
def test_names_read_back(spec: str) -> None:
    """Text to policy to text."""
    assert policy_name(policy(spec)) == spec
    assert policy(policy_name(policy(spec))) == policy(spec)


def test_text_and_json_name_the_same_policy() -> None:
    """With options and without."""
    json = {"policy": "thompson", "belief": "gaussian", "draws": 3}

    assert policy("thompson:belief=gaussian,draws=3") == policy(json) == Thompson("gaussian", 3)
    assert policy({"policy": "cucb"}) == policy("cucb") == Cucb()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("cuc", r"policy 'cuc' is not known: did you mean 'cucb'\? there are bayes-ucb, cucb, "),
        ("cucb:sale=2", r"policy 'cucb' has no option 'sale': it has scale$"),
        ("cucb:scale=two", r"policy 'cucb': scale 'two' is not a number$"),
        ("cucb:scale=-2", r"scale -2: the bonus of CUCB cannot be negative$"),
    ],
)
def test_what_cannot_be_read_is_explained(spec: str, message: str) -> None:
    """In one sentence."""
    with pytest.raises(SpancrewError, match=message):
        policy(spec)
