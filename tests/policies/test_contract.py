"""Every policy that is registered keeps to the contract, with its options at work."""

import pytest

from spancrew.policies import policies, policy
from spancrew.testing import PolicyContract

SPECS = [
    *policies(),
    "cucb:scale=0.2",
    "epsilon-greedy:epsilon=0.2",
    "kl-ucb:c=3",
    "thompson:belief=gaussian",
    "thompson:draws=20",
    "discounted:memory=0.95",
    "difficulty-thompson:memory=0.98",
]


class TestEveryPolicy(PolicyContract):
    """The contract, once for every policy."""

    @pytest.fixture(autouse=True, params=SPECS)
    def _choose(self, request: pytest.FixtureRequest) -> None:
        self.policy = policy(request.param)
        self.learns = request.param != "random"
        self.tries_all = request.param != "oracle"
        self.minds_pending = request.param not in {"random", "oracle"}
