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
from spancrew.consensus._beliefs import clamped, taken, together
from spancrew.consensus._bsc import Bsc
from spancrew.consensus._choice_auto import ChoiceAuto
from spancrew.consensus._choice_vote import ChoiceVote
from spancrew.consensus._choices import ServesChoices, suited_to
from spancrew.consensus._dawid_skene import DawidSkene
from spancrew.consensus._registry import consensus_method, consensus_methods, consensus_name
from spancrew.consensus._reliability import Reliability, reliability
from spancrew.consensus._revision import RevisedLabels, is_worse, revision
from spancrew.consensus._soft import soft_labels
from spancrew.consensus._span_ds import SpanDs
from spancrew.consensus._two_coin import TwoCoin
from spancrew.consensus._votes import MajorityVote, SpanVote, Ties, majority_vote

__all__ = [
    "Aggregated",
    "Auto",
    "Beliefs",
    "Bsc",
    "ChoiceAuto",
    "ChoiceVote",
    "Consensus",
    "DawidSkene",
    "Evidence",
    "MajorityVote",
    "Model",
    "Reliability",
    "RevisedLabels",
    "ServesChoices",
    "SpanDs",
    "SpanVote",
    "Ties",
    "TwoCoin",
    "aggregate",
    "clamped",
    "consensus_method",
    "consensus_methods",
    "consensus_name",
    "is_fit_due",
    "is_worse",
    "majority_vote",
    "reliability",
    "revision",
    "soft_labels",
    "suited_to",
    "taken",
    "together",
    "word_numbers",
]
