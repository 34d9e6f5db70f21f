"""Preferences of a live campaign in a training loop.

May import the client and what lies below.
"""

from spancrew.rlhf._judge import CrewJudge, PairVerdict, Undecided

__all__ = ["CrewJudge", "PairVerdict", "Undecided"]
