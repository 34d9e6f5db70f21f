"""Draw single mistakes and spurious spans from those that were seen."""

import numpy as np

from spancrew.core import IntArray, next_uniform
from spancrew.crowds._part import part
from spancrew.crowds._tables import MISSED, Mistakes, Records, Sheet

_FEW = 10.0
"""A class with this many mistakes is asked as often as its parent."""


@part
def draw_mistake(
    mistakes: Mistakes, span: np.void, tokens: int, state: np.uint64, count: IntArray
) -> int:
    """Draw a mistake that fits the span; missed, if none of several does."""
    for _ in range(8):
        kind = span["kind"]
        seen = mistakes.kind[kind]["count"]
        while mistakes.kind[kind]["parent"] != kind:
            if next_uniform(state, count) * (seen + _FEW) < seen:
                break
            kind = mistakes.kind[kind]["parent"]
            seen = mistakes.kind[kind]["count"]
        place = int(next_uniform(state, count) * seen)
        m = mistakes.seen[mistakes.kind[kind]["first"] + place]
        mistake = mistakes.mistake[m]
        start, end = span["start"] + mistake["left"], span["end"] + mistake["right"]
        fits = 0 <= start < end <= tokens and mistake["label"] != span["label"]
        if fits or m == MISSED:
            return int(m)
    return MISSED


@part
def draw_extra(
    sheet: Sheet, known: Records, s: int, state: np.uint64, count: IntArray
) -> tuple[int, int, int]:
    """Draw a spurious span that touches no gold span; start -1 if no place was found."""
    sentence = sheet.sentence[s]
    extra = known[int(next_uniform(state, count) * len(known))]
    length = min(extra["length"], sentence["tokens"])
    for _ in range(10):
        start = int(next_uniform(state, count) * (sentence["tokens"] - length + 1))
        free = True
        for g in range(sentence["first"], sentence["last"]):
            if sheet.span[g]["start"] < start + length and start < sheet.span[g]["end"]:
                free = False
        if free:
            return start, start + length, int(extra["label"])
    return -1, -1, -1
