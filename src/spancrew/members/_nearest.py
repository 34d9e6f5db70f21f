"""Which sentences are most like another one, by the words that they share."""

from collections import Counter
from collections.abc import Sequence
from heapq import nsmallest
from math import log, sqrt

from spancrew.core import Sentence


class Nearest:
    """Sentences by their words; a word counts the more, the fewer sentences have it."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self._texts = [each.text for each in sentences]
        bags = [_words(each) for each in sentences]
        seen = Counter(word for bag in bags for word in bag)
        self._weights = {word: log(1 + len(bags) / count) for word, count in seen.items()}
        self._places: dict[str, list[tuple[int, float]]] = {word: [] for word in seen}
        for k, bag in enumerate(bags):
            length = sqrt(sum(self._weights[word] ** 2 for word in bag)) or 1.0
            for word in bag:
                self._places[word].append((k, self._weights[word] / length))

    def to(self, sentence: Sentence, count: int) -> list[int]:
        """Return which are most like a sentence, the most alike first; never one of its text."""
        likeness: dict[int, float] = {}
        for word in sorted(_words(sentence)):
            weight = self._weights.get(word, 0.0)
            for k, share in self._places.get(word, ()):
                likeness[k] = likeness.get(k, 0.0) + weight * share
        others = (k for k, text in enumerate(self._texts) if text != sentence.text)
        return nsmallest(count, others, key=lambda k: (-likeness.get(k, 0.0), k))


def _words(sentence: Sentence) -> frozenset[str]:
    return frozenset(token.casefold() for token in sentence.tokens)
