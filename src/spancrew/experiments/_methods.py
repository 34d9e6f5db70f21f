"""The eleven methods of the paper: policies times feedback rules."""

from collections.abc import Sequence
from typing import NamedTuple

from spancrew.consensus import Consensus, MajorityVote
from spancrew.feedback import (
    AgreementGate,
    CrowdOnly,
    ExpertOnly,
    FeedbackRule,
    feedback_rule,
)
from spancrew.policies import Cucb, EpsilonGreedy, Oracle, Policy, Random, Thompson


class Method(NamedTuple):
    """A row of the paper's tables."""

    name: str
    policy: Policy
    feedback: FeedbackRule
    consensus: Consensus = MajorityVote()


class Numbers(NamedTuple):
    """What the paper sets by data set: the scale of CUCB's bonus and the threshold."""

    scale: float
    threshold: float


CONLL = Numbers(0.2, 0.65)
OEI = Numbers(0.4, 0.4)
EPSILON = 0.025


def paper_methods(numbers: Numbers) -> list[Method]:
    """Return the methods as the paper's text has them."""
    gate = AgreementGate(numbers.threshold, ties="paper")
    return _grid(numbers, gate, Thompson("gaussian"))


def authors_methods(numbers: Numbers) -> list[Method]:
    """Return the methods as the authors' code has them."""
    return _grid(numbers, authors_gate(numbers.threshold), Thompson("beta", draws=100))


def authors_gate(threshold: float) -> AgreementGate:
    """Return the gate of the authors' code."""
    return AgreementGate(threshold, kappa="davies_fleiss", ties="paper", equal="crowd")


def further_methods(numbers: Numbers, rules: Sequence[str]) -> list[Method]:
    """Return the paper's CUCB with rules that the paper does not have."""
    return [
        Method(f"CUCB ({name})", Cucb(numbers.scale), rule, rule.usual_consensus)
        for name, rule in ((name, feedback_rule(name)) for name in rules)
    ]


def _grid(numbers: Numbers, gate: AgreementGate, thompson: Thompson) -> list[Method]:
    policies: dict[str, Policy] = {
        "epsilon-greedy": EpsilonGreedy(EPSILON),
        "TS": thompson,
        "CUCB": Cucb(numbers.scale),
    }
    rules: dict[str, FeedbackRule] = {"Exp.": ExpertOnly(), "MV": CrowdOnly(), "Exp.+MV": gate}
    # The feedback of the first two changes nothing they do; the gate tells what it would cost.
    methods = [Method("Oracle", Oracle(), gate), Method("Random", Random(), gate)]
    return methods + [
        Method(f"{name} ({rule})", policy, feedback)
        for name, policy in policies.items()
        for rule, feedback in rules.items()
    ]
