"""Models that a test can look into."""

from collections.abc import Callable, Sequence
from threading import Lock

from spancrew.core import Dataset, LabelSet, Sentence
from spancrew.members import GivenSpan, Member, Reply

Answering = Callable[[Sequence[Sentence]], Sequence[Reply]]


def capitals(sentences: Sequence[Sequence[str]]) -> list[list[tuple[int, int, str]]]:
    """Mark every word that begins with a capital letter."""
    return [
        [(k, k + 1, "PER") for k, token in enumerate(tokens) if token[0].isupper()]
        for tokens in sentences
    ]


def capitals_in_texts(texts: Sequence[str]) -> list[list[tuple[int, int, str]]]:
    """Mark the first two letters of every word that begins with a capital letter."""
    return [[(k, k + 2, "PER") for k, letter in enumerate(t) if letter.isupper()] for t in texts]


def first_words(sentences: Sequence[Sentence]) -> list[Reply]:
    """Mark the first word of every sentence."""
    return [Reply((GivenSpan(0, 1, "PER", 0.75),)) for _ in sentences]


class Scripted(Member):
    """Answers as it is told, and counts how often it was asked about a sentence."""

    name = "scripted"

    def __init__(
        self, answering: Answering = first_words, *, price: float = 0.0, at_once: int = 2
    ) -> None:
        self._answering = answering
        self._lock = Lock()
        self.price = price
        self.at_once = at_once
        self.asked: list[str] = []

    def answer(self, sentences: Sequence[Sentence], labels: Sequence[str]) -> Sequence[Reply]:  # noqa: ARG002  of the protocol
        """Answer as told."""
        with self._lock:
            self.asked += [each.id for each in sentences]
        return self._answering(sentences)


def people(count: int) -> Dataset:
    """Return sentences that say who left where to."""
    tokens = ["Ana", "left", "Rome"]
    made = [Sentence.from_tokens(f"s{k}", [*tokens, str(k)]) for k in range(count)]
    return Dataset.of(made, labels=LabelSet(("LOC", "PER")))
