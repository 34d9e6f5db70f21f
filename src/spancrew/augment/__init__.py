"""Answers made from gold: SES candidates, the score-matching picker, naive baselines.

May import consensus, policies and what lies below.
"""

from spancrew.augment._augment import Method, Recipe, augment, plan
from spancrew.augment._base import Plan, Progress
from spancrew.augment._picker import Picker, Ses, Ties, candidates
from spancrew.augment._plan import Order
from spancrew.augment._targets import mean_scores, targets_of
from spancrew.augment._words import Words, word_starts

__all__ = [
    "Method",
    "Order",
    "Picker",
    "Plan",
    "Progress",
    "Recipe",
    "Ses",
    "Ties",
    "Words",
    "augment",
    "candidates",
    "mean_scores",
    "plan",
    "targets_of",
    "word_starts",
]
