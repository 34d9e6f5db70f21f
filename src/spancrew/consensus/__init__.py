"""The crowd's joint answer with its confidence: majority vote, span vote, worker models.

May import metrics, core and errors.
"""

from spancrew.consensus._base import Beliefs, Consensus
from spancrew.consensus._majority import MajorityVote, Ties, majority_vote

__all__ = ["Beliefs", "Consensus", "MajorityVote", "Ties", "majority_vote"]
