"""The ways to run a campaign among which a plan is sought."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from spancrew.consensus import consensus_method
from spancrew.feedback import audit_of, feedback_rule
from spancrew.planner._aim import Aim
from spancrew.policies import policy
from spancrew.simulate import CREW, Setting

POLICY = "difficulty-thompson"
OTHER_POLICIES = ("thompson", "cucb:scale=0.2")
"""Policies that are tried beside the usual one, on what looks best."""

MOST_ANSWERS = 5
"""The most answers on a sentence that are tried."""

_SHARES = (0.1, 0.3, 0.6)
_THRESHOLDS = (0.3, 0.65, 0.9)


class Candidate(NamedTuple):
    """A way to run a campaign, by the texts that name its parts."""

    feedback: str
    consensus: str
    answers: int
    crew: int
    policy: str = POLICY

    @property
    def fewest(self) -> int:
        """Return the fewest answers that a sentence gets."""
        first = feedback_rule(self.feedback).first
        return self.answers if first is None else min(first, self.answers)

    @property
    def is_steered(self) -> bool:
        """Tell whether the rule keeps to a share of experts by itself."""
        return getattr(feedback_rule(self.feedback), "expert_share", None) is not None

    def setting(self, aim: Aim, runs: int, seed: int) -> Setting:
        """Return the setting that rehearses it."""
        rule = feedback_rule(self.feedback)
        return Setting(
            policy(self.policy),
            rule,
            consensus_method(self.consensus),
            crew=self.crew,
            answers=self.answers,
            runs=runs,
            seed=seed,
            prices=aim.prices,
            audit=audit_of(aim.audit, rule) if rule.asks_experts else 0.0,
            warm_up=aim.warm_up,
            attendance="pilot",
        )


def in_pilot(setting: Setting, workers: int) -> Setting:
    """Return a setting for a pilot with this many workers, who may be fewer than the crew.

    As many real answers are looked up in a step as a crew gives in one.
    """
    there = workers if setting.crew == "auto" else min(setting.crew, workers)
    crew = max(setting.answers, there)
    return replace(setting, crew=crew, at_once=crew // setting.answers)


class Family(NamedTuple):
    """Candidates that differ in one number alone: how much is sent to experts.

    ``rule`` has a gap for that number, the knob; a rule that asks no experts has none. The more a
    knob is turned up, the more is sent; at 1 everything is.
    """

    rule: str
    consensus: str
    answers: int
    crew: int
    policy: str = POLICY

    @property
    def has_knob(self) -> bool:
        """Tell whether anything can be turned."""
        return "{" in self.rule

    @property
    def first_knobs(self) -> tuple[float, ...]:
        """Return the knobs that are tried first."""
        if not self.has_knob:
            return (0.0,)
        return _THRESHOLDS if self.rule.startswith("gate") else _SHARES

    def at(self, knob: float) -> Candidate:
        """Return the candidate at a knob, rounded to what people can read."""
        return Candidate(self.rule.format(round(knob, 3)), *self[1:])

    def others(self, workers: int) -> Iterator["Family"]:
        """Yield the same with another crew, and with other policies."""
        for crew in {min(CREW, workers), workers} - {self.crew}:
            if crew >= self.answers:
                yield self._replace(crew=crew)
        for name in OTHER_POLICIES:
            yield self._replace(policy=name)


_RULES = (
    ("expected-error:expert_share={:g}", "auto"),
    ("adaptive:expert_share={:g}", "auto"),
    ("gate:threshold={:g}", "mv"),
    ("gate:threshold={:g}", "auto"),
)


_MODELS_FIRST = ("adaptive:expert_share={:g},first=0", "auto")
"""The rule that is tried beside these where there are models, or a tagger."""


def families(
    workers: int,
    most_answers: int,
    *,
    has_experts: bool,
    in_haste: bool = False,
    members: Sequence[str] = (),
    has_models: bool = False,
) -> Iterator[Family]:
    """Yield all that are tried, with at most so many answers on a sentence.

    In haste, everybody is in the crew.
    """
    rules = (*_RULES, _MODELS_FIRST) if members or has_models else _RULES
    crew = workers if in_haste else min(CREW, workers)
    for answers in range(2, min(most_answers, MOST_ANSWERS, crew) + 1):
        for consensus in ("mv", "auto"):
            yield Family("crowd", "+".join([consensus, *members]), answers, crew)
        for rule, consensus in rules if has_experts else ():
            # The rule adaptive begins with two answers and would have none to add.
            begins_with_two = rule.startswith("adaptive") and "first" not in rule
            if not (begins_with_two and answers == 2):
                yield Family(rule, "+".join([consensus, *members]), answers, crew)
