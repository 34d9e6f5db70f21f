"""Mark what is not gold: spurious spans, shared or the worker's own."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import IntArray, kernel, next_poisson, next_uniform
from spancrew.crowds._latents import Latents, draw_extra
from spancrew.crowds._tables import Habits, History, Sheet


@kernel
def mark_extra(  # noqa: PLR0913, PLR0917
    sheet: Sheet,
    habits: Habits,
    history: History,
    s: int,
    eager: float,
    hidden: int,
    sites: int,
    state: np.uint64,
    latents: Latents,
    codes: npt.NDArray[Any],
) -> None:
    """Mark spurious spans: those the sentence tempts everybody to, and the worker's own."""
    count = latents.drawn
    others = 0
    for k in range(history.first[s], history.first[s + 1]):
        others += history.worker[k] != hidden
    unseen = habits.strangeness / (habits.strangeness + others)
    for j in range(sites):
        if next_uniform(state, count) < latents.popularity[j] * unseen * eager:
            put(codes, latents.site[j, 0], latents.site[j, 1], latents.site[j, 2])
    for k in range(history.first[s], history.first[s + 1]):
        if history.worker[k] != hidden:
            weight = eager / (habits.strangeness + others)
            mark_seen(history, s, hidden, k, weight, state, count, codes)
    own = min(habits.fresh * unseen * sheet.extra[s] * latents.boost[0] * eager, 20.0)
    for _ in range(next_poisson(own, state, count)):
        start, end, label = draw_extra(sheet, habits, s, state, count)
        if start >= 0:
            put(codes, start, end, label)


@kernel
def mark_seen(  # noqa: PLR0913, PLR0917
    history: History,
    s: int,
    hidden: int,
    answer: int,
    weight: float,
    state: np.uint64,
    count: IntArray,
    codes: npt.NDArray[Any],
) -> None:
    """Mark spurious spans of another worker's real answer, the more often given the likelier."""
    for x in range(history.extra_first[answer], history.extra_first[answer + 1]):
        times = times_seen(history, s, hidden, answer, x)
        if next_uniform(state, count) < times * weight:
            put(codes, history.extra_start[x], history.extra_end[x], history.extra_label[x])


@kernel
def times_seen(history: History, s: int, hidden: int, answer: int, x: int) -> int:
    """Count the answers with this spurious span; 0 if an earlier one has it, too."""
    times = 0
    for k in range(history.first[s], history.first[s + 1]):
        if history.worker[k] == hidden:
            continue
        for y in range(history.extra_first[k], history.extra_first[k + 1]):
            if (
                history.extra_start[y] == history.extra_start[x]
                and history.extra_end[y] == history.extra_end[x]
                and history.extra_label[y] == history.extra_label[x]
            ):
                if k < answer:
                    return 0
                times += 1
    return times


@kernel
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
