"""Parts of a plan as others would write them, some registered for the time of a test."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import numpy as np

from spancrew.consensus import Beliefs
from spancrew.core import Answers, Chance, IntArray, registered
from spancrew.feedback import FeedbackRule, Situation, Verdict
from spancrew.policies import Policy, Standings, top


@dataclass(frozen=True, slots=True)
class Optimist(FeedbackRule):
    """Trust every crowd, as a rule of another package may."""

    decides_by: ClassVar[str] = "hope"
    asks_experts: ClassVar[bool] = False

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Hope for the best."""
        del beliefs, situation
        return Verdict.final(np.ones(answers.sentences, bool), np.zeros(answers.sentences))


@dataclass(frozen=True, slots=True)
class Loner:
    """A rule that inherits nothing and has two members only."""

    decides_by: ClassVar[str] = "nothing"

    def judge(
        self, answers: Answers, beliefs: Beliefs, situation: Situation | None = None
    ) -> Verdict:
        """Trust every crowd."""
        return Optimist().judge(answers, beliefs, situation)


@dataclass(frozen=True, slots=True)
class Alphabet(Policy):
    """Choose those who came first."""

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return the lowest numbers."""
        index = np.broadcast_to(-np.arange(len(standings.price)), standings.count.shape)
        return top(index.astype(np.float64), standings, size, chance)


@contextmanager
def registering(group: str, **classes: type[Any]) -> Iterator[None]:
    """Let classes be entry points of a group, as those of an installed package are."""
    with TemporaryDirectory() as folder:
        package = Path(folder) / "third_party-1.0.dist-info"
        package.mkdir()
        (package / "METADATA").write_text("Name: third-party\nVersion: 1.0\n")
        lines = [f"{name} = {each.__module__}:{each.__name__}" for name, each in classes.items()]
        (package / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]))
        sys.path.append(folder)
        registered.cache_clear()
        try:
            yield
        finally:
            sys.path.remove(folder)
            registered.cache_clear()
