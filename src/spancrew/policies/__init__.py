"""Who is asked next: interchangeable selection policies over the standings.

May import metrics, core and errors.
"""

from spancrew.policies._base import Learning, Policy, chosen_by
from spancrew.policies._bayes_ucb import BayesUcb
from spancrew.policies._course import JOINED, LEARNED, PASSED, Course
from spancrew.policies._crews import CrewSize, are_weak, best_mean, crew_by, crew_size
from spancrew.policies._cucb import Cucb
from spancrew.policies._difficulty import Difficulty
from spancrew.policies._difficulty_thompson import DifficultyThompson
from spancrew.policies._discounted import Discounted
from spancrew.policies._epsilon_greedy import EpsilonGreedy
from spancrew.policies._groups import (
    Groups,
    Queue,
    asked,
    best_first,
    by_crew,
    by_sentence,
    deal,
    dealing_order,
    own_draws,
    own_sentences,
)
from spancrew.policies._kl_ucb import KlUcb
from spancrew.policies._oracle import Oracle
from spancrew.policies._random import Random
from spancrew.policies._registry import policies, policy, policy_name
from spancrew.policies._standings import NOBODY, Standings
from spancrew.policies._thompson import Belief, Thompson
from spancrew.policies._top import top

__all__ = [
    "JOINED",
    "LEARNED",
    "NOBODY",
    "PASSED",
    "BayesUcb",
    "Belief",
    "Course",
    "CrewSize",
    "Cucb",
    "Difficulty",
    "DifficultyThompson",
    "Discounted",
    "EpsilonGreedy",
    "Groups",
    "KlUcb",
    "Learning",
    "Oracle",
    "Policy",
    "Queue",
    "Random",
    "Standings",
    "Thompson",
    "are_weak",
    "asked",
    "best_first",
    "best_mean",
    "by_crew",
    "by_sentence",
    "chosen_by",
    "crew_by",
    "crew_size",
    "deal",
    "dealing_order",
    "own_draws",
    "own_sentences",
    "policies",
    "policy",
    "policy_name",
    "top",
]
