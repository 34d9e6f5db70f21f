"""Feedback rules by name."""

from collections.abc import Mapping
from typing import Any

from spancrew.core import from_spec, registered, spec_of
from spancrew.feedback._base import FeedbackRule

_GROUP, _KIND = "spancrew.feedback", "feedback"


def feedback_rules() -> dict[str, type[FeedbackRule]]:
    """Return the class of every installed feedback rule by name."""
    return dict(registered(_GROUP))


def feedback_rule(spec: str | Mapping[str, Any]) -> FeedbackRule:
    """Return the feedback rule that a text or a mapping describes.

    >>> gate = feedback_rule("gate:threshold=0.4,ties=paper")
    >>> gate == feedback_rule({"feedback": "gate", "threshold": 0.4, "ties": "paper"})
    True
    """
    return from_spec(spec, _KIND, feedback_rules())


def feedback_name(rule: FeedbackRule) -> str:
    """Return the text that describes a feedback rule, without options that are at their default.

    >>> from spancrew.feedback import AgreementGate, CrowdOnly
    >>> feedback_name(AgreementGate(0.4)), feedback_name(CrowdOnly())
    ('gate:threshold=0.4', 'crowd')
    """
    return spec_of(rule, feedback_rules())
