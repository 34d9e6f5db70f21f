"""Draw the answer of one worker on one sentence."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import (
    FloatArray,
    IntArray,
    kernel,
    next_normal,
    next_uniform,
    normal_cdf,
    stream,
)
from spancrew.crowds._extra import mark_extra, put
from spancrew.crowds._latents import (
    INVITED,
    Latents,
    draw_mistake,
    fill_latents,
)
from spancrew.crowds._tables import (
    BARE,
    CORRECT,
    MISSED,
    RIGHT,
    WRONG,
    Habits,
    History,
    Mistakes,
    Sheet,
    Team,
)

_TRIES = 40
"""How often an answer is drawn again because real workers do not leave it empty."""


@kernel
def draw_answers(  # noqa: PLR0913, PLR0917  a kernel gets its tables one by one
    sheet: Sheet,
    mistakes: Mistakes,
    habits: Habits,
    team: Team,
    history: History,
    seed: int,
    sentences: IntArray,
    workers: IntArray,
    leave_out: bool,
    offsets: IntArray,
    out: npt.NDArray[Any],
) -> int:
    """Fill ``out`` with codes, row by row; return how many were empty at the first try.

    ``leave_out``: a worker's own real answer on the sentence is not looked at.
    """
    most = 1
    for s in range(len(sheet.tokens)):
        most = max(most, sheet.first[s + 1] - sheet.first[s])
    latents = Latents(
        np.empty(most), np.empty((most, INVITED), np.int64), np.empty((most, INVITED)),
        np.empty(most), np.empty((32, 3), np.int64), np.empty(32), np.empty(most),
        np.empty(len(habits.ease)), np.zeros(1, np.int64), np.empty(most, np.int64),
        np.empty(most), np.empty(1), np.empty(128, np.int64), np.empty(128),
    )  # fmt: skip
    empty = sites = 0
    for k in range(len(sentences)):
        if k == 0 or sentences[k] != sentences[k - 1]:
            sites = fill_latents(sheet, mistakes, habits, seed, sentences[k], latents)
        codes = out[offsets[k] : offsets[k + 1]]
        empty += draw_answer(
            sheet, mistakes, habits, team, history, seed, sentences[k], workers[k], leave_out,
            sites, latents, codes,
        )  # fmt: skip
    return empty


@kernel
def draw_answer(  # noqa: PLR0913, PLR0917
    sheet: Sheet,
    mistakes: Mistakes,
    habits: Habits,
    team: Team,
    history: History,
    seed: int,
    s: int,
    w: int,
    leave_out: bool,
    sites: int,
    latents: Latents,
    codes: npt.NDArray[Any],
) -> int:
    """Fill ``codes``; return 1 if the first try was empty though there is gold to be marked."""
    hidden = w if leave_out else -1
    believe(sheet, habits, team, history, s, hidden, latents)
    state = stream(seed, s, w + 1)
    count = latents.drawn
    count[0] = 0
    spans = sheet.first[s + 1] - sheet.first[s]
    codes[:] = 0
    if spans > 0 and next_uniform(state, count) < habits.blank:
        return 0
    first_was_empty = 0
    for tries in range(_TRIES):
        codes[:] = 0
        mark_gold(sheet, mistakes, habits, team, history, s, w, hidden, state, latents, codes)
        eager = team.extra[w] * habits.mess[state_of(latents.outcome[:spans])]
        mark_extra(sheet, habits, history, s, eager, hidden, sites, state, latents, codes)
        if spans == 0 or np.any(codes > 0):
            break
        if tries == 0:
            first_was_empty = 1
        if next_uniform(state, count) < habits.keep_empty:
            break
    return first_was_empty


@kernel
def state_of(outcome: IntArray) -> int:
    """Tell what an answer did with the gold spans."""
    if len(outcome) == 0:
        return BARE
    return RIGHT if np.all(outcome == CORRECT) else WRONG


@kernel
def believe(
    sheet: Sheet,
    habits: Habits,
    team: Team,
    history: History,
    s: int,
    hidden: int,
    latents: Latents,
) -> None:
    """Turn each span's rank in easiness into logits, given the real answers on the sentence."""
    base = sheet.first[s]
    spread = habits.spread[sheet.company[s]]
    for g in range(sheet.first[s + 1] - base):
        belief = latents.belief
        for e in range(len(habits.ease)):
            belief[e] = habits.weight[e]
        for k in range(history.first[s], history.first[s + 1]):
            if history.worker[k] == hidden:
                continue
            right = history.outcome[history.outcome_first[k] + g] == CORRECT
            for e in range(len(habits.ease)):
                skill = team.skill[history.worker[k]]
                logit = skill + sheet.ease[base + g] + spread * habits.ease[e]
                belief[e] *= 1 / (1 + math.exp(-logit if right else logit))
        rank = quantile(habits.ease, belief, latents.rank[g])
        latents.ease[g] = sheet.ease[base + g] + spread * rank


