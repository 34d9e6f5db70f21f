"""Draw the answers of workers on sentences."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import IntArray, kernel, next_uniform, stream
from spancrew.crowds._belief import Beliefs, believe, quantile
from spancrew.crowds._extra import mark_extra
from spancrew.crowds._gold import Room, mark_gold, room_for
from spancrew.crowds._latents import Latents, draw_latents
from spancrew.crowds._part import part
from spancrew.crowds._tables import (
    Habits,
    History,
    Mistakes,
    Records,
    Sheet,
    Tables,
    Team,
    records,
)

_TRIES = 40
"""How often an answer is drawn again because real workers do not leave it empty."""

_ROWS = 2_000
"""Latents that are held at the same time."""

_I = np.int64
_QUESTION = np.dtype([("sentence", _I), ("worker", _I), ("row", _I), ("belief", _I), ("at", _I)])


def draw_answers(
    tables: Tables,
    seeds: IntArray,
    sentences: IntArray,
    workers: IntArray,
    offsets: IntArray,
    out: npt.NDArray[Any],
) -> int:
    """Fill ``out`` (seed x codes of all answers); return how many were empty at the first try.

    A worker's own real answer on the sentence is not looked at.
    """
    order = np.argsort(sentences, kind="stable")
    sentences, workers, begin = sentences[order], workers[order], offsets[order]
    new = np.flatnonzero(np.diff(sentences, prepend=-1))
    step = max(_ROWS // len(seeds), 1)
    empty = 0
    for k in range(0, len(new), step):
        part = slice(new[k], new[k + step] if k + step < len(new) else None)
        asked, who = sentences[part], workers[part]
        latents = draw_latents(*tables[:3], seeds, sentences[new[k : k + step]])
        beliefs = believe(tables, asked, who)
        row = np.cumsum(np.diff(asked, prepend=asked[0]) > 0)
        questions = records(_QUESTION, asked, who, row, beliefs.first, begin[part])
        spans = tables.sheet.sentence["last"][asked] - tables.sheet.sentence["first"][asked]
        room = room_for(int(spans.max()))
        empty += _mark(*tables, seeds, questions, latents, beliefs, room, out)
    return empty


@kernel
def _mark(  # noqa: PLR0913, PLR0917  a kernel gets its tables one by one
    sheet: Sheet,
    mistakes: Mistakes,
    habits: Habits,
    team: Team,
    history: History,
    seeds: IntArray,
    questions: Records,
    latents: Latents,
    beliefs: Beliefs,
    room: Room,
    out: npt.NDArray[Any],
) -> int:
    empty = 0
    rows = len(latents.mood) // len(seeds)
    for i in range(len(seeds)):
        for question in questions:
            s, w, row = question["sentence"], question["worker"], question["row"] + i * rows
            sentence = sheet.sentence[s]
            spread = habits.company[sentence["company"]]["spread"]
            for g in range(sentence["last"] - sentence["first"]):
                rank = latents.spot[latents.mood[row]["first"] + g]["rank"]
                ease = quantile(habits.grid, beliefs.weight[question["belief"] + g], rank)
                room.ease[g] = sheet.span[sentence["first"] + g]["ease"] + spread * ease
            codes = out[i, question["at"] : question["at"] + sentence["tokens"]]
            state = stream(seeds[i], s, w + 1)
            empty += _answer(
                sheet, mistakes, habits, team, history, s, w, latents, row, state, room, codes
            )
    return empty


@part
def _answer(  # noqa: PLR0913, PLR0917
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
    """Fill ``codes``; return 1 if the first try was empty though there is gold to be marked."""
    count = room.drawn
    count[0] = 0
    bare = sheet.sentence[s]["first"] == sheet.sentence[s]["last"]
    if not bare and next_uniform(state, count) < habits.blank:
        return 0
    first_was_empty = 0
    for tries in range(_TRIES):
        done = mark_gold(
            sheet, mistakes, habits, team, history, s, w, latents, row, state, room, codes
        )
        eager = team.extra[w] * habits.mess[done]
        mark_extra(sheet, habits, history, s, w, eager, latents, row, state, count, codes)
        if bare or _is_marked(codes):
            break
        if tries == 0:
            first_was_empty = 1
        if next_uniform(state, count) < habits.keep_empty:
            break
    return first_was_empty


@part
def _is_marked(codes: npt.NDArray[Any]) -> bool:
    for code in codes:
        if code > 0:
            return True
    return False
