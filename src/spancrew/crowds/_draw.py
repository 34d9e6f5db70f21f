"""Draw the answers of workers on sentences."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import FloatArray, IntArray, kernel, stream
from spancrew.crowds._belief import believe
from spancrew.crowds._latents import Latents, draw_latents
from spancrew.crowds._mark import mark
from spancrew.crowds._outcome import decide
from spancrew.crowds._tables import CrowdTables, Records, part

_TRIES = 40
"""How often an answer is drawn again because real workers do not leave it empty."""

_ROWS = 2_000
"""Latents that are held at the same time."""

_COLUMNS = ("sentence", "worker", "mood", "belief", "outcome", "at", "drawn", "state", "empty")
_TRY = np.dtype(
    [*((name, np.int64) for name in _COLUMNS), ("stream", np.uint64), ("side", np.float64)]
)


def draw_answers(
    tables: CrowdTables,
    seeds: IntArray,
    sentences: IntArray,
    workers: IntArray,
    offsets: IntArray,
    out: npt.NDArray[Any],
) -> int:
    """Fill ``out`` (seed x codes of all answers); return how many were empty at the first try.

    ``out`` is all 0 before. A worker's own real answer on the sentence is not looked at. A
    negative seed gives the mirror image of the positive one: what went well goes badly.
    """
    begin = offsets[:-1]
    if np.any(np.diff(sentences) < 0):
        order = np.argsort(sentences, kind="stable")
        sentences, workers, begin = sentences[order], workers[order], begin[order]
    new = np.flatnonzero(np.diff(sentences, prepend=-1))
    step = max(_ROWS // len(seeds), 1)
    empty = 0
    for k in range(0, len(new), step):
        here = slice(new[k], new[k + step] if k + step < len(new) else None)
        empty += _draw_part(tables, seeds, sentences[here], workers[here], begin[here], out)
    return empty


def _draw_part(
    tables: CrowdTables,
    seeds: IntArray,
    sentences: IntArray,
    workers: IntArray,
    begin: IntArray,
    out: npt.NDArray[Any],
) -> int:
    """Draw answers that are grouped by sentence; try empty ones again."""
    asked = sentences[np.flatnonzero(np.diff(sentences, prepend=-1))]
    latents = draw_latents(*tables[:3], seeds, asked)
    beliefs = believe(tables, sentences, workers)
    grid = np.empty((len(seeds), len(sentences)), _TRY)
    grid["sentence"], grid["worker"] = sentences, workers
    grid["belief"], grid["at"] = beliefs.first, begin
    tries: Records = grid.ravel()
    bounds = tables.sheet.sentence["last"][sentences] - tables.sheet.sentence["first"][sentences]
    outcome = np.empty(len(seeds) * bounds.sum(), np.int64)
    _try(tables, seeds, latents, beliefs.weight, tries, outcome, out)
    return int((tries["empty"] > 0).sum())


@kernel
def _try(
    tables: CrowdTables,
    seeds: IntArray,
    latents: Latents,
    belief: FloatArray,
    tries: Records,
    outcome: IntArray,
    out: npt.NDArray[Any],
) -> None:
    """Draw all answers; then those again that real workers would not leave so empty."""
    _open(tables.sheet.sentence, seeds, out.shape[1], tries)
    codes = out.reshape(-1)
    pending = np.arange(len(tries))
    for _ in range(_TRIES):
        decide(tables, latents, belief, tries, pending, outcome)
        left = mark(tables, latents, tries, pending, outcome, codes)
        pending = pending[:left]
        if left == 0:
            break


@part
def _open(sentence: Records, seeds: IntArray, width: int, tries: Records) -> None:
    """Fill in where all that belongs to each answer begins."""
    each = len(tries) // len(seeds)
    outcome, mood = 0, -1
    for k in range(len(tries)):
        answer = tries[k]
        s, seed = answer["sentence"], k // each
        if k % each == 0 or s != tries[k - 1]["sentence"]:
            mood += 1
        answer["mood"] = mood
        answer["at"] += seed * width
        answer["drawn"] = 0
        answer["empty"] = 0
        answer["outcome"] = outcome
        answer["stream"] = stream(abs(seeds[seed]), s, answer["worker"] + 1)
        answer["side"] = -1.0 if seeds[seed] < 0 else 1.0
        outcome += sentence[s]["last"] - sentence[s]["first"]
