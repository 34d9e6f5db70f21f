"""Whether to trust the crowd, ask one more worker, or ask an expert; the rewards of workers.

May import consensus, policies and what lies below.
"""

from spancrew.feedback._always import CrowdOnly, ExpertOnly
from spancrew.feedback._audits import (
    USUAL_AUDIT,
    audit_chance,
    audit_lots,
    audit_of,
    refuse_audit,
    still_to_audit,
)
from spancrew.feedback._base import FeedbackRule, Situation, weigh
from spancrew.feedback._doubts import CorrectionCounts, Doubts, Labelled, sizes_of
from spancrew.feedback._expected_error import Adaptive, ExpectedErrorGate
from spancrew.feedback._gate import AgreementGate, AtThreshold, LabelTies
from spancrew.feedback._registry import feedback_name, feedback_rule, feedback_rules
from spancrew.feedback._rewards import (
    crowd_rewards,
    judge_with_others,
    labels_by_others,
    rewards_by_others,
    rewards_of,
)
from spancrew.feedback._values import Prices, Threshold, Verdict

__all__ = [
    "USUAL_AUDIT",
    "Adaptive",
    "AgreementGate",
    "AtThreshold",
    "CorrectionCounts",
    "CrowdOnly",
    "Doubts",
    "ExpectedErrorGate",
    "ExpertOnly",
    "FeedbackRule",
    "LabelTies",
    "Labelled",
    "Prices",
    "Situation",
    "Threshold",
    "Verdict",
    "audit_chance",
    "audit_lots",
    "audit_of",
    "crowd_rewards",
    "feedback_name",
    "feedback_rule",
    "feedback_rules",
    "judge_with_others",
    "labels_by_others",
    "refuse_audit",
    "rewards_by_others",
    "rewards_of",
    "sizes_of",
    "still_to_audit",
    "weigh",
]
