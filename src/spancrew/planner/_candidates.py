"""The ways to run a campaign among which a plan is sought."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from spancrew.consensus import consensus_method
from spancrew.feedback import feedback_rule
from spancrew.policies import policy
from spancrew.simulate import CREW, Setting

SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8)
"""Shares of the sentences that rules with a share are tried with."""
THRESHOLDS = (0.2, 0.4, 0.5, 0.65, 0.8)
"""Thresholds of agreement that the gate is tried with."""
_POLICY = "difficulty-thompson"
_FAMILIES = (
    ("expected-error:expert_share={:g}", "auto", SHARES),
    ("adaptive:expert_share={:g}", "auto", SHARES),
    ("gate:threshold={:g}", "mv", THRESHOLDS),
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to run a campaign, by the texts that name its parts."""

    feedback: str
    consensus: str
    answers: int
    crew: int
    policy: str = _POLICY

    def setting(self, base: Setting) -> Setting:
        """Return the setting that rehearses it, with the prices and seed of another."""
        return replace(
            base,
            policy=policy(self.policy),
            feedback=feedback_rule(self.feedback),
            consensus=consensus_method(self.consensus),
            crew=self.crew,
            answers=self.answers,
        )


def candidates(workers: int, most_answers: int, *, has_experts: bool) -> Iterator[Candidate]:
    """Yield all that are tried, with at most so many answers on a sentence."""
    crew = min(CREW, workers)
    for answers in range(2, min(most_answers, crew) + 1):
        for consensus in ("mv", "auto"):
            yield Candidate("crowd", consensus, answers, crew)
        if not has_experts:
            continue
        for rule, consensus, knobs in _FAMILIES:
            if rule.startswith("adaptive") and answers == 2:
                continue  # It begins with two and would have none to add.
            for knob in knobs:
                yield Candidate(rule.format(knob), consensus, answers, crew)
