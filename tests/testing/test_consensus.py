"""Consensus methods that break a promise do not pass the contract."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from spancrew.consensus import Beliefs, Evidence, MajorityVote, Model
from spancrew.core import Answers, IntArray, Ragged
from spancrew.errors import SpancrewError
from spancrew.testing import ConsensusContract


@dataclass(frozen=True)
class Unpicklable(MajorityVote):
    """Keeps something that no other process can be sent."""

    helper: Any = field(default_factory=lambda: lambda: None)


@dataclass(frozen=True)
class Nameless(MajorityVote):
    """Has an option that no name can say."""

    weights: tuple[float, ...] = (0.5, 0.5)


class Silent:
    """Does not say whether it learns."""

    def fit(self, evidence: Evidence, before: Model | None = None) -> Model:
        """Return the vote."""
        return MajorityVote().fit(evidence, before)


@dataclass(frozen=True)
class Moody(MajorityVote):
    """Is as sure as it likes to be."""

    def judge(self, answers: Answers, lengths: IntArray, words: Ragged | None = None) -> Beliefs:
        """Draw the confidence."""
        beliefs = MajorityVote.judge(self, answers, lengths, words)
        return beliefs._replace(confidence=np.random.default_rng().random(len(lengths)))


@dataclass(frozen=True)
class Nosy(MajorityVote):
    """Looks at other sentences."""

    def judge(self, answers: Answers, lengths: IntArray, words: Ragged | None = None) -> Beliefs:
        """Take the mean confidence of all."""
        beliefs = MajorityVote.judge(self, answers, lengths, words)
        mean = beliefs.confidence.mean() if len(lengths) else 0.0
        return beliefs._replace(confidence=np.full(len(lengths), mean))


@dataclass(frozen=True)
class Boastful(MajorityVote):
    """Is more than sure."""

    def judge(self, answers: Answers, lengths: IntArray, words: Ragged | None = None) -> Beliefs:
        """Double the confidence."""
        beliefs = MajorityVote.judge(self, answers, lengths, words)
        return beliefs._replace(confidence=2 * beliefs.confidence)


COPY = "test_it_is_the_same_again_from_a_copy_and_from_its_name"
BAD: list[tuple[Callable[[], Any], str]] = [
    (Unpicklable, COPY),
    (Nameless, COPY),
    (Silent, COPY),
    (lambda: MajorityVote(ties="first"), "test_the_order_of_answers_does_not_matter"),
    (Moody, "test_the_same_evidence_gives_the_same_beliefs"),
    (Nosy, "test_a_model_does_not_look_at_other_sentences"),
    (Boastful, "test_beliefs_have_a_place_for_everything"),
]


@pytest.mark.parametrize(("method", "promise"), BAD)
def test_a_broken_promise_is_found(method: Callable[[], Any], promise: str) -> None:
    """By the test that is meant for it."""
    contract = ConsensusContract()
    contract.method = method()

    with pytest.raises((AssertionError, SpancrewError, AttributeError, TypeError)):
        getattr(contract, promise)()
