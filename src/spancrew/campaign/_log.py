"""What the consensus method learns from: sentences in the order in which they were settled."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.campaign._material import Material
from spancrew.consensus import Evidence
from spancrew.core import Answers, CodeArray, IntArray, Ragged, offsets_of
from spancrew.policies import Course

_LEAST = 64
"""Places that a column begins with; it doubles when it is full."""


class Growing:
    """Values in one array with room at its end; what is there stays as it is.

    >>> column = Growing(np.int64)
    >>> column.extend([3, 1])
    >>> column.extend([4])
    >>> len(column), column.first(2).tolist()
    (3, [3, 1])
    """

    __slots__ = ("_count", "_values")

    def __init__(self, dtype: npt.DTypeLike) -> None:
        self._values = np.empty(_LEAST, dtype)
        self._count = 0

    @classmethod
    def of(cls, values: npt.NDArray[Any]) -> "Growing":
        """Return a column of these values."""
        column = cls(values.dtype)
        column.extend(values)
        return column

    def __len__(self) -> int:
        """Return the number of values."""
        return self._count

    def extend(self, values: npt.ArrayLike) -> None:
        """Add values at the end."""
        added = np.asarray(values, self._values.dtype)
        size = self._count + len(added)
        if size > len(self._values):
            wider = np.empty(max(size, 2 * len(self._values)), self._values.dtype)
            wider[: self._count] = self._values[: self._count]
            self._values = wider
        self._values[self._count : size] = added
        self._count = size

    def first(self, count: int) -> npt.NDArray[Any]:
        """Return the first values without a copy; later ones do not change them."""
        return self._values[:count]

    @property
    def all(self) -> npt.NDArray[Any]:
        """Return all values without a copy."""
        return self.first(self._count)


class Held(NamedTuple):
    """An answer that counts on a sentence."""

    worker: int
    codes: CodeArray
    assignment: int


class Logged(NamedTuple):
    """A sentence that was settled, or an answer on one that is known: a row of the evidence.

    ``known`` is what an expert or gold says of it, ``rewards`` has a number for every answer.
    ``by_crowd`` tells that the consensus counts, even where an expert has answered too.
    """

    sentence: int
    answers: tuple[Held, ...]
    known: CodeArray | None
    rewards: tuple[float, ...]
    turn: int
    by_crowd: bool = False
    weight: float = 0.0


def _there(codes: CodeArray | None) -> list[CodeArray]:
    return [] if codes is None else [codes]


class Said(NamedTuple):
    """How many spans and how many errors were expected of a sentence."""

    expected: float
    errors: float


class StatedLog:
    """What was stated of the sentences of the crowd when they were settled.

    ``expected`` are the true spans that were expected, ``errors`` the wrong and missing ones;
    ``chance`` has a number for every span of the labels: the probability that it is right. A
    sentence that was overruled is not of the crowd any more.
    """

    def __init__(self, material: Material) -> None:
        self.sentence = Growing(np.int32)
        self.expected = Growing(np.float64)
        self.errors = Growing(np.float64)
        self.codes = Growing(material.labels.dtype)
        self.chance = Growing(np.float64)

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.sentence)

    def append(self, sentence: int, codes: CodeArray, chance: Sequence[float], said: Said) -> None:
        """Add a sentence."""
        self.codes.extend(codes)
        self.chance.extend(chance)
        self.expected.extend([said.expected])
        self.errors.extend([said.errors])
        self.sentence.extend([sentence])

    def drop(self, material: Material, sentence: int) -> None:
        """Forget a sentence, in a copy."""
        stays = self.sentence.all != sentence
        labels = self.labels(material)
        is_kept = np.repeat(stays, labels.lengths)
        self.chance = Growing.of(self.chance.all[is_kept[labels.values % 2 == 1]])
        self.codes = Growing.of(self.codes.all[is_kept])
        self.expected = Growing.of(self.expected.all[stays])
        self.errors = Growing.of(self.errors.all[stays])
        self.sentence = Growing.of(self.sentence.all[stays])

    def __contains__(self, sentence: int) -> bool:
        """Tell whether a sentence is one of the crowd."""
        return bool((self.sentence.all == sentence).any())

    @property
    def sums(self) -> tuple[float, float]:
        """Return the errors expected in all, and the spans found and expected, added up."""
        return sum(self.errors.all.tolist()), sum(self.expected.all.tolist()) + len(self.chance)

    def labels(self, material: Material) -> Ragged:
        """Return the labels of all, a row of codes each."""
        return Ragged(self.codes.all, offsets_of(material.lengths[self.sentence.all]))


class EvidenceLog:
    """Settled sentences with their answers; those of warm-ups and gold are rows of their own.

    So are audits, with a ``weight``: how many sentences each stands for; that of others is 0.
    ``reward`` is what an answer was worth, NaN if nothing was learned; ``turn`` the version after
    which a row came to be, and ``what`` the course of the standings. Only a correction changes
    what is there, and then in a copy: a fit in the background goes on with what it was given.
    """

    def __init__(self, material: Material) -> None:
        dtype = material.labels.dtype
        self.sentence = Growing(np.int32)
        self.size = Growing(np.int32)
        self.known = Growing(np.bool_)
        self.by_crowd = Growing(np.bool_)
        self.weight = Growing(np.float64)
        self.turn = Growing(np.int64)
        self.worker = Growing(np.int32)
        self.reward = Growing(np.float64)
        self.codes = Growing(dtype)
        self.labels = Growing(dtype)
        self.what = Growing(np.int32)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.sentence)

    def append(self, row: "Logged") -> None:
        """Add a sentence."""
        answers, known = row.answers, row.known
        self.worker.extend([each.worker for each in answers])
        self.reward.extend(row.rewards)
        for each in answers:
            self.codes.extend(each.codes)
        if known is not None:
            self.labels.extend(known)
        self.size.extend([len(answers)])
        self.known.extend([known is not None])
        self.by_crowd.extend([row.by_crowd])
        self.weight.extend([row.weight])
        self.turn.extend([row.turn])
        self.sentence.extend([row.sentence])

    @property
    def course(self) -> Course:
        """Return what happened to the standings, in its order."""
        return Course(self.what.all, offsets_of(self.size.all), self.worker.all, self.reward.all)

    def rows(self, material: Material, sentence: int) -> list["Logged"]:
        """Return the rows of a sentence."""
        first = offsets_of(self.size.all)
        length = int(material.lengths[sentence])
        start = offsets_of(material.lengths[self.sentence.all] * self.size.all)
        labels = self._label_offsets(material)
        found = []
        for row in np.flatnonzero(self.sentence.all == sentence).tolist():
            low, high = first[row], first[row + 1]
            codes = self.codes.all[start[row] : start[row + 1]].reshape(-1, length)
            workers = self.worker.all[low:high].tolist()
            known = self.labels.all[labels[row] : labels[row + 1]]
            found.append(
                Logged(
                    sentence,
                    tuple(Held(w, c, -1) for w, c in zip(workers, codes, strict=True)),
                    known if self.known.all[row] else None,
                    tuple(self.reward.all[low:high].tolist()),
                    int(self.turn.all[row]),
                    bool(self.by_crowd.all[row]),
                    float(self.weight.all[row]),
                )
            )
        return found

    def correct(self, material: Material, sentence: int, rows: Sequence["Logged"]) -> None:
        """Put rows in the place of those of a sentence; they have the same answers."""
        places = np.flatnonzero(self.sentence.all == sentence).tolist()
        offsets, first = self._label_offsets(material), offsets_of(self.size.all)
        known, by_crowd = self.known.all.copy(), self.by_crowd.all.copy()
        reward, pieces, end = self.reward.all.copy(), [], 0
        for place, row in zip(places, rows, strict=True):
            known[place], by_crowd[place] = row.known is not None, row.by_crowd
            reward[first[place] : first[place + 1]] = row.rewards
            pieces += [self.labels.all[end : offsets[place]], *_there(row.known)]
            end = offsets[place + 1]
        labels = np.concatenate([*pieces, self.labels.all[end:]])
        self.known, self.by_crowd = Growing.of(known), Growing.of(by_crowd)
        self.reward, self.labels = Growing.of(reward), Growing.of(labels)

    def _label_offsets(self, material: Material) -> IntArray:
        lengths = material.lengths[self.sentence.all]
        offsets: IntArray = offsets_of(np.where(self.known.all, lengths, 0))
        return offsets

    def evidence(self, material: Material, rows: int, workers: int) -> Evidence:
        """Return the evidence of the first rows."""
        sentence = self.sentence.first(rows).astype(np.int64)
        size, known = self.size.first(rows), self.known.first(rows)
        weight = self.weight.first(rows)
        lengths = material.lengths[sentence]
        row = np.repeat(np.arange(rows, dtype=np.int32), size)
        offsets = offsets_of(lengths[row])
        labels = offsets_of(np.where(known, lengths, 0))
        codes = Ragged(self.codes.first(int(offsets[-1])), offsets)
        return Evidence(
            Answers(row, self.worker.first(len(row)), codes, rows),
            lengths,
            len(material.labels),
            workers,
            Ragged(self.labels.first(int(labels[-1])), labels),
            material.words.take(sentence),
            len(material.spelling),
            np.where(weight > 0, weight, 1.0),
            weight > 0,
            material.spelling,
        )
