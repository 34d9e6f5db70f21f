"""Sentences with a known truth and answers made up on the spot, to see what a method does."""

from dataclasses import dataclass

import numpy as np

from spancrew.consensus import Evidence
from spancrew.core import Answers, IntArray, Ragged

_Span = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class MadeUpCrowd:
    """Made-up sentences with the answers of some workers.

    Every worker keeps a true span with their skill; else it is lost, or gets a border or a label
    wrong. Skills go from ``worst`` to ``best`` in equal steps. Every sentence has ``answers`` by
    different workers, drawn at random. ``hints`` is the share of the words that tell the truth of
    their token; the others tell nothing. Everything follows from the seed.
    """

    sentences: int = 120
    workers: int = 8
    answers: int = 4
    labels: int = 3
    worst: float = 0.3
    best: float = 0.95
    shortest: int = 4
    longest: int = 12
    seed: int = 0
    hints: float = 1.0

    def made(self) -> tuple[Evidence, Ragged]:
        """Return the answers with words that hint at the truth, and the truth."""
        rng = np.random.default_rng(self.seed)
        lengths = rng.integers(self.shortest, self.longest + 1, self.sentences)
        truth = [self._spans(rng, int(length)) for length in lengths]
        skills = np.linspace(self.worst, self.best, self.workers)
        rows, workers = [], []
        for length, spans in zip(lengths.tolist(), truth, strict=True):
            for worker in rng.permutation(self.workers)[: self.answers].tolist():
                given = self._distorted(rng, spans, length, skills[worker])
                rows.append(_codes(given, length))
                workers.append(worker)
        each = min(self.answers, self.workers)
        gold = Ragged.of(
            [_codes(spans, n) for spans, n in zip(truth, lengths.tolist(), strict=True)],
        )
        answers = Answers(
            np.repeat(np.arange(self.sentences), each).astype(np.int32),
            np.array(workers, np.int32),
            Ragged.of(rows),
            self.sentences,
        )
        told = self._told(rng, gold)
        return evidence_of(answers, lengths, self.labels, self.workers, rng, told), gold

    def _told(self, rng: np.random.Generator, gold: Ragged) -> Ragged:
        """Return the codes that words tell."""
        if self.hints >= 1:
            return gold
        is_told = rng.random(len(gold.values)) < self.hints
        others = rng.permutation(gold.values)
        return Ragged(np.where(is_told, gold.values, others), gold.offsets)

    def _spans(self, rng: np.random.Generator, length: int) -> list[_Span]:
        spans, at = [], 0
        while at < length:
            size = int(rng.integers(1, 4))
            if rng.random() < 0.3 and at + size <= length:
                spans.append((at, at + size, int(rng.integers(self.labels))))
                at += size
            at += 1
        return spans

    def _distorted(
        self, rng: np.random.Generator, spans: list[_Span], length: int, skill: float
    ) -> list[_Span]:
        given = []
        for start, end, label in spans:
            if rng.random() < skill:
                given.append((start, end, label))
                continue
            wrong = int(rng.integers(3))
            if wrong == 0:
                given.append((start, end, int(rng.integers(self.labels))))
            elif wrong == 1:
                given.append((start, min(end + 1, length), label))
        return given


def evidence_of(
    answers: Answers,
    lengths: IntArray,
    labels: int,
    workers: int,
    rng: np.random.Generator,
    gold: Ragged | None = None,
) -> Evidence:
    """Return evidence with words: ten for every code, or by chance where there is no truth."""
    tokens = int(np.sum(lengths))
    codes = rng.integers(0, 2 * labels + 1, tokens) if gold is None else gold.values
    words = 10 * codes.astype(np.int32) + rng.integers(0, 10, tokens).astype(np.int32)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    size = np.asarray(lengths, np.int64)
    vocabulary = 10 * (2 * labels + 1)
    return Evidence(answers, size, labels, workers, None, Ragged(words, offsets), vocabulary)


def _codes(spans: list[_Span], length: int) -> list[int]:
    """Return the codes of spans; where two overlap, the later one gives way."""
    codes, free = [0] * length, 0
    for start, end, label in spans:
        if start < free:
            continue
        codes[start:end] = [2 * label + 2] * (end - start)
        codes[start] = 2 * label + 1
        free = end
    return codes
