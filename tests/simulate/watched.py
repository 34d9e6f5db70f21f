"""Parts of a rehearsal that write down what they are asked."""

from dataclasses import dataclass, field

from spancrew.core import Chance, FloatArray, IntArray, Ragged
from spancrew.policies import Learning, Policy, Standings
from spancrew.simulate import AnswerSource


@dataclass(frozen=True)
class Watched(Policy):
    """A policy that writes down whom it chose, and what it knew."""

    policy: Policy
    crews: list[IntArray] = field(default_factory=list)
    means: list[FloatArray] = field(default_factory=list)

    @property
    def learning(self) -> Learning:
        """Return what the policy wants."""
        return self.policy.learning

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Let the policy choose."""
        crew = self.policy.select(standings, size, chance)
        self.crews.append(crew.copy())
        self.means.append(standings.mean.copy())
        return crew


@dataclass(frozen=True)
class Overheard:
    """A source that writes down which answers were asked for, and which were scored."""

    source: AnswerSource
    asked: list[list[tuple[int, int]]] = field(default_factory=list)
    scored: list[list[tuple[int, int]]] = field(default_factory=list)

    @property
    def truth(self) -> FloatArray:
        """Return the true mean scores."""
        return self.source.truth

    def answers(self, sentences: IntArray, workers: IntArray) -> Ragged:
        """Pass the answers on."""
        self.asked.append(list(zip(sentences.tolist(), workers.tolist(), strict=True)))
        return self.source.answers(sentences, workers)

    def scores(self, sentences: IntArray, workers: IntArray) -> FloatArray:
        """Pass the scores on."""
        self.scored.append(list(zip(sentences.tolist(), workers.tolist(), strict=True)))
        return self.source.scores(sentences, workers)
