"""More sentences than a pilot has: copies of them, which nobody has answered."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from spancrew.core import Dataset, IntArray, Ragged, Sentence, Sentences, offsets_of
from spancrew.crowds._base import Crowd


def with_copies(dataset: Dataset, size: int, rng: np.random.Generator) -> Dataset:
    """Return the sentences and, after them, copies without answers until there are ``size``.

    All are copied once in random order before any is copied again.
    """
    known = len(dataset)
    rounds = [rng.permutation(known) for _ in range(-(-size // known) - 1)]
    rows = np.concatenate([np.arange(known), *rounds])[:size]
    bare = dataset.without_answers().take(rows)
    given = dataset.answers
    return replace(
        bare,
        sentences=_renamed(bare.sentences),
        answers=given.take(np.arange(len(given)), given.sentence, size),
    )


def _renamed(sentences: Sentences) -> Sentences:
    """Return sentences of which no two have the same id."""
    taken = set(sentences.ids)
    ids, seen = [], set()
    for id_ in sentences.ids:
        made = unused_name(id_, taken) if id_ in seen else id_
        taken.add(made)
        seen.add(made)
        ids.append(made)
    rest = (sentences.texts, sentences.starts, sentences.ends, sentences.metas)
    return Sentences(tuple(ids), *rest)


def unused_name(stem: str, taken: Collection[str]) -> str:
    """Return a name that is not taken yet.

    >>> unused_name("s1", {"s1", "s1 (2)"})
    's1 (3)'
    """
    number = 2
    while (name := f"{stem} ({number})") in taken:
        number += 1
    return name


def with_own_words(dataset: Dataset, size: int) -> Dataset:
    """Return a data set in which each round of copies of the first sentences has its own words.

    Else a consensus method could learn from a sentence what the words of its copies mean. Within a
    round, words are repeated as in the pilot.
    """
    old = dataset.sentences
    made = [
        each
        if place < size
        else Sentence.from_tokens(each.id, [f"{word} {place // size}" for word in each.tokens])
        for place, each in enumerate(old)
    ]
    bounds = np.array([bound for each in made for bound in each.bounds], old.starts.values.dtype)
    starts, ends = (Ragged(np.ascontiguousarray(side), old.starts.offsets) for side in bounds.T)
    texts = tuple(each.text for each in made)
    return replace(dataset, sentences=Sentences(old.ids, texts, starts, ends, old.metas))


class CrowdWithCopies:
    """One crowd on the first sentences, another on all that follow."""

    def __init__(self, first: Crowd, further: Crowd, size: int) -> None:
        self._first = first
        self._further = further
        self._size = size

    @property
    def workers(self) -> tuple[str, ...]:
        """Return the names of the workers."""
        return self._first.workers

    def can_answer(self, sentences: IntArray, workers: IntArray) -> IntArray:
        """Return the places of the questions that can be answered."""
        parts = [
            places[crowd.can_answer(sentences[places], workers[places])]
            for crowd, places in self._parts(sentences)
        ]
        return np.sort(np.concatenate([np.zeros(0, np.int64), *parts]))

    def answers(self, sentences: IntArray, workers: IntArray) -> Ragged:
        """Return one answer for each question."""
        parts = self._parts(sentences)
        if len(parts) == 1:
            return parts[0][0].answers(sentences, workers)
        given = [crowd.answers(sentences[places], workers[places]) for crowd, places in parts]
        values = np.concatenate([each.values for each in given])
        joined = Ragged(values, offsets_of(np.concatenate([each.lengths for each in given])))
        return joined.take(np.argsort(np.concatenate([places for _, places in parts])))

    def _parts(self, sentences: IntArray) -> list[tuple[Crowd, IntArray]]:
        """Return which questions go to which crowd; one that gets none is left out."""
        is_first = np.asarray(sentences) < self._size
        asked = [(self._first, np.flatnonzero(is_first))]
        asked.append((self._further, np.flatnonzero(~is_first)))
        return [each for each in asked if len(each[1])] or asked[:1]
