"""How doubtful the sentences of every run were so far."""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.consensus import Beliefs
from spancrew.core import BoolArray, FloatArray, IntArray, checked_numbers, kernel, kernel_part
from spancrew.errors import InvalidArrayError
from spancrew.feedback._values import Verdict

STEPS = 6
"""Bins an octave: each is an eighth wider than the one below."""

_LOWEST, _OCTAVES = 2.0**-12, 17
BINS = 2 + STEPS * _OCTAVES
"""Bins of expected errors: one for practically none, then 17 octaves up to 32, then all above."""

KEPT = 1.0 - 1.0 / 500
"""What is left of old sentences when one more is seen: some 500 count, as methods learn."""

_ASKED, _AUDITED = 0, 1
"""Why experts labelled sentences."""

_ROUNDING = 1e-6
"""Doubts are often a half or a quarter; rounding must not decide on which side of a border."""


class Doubts(NamedTuple):
    """What was seen, by run, of the errors that were expected on sentences when they were decided.

    ``sentences`` and ``errors`` are histograms over the expected errors in which old ones fade:
    how many, and their errors. The totals do not fade: sentences ``seen``, ``asked`` of an expert,
    expected errors ``let_pass`` where the crowd was trusted, ``spans`` found where no expert has
    labelled, counted twice, and those that are ``true`` where one has. ``turns`` tells what one
    more answer did: how often the doubts of some octave went so many bins up or down. ``shown``
    are the errors that were expected and found on sentences that experts were asked for, and on
    audited ones.
    """

    sentences: FloatArray
    errors: FloatArray
    seen: IntArray
    asked: IntArray
    let_pass: FloatArray
    spans: FloatArray
    true: FloatArray
    turns: FloatArray
    shown: FloatArray

    @classmethod
    def start(cls, runs: int) -> "Doubts":
        """Return that nothing was seen."""
        return cls(
            np.zeros((runs, BINS)),
            np.zeros((runs, BINS)),
            np.zeros(runs, np.int64),
            np.zeros(runs, np.int64),
            np.zeros(runs),
            np.zeros(runs),
            np.zeros(runs),
            np.zeros((runs, _OCTAVES + 2, 2 * BINS)),
            np.zeros((runs, 2, 2)),
        )

    def ahead(self) -> "Doubts":
        """Return the same with totals of its own, which may be moved on without harm."""
        return self._replace(
            seen=self.seen.copy(),
            asked=self.asked.copy(),
            let_pass=self.let_pass.copy(),
            spans=self.spans.copy(),
            true=self.true.copy(),
        )

    def learn(self, run: IntArray, beliefs: Beliefs, verdict: Verdict) -> None:
        """Add sentences of some runs, as far as they are decided."""
        self.add(run, beliefs.errors, spans_twice(beliefs), verdict)

    def add(self, run: IntArray, errors: FloatArray, sizes: FloatArray, verdict: Verdict) -> None:
        """Add sentences by their expected errors and their spans, counted twice."""
        self._refuse(run, errors)
        refuse_wrong_doubts("spans of sentences", sizes, len(run))
        _add(self, run, errors, sizes, verdict.trusted, verdict.more)

    def learn_answer(self, run: IntArray, before: FloatArray, after: FloatArray) -> None:
        """Add what one more answer did to the expected errors of some sentences."""
        self._refuse(run, before)
        refuse_wrong_doubts("expected errors", after, len(run))
        _turn(self.turns, run, before, after)

    def learn_expert(self, run: IntArray, labelled: "Labelled") -> None:
        """Add what experts have found on sentences that they were asked for."""
        self._show(run, labelled, _ASKED)

    def learn_audit(self, run: IntArray, labelled: "Labelled") -> None:
        """Add what experts have found on audited sentences of the crowd.

        They have mended them, so they let no error pass.
        """
        self._show(run, labelled, _AUDITED)
        np.subtract.at(self.let_pass, run, labelled.expected)

    def correct(self, run: int, change: "CorrectionCounts", *, is_audit: bool) -> None:
        """Let an expert have said something else of a sentence.

        These are whole numbers, so that nothing is left of what was said before.
        """
        self.shown[run, _AUDITED if is_audit else _ASKED, 1] += change.found
        self.true[run] += change.true

    def _show(self, run: IntArray, labelled: "Labelled", kind: int) -> None:
        self._refuse(run, labelled.expected)
        refuse_wrong_doubts("errors found", labelled.found, len(run))
        refuse_wrong_doubts("spans of sentences", labelled.size, len(run))
        refuse_wrong_doubts("true spans", labelled.true, len(run))
        np.add.at(self.shown[:, kind, 0], run, labelled.expected)
        np.add.at(self.shown[:, kind, 1], run, labelled.found)
        np.subtract.at(self.spans, run, labelled.size)
        np.add.at(self.true, run, labelled.true)

    def _refuse(self, run: IntArray, errors: FloatArray) -> None:
        checked_numbers("runs of sentences", run, below=len(self.seen))
        refuse_wrong_doubts("expected errors", errors, len(run))


