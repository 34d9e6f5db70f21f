"""What is rehearsed: policy, feedback rule and consensus with their numbers."""

import math
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from spancrew.campaign import WarmUp
from spancrew.consensus import Consensus, MajorityVote
from spancrew.core import BoolArray, FloatArray, refuse_incomplete
from spancrew.errors import SpancrewError
from spancrew.feedback import AgreementGate, FeedbackRule, Prices, refuse_audit
from spancrew.policies import CrewSize, Cucb, Policy

Attendance = float | Literal["pilot"]
"""The probability that a worker is there in a step, or that they are as active as in the pilot."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to run a campaign, to be rehearsed ``runs`` times.

    ``crew`` workers are chosen in every step, with ``auto`` all but the clearly weak ones, and cut
    into groups of ``answers``, each of which labels one sentence; what is left over stays idle. No
    worker gives more than ``cap`` answers; in each step a worker is there with probability
    ``attendance``; rewards arrive ``delay`` steps late. ``worker_prices`` are given in the order
    of the workers where they differ, without those that are models; ``model_prices`` in the order
    of the models, or one for all, which else cost nothing. What workers are rewarded with is the
    metric of the scene. With the attendance ``pilot``, the most active worker of the pilot is
    always there, and the others in proportion to what they did there. With ``revise`` a consensus
    method that learns judges the crowd's sentences once more in the end, with all that it has
    learned by then; without it labels stay as they were when the sentence was settled. Of the
    sentences that the crowd settles, experts label ``audit`` as well, a share below 1 or a number,
    without seeing the answers. ``warm_up`` is what workers label first, as in the plan of a live
    campaign: one ``shared`` sentence, which the expert's label settles; a sentence of their
    ``own`` each, which the expert labels as well, as in the paper; or ``none``. Where not
    everybody can answer everything, no crew is chosen, but workers for each sentence, and
    ``at_once`` sentences are asked about in a step.
    """

    policy: Policy = field(default_factory=Cucb)
    feedback: FeedbackRule = field(default_factory=AgreementGate)
    consensus: Consensus = field(default_factory=MajorityVote)
    crew: CrewSize = 20
    answers: int = 4
    runs: int = 10
    seed: int = 0
    prices: Prices = field(default_factory=Prices)
    worker_prices: tuple[float, ...] | None = None
    model_prices: tuple[float, ...] = ()
    cap: int | None = None
    attendance: Attendance = 1.0
    delay: int = 0
    revise: bool = True
    audit: float = 0.0
    warm_up: WarmUp = "shared"
    at_once: int = 1

    def __post_init__(self) -> None:
        """Refuse parts that are none, and numbers that make no campaign."""
        refuse_incomplete(self.policy, Policy)
        refuse_incomplete(self.feedback, FeedbackRule)
        refuse_incomplete(self.consensus, Consensus)
        at_least(1, "answers", self.answers)
        at_least(1, "runs", self.runs)
        at_least(0, "seed", self.seed)
        at_least(0, "delay", self.delay)
        at_least(1, "at_once", self.at_once)
        if self.crew != "auto" and self.crew < self.answers:
            raise SpancrewError(
                f"a crew of {self.crew} cannot give {self.answers} answers on a sentence: take a "
                f"crew of at least {self.answers}, or fewer answers"
            )
        if self.cap is not None:
            at_least(1, "cap", self.cap)
        refuse_audit(self.audit)
        if self.warm_up not in get_args(WarmUp):
            known = ", ".join(get_args(WarmUp))
            raise SpancrewError(f"warm_up {self.warm_up!r} is not known (one of {known})")
        if self.attendance != "pilot" and not 0 < self.attendance <= 1:
            raise SpancrewError(
                f"attendance {self.attendance:g}: it is a probability above 0 and up to 1, "
                "or pilot"
            )
        self._refuse_prices()

    def _refuse_prices(self) -> None:
        for price in self.worker_prices or ():
            if not 0 < price < math.inf:
                raise SpancrewError(f"a worker's price of {price:g}: it must be above 0")
        for price in self.model_prices:
            if not 0 <= price < math.inf:
                raise SpancrewError(f"a model's price of {price:g}: it cannot be negative")

    @property
    def mean_prices(self) -> Prices:
        """Return what an answer costs on average over the workers, and an expert."""
        if self.worker_prices is None:
            return self.prices
        return replace(self.prices, answer=sum(self.worker_prices) / len(self.worker_prices))

    def prices_of(self, people: BoolArray) -> FloatArray:
        """Return what an answer of each worker costs; ``people`` tells who is no model."""
        prices = np.where(people, self.prices.answer, 0.0)
        if self.worker_prices is not None:
            prices[people] = self.worker_prices
        if self.model_prices:
            prices[~people] = self.model_prices
        return prices

    @property
    def warms_up(self) -> bool:
        """Tell whether workers begin with a warm-up; where no experts are asked, none is shared.

        This is so in a live campaign, too.
        """
        if self.warm_up == "shared":
            return self.feedback.asks_experts or self.audit > 0
        return self.warm_up == "own"

    @property
    def least_answers(self) -> int:
        """Return the fewest answers that a sentence gets."""
        first = self.feedback.first
        return self.answers if first is None else min(first, self.answers)


def at_least(least: int, what: str, value: int) -> None:
    """Refuse a number that is too small."""
    if value < least:
        raise SpancrewError(f"{what} {value}: at least {least} is needed")


def refuse_unfit(setting: Setting, workers: int, sentences: int, models: int = 0) -> None:
    """Refuse a setting that this many workers cannot fill, beside whom there are models."""
    if setting.answers > workers:
        raise SpancrewError(
            f"{setting.answers} answers on a sentence need as many workers; there are {workers}"
        )
    if setting.crew != "auto" and setting.crew > workers:
        raise SpancrewError(
            f"a crew of {setting.crew} cannot be chosen from {workers} workers; take a smaller one"
        )
    if setting.worker_prices is not None and len(setting.worker_prices) != workers:
        raise SpancrewError(f"{len(setting.worker_prices)} prices are given for {workers} workers")
    if len(setting.model_prices) > 1 and len(setting.model_prices) != models:
        raise SpancrewError(f"{len(setting.model_prices)} prices are given for {models} models")
    least = setting.least_answers
    if setting.cap is not None and setting.cap * workers < least * sentences:
        raise SpancrewError(
            f"{workers} workers with at most {setting.cap} answers each cannot give {least} "
            f"answers on {sentences} sentences"
        )
