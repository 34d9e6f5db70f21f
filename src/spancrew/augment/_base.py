"""What a plan is: missing answers on demand."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy.typing as npt

from spancrew.augment._material import Material
from spancrew.core import IntArray

Progress = Callable[[int, int], None]
"""Called now and then with the sentences done and the sentences in all."""


class Plan(Protocol):
    """The missing answers of a data set; each is a function of plan, sentence and worker."""

    @property
    def material(self) -> Material:
        """Return what the answers are made from."""
        ...

    @property
    def source(self) -> str:
        """Return the mark that the answers carry."""
        ...

    def codes(self, sentence: int, workers: IntArray) -> npt.NDArray[Any]:
        """Return the answers of some workers on a sentence, a row of codes each."""
        ...


def silent(_done: int, _total: int) -> None:
    """Report progress to nobody."""
