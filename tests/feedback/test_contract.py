"""Every registered feedback rule keeps to the contract."""

import pytest

from spancrew.errors import SpancrewError
from spancrew.feedback import (
    Adaptive,
    AgreementGate,
    CrowdOnly,
    ExpectedErrorGate,
    ExpertOnly,
    FeedbackRule,
    feedback_name,
    feedback_rule,
    feedback_rules,
)
from spancrew.testing._feedback import FeedbackContract

SPECS = (
    *feedback_rules(),
    "crowd:leave_one_out=true",
    "gate:threshold=0.2,ties=paper,leave_one_out=true",
    "gate:kappa=davies_fleiss,equal=crowd",
    "gate:kappa=pairwise_f1,threshold=-1",
    "gate:kappa=alpha,threshold=1",
    "expected-error:error_cost=0.5",
    "expected-error:quality=0.9",
    "expected-error:expert_share=0.3",
    "adaptive:error_cost=8",
    "adaptive:quality=0.95,first=3",
    "adaptive:expert_share=0.2,first=1",
)


@pytest.mark.parametrize("spec", SPECS)
class TestRules(FeedbackContract):
    """The rules that come with spancrew, and options of theirs."""

    @pytest.fixture(autouse=True)
    def _choose(self, spec: str) -> None:
        self.rule = feedback_rule(spec)


def test_the_rules_have_names() -> None:
    """Exp., MV and Exp.+MV of the paper, and two of our own."""
    expected: dict[str, type[FeedbackRule]] = {
        "expert": ExpertOnly,
        "crowd": CrowdOnly,
        "gate": AgreementGate,
        "expected-error": ExpectedErrorGate,
        "adaptive": Adaptive,
    }

    assert feedback_rules() == expected


@pytest.mark.parametrize("spec", SPECS)
def test_a_name_is_read_back_as_the_same_rule(spec: str) -> None:
    """Whatever its options."""
    rule = feedback_rule(spec)

    assert feedback_rule(feedback_name(rule)) == rule


def test_a_mapping_says_the_same_as_a_text() -> None:
    """As in a file."""
    mapping = {"feedback": "gate", "threshold": 0.4, "ties": "paper"}

    assert feedback_rule(mapping) == feedback_rule("gate:threshold=0.4,ties=paper")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gates", "feedback 'gates' is not known: did you mean 'gate'?"),
        ("expert:threshold=0.4", "feedback 'expert' has no option 'threshold': it has none"),
        ("gate:tau=0.4", "feedback 'gate' has no option 'tau': it has threshold, kappa, ties"),
        ("gate:threshold=1.5", "threshold 1.5: agreement is at most 1"),
        ("gate:threshold=high", "threshold"),
        ("gate:ties=coin", "ties"),
        ("gate:threshold", "cannot be read"),
    ],
)
def test_what_is_not_known_is_refused(spec: str, message: str) -> None:
    """With one sentence that names what there is."""
    with pytest.raises(SpancrewError) as caught:
        feedback_rule(spec)

    assert message in str(caught.value)
