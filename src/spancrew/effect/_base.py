"""What is trained on what: arms with examples, and models that learn from them."""

from pathlib import Path
from typing import NamedTuple, Protocol

from spancrew.core import Dataset, FloatArray, IntArray, Ragged

NOBODY = -1
"""Stands for the worker of labels that are not one worker's."""


class Texts(NamedTuple):
    """The sentences that models learn from, and those they are tested on; with equal labels."""

    train: Dataset
    test: Dataset


class Arm(NamedTuple):
    """A way to spend money on labels, with the examples that it yields.

    Example ``k`` is sentence ``sentence[k]`` with the labels ``codes[k]`` of ``worker[k]``, and
    counts by ``weight[k]``. ``answers`` and ``experts`` are what was paid for.
    """

    name: str
    sentence: IntArray
    worker: IntArray
    codes: Ragged
    weight: FloatArray
    answers: int
    experts: int


class Trained(NamedTuple):
    """What a model says of the test sentences, and how often it went through its examples."""

    codes: Ragged
    epochs: int


class Trainer(Protocol):
    """A model that knows the texts, and learns from one arm after the other."""

    def trained(self, arm: Arm, seed: int) -> Trained:
        """Train anew on an arm, and label the test sentences."""
        ...


class Learner(Protocol):
    """A kind of model with its settings."""

    @property
    def name(self) -> str:
        """Return the name and everything that decides what is learned."""
        ...

    def trainer(self, texts: Texts, keep: Path | None = None) -> Trainer:
        """Look at the texts once, before there are any labels; keep what that costs."""
        ...
