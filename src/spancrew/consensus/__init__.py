"""The crowd's joint answer with its confidence: majority vote, span vote, worker models.

May import metrics, core and errors.
"""

from spancrew.consensus._aggregate import Aggregated, aggregate
from spancrew.consensus._audition import Audition
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
from spancrew.consensus._bradley_terry import Comparisons, Strengths, bradley_terry
from spancrew.consensus._bsc import Bsc
from spancrew.consensus._choice_auto import ChoiceAuto
from spancrew.consensus._choice_vote import ChoiceVote
from spancrew.consensus._dawid_skene import DawidSkene
from spancrew.consensus._members import (
    CrewModel,
    Tagger,
    WithMembers,
    are_heard,
    beliefs_of_people,
    by_people,
    has_hired,
    heard,
    hearing_models_alone,
    models_of,
)
from spancrew.consensus._ordinal import Ordinal
from spancrew.consensus._registry import (
    consensus_method,
    consensus_methods,
    consensus_name,
    members_of,
    refuse_unnamed_method,
    with_members,
)
from spancrew.consensus._reliability import Reliability, reliability
from spancrew.consensus._revision import RevisedLabels, is_worse, revision
from spancrew.consensus._soft import soft_labels
from spancrew.consensus._span_ds import SpanDs
from spancrew.consensus._suited import ServesChoices, methods_for, suited_to
from spancrew.consensus._two_coin import TwoCoin
from spancrew.consensus._voices import side_by_side
from spancrew.consensus._votes import MajorityVote, SpanVote, Ties, majority_vote, vote_on

__all__ = [
    "Aggregated",
    "Audition",
    "Auto",
    "Beliefs",
    "Bsc",
    "ChoiceAuto",
    "ChoiceVote",
    "Comparisons",
    "Consensus",
    "CrewModel",
    "DawidSkene",
    "Evidence",
    "MajorityVote",
    "Model",
    "Ordinal",
    "Reliability",
    "RevisedLabels",
    "ServesChoices",
    "SpanDs",
    "SpanVote",
    "Strengths",
    "Tagger",
    "Ties",
    "TwoCoin",
    "WithMembers",
    "aggregate",
    "are_heard",
    "beliefs_of_people",
    "bradley_terry",
    "by_people",
    "clamped",
    "consensus_method",
    "consensus_methods",
    "consensus_name",
    "first_of",
    "has_hired",
    "heard",
    "hearing_models_alone",
    "is_fit_due",
    "is_worse",
    "majority_vote",
    "members_of",
    "methods_for",
    "models_of",
    "refuse_unnamed_method",
    "reliability",
    "revision",
    "side_by_side",
    "soft_labels",
    "suited_to",
    "taken",
    "together",
    "vote_on",
    "with_members",
    "word_numbers",
]
