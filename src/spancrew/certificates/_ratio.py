"""Precision, recall and F1 as one kind of ratio of sums of spans."""

from typing import NamedTuple


class Ratio(NamedTuple):
    """``factor`` x right over ``of_delivered`` x delivered plus ``of_true`` x true spans.

    ``factor`` is also what one wrong span takes away from the numerator.
    """

    factor: float
    of_delivered: float
    of_true: float

    def value(self, right: float, delivered: float, true: float) -> float:
        """Return the ratio; nothing against nothing is 1, something over nothing is 0."""
        if delivered + true <= 0:
            return 1.0
        below = self.below(delivered, true)
        return min(max(self.factor * right / below, 0.0), 1.0) if below > 0 else 0.0

    def below(self, delivered: float, true: float) -> float:
        """Return the denominator."""
        return self.of_delivered * delivered + self.of_true * true


PRECISION, RECALL, F1 = Ratio(1.0, 1.0, 0.0), Ratio(1.0, 0.0, 1.0), Ratio(2.0, 1.0, 1.0)
