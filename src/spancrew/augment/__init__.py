"""Answers made from gold: SES candidates, the score-matching picker, naive baselines.

May import consensus, policies and what lies below.
"""

from spancrew.augment._answers import MissingAnswers, Order, Progress
from spancrew.augment._augment import Method, Recipe, augment, missing_answers
from spancrew.augment._picker import Picker, Ses, Ties, candidates
from spancrew.augment._targets import mean_scores, targets_of
from spancrew.augment._words import Words, word_starts

__all__ = [
    "Method",
    "MissingAnswers",
    "Order",
    "Picker",
    "Progress",
    "Recipe",
    "Ses",
    "Ties",
    "Words",
    "augment",
    "candidates",
    "mean_scores",
    "missing_answers",
    "targets_of",
    "word_starts",
]
