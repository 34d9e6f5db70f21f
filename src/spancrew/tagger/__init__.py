"""A tagger that learns on the job: from labels of settled sentences to labels of others.

May import errors, core and metrics.
"""

from spancrew.tagger._cross_fit import EXPERT_WEIGHT, PARTS, ROUNDS, CrossFitted, parts_of_words
from spancrew.tagger._spelling import facets_of
from spancrew.tagger._trained import Tagged, TrainedTagger
from spancrew.tagger._training import Field

__all__ = [
    "EXPERT_WEIGHT",
    "PARTS",
    "ROUNDS",
    "CrossFitted",
    "Field",
    "Tagged",
    "TrainedTagger",
    "facets_of",
    "parts_of_words",
]
