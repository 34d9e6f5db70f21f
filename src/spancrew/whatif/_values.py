"""What a what-if says, as values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from spancrew.campaign import Spans
from spancrew.certificates import Estimate, t_quantile

By = Literal["crowd", "expert", "audit"]
"""Who decided on the labels of a sentence; an audit is an expert's who checked the crowd."""

_LEVEL = 0.95


class WhatIfFigure(NamedTuple):
    """A figure that is known, or an estimate with its 95 % interval."""

    known: bool
    estimate: float
    low: float
    high: float

    @classmethod
    def exactly(cls, value: float) -> "WhatIfFigure":
        """Return a figure that is known."""
        return cls(True, value, value, value)

    @classmethod
    def of_draws(
        cls, values: Sequence[float], least: float, most: float, reach: float = 0.0
    ) -> "WhatIfFigure":
        """Return the mean of draws, with the interval in which one more would lie.

        It has at least this ``reach`` to both sides, as draws can be alike by chance.

        >>> WhatIfFigure.of_draws([0.2, 0.3, 0.4], 0.0, 1.0)
        WhatIfFigure(known=False, estimate=0.3, low=0.0, high=0.796...)
        """
        mean, count = float(np.mean(values)), len(values)
        if count > 1:
            wide = t_quantile((1 + _LEVEL) / 2, count - 1) * math.sqrt(1 + 1 / count)
            reach = max(reach, wide * float(np.std(values, ddof=1)))
        return cls(False, mean, max(mean - reach, least), min(mean + reach, most))

    @classmethod
    def of_estimates(cls, given: Sequence[Estimate]) -> "WhatIfFigure":
        """Return the mean of estimates of one thing; their spread adds to their intervals."""
        values = [each.estimate for each in given]
        spread = cls.of_draws(values, -math.inf, math.inf)
        below = np.mean([each.estimate - (each.low or 0.0) for each in given])
        above = np.mean([_high(each) - each.estimate for each in given])
        low = spread.estimate - math.hypot(float(below), spread.estimate - spread.low)
        high = spread.estimate + math.hypot(float(above), spread.high - spread.estimate)
        known = all(each.low == each.high for each in given) and len(set(values)) == 1
        return cls(known, spread.estimate, max(low, 0.0), min(high, 1.0))


def _plain(value: float) -> float:
    """Return a whole number as one."""
    return int(value) if value == int(value) else value


def _high(given: Estimate) -> float:
    return 1.0 if given.high is None else given.high


class ExpertCounts(NamedTuple):
    """Labels by experts: asked by the rule, for warm-ups, and for audits."""

    gate: float
    warm_up: float
    audit: float


class Change(NamedTuple):
    """A sentence on which the labels, or who decides on them, would be others.

    Where it is not ``known``, ``after`` is what is most probable.
    """

    sentence: int
    before: Spans
    after: Spans
    by_before: By
    by_after: By
    known: bool


@dataclass(frozen=True, slots=True)
class Sums:
    """How a campaign went, or would have gone: share of expert sentences, F1, cost, counts."""

    rule: str
    consensus: str
    answers_each: int
    expert_share: WhatIfFigure
    f1: WhatIfFigure
    cost: WhatIfFigure
    answers: float
    experts: ExpertCounts

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "feedback": self.rule,
            "consensus": self.consensus,
            "answers_each": self.answers_each,
            "expert_share": self.expert_share._asdict(),
            "f1": self.f1._asdict(),
            "cost": self.cost._asdict(),
            "answers": _plain(self.answers),
            "experts": {name: _plain(each) for name, each in self.experts._asdict().items()},
        }


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What another rule would have decided on ``sentences`` that are settled.

    ``changed`` is how many of them would have other labels. ``audited`` sentences tell how good
    the crowd is; without any, F1 is a guess. On ``drawn`` sentences the other rule wants an expert
    who was never asked, on ``short`` ones more answers than there are. ``changes`` are sentence by
    sentence; ``notes`` say what a reader should know.
    """

    sentences: int
    changed: WhatIfFigure
    before: Sums
    after: Sums
    audited: int
    drawn: int
    short: int
    draws: int
    changes: tuple[Change, ...]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        """Return the figures in a line."""
        share, f1 = self.after.expert_share, self.after.f1
        return (
            f"WhatIf({self.after.rule}: {self.changed.estimate:.0f} of {self.sentences:,} "
            f"sentences change, experts {share.estimate:.1%}, F1 {f1.estimate:.3f}, "
            f"cost {self.after.cost.estimate:,.2f})"
        )

    def as_json(self) -> dict[str, Any]:
        """Return plain values, without the single sentences."""
        return {
            "sentences": self.sentences,
            "changed": round(self.changed.estimate),
            "changes": self.changed._asdict(),
            **self.after.as_json(),
            "before": self.before.as_json(),
            "audited": self.audited,
            "drawn": self.drawn,
            "short": self.short,
            "draws": self.draws,
            "notes": list(self.notes),
        }
