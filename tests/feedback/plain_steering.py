"""The steered rules once more: one run, from the whole history, in plain Python."""

import math
from dataclasses import dataclass, field
from typing import Literal

from spancrew.feedback import Adaptive, ExpectedErrorGate, Prices

Word = Literal["crowd", "expert", "more"]
KEPT = 0.998
FEW = 20
BINS = 104


def bin_of(errors: float) -> int:
    """Return 0 for less than 1/4096, then six bins an octave up to 32."""
    if errors < 1 / 4096 * (1 - 1e-7):
        return 0
    return 1 + math.floor(6 * math.log2(min(errors, 32.0) * 4096) + 1e-6)


def middle(place: int) -> float:
    """Return the expected errors in the middle of a bin."""
    return 0.0 if place <= 0 else 2 ** ((place - 0.5) / 6) / 4096


@dataclass
class PlainSteering:
    """What a run has seen: decided sentences and what one more answer did, in their order.

    ``wave`` are the sentences decided since the driver last told what was decided. ``shown`` are
    the errors expected and found on sentences that experts were asked for, ``audited`` on those
    that were audited, ``mended`` the spans that experts found more than the crowd.
    """

    rule: ExpectedErrorGate | Adaptive
    prices: Prices
    decided: list[tuple[float, float, Word]] = field(default_factory=list)
    wave: list[tuple[float, float, Word]] = field(default_factory=list)
    turns: list[tuple[float, float]] = field(default_factory=list)
    shown: list[tuple[float, float]] = field(default_factory=list)
    audited: list[tuple[float, float]] = field(default_factory=list)
    mended: float = 0.0

    def judge(self, errors: float, size: float, left: int = 0, *, answered: bool = True) -> Word:
        """Decide about a sentence and remember it."""
        limit = self.limit()
        doubt = errors if answered else 1e6
        if isinstance(self.rule, Adaptive) and left > 0 and self.pays(doubt, limit):
            return "more"
        word: Word = "expert" if self.asks(doubt, size, limit) else "crowd"
        self.wave.append((errors, size, word))
        return word

    def learn(self) -> None:
        """Let the histogram know what was decided."""
        self.decided += self.wave
        self.wave = []

    def show(self, errors: float, size: float, found: int, true: int, *, audit: bool) -> None:
        """Let an expert show what was found on a sentence."""
        (self.audited if audit else self.shown).append((errors, float(found)))
        self.mended += 2 * true - size

    @property
    def reckoned(self) -> float:
        """Return how many errors there are for each expected."""
        expected, found = (sum(each) for each in zip((20.0, 20.0), *self.shown, strict=True))
        off = 1.0
        if found > 1.3 * expected:
            off = min(found / expected, (found / expected / 1.3) ** 2)
        if found < expected / 1.3:
            off = found / expected * 1.3
        start = (90.0, 1.05 * 90 * off)
        expected, found = (sum(each) for each in zip(start, *self.audited, strict=True))
        return float(found / expected)

    @property
    def loss(self) -> float:
        """Return the errors by spans that are aimed at."""
        assert self.rule.quality is not None
        loss = 1 - self.rule.quality
        return min(loss, (loss + 0.01) / (1 + 0.18 * self.rule.quality))

    @property
    def seen(self) -> list[tuple[float, float, Word]]:
        """Return all decided sentences, those of this wave as well."""
        return self.decided + self.wave

    @property
    def asked(self) -> int:
        """Return how many went to the expert."""
        return sum(word == "expert" for _, _, word in self.seen)

    @property
    def spare(self) -> float:
        """Return how many errors more could have been let pass, or how many asked."""
        if self.rule.expert_share is not None:
            return self.rule.expert_share * len(self.seen) - self.asked
        let_pass = sum(errors for errors, _, word in self.seen if word == "crowd")
        mended = sum(errors for errors, _ in self.audited)
        return self.loss * self.spans - self.reckoned * (let_pass - mended)

    @property
    def spans(self) -> float:
        """Return the spans of all sentences, delivered and true."""
        return sum(size for _, size, _ in self.seen) + self.mended

    def limit(self) -> int | None:
        """Return the bin of the threshold; None where there is none, or not yet."""
        if self.rule.expert_share is None and self.rule.quality is None:
            return None
        if len(self.seen) < FEW:
            return None
        horizon = max(50, len(self.seen) / 10)
        weights = [KEPT ** (len(self.decided) - 1 - k) for k in range(len(self.decided))]
        faded = [
            (bin_of(errors), weight, self.reckoned * weight * errors)
            for weight, (errors, _, _) in zip(weights, self.decided, strict=True)
        ]
        if self.rule.expert_share is not None:
            return self.share_limit(faded, self.rule.expert_share + self.spare / horizon)
        usual = self.loss * self.spans / len(self.seen)
        left = (usual + self.spare / horizon) * sum(weights)
        for place in range(BINS):
            left -= sum(errors for at, _, errors in faded if at == place)
            if left < -1e-9:
                return place
        return BINS

    @staticmethod
    def share_limit(faded: list[tuple[int, float, float]], wanted: float) -> int:
        """Return the bin in which the wanted share of the most doubtful ends."""
        if wanted <= 0:
            return BINS
        if wanted >= 1:
            return 0
        left = wanted * sum(weight for _, weight, _ in faded)
        for place in range(103, 0, -1):
            left -= sum(weight for at, weight, _ in faded if at == place)
            if left < -1e-9:
                return place
        return 0

    def asks(self, errors: float, size: float, limit: int | None) -> bool:
        """Tell whether the expert is asked."""
        if self.rule.expert_share is None and self.rule.quality is None:
            return errors * (self.cost or 0.0) > self.prices.expert + 1e-9
        if limit is not None and bin_of(errors) != limit:
            return bin_of(errors) > limit
        if self.rule.expert_share is not None:
            return self.asked < self.rule.expert_share * (len(self.seen) + 1) - 1e-9
        return self.spare + self.loss * size < self.reckoned * errors - 1e-9

    def pays(self, errors: float, limit: int | None) -> bool:
        """Tell whether one more answer is worth its price."""
        most = self.most(limit)
        now = min(errors, most)
        octave = math.ceil(bin_of(errors) / 6)
        like = [turn for turn in self.turns if math.ceil(bin_of(turn[0]) / 6) == octave]
        weight, gained = 3.0, now
        for age, (before, after) in enumerate(reversed(like)):
            place = bin_of(errors) + bin_of(after) - bin_of(before)
            weight += KEPT**age
            gained += KEPT**age * (now - min(middle(place), most))
        cost = self.prices.expert / most if self.cost is None else self.cost
        return cost * gained / weight > self.prices.answer + 1e-9

    @property
    def cost(self) -> float | None:
        """Return what an error costs, if that is given."""
        if self.rule.expert_share is None and self.rule.quality is None:
            return 3.0 if self.rule.error_cost is None else self.rule.error_cost
        return self.rule.error_cost

    def most(self, limit: int | None) -> float:
        """Return the errors above which an expert is asked."""
        if self.rule.expert_share is None and self.rule.quality is None:
            return self.prices.expert / max(self.cost or 0.0, 1e-9)
        if limit is None:
            return 1 / 3
        highest = max((bin_of(errors) for errors, _, _ in self.decided), default=1)
        return middle(max(min(limit, highest), 1))
