"""What answers cost."""

from dataclasses import dataclass

from spancrew.errors import SpancrewError


@dataclass(frozen=True, slots=True)
class Prices:
    """What an answer of a worker and one of an expert cost, in any currency."""

    answer: float = 0.1
    expert: float = 1.0

    def __post_init__(self) -> None:
        """Refuse negative prices."""
        for what, price in (("an answer", self.answer), ("an expert", self.expert)):
            if not price >= 0:
                raise SpancrewError(f"the price of {what} is {price:g}; it cannot be negative")
