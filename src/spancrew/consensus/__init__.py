"""The crowd's joint answer with its confidence: majority vote, span vote, worker models.

May import metrics, core and errors.
"""

from spancrew.consensus._aggregate import Aggregated, aggregate
from spancrew.consensus._auto import Auto
from spancrew.consensus._base import (
    Beliefs,
    Consensus,
    Evidence,
    Model,
    is_fit_due,
    word_numbers,
)
from spancrew.consensus._beliefs import clamped, first_of, taken, together
from spancrew.consensus._bsc import Bsc
from spancrew.consensus._dawid_skene import DawidSkene
from spancrew.consensus._registry import consensus_method, consensus_methods, consensus_name
from spancrew.consensus._reliability import Reliability, reliability
from spancrew.consensus._revision import RevisedLabels, is_worse, revision
from spancrew.consensus._soft import soft_labels
from spancrew.consensus._span_ds import SpanDs
from spancrew.consensus._votes import MajorityVote, SpanVote, Ties, majority_vote

__all__ = [
    "Aggregated",
    "Auto",
    "Beliefs",
    "Bsc",
    "Consensus",
    "DawidSkene",
    "Evidence",
    "MajorityVote",
    "Model",
    "Reliability",
    "RevisedLabels",
    "SpanDs",
    "SpanVote",
    "Ties",
    "aggregate",
    "clamped",
    "consensus_method",
    "consensus_methods",
    "consensus_name",
    "first_of",
    "is_fit_due",
    "is_worse",
    "majority_vote",
    "reliability",
    "revision",
    "soft_labels",
    "taken",
    "together",
    "word_numbers",
]
