"""What the arms of an experiment are made with."""

from dataclasses import dataclass, field

from spancrew.consensus import Consensus, consensus_method
from spancrew.core import Dataset
from spancrew.errors import SpancrewError
from spancrew.feedback import FeedbackRule, Prices, feedback_rule
from spancrew.policies import Policy, policy
from spancrew.simulate import Pair, Setting


@dataclass(frozen=True, slots=True)
class Design:
    """How crews are selected, how answers are joined, and what everybody costs.

    Crews give ``answers`` answers on a sentence; None: half of those there are. Experts label
    the share ``experts`` of the sentences, chosen by expected errors. ``seed`` draws the
    ``sentences`` that are trained on; None: all. Labels are made with all of them.
    """

    policy: Policy = field(default_factory=lambda: policy("difficulty-thompson"))
    feedback: FeedbackRule = field(default_factory=lambda: feedback_rule("crowd"))
    consensus: Consensus = field(default_factory=lambda: consensus_method("auto+tagger"))
    answers: int | None = None
    experts: float = 0.2
    prices: Prices = field(default_factory=Prices)
    sentences: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse numbers that make no experiment."""
        if not 0 <= self.experts <= 1:
            raise SpancrewError(f"experts {self.experts:g}: a share from 0 to 1, as 0.2 for 20 %")
        for what, number in (("answers", self.answers), ("sentences", self.sentences)):
            if number is not None and number < 1:
                raise SpancrewError(f"{what} {number}: at least 1 is needed")

    def crew_answers(self, dataset: Dataset) -> int:
        """Return how many answers on a sentence crews give."""
        if self.answers is not None:
            return self.answers
        return max(1, round(len(dataset.answers) / max(len(dataset), 1) / 2))

    def setting(self, chooser: Policy, answers: int, crew: int, seed: int) -> Setting:
        """Return how the answers of crews are collected: scored by a vote, without a warm-up."""
        return Setting(
            chooser,
            self.feedback,
            crew=crew,
            answers=answers,
            runs=1,
            seed=seed,
            prices=self.prices,
            revise=False,
            warm_up="none",
        )

    @property
    def pair(self) -> Pair:
        """Return how final labels are made."""
        return Pair(self.consensus, "expected-error")