class Labelled(NamedTuple):
    """Sentences that experts have labelled.

    The errors that were ``expected`` when they were decided and those ``found``; twice the spans
    found then (``size``), and the ``true`` ones, of which as many are delivered.
    """

    expected: FloatArray
    found: FloatArray
    size: FloatArray
    true: FloatArray


class CorrectionCounts(NamedTuple):
    """How many errors more an expert has found after a correction, and how many true spans."""

    found: int
    true: int


@kernel_part
def size_of(doubts: Doubts, run: int) -> float:
    """Return the spans of all sentences, delivered and true ones added up."""
    return float(doubts.spans[run] + 2.0 * doubts.true[run])


def refuse_wrong_doubts(what: str, given: FloatArray, count: int) -> None:
    """Refuse numbers that are not one for every sentence, or NaN, which belongs into no bin."""
    if np.shape(given) != (count,):
        raise InvalidArrayError(
            f"{what}: the shape is {np.shape(given)}, but there are {count} sentences"
        )
    if np.isnan(given).any():
        raise InvalidArrayError(f"{what}: NaN is there, which is no number of errors")


def sizes_of(beliefs: Beliefs) -> FloatArray:
    """Return the spans found and those expected, added up: of them, errors are one or two."""
    refuse_wrong_doubts("expected spans", beliefs.expected, len(beliefs.labels))
    sizes = beliefs.expected.copy()
    _add_found(beliefs.labels.values, beliefs.labels.offsets, sizes)
    return sizes


def spans_twice(beliefs: Beliefs) -> FloatArray:
    """Return twice the spans found: what is delivered and what is true, added up.

    More are true than found, but when labels are revised in the end fewer are delivered.
    """
    sizes = np.zeros(len(beliefs.labels))
    _add_found(beliefs.labels.values, beliefs.labels.offsets, sizes)
    return 2.0 * sizes


@kernel
def _add_found(codes: npt.NDArray[Any], offsets: IntArray, sizes: FloatArray) -> None:
    for row in range(len(sizes)):
        for k in range(offsets[row], offsets[row + 1]):
            sizes[row] += codes[k] % 2


@kernel_part
def doubt_bin(errors: float) -> int:
    """Return the bin of expected errors."""
    octaves = math.log2(max(errors, _LOWEST / 2) / _LOWEST)
    return int(max(0.0, 1.0 + STEPS * min(octaves, _OCTAVES) + _ROUNDING))


@kernel_part
def doubt_at(place: int) -> float:
    """Return the expected errors in the middle of a bin; 0 for the lowest and for none."""
    return _LOWEST * 2.0 ** ((place - 0.5) / STEPS) if place > 0 else 0.0


@kernel_part
def octave_of(place: int) -> int:
    """Return the octave of a bin, counting the lowest bin and the highest as one each."""
    return (place + STEPS - 1) // STEPS


@kernel_part
def decide(doubts: Doubts, run: int, errors: float, size: float, trusted: bool) -> None:
    """Move the totals on by a sentence."""
    doubts.seen[run] += 1
    doubts.spans[run] += size
    if trusted:
        doubts.let_pass[run] += errors
    else:
        doubts.asked[run] += 1


@kernel
def _add(
    doubts: Doubts,
    run: IntArray,
    errors: FloatArray,
    sizes: FloatArray,
    trusted: BoolArray,
    more: BoolArray,
) -> None:
    for row in range(len(run)):
        if more[row]:
            continue
        at, place = run[row], doubt_bin(errors[row])
        for k in range(BINS):
            doubts.sentences[at, k] *= KEPT
            doubts.errors[at, k] *= KEPT
        doubts.sentences[at, place] += 1.0
        doubts.errors[at, place] += errors[row]
        decide(doubts, at, errors[row], sizes[row], trusted[row])


@kernel
def _turn(turns: FloatArray, run: IntArray, before: FloatArray, after: FloatArray) -> None:
    for row in range(len(run)):
        place = doubt_bin(before[row])
        octave = octave_of(place)
        for k in range(turns.shape[2]):
            turns[run[row], octave, k] *= KEPT
        turns[run[row], octave, BINS + doubt_bin(after[row]) - place] += 1.0