@kernel
def quantile(values: FloatArray, weights: FloatArray, rank: float) -> float:
    """Return the value below which a share ``rank`` of the weight lies, between grid points."""
    target = rank * weights.sum()
    step = values[1] - values[0]
    below = 0.0
    for k in range(len(values)):
        if below + weights[k] >= target and weights[k] > 0:
            return float(values[k] + ((target - below) / weights[k] - 0.5) * step)
        below += weights[k]
    return float(values[-1])


@kernel
def mark_gold(  # noqa: PLR0913, PLR0917
    sheet: Sheet,
    mistakes: Mistakes,
    habits: Habits,
    team: Team,
    history: History,
    s: int,
    w: int,
    hidden: int,
    state: np.uint64,
    latents: Latents,
    codes: npt.NDArray[Any],
) -> None:
    """Mark the gold spans, right or wrong: the right ones first, so that they keep their place."""
    base = sheet.first[s]
    spans = sheet.first[s + 1] - base
    count = latents.drawn
    form = next_normal(state, count)
    habit = next_uniform(state, count)
    alike = habits.by_answer[sheet.company[s]]
    for g in range(spans):
        noise = next_normal(state, count)
        mood = math.sqrt(alike) * form + math.sqrt(1 - alike) * noise
        chance = 1 / (1 + math.exp(-team.skill[w] - latents.ease[g]))
        if normal_cdf(mood) < chance:
            latents.outcome[g] = CORRECT
            put(codes, sheet.start[base + g], sheet.end[base + g], sheet.label[base + g])
        else:
            latents.outcome[g] = pick_mistake(
                sheet, mistakes, team, history, s, g, w, hidden, habit, state, latents
            )
    for g in range(spans):
        m = latents.outcome[g]
        if m > MISSED:
            label = sheet.label[base + g] if mistakes.label[m] < 0 else mistakes.label[m]
            put(
                codes,
                sheet.start[base + g] + mistakes.left[m],
                sheet.end[base + g] + mistakes.right[m],
                label,
            )


@kernel
def pick_mistake(  # noqa: PLR0913, PLR0917
    sheet: Sheet,
    mistakes: Mistakes,
    team: Team,
    history: History,
    s: int,
    g: int,
    w: int,
    hidden: int,
    habit: float,
    state: np.uint64,
    latents: Latents,
) -> int:
    """Pick one of the mistakes that the span invites, or a fresh one, to the worker's leaning."""
    option, odds = latents.option, latents.odds
    variety = latents.variety[g]
    seen = note_seen(history, s, g, hidden, option, odds)
    unseen = variety / (variety + seen)
    for k in range(seen):
        odds[k] /= variety + seen
    for t in range(INVITED):
        option[seen + t] = latents.invited[g, t]
        odds[seen + t] = unseen * latents.share[g, t]
    last = seen + INVITED
    option[last] = draw_mistake(sheet, mistakes, s, sheet.first[s] + g, state, latents.drawn)
    odds[last] = unseen * latents.rest[g]
    total = 0.0
    for k in range(last + 1):
        odds[k] *= team.leaning[w, mistakes.sort[option[k]]]
        total += odds[k]
    left = total * habit
    for k in range(last):
        left -= odds[k]
        if left < 0:
            return int(option[k])
    return int(option[last])


@kernel
def note_seen(
    history: History, s: int, g: int, hidden: int, option: IntArray, odds: FloatArray
) -> int:
    """Write down the mistakes that others really made on the span; return how many."""
    seen = 0
    for k in range(history.first[s], history.first[s + 1]):
        m = history.outcome[history.outcome_first[k] + g]
        if history.worker[k] != hidden and m != CORRECT and seen < len(option) - INVITED - 1:
            option[seen] = m
            odds[seen] = 1.0
            seen += 1
    return seen
