"""A stand-in for an expert who was never asked."""

import math

import numpy as np

from spancrew.consensus import Beliefs
from spancrew.core import CodeArray

_PRIOR = 1.0
"""Information on the lean before any audit: it is near 0."""

_SUREST = 0.999


class StandIn:
    """Says what the crowd says, with the probability that holds for it, else another answer.

    Consensus methods state how sure they are, but may be too sure or not sure enough. Audits show
    by how much: the lean is added to the log-odds of what is stated. Few audits leave it open, so
    from the second campaign on, another lean is tried in each that could be true as well.
    """

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._lean = 0.0
        self._information = _PRIOR
        self._luck = 0.0

    def go_on(self) -> None:
        """Stand in for the experts of one more campaign."""
        self._luck = float(self._rng.standard_normal())

    def learn(self, beliefs: Beliefs, truth: CodeArray) -> None:
        """Take note of an audited sentence."""
        chance = _chance(beliefs, self._lean)
        self._information += chance * (1 - chance)
        is_right = np.array_equal(beliefs.labels[0], truth)
        self._lean += (is_right - chance) / self._information

    def says(self, beliefs: Beliefs, answers: list[CodeArray]) -> tuple[CodeArray, float]:
        """Draw the labels of a sentence; return them and how probable others than the crowd's are.

        Where all answers are the same, nothing else is thought of.
        """
        crowd: CodeArray = beliefs.labels[0]
        others = [each for each in answers if not np.array_equal(each, crowd)]
        lean = self._lean + self._luck / math.sqrt(self._information)
        doubt = 1 - _chance(beliefs, lean) if others else 0.0
        if self._rng.random() >= doubt:
            return crowd, doubt
        return others[int(self._rng.integers(len(others)))], doubt


def _chance(beliefs: Beliefs, lean: float) -> float:
    """Return how probable it is that the crowd is right."""
    stated = min(max(float(beliefs.confidence[0]), 1 - _SUREST), _SUREST)
    odds = math.log(stated / (1 - stated)) + lean
    return 1 / (1 + math.exp(-odds))
