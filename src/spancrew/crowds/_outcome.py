"""Decide what an answer does with each gold span: mark it right, or make which mistake."""

import math

import numpy as np

from spancrew.core import FloatArray, IntArray, next_normal, next_uniform, normal_cdf
from spancrew.crowds._belief import quantile
from spancrew.crowds._latents import INVITED, Latents, draw_mistake
from spancrew.crowds._tables import (
    BARE,
    BLANK,
    CORRECT,
    MISSED,
    RIGHT,
    WRONG,
    CrowdTables,
    History,
    Mistakes,
    Records,
    part,
)

_OPTIONS = 128
"""Mistakes to choose from at most."""


@part
def decide(
    tables: CrowdTables,
    latents: Latents,
    belief: FloatArray,
    tries: Records,
    pending: IntArray,
    outcome: IntArray,
) -> None:
    """Fill in the outcomes and the states of those answers that are pending.

    All loops are in here: a part that is called for every answer would count references to all
    arrays each time, which takes longer than the drawing itself.
    """
    sheet, mistakes, habits, team, history = tables
    option, odds, count = np.empty(_OPTIONS, np.int64), np.empty(_OPTIONS), np.zeros(1, np.int64)
    for k in pending:
        answer = tries[k]
        s, w, state = answer["sentence"], answer["worker"], answer["stream"]
        sentence = sheet.sentence[s]
        spans = sentence["last"] - sentence["first"]
        company = habits.company[sentence["company"]]
        count[0] = answer["drawn"]
        if spans > 0 and count[0] == 0 and _is_blank(habits.blank, answer["side"], state, count):
            answer["state"] = BLANK
            continue
        form = math.sqrt(company["by_answer"]) * next_normal(state, count)
        habit, right = next_uniform(state, count), 0
        for g in range(spans):
            span = sheet.span[sentence["first"] + g]
            spot = latents.mood[answer["mood"]]["first"] + g
            place = quantile(habits.grid, belief, answer["belief"] + g, latents.spot[spot]["rank"])
            mood = form + math.sqrt(1 - company["by_answer"]) * next_normal(state, count)
            chance = 1 / (1 + math.exp(-team.skill[w] - span["ease"] - company["spread"] * place))
            if normal_cdf(answer["side"] * mood) < chance:
                outcome[answer["outcome"] + g] = CORRECT
                right += 1
                continue
            fresh = draw_mistake(mistakes, span, sentence["tokens"], state, count)
            last = _list_options(history, s, g, w, latents.invited, spot, fresh, option)
            tilt = habits.tilt * (0.5 - chance)
            total = _weigh(mistakes, team.leaning[w], latents, spot, last, option, tilt, odds)
            outcome[answer["outcome"] + g] = option[_pick(odds, last, total * habit)]
        answer["state"] = BARE if spans == 0 else (RIGHT if right == spans else WRONG)
        answer["drawn"] = count[0]


@part
def _is_blank(blank: float, side: float, state: np.uint64, count: IntArray) -> bool:
    """Tell whether an answer is left blank; a mirrored one is where the other is not."""
    drawn = next_uniform(state, count)
    return drawn < blank if side > 0 else drawn >= 1 - blank


@part
def _list_options(  # noqa: PLR0913, PLR0917
    history: History,
    s: int,
    g: int,
    hidden: int,
    invited: IntArray,
    spot: int,
    fresh: int,
    option: IntArray,
) -> int:
    """List mistakes others really made, those invited and a fresh one; return the last place."""
    seen = 0
    for k in range(history.first[s], history.first[s + 1]):
        answer = history.answer[k]
        m = history.outcome[answer["outcome"] + g]
        if answer["worker"] != hidden and m != CORRECT and seen < len(option) - INVITED - 1:
            option[seen] = m
            seen += 1
    for t in range(INVITED):
        option[seen + t] = invited[spot, t]
    option[seen + INVITED] = fresh
    return seen + INVITED


@part
def _weigh(  # noqa: PLR0913, PLR0917
    mistakes: Mistakes,
    leaning: FloatArray,
    latents: Latents,
    spot: int,
    last: int,
    option: IntArray,
    tilt: float,
    odds: FloatArray,
) -> float:
    """Fill in the odds of mistakes seen before, invited by the span and fresh; return the sum.

    ``tilt`` raises the odds to miss the span, in logits.
    """
    seen = last - INVITED
    variety = latents.spot[spot]["variety"]
    unseen = variety / (variety + seen)
    for k in range(seen):
        odds[k] = 1.0 / (variety + seen)
    for t in range(INVITED):
        odds[seen + t] = unseen * latents.share[spot, t]
    odds[last] = unseen * latents.spot[spot]["rest"]
    total = 0.0
    for k in range(last + 1):
        odds[k] *= leaning[mistakes.mistake[option[k]]["sort"]]
        if option[k] == MISSED:
            odds[k] *= math.exp(tilt)
        total += odds[k]
    return total


@part
def _pick(odds: FloatArray, last: int, left: float) -> int:
    """Return the first place before ``last`` where the odds so far exceed ``left``."""
    for k in range(last):
        left -= odds[k]
        if left < 0:
            return k
    return last
