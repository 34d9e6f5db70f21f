"""Crowds whose truth is known because it was drawn first."""

from typing import NamedTuple

import numpy as np

from spancrew.consensus import Evidence
from spancrew.core import Answers, Ragged


class Invented(NamedTuple):
    """Evidence without expert labels, the truth, and how careful every worker is."""

    evidence: Evidence
    truth: Ragged
    care: np.ndarray


def invent(sentences: int = 300, workers: int = 12, answers: int = 4, seed: int = 0) -> Invented:
    """Draw sentences of a Markov chain and workers from careless to careful.

    A careless worker misses spans, cuts them short and confuses the labels.
    """
    rng = np.random.default_rng(seed)
    care = np.linspace(0.35, 0.95, workers)
    truth, rows, who, where = [], [], [], []
    for s in range(sentences):
        true = _sentence(rng, int(rng.integers(4, 16)))
        truth.append(true)
        for worker in sorted(rng.permutation(workers)[:answers].tolist()):
            rows.append(_answer(rng, true, care[worker]))
            who.append(worker)
            where.append(s)
    given = Answers(np.array(where, np.int32), np.array(who, np.int32), Ragged.of(rows), sentences)
    lengths = np.array([len(true) for true in truth])
    words = Ragged.of([_words(rng, true) for true in truth], np.int32)
    evidence = Evidence(given, lengths, 2, workers, None, words, 40)
    return Invented(evidence, Ragged.of(truth), care)


def _sentence(rng: np.random.Generator, size: int) -> list[int]:
    codes: list[int] = []
    while len(codes) < size:
        if rng.random() < 0.25:
            label = int(rng.integers(2))
            codes += [2 * label + 1] + [2 * label + 2] * int(rng.integers(0, 3))
        codes.append(0)
    return codes[:size]


def _answer(rng: np.random.Generator, true: list[int], care: float) -> list[int]:
    codes = [0] * len(true)
    for start, code in enumerate(true):
        if code % 2 == 0 or rng.random() > care + 0.03:
            continue
        end = start + 1
        while end < len(true) and true[end] == code + 1:
            end += 1
        given = code if rng.random() < care else (4 - code)
        last = end if rng.random() < care else max(start + 1, end - 1)
        codes[start:last] = [given] + [given + 1] * (last - start - 1)
    return codes


def _words(rng: np.random.Generator, true: list[int]) -> list[int]:
    """Return numbers of words, ten for each of O, two labels and anything."""
    kind = [0 if code == 0 else (code + 1) // 2 for code in true]
    return [int(10 * k + rng.integers(10)) if rng.random() < 0.8 else 35 for k in kind]
