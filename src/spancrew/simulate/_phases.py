"""Who is told how far something is that takes long."""

from typing import Protocol


class Phases(Protocol):
    """Is told what is being done, and how much of it."""

    def phase(self, name: str) -> None:
        """Begin something else."""

    def __call__(self, done: int, total: int) -> None:
        """Say how much is done."""


class Silence:
    """Reports progress to nobody."""

    def phase(self, name: str) -> None:
        """Say nothing."""

    def __call__(self, done: int, total: int) -> None:
        """Say nothing."""
