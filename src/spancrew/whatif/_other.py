"""What should be different: a threshold, a rule, a consensus method, a number of answers."""

from dataclasses import astuple, dataclass, replace

from spancrew.campaign import Plan
from spancrew.consensus import Consensus, consensus_method
from spancrew.errors import SpancrewError
from spancrew.feedback import AgreementGate, FeedbackRule, feedback_rule


@dataclass(frozen=True, slots=True)
class OtherRule:
    """What should be different; None stays as it was."""

    threshold: float | None = None
    answers: int | None = None
    feedback: str | None = None
    consensus: str | None = None

    def __post_init__(self) -> None:
        """Refuse to change nothing."""
        if all(each is None for each in astuple(self)):
            raise SpancrewError(
                "nothing is different: give a threshold, a number of answers, a feedback rule or "
                "a consensus method"
            )

    @property
    def keeps_rule(self) -> bool:
        """Tell whether the rule stays, with all that was changed about it on the way."""
        return self.feedback is None and self.threshold is None

    def plan(self, before: Plan) -> Plan:
        """Return the plan with what is different.

        A consensus method that is the usual one of its rule goes with the rule.
        """
        rule = before.feedback if self.feedback is None else feedback_rule(self.feedback)
        if self.threshold is not None:
            rule = rule.with_threshold(self.threshold, before.prices)
        method: Consensus = before.method
        if self.consensus is not None:
            method = consensus_method(self.consensus)
        elif self.feedback is not None and method == before.feedback.usual_consensus:
            method = rule.usual_consensus
        answers = before.answers if self.answers is None else self.answers
        return replace(
            before, feedback=rule, consensus=method, answers=answers, audit=before.audits
        )

    def rule_of_export(self) -> FeedbackRule:
        """Return the rule to try on an export, which does not say by which it was made."""
        if self.feedback is not None:
            return feedback_rule(self.feedback)
        if self.threshold is not None:
            return AgreementGate(self.threshold)
        raise SpancrewError(
            "an export does not say which feedback rule the campaign had: give one, such as "
            "--feedback gate:threshold=0.65, or give the campaign itself"
        )
