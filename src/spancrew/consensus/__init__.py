"""The crowd's joint answer with its confidence: majority vote, span vote, worker models.

May import metrics, core and errors.
"""

from spancrew.consensus._majority import majority_vote

__all__ = ["majority_vote"]
