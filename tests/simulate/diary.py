"""What happens in a run, written down."""

from dataclasses import dataclass, field
from typing import NamedTuple

from tests.simulate.plain import Codes
from tests.simulate.plain_consensus import Given, Opinion

Group = tuple[int, list[int]]
"""A sentence and who labels it."""
Rewarded = tuple[list[int], list[float]]
"""Workers and what they learn to be worth."""


class Case(NamedTuple):
    """A decided sentence with the answers of those who were asked."""

    sentence: int
    given: Given
    opinion: Opinion
    trusted: bool


@dataclass
class Diary:
    """Everything that happened in a run; lists are by step, the first entry is the warm-up."""

    crews: list[list[int]] = field(default_factory=list)
    means: list[list[float]] = field(default_factory=list)
    groups: list[list[Group]] = field(default_factory=list)
    experts: list[int] = field(default_factory=list)
    regret: list[float] = field(default_factory=list)
    paid: list[tuple[int, int]] = field(default_factory=list)
    by_expert: set[int] = field(default_factory=set)
    asked: set[int] = field(default_factory=set)
    final: dict[int, Codes] = field(default_factory=dict)
    agreements: list[float] = field(default_factory=list)
    crowd_money: float = 0.0
