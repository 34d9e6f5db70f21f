"""A consensus method that learns, small enough to see through."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from spancrew.consensus import Beliefs, Evidence, Model
from spancrew.core import Answers, IntArray, Ragged


@dataclass(frozen=True, slots=True)
class Learned:
    """Who was how often right by the experts, how often words were seen, and what was before."""

    right: tuple[float, ...]
    words: tuple[int, ...]
    fits: int

    def judge(self, answers: Answers, lengths: IntArray, words: Ragged | None = None) -> Beliefs:
        """Take the answer of the best worker; doubt it the more, the more others differ."""
        assert words is not None
        rows, sure, errors = [], [], []
        for s, length in enumerate(lengths.tolist()):
            given = {
                int(answers.worker[k]): tuple(answers.codes[k].tolist())
                for k in range(answers.first[s], answers.first[s + 1])
            }
            best = max(given, key=lambda worker: (self.right[worker], -worker), default=-1)
            row = given.get(best, (0,) * length)
            others = sum(each != row for each in given.values())
            new = sum(self.words[word] == 0 for word in words[s].tolist())
            rows.append(row)
            sure.append(self.right[best] if given else 0.0)
            doubt = (1 - sure[-1]) * sum(code % 2 for code in row) + 0.3 * others + 0.05 * new
            errors.append(doubt * 0.9**self.fits)
        labels = Ragged.of(rows)
        spans = np.repeat(sure, lengths) * (labels.values % 2)
        found = np.array([sum(code % 2 for code in row) for row in rows], np.float64)
        expected = np.array(errors, np.float64)
        none = np.zeros(len(rows), bool)
        return Beliefs(labels, none, spans, 1 / (1 + expected), expected, found)


@dataclass(frozen=True, slots=True)
class Learner:
    """Believe whoever the experts confirmed most."""

    learns: ClassVar[bool] = True

    def fit(self, evidence: Evidence, before: Model | None = None) -> Learned:
        """Count anew; that there was a model before, and how often, is kept."""
        assert evidence.known is not None
        assert evidence.words is not None
        right, known = np.ones(evidence.workers), np.full(evidence.workers, 2.0)
        answers = evidence.answers
        for sentence, worker, codes in zip(
            answers.sentence.tolist(), answers.worker.tolist(), answers.codes, strict=True
        ):
            if len(evidence.known[sentence]):
                known[worker] += 1
                right[worker] += np.array_equal(codes, evidence.known[sentence])
        words = np.bincount(evidence.words.values, minlength=evidence.vocabulary)
        fits = 0 if before is None else before.fits + 1  # type: ignore[attr-defined]
        return Learned(tuple((right / known).tolist()), tuple(words.tolist()), fits)
