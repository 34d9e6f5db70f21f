"""Workers of all kinds, and the answers they give."""

import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import mistakes
from difficulty import Difficulty, SpanDifficulty
from draws import Draws
from markup import Passage
from mistakes import Mistake, Reading

from spancrew.core import Span

Habit = Literal["none", "hasty", "skips works", "takes along", "swaps places", "guesses"]

_MISTAKES: tuple[Mistake, ...] = (
    "missed", "shifted", "expanded", "shrunk", "mislabelled", "merged",
)  # fmt: skip
_USUAL = (2.4, 1.6, 2.0, 2.2, 2.0, 1.0)
_HASTY = (9.0, 0.5, 1.0, 2.5, 1.5, 0.5)
_DAY = 20
"""Answers a worker gives on one day; their form is the same for all of them."""


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker: skill in logits, number of answers, pace (1 is usual, 2 twice as slow), habit."""

    name: str
    skill: float
    answers: int
    pace: float = 1.0
    habit: Habit = "none"


def load(path: Path) -> list[Worker]:
    """Read the workers of a crowd from a file."""
    table = tomllib.loads(path.read_text("utf-8"))
    return [Worker(name, **facts) for name, facts in table.items()]


class Mind:
    """A worker at work: form changes from day to day."""

    def __init__(self, worker: Worker, labels: Sequence[str], draws: Draws) -> None:
        self._worker = worker
        self._labels = labels
        self._draws = draws
        self._given = 0
        self._form = 0.0

    def answer(self, passage: Passage, difficulty: Difficulty) -> tuple[Span, ...]:
        """Return the spans that the worker marks."""
        if self._given % _DAY == 0:
            self._form = self._draws.normal(0.3)
        self._given += 1
        if self._worker.habit == "guesses":
            return _without_overlaps(self._guesses(passage))
        ability = self._worker.skill + self._form + difficulty.easiness + self._draws.normal(0.4)
        if self._draws.chance(_logistic(-1.2 * ability - 1.6)):
            return ()
        readings = [
            self._read(passage, span, ability, hardness)
            for span, hardness in zip(passage.gold, difficulty.spans, strict=True)
        ]
        found = [span for reading in readings for span in reading]
        return _without_overlaps([*found, *self._imagined(passage, ability, difficulty)])

    def seconds(self, passage: Passage, reading_time: float) -> float:
        """Return how long the answer takes, to a tenth of a second."""
        usual = self._worker.pace * (2.0 + reading_time * len(passage))
        return round(max(usual * math.exp(self._draws.normal(0.4)), 0.7), 1)

    def _read(
        self, passage: Passage, span: Span, ability: float, hardness: SpanDifficulty
    ) -> Reading:
        by_habit = self._by_habit(passage, span)
        if by_habit is not None:
            return by_habit
        if self._draws.chance(_logistic(ability + hardness.easiness)):
            return (span,)
        if self._draws.chance(hardness.pull):
            weights = (3.0, 1.0)[: len(hardness.popular)]
            return self._draws.weighted(hardness.popular, weights)
        weights = _HASTY if self._worker.habit == "hasty" else _USUAL
        mistake = self._draws.weighted(_MISTAKES, weights)
        return mistakes.make(mistake, passage, span, self._labels, self._draws)

    def _by_habit(self, passage: Passage, span: Span) -> Reading | None:
        """Return what the worker's habit makes of the span, if it makes anything of it."""
        match self._worker.habit:
            case "skips works" if span.label == "WORK" and self._draws.chance(0.92):
                return ()
            case "swaps places" if span.label in {"LOC", "ORG"} and self._draws.chance(0.4):
                other = "ORG" if span.label == "LOC" else "LOC"
                return (Span(span.start, span.end, other),)
            case "takes along" if self._draws.chance(0.75):
                longer = mistakes.takes_along(passage, span)
                return None if longer is None else (longer,)
            case _:
                return None

    def _imagined(self, passage: Passage, ability: float, difficulty: Difficulty) -> list[Span]:
        """Return spans where there are none, now and then."""
        tempted = [
            span for span in difficulty.spurious if self._draws.chance(_logistic(-ability - 0.2))
        ]
        chance = _logistic(-ability - (1.0 if not passage.gold else 2.3))
        if not self._draws.chance(chance):
            return tempted
        words = _stretches([mistakes.is_word(token) for token in passage.tokens])
        first, last = self._draws.pick(words)
        start = self._draws.between(first, last - 1)
        end = min(start + self._draws.between(1, 3), last)
        return [*tempted, Span(start, end, self._draws.pick(self._labels))]

    def _guesses(self, passage: Passage) -> list[Span]:
        """Mark what catches the eye, with a label that is little better than chance."""
        runs = _capitals(passage.tokens) or _clause_ends(passage.tokens)
        return [
            Span(start, end, self._guessed_label(end - start))
            for start, end in runs
            if self._draws.chance(0.85)
        ]

    def _guessed_label(self, length: int) -> str:
        if self._draws.chance(0.12):
            return self._draws.pick(self._labels)
        by_length = {1: "LOC", 2: "PER", 3: "ORG"}
        guess = by_length.get(length, "POS")
        return guess if guess in self._labels else self._labels[-1]


def _capitals(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Return the stretches of words that begin with a capital, but for a lone first word."""
    runs = _stretches([token[0].isupper() for token in tokens])
    return [run for run in runs if run != (0, 1)]


def _clause_ends(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Return the last few characters of every clause."""
    clauses = _stretches([mistakes.is_word(token) for token in tokens])
    return [(max(end - 4, start), end) for start, end in clauses]


def _stretches(is_inside: Sequence[bool]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for position, inside in enumerate(is_inside):
        if inside and runs and runs[-1][1] == position:
            runs[-1] = (runs[-1][0], position + 1)
        elif inside:
            runs.append((position, position + 1))
    return runs


def _without_overlaps(spans: Sequence[Span]) -> tuple[Span, ...]:
    kept: list[Span] = []
    for span in spans:
        if not any(span.overlaps(other) for other in kept):
            kept.append(span)
    return tuple(sorted(kept))


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value))
