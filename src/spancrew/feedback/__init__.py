"""Whose word counts on a sentence: the expert's, the crowd's, or the crowd's where it is sure.

May import consensus, policies and what lies below.
"""

from spancrew.feedback._adaptive import Adaptive
from spancrew.feedback._base import FeedbackRule, Situation, looks_at_doubts, usual_consensus
from spancrew.feedback._crowd import CrowdOnly
from spancrew.feedback._doubts import Doubts, sizes_of
from spancrew.feedback._expected_error import ExpectedErrorGate
from spancrew.feedback._expert import ExpertOnly
from spancrew.feedback._gate import AgreementGate, AtThreshold, LabelTies
from spancrew.feedback._prices import Prices
from spancrew.feedback._registry import feedback_name, feedback_rule, feedback_rules
from spancrew.feedback._rewards import crowd_rewards
from spancrew.feedback._threshold import Threshold, asked_at, threshold_of, with_threshold
from spancrew.feedback._verdict import Verdict
from spancrew.feedback._weigh import weigh

__all__ = [
    "Adaptive",
    "AgreementGate",
    "AtThreshold",
    "CrowdOnly",
    "Doubts",
    "ExpectedErrorGate",
    "ExpertOnly",
    "FeedbackRule",
    "LabelTies",
    "Prices",
    "Situation",
    "Threshold",
    "Verdict",
    "asked_at",
    "crowd_rewards",
    "feedback_name",
    "feedback_rule",
    "feedback_rules",
    "looks_at_doubts",
    "sizes_of",
    "threshold_of",
    "usual_consensus",
    "weigh",
    "with_threshold",
]
