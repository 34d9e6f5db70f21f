"""Mark the gold spans, right or wrong."""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.core import FloatArray, IntArray, next_normal, next_uniform, normal_cdf
from spancrew.crowds._extra import put
from spancrew.crowds._invite import draw_mistake
from spancrew.crowds._latents import INVITED, Latents
from spancrew.crowds._part import part
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


class Room(NamedTuple):
    """Room to work in: easiness and outcome of each gold span, and a choice with its odds."""

    ease: FloatArray
    outcome: IntArray
    option: IntArray
    odds: FloatArray
    drawn: IntArray


def room_for(spans: int) -> Room:
    """Return room for sentences with up to so many gold spans."""
    most = max(spans, 1)
    choice = np.empty(128, np.int64), np.empty(128)
    return Room(np.empty(most), np.empty(most, np.int64), *choice, np.zeros(1, np.int64))


@part
def mark_gold(  # noqa: PLR0913, PLR0917  a kernel gets its tables one by one
    sheet: Sheet,
    mistakes: Mistakes,
    habits: Habits,
    team: Team,
    history: History,
    s: int,
    w: int,
    latents: Latents,
    row: int,
    state: np.uint64,
    room: Room,
    codes: npt.NDArray[Any],
) -> int:
    """Mark right spans first, so that they keep their place; return the state of the answer."""
    sentence = sheet.sentence[s]
    base = sentence["first"]
    spans = sentence["last"] - base
    count = room.drawn
    form = next_normal(state, count)
    habit = next_uniform(state, count)
    alike = habits.company[sentence["company"]]["by_answer"]
    form, own = math.sqrt(alike) * form, math.sqrt(1 - alike)
    right = 0
    for g in range(spans):
        mood = form + own * next_normal(state, count)
        chance = 1 / (1 + math.exp(-team.skill[w] - room.ease[g]))
        if normal_cdf(mood) < chance:
            room.outcome[g] = CORRECT
            span = sheet.span[base + g]
            put(codes, span["start"], span["end"], span["label"])
            right += 1
            continue
        seen = note_seen(history, s, g, w, room.option)
        spot = latents.mood[row]["first"] + g
        fresh = draw_mistake(mistakes, sheet.span[base + g], sentence["tokens"], state, count)
        room.outcome[g] = pick_mistake(
            mistakes, team.leaning[w], latents, spot, seen, fresh, habit, room
        )
    if right < spans:
        mark_wrong(sheet, mistakes, s, room.outcome, codes)
    if spans == 0:
        return BARE
    return RIGHT if right == spans else WRONG


@part
def mark_wrong(
    sheet: Sheet, mistakes: Mistakes, s: int, outcome: IntArray, codes: npt.NDArray[Any]
) -> None:
    """Mark what stands in the place of gold spans."""
    base = sheet.sentence[s]["first"]
    for g in range(sheet.sentence[s]["last"] - base):
        if outcome[g] > MISSED:
            span, mistake = sheet.span[base + g], mistakes.mistake[outcome[g]]
            label = span["label"] if mistake["label"] < 0 else mistake["label"]
            put(codes, span["start"] + mistake["left"], span["end"] + mistake["right"], label)


@part
def note_seen(history: History, s: int, g: int, hidden: int, option: IntArray) -> int:
    """Write down the mistakes that others really made on the span; return how many."""
    seen = 0
    for k in range(history.first[s], history.first[s + 1]):
        answer = history.answer[k]
        m = history.outcome[answer["outcome"] + g]
        if answer["worker"] != hidden and m != CORRECT and seen < len(option) - INVITED - 1:
            option[seen] = m
            seen += 1
    return seen


@part
def pick_mistake(  # noqa: PLR0913, PLR0917
    mistakes: Mistakes,
    leaning: FloatArray,
    latents: Latents,
    spot: int,
    seen: int,
    fresh: int,
    habit: float,
    room: Room,
) -> int:
    """Pick a mistake seen before, one that the span invites, or a fresh one, by leaning."""
    option, odds = room.option, room.odds
    variety = latents.spot[spot]["variety"]
    unseen = variety / (variety + seen)
    for k in range(seen):
        odds[k] = 1.0 / (variety + seen)
    for t in range(INVITED):
        option[seen + t] = latents.invited[spot, t]
        odds[seen + t] = unseen * latents.share[spot, t]
    last = seen + INVITED
    option[last] = fresh
    odds[last] = unseen * latents.spot[spot]["rest"]
    total = 0.0
    for k in range(last + 1):
        odds[k] *= leaning[mistakes.mistake[option[k]]["sort"]]
        total += odds[k]
    left = total * habit
    for k in range(last):
        left -= odds[k]
        if left < 0:
            return int(option[k])
    return int(option[last])
