"""Money that is spent, and money that is put aside for what has begun."""

from dataclasses import dataclass

_PLACES = 9
"""Money is exact to a billionth, so that ten times 0.1 is 1."""


@dataclass(slots=True)
class Money:
    """The books of a campaign; what is spent and put aside never exceeds the budget."""

    budget: float | None = None
    answers: float = 0.0
    experts: float = 0.0
    aside: float = 0.0

    @property
    def spent(self) -> float:
        """Return what was paid."""
        return round(self.answers + self.experts, _PLACES)

    @property
    def left(self) -> float:
        """Return what is neither spent nor put aside; without a budget there is no end to it."""
        if self.budget is None:
            return float("inf")
        return round(self.budget - self.spent - self.aside, _PLACES)

    def affords(self, amount: float) -> bool:
        """Tell whether so much can be put aside."""
        return round(self.left - amount, _PLACES) >= 0

    def put_aside(self, amount: float) -> None:
        """Put money aside; a negative amount frees some."""
        self.aside = round(self.aside + amount, _PLACES)

    def pay_answer(self, amount: float) -> None:
        """Pay a worker."""
        self.answers = round(self.answers + amount, _PLACES)

    def pay_expert(self, amount: float) -> None:
        """Pay an expert."""
        self.experts = round(self.experts + amount, _PLACES)
