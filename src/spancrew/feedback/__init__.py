"""Whose word counts on a sentence: the expert's, the crowd's, or the crowd's where it agrees.

May import consensus, policies and what lies below.
"""

from spancrew.feedback._base import FeedbackRule, Verdict
from spancrew.feedback._crowd import CrowdOnly
from spancrew.feedback._expert import ExpertOnly
from spancrew.feedback._gate import AgreementGate, AtThreshold, LabelTies
from spancrew.feedback._registry import feedback_name, feedback_rule, feedback_rules
from spancrew.feedback._rewards import crowd_rewards

__all__ = [
    "AgreementGate",
    "AtThreshold",
    "CrowdOnly",
    "ExpertOnly",
    "FeedbackRule",
    "LabelTies",
    "Verdict",
    "crowd_rewards",
    "feedback_name",
    "feedback_rule",
    "feedback_rules",
]
