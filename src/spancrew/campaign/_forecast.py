"""What was expected of a campaign when it was planned."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from spancrew.errors import PlanError


class Expected(NamedTuple):
    """A figure, and between what it is with a chance of 80 %."""

    mean: float
    low: float
    high: float

    def as_json(self) -> dict[str, float]:
        """Return it by names, rounded to what is worth telling."""
        return {name: round(value, 4) for name, value in self._asdict().items()}

    def times(self, factor: float) -> "Expected":
        """Return it for something larger or smaller.

        >>> Expected(2.0, 1.0, 4.0).times(1.5)
        Expected(mean=3.0, low=1.5, high=6.0)
        """
        return Expected(*(factor * value for value in self))


_MOST = 1e12
_FIGURES = ("cost", "expert_share", "days", "f1")


@dataclass(frozen=True, slots=True)
class PlanForecast:
    """What a plan was expected to cost and to give, for a campaign of so many ``sentences``.

    ``expert_share`` are the sentences that the rule sends to experts, without audits and warm-up.
    """

    sentences: int
    cost: Expected
    expert_share: Expected
    days: Expected
    f1: Expected
    currency: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        figures = {name: getattr(self, name).as_json() for name in _FIGURES}
        return {"sentences": self.sentences, **figures, "currency": self.currency}

    @classmethod
    def from_json(cls, given: Any) -> "PlanForecast":
        """Return the forecast that JSON describes."""
        if not isinstance(given, Mapping):
            raise PlanError(f"forecast {given!r}: it is an object with {', '.join(_FIGURES)}")
        sentences, currency = given.get("sentences"), given.get("currency", "")
        if not isinstance(sentences, int) or isinstance(sentences, bool) or sentences < 1:
            raise PlanError(f"forecast of {sentences!r} sentences: a whole number is needed")
        if not isinstance(currency, str):
            raise PlanError(f"forecast in the currency {currency!r}: a text is needed")
        figures = {name: _expected(name, given.get(name)) for name in _FIGURES}
        return cls(sentences, **figures, currency=currency)

    def for_sentences(self, count: int) -> "PlanForecast":
        """Return it for a campaign of another size: cost and days grow with the sentences."""
        factor = count / self.sentences
        return PlanForecast(
            count,
            self.cost.times(factor),
            self.expert_share,
            self.days.times(factor),
            self.f1,
            self.currency,
        )


def _expected(name: str, given: Any) -> Expected:
    figures = given if isinstance(given, Mapping) else {}
    found: list[Any] = [figures.get(each) for each in Expected._fields]
    if all(map(_is_figure, found)):
        made = Expected(*map(float, found))
        if made.low <= made.mean <= made.high:
            return made
    raise PlanError(f"forecast of {name} {given!r}: give low, mean and high, in this order")


def _is_figure(given: Any) -> bool:
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    return is_number and 0 <= given <= _MOST
