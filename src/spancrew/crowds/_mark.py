"""Write answers down: gold spans, the mistakes in their place, and what is not gold at all."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import IntArray, next_poisson, next_uniform
from spancrew.crowds._latents import Latents, draw_extra
from spancrew.crowds._tables import (
    BARE,
    BLANK,
    CORRECT,
    MISSED,
    CrowdTables,
    Habits,
    History,
    Records,
    part,
)


@part
def mark(
    tables: CrowdTables,
    latents: Latents,
    tries: Records,
    pending: IntArray,
    outcome: IntArray,
    out: npt.NDArray[Any],
) -> int:
    """Write down the pending answers; leave the empty ones that are to be tried again.

    Return how many are left. Right spans come first, so that they keep their place.
    """
    sheet, habits, history = tables.sheet, tables.habits, tables.history
    left = 0
    count = np.zeros(1, np.int64)
    for k in pending:
        answer = tries[k]
        if answer["state"] == BLANK:
            continue
        sentence = sheet.sentence[answer["sentence"]]
        codes = out[answer["at"] : answer["at"] + sentence["tokens"]]
        spans = sheet.span[sentence["first"] : sentence["last"]]
        mine = outcome[answer["outcome"] : answer["outcome"] + len(spans)]
        _put_gold(spans, mine, codes)
        _put_wrong(spans, tables.mistakes.mistake, mine, codes)
        count[0] = answer["drawn"]
        eager = tables.team.extra[answer["worker"]] * habits.mess[answer["state"]]
        own = _put_shared(habits, history, latents, answer, eager, count, codes)
        for _ in range(next_poisson(min(own * sentence["extra"], 20.0), answer["stream"], count)):
            start, end, label = draw_extra(
                sheet, habits.extra, answer["sentence"], answer["stream"], count
            )
            put(codes, start, end, label)
        if answer["state"] != BARE and not _is_marked(codes):
            answer["empty"] += 1
            if next_uniform(answer["stream"], count) >= habits.keep_empty:
                pending[left] = k
                left += 1
        answer["drawn"] = count[0]
    return left


@part
def _put_shared(
    habits: Habits,
    history: History,
    latents: Latents,
    answer: np.void,
    eager: float,
    count: IntArray,
    codes: npt.NDArray[Any],
) -> float:
    """Mark what others mark, too; return how many to expect that are the worker's own.

    The latter is per spurious span that is expected in the sentence.
    """
    s, w, state = answer["sentence"], answer["worker"], answer["stream"]
    others = _others(history, s, w)
    unseen = habits.strangeness / (habits.strangeness + others)
    mood = latents.mood[answer["mood"]]
    if mood["sites"] > 0:
        site = latents.site[answer["mood"]]
        _put_sites(site, mood["sites"], unseen * eager, state, count, codes)
    if others > 0:
        weight = eager / (habits.strangeness + others)
        _put_seen(history, s, w, weight, state, count, codes)
    return float(habits.fresh * unseen * mood["boost"] * eager)


@part
def _put_gold(spans: Records, outcome: IntArray, codes: npt.NDArray[Any]) -> None:
    """Mark the gold spans that are right."""
    for g in range(len(spans)):
        if outcome[g] == CORRECT:
            put(codes, spans[g]["start"], spans[g]["end"], spans[g]["label"])


@part
def _put_wrong(
    spans: Records, mistake: Records, outcome: IntArray, codes: npt.NDArray[Any]
) -> None:
    """Mark what stands in the place of gold spans."""
    for g in range(len(spans)):
        if outcome[g] > MISSED:
            span, wrong = spans[g], mistake[outcome[g]]
            label = span["label"] if wrong["label"] < 0 else wrong["label"]
            put(codes, span["start"] + wrong["left"], span["end"] + wrong["right"], label)


@part
def _others(history: History, s: int, hidden: int) -> int:
    """Count the real answers of others on the sentence."""
    others = 0
    for k in range(history.first[s], history.first[s + 1]):
        others += history.answer[k]["worker"] != hidden
    return others


@part
def _put_sites(
    site: Records,
    sites: int,
    eager: float,
    state: np.uint64,
    count: IntArray,
    codes: npt.NDArray[Any],
) -> None:
    """Mark spurious spans that the sentence tempts everybody to."""
    for j in range(sites):
        if next_uniform(state, count) < site[j]["popularity"] * eager:
            put(codes, site[j]["start"], site[j]["end"], site[j]["label"])


@part
def _put_seen(
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
            times = _times_seen(history, s, hidden, k, x)
            if next_uniform(state, count) < times * weight:
                marked = history.marked[x]
                put(codes, marked["start"], marked["end"], marked["label"])


@part
def _times_seen(history: History, s: int, hidden: int, answer: int, x: int) -> int:
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
    """Mark a span; where others are in its way it gives way, and vanishes if cut in two.

    A span that ends before the sentence begins is none.
    """
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


@part
def _is_marked(codes: npt.NDArray[Any]) -> bool:
    for code in codes:  # noqa: SIM110  a loop compiles to less than any()
        if code > 0:
            return True
    return False
