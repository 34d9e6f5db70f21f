"""Audits: which of the sentences that the crowd has settled an expert labels all the same."""

import math

import numpy as np

from spancrew.core import Chance, FloatArray, IntArray
from spancrew.errors import SpancrewError
from spancrew.feedback._base import FeedbackRule

USUAL_AUDIT = 0.05
"""The share that is audited where nothing else is said and there are experts."""

_LOTS = 10
"""The use of chance that says which sentences are audited."""


def audit_of(given: float | None, rule: FeedbackRule) -> float:
    """Return what is audited: a share below 1, or a number of sentences.

    Where nothing is said, it is 5 % if the rule asks experts, and nothing if it does not.

    >>> from spancrew.feedback import CrowdOnly, ExpectedErrorGate
    >>> (
    ...     audit_of(None, ExpectedErrorGate()),
    ...     audit_of(None, CrowdOnly()),
    ...     audit_of(200, CrowdOnly()),
    ... )
    (0.05, 0.0, 200)
    """
    if given is None:
        return USUAL_AUDIT if rule.asks_experts else 0.0
    return given


def refuse_audit(given: float | None) -> None:
    """Refuse what is neither a share below 1 nor a whole number."""
    if given is None:
        return
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not (is_number and 0 <= given < math.inf) or (given > 1 and given != int(given)):
        raise SpancrewError(
            f"audit {given!r}: give a share of the crowd's sentences below 1, such as 0.05, or a "
            "whole number of sentences; 0 audits none"
        )


def audit_lots(chance: Chance, sentences: int) -> FloatArray:
    """Return a number from 0 to 1 for every run and sentence; the lowest are audited."""
    return chance.at(0).uniform(sentences, _LOTS)


def audit_chance(audit: float, sentences: int) -> float:
    """Return the probability with which a sentence is audited when the crowd settles it.

    A number of audits is spread over all sentences; what the experts' sentences lack of it is
    drawn at the end.
    """
    return audit if audit < 1 else min(1.0, audit / max(sentences, 1))


def still_to_audit(audit: float, lots: FloatArray, is_drawn: FloatArray) -> IntArray:
    """Return which of the crowd's sentences are audited in addition when all are settled.

    ``lots`` and ``is_drawn`` are those of the crowd's sentences. So many are added that the share,
    rounded up, or the number is reached; those with the lowest lots. Given how many they are, the
    audited sentences are then a plain random sample of all that the crowd has settled.
    """
    wanted = math.ceil(audit * len(lots) - 1e-9) if audit < 1 else int(audit)
    missing = min(wanted, len(lots)) - int(np.count_nonzero(is_drawn))
    if missing <= 0:
        return np.zeros(0, np.int64)
    others = np.flatnonzero(~np.asarray(is_drawn, bool))
    return others[np.argsort(lots[others], kind="stable")[:missing]]
