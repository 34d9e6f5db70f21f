"""One figure of real answers beside that of stand-ins."""

from dataclasses import asdict, dataclass
from typing import Any

UNANIMOUS = 1.0
BANDS = ((-1.0, 0.4), (0.4, 0.65), (0.65, UNANIMOUS), (UNANIMOUS, UNANIMOUS))
"""Kappa from and to; the last band, where all answers are the same, is part of the third."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure of the real answers and of the stand-ins; None where there is none."""

    real: float | None
    generated: float | None

    @property
    def distance(self) -> float:
        """Return how far the two are apart; 0 where one is missing."""
        if self.real is None or self.generated is None:
            return 0.0
        return abs(self.generated - self.real)


@dataclass(frozen=True, slots=True)
class VoteBand:
    """Exact F1 of the majority vote where kappa is above ``low`` and at most ``high``.

    ``sentences`` and ``spans`` are how many real sentences are there, and gold spans in them. With
    other sentences of the kind, the real figure would be within ``margin`` in 95 % of the cases.
    """

    low: float
    high: float
    sentences: int
    spans: int
    vote: Comparison
    margin: float

    @property
    def place(self) -> str:
        """Say where the band is."""
        if self.low == self.high:
            return "where all answers are the same"
        if self.high == UNANIMOUS:
            return f"where kappa is above {self.low:g}"
        if self.low < 0:
            return f"where kappa is at most {self.high:g}"
        return f"where kappa is above {self.low:g} and at most {self.high:g}"

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {"from": self.low, "to": self.high, **asdict(self.vote), "margin": self.margin}
