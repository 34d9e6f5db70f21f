"""Mark what is not gold: spurious spans, shared or the worker's own."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import IntArray, next_poisson, next_uniform
from spancrew.crowds._invite import draw_extra
from spancrew.crowds._latents import Latents
from spancrew.crowds._part import part
from spancrew.crowds._tables import Habits, History, Sheet


@part
def mark_extra(  # noqa: PLR0913, PLR0917  a kernel gets its tables one by one
    sheet: Sheet,
    habits: Habits,
    history: History,
    s: int,
    hidden: int,
    eager: float,
    latents: Latents,
    row: int,
    state: np.uint64,
    count: IntArray,
    codes: npt.NDArray[Any],
) -> None:
    """Mark spurious spans: those the sentence tempts everybody to, and the worker's own."""
    others = 0
    for k in range(history.first[s], history.first[s + 1]):
        others += history.answer[k]["worker"] != hidden
    unseen = habits.strangeness / (habits.strangeness + others)
    mood = latents.mood[row]
    for j in range(mood["sites"]):
        site = latents.site[row, j]
        if next_uniform(state, count) < site["popularity"] * unseen * eager:
            put(codes, site["start"], site["end"], site["label"])
    if others > 0:
        weight = eager / (habits.strangeness + others)
        mark_seen(history, s, hidden, weight, state, count, codes)
    own = habits.fresh * unseen * sheet.sentence[s]["extra"] * mood["boost"] * eager
    for _ in range(next_poisson(min(own, 20.0), state, count)):
        start, end, label = draw_extra(sheet, habits.extra, s, state, count)
        if start >= 0:
            put(codes, start, end, label)


@part
def mark_seen(
    history: History,
    s: int,
    hidden: int,
    weight: float,
    state: np.uint64,
    count: IntArray,
    codes: npt.NDArray[Any],
) -> None:
    """Mark spurious spans of others' real answers, the more often given the likelier."""
    for k in range(history.first[s], history.first[s + 1]):
        answer = history.answer[k]
        if answer["worker"] == hidden:
            continue
        for x in range(answer["extra"], answer["last_extra"]):
            times = times_seen(history, s, hidden, k, x)
            if next_uniform(state, count) < times * weight:
                marked = history.marked[x]
                put(codes, marked["start"], marked["end"], marked["label"])


@part
def times_seen(history: History, s: int, hidden: int, answer: int, x: int) -> int:
    """Count the answers with this spurious span; 0 if an earlier one has it, too."""
    times = 0
    mine = history.marked[x]
    for k in range(history.first[s], history.first[s + 1]):
        if history.answer[k]["worker"] == hidden:
            continue
        for y in range(history.answer[k]["extra"], history.answer[k]["last_extra"]):
            theirs = history.marked[y]
            if (
                theirs["start"] == mine["start"]
                and theirs["end"] == mine["end"]
                and theirs["label"] == mine["label"]
            ):
                if k < answer:
                    return 0
                times += 1
    return times


@part
def put(codes: npt.NDArray[Any], start: int, end: int, label: int) -> None:
    """Mark a span; where others are in its way it gives way, and vanishes if cut in two."""
    start, end = max(start, 0), min(end, len(codes))
    while start < end and codes[start] > 0:
        start += 1
    while end > start and codes[end - 1] > 0:
        end -= 1
    for token in range(start, end):
        if codes[token] > 0:
            return
    for token in range(start, end):
        codes[token] = 2 * label + (1 if token == start else 2)
