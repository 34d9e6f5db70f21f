"""What is hidden in a sentence: how easy it is and which mistakes it invites.

All of it is a function of the seed and the sentence, so that any worker can be asked at any time.
"""

import math
from typing import NamedTuple

import numpy as np

from spancrew.core import (
    FloatArray,
    IntArray,
    kernel,
    next_normal,
    next_poisson,
    next_uniform,
    normal_cdf,
    stream,
)
from spancrew.crowds._tables import MISSED, Habits, Mistakes, Sheet

INVITED = 6
"""How many popular mistakes a span has; the rest of the mass is for fresh ones."""

_FEW = 10.0
"""A class with this many mistakes is asked as often as its parent."""


class Latents(NamedTuple):
    """Room for the latents of one sentence; filled anew for each answer.

    Per span: its rank in easiness, six invited mistakes with their shares and the rest, its
    easiness in logits, the outcome of the answer. Per site: the spurious span, its popularity.
    ``option`` and ``odds`` are where a choice is prepared.
    """

    rank: FloatArray
    invited: IntArray
    share: FloatArray
    rest: FloatArray
    site: IntArray
    popularity: FloatArray
    ease: FloatArray
    belief: FloatArray
    drawn: IntArray
    outcome: IntArray
    variety: FloatArray
    boost: FloatArray
    option: IntArray
    odds: FloatArray


@kernel
def fill_latents(
    sheet: Sheet, mistakes: Mistakes, habits: Habits, seed: int, s: int, latents: Latents
) -> int:
    """Draw the latents of a sentence; return the number of sites for spurious spans."""
    state = stream(seed, s, 0)
    count = latents.drawn
    count[0] = 0
    of_sentence = next_normal(state, count)
    sigma = habits.temptation
    latents.boost[0] = math.exp(sigma * next_normal(state, count) - sigma * sigma / 2)
    alike = habits.by_sentence[sheet.company[s]]
    usual = habits.variety[sheet.company[s]]
    base = sheet.first[s]
    for g in range(sheet.first[s + 1] - base):
        own = next_normal(state, count)
        shared = math.sqrt(alike) * of_sentence
        latents.rank[g] = normal_cdf(shared + math.sqrt(1 - alike) * own)
        variety = usual * math.exp(habits.slant * (2 * latents.rank[g] - 1))
        latents.variety[g] = variety
        twin = _twin(sheet, base, g)
        if twin >= 0 and next_uniform(state, count) < habits.contagion:
            latents.variety[g] = latents.variety[twin]
            latents.invited[g] = latents.invited[twin]
            latents.share[g] = latents.share[twin]
            latents.rest[g] = latents.rest[twin]
            continue
        rest = 1.0
        for t in range(INVITED):
            broken = 1 - (1 - next_uniform(state, count)) ** (1 / variety)
            latents.share[g, t] = rest * broken
            rest *= 1 - broken
            latents.invited[g, t] = draw_mistake(sheet, mistakes, s, base + g, state, count)
        latents.rest[g] = rest
    return _fill_sites(sheet, habits, s, state, latents)


@kernel
def _twin(sheet: Sheet, base: int, g: int) -> int:
    """Return the nearest span before ``g`` with the same label, or -1."""
    for h in range(g - 1, -1, -1):
        if sheet.label[base + h] == sheet.label[base + g]:
            return h
    return -1


@kernel
def _fill_sites(sheet: Sheet, habits: Habits, s: int, state: np.uint64, latents: Latents) -> int:
    count = latents.drawn
    wanted = next_poisson(
        min(habits.shared * sheet.extra[s] * latents.boost[0], 20.0), state, count
    )
    sites = 0
    for _ in range(min(wanted, len(latents.popularity))):
        rank = next_uniform(state, count)
        start, end, label = draw_extra(sheet, habits, s, state, count)
        if start < 0:
            continue
        latents.site[sites, 0] = start
        latents.site[sites, 1] = end
        latents.site[sites, 2] = label
        place = int(np.searchsorted(habits.popularity_cdf, rank))
        latents.popularity[sites] = habits.popularity[min(place, len(habits.popularity) - 1)]
        sites += 1
    return sites


@kernel
def draw_mistake(
    sheet: Sheet, mistakes: Mistakes, s: int, span: int, state: np.uint64, count: IntArray
) -> int:
    """Draw a mistake that fits the span; missed, if none of several does."""
    for _ in range(8):
        kind = sheet.kind[span]
        while mistakes.parent[kind] != kind:
            seen = mistakes.first[kind + 1] - mistakes.first[kind]
            if next_uniform(state, count) * (seen + _FEW) < seen:
                break
            kind = mistakes.parent[kind]
        seen = mistakes.first[kind + 1] - mistakes.first[kind]
        place = int(next_uniform(state, count) * seen)
        m = mistakes.seen[mistakes.first[kind] + place]
        start, end = sheet.start[span] + mistakes.left[m], sheet.end[span] + mistakes.right[m]
        fits = 0 <= start < end <= sheet.tokens[s] and mistakes.label[m] != sheet.label[span]
        if fits or m == MISSED:
            return int(m)
    return MISSED


@kernel
def draw_extra(
    sheet: Sheet, habits: Habits, s: int, state: np.uint64, count: IntArray
) -> tuple[int, int, int]:
    """Draw a spurious span that touches no gold span; start -1 if no place was found."""
    known = len(habits.extra_length)
    pick = int(next_uniform(state, count) * known)
    length = min(habits.extra_length[pick], sheet.tokens[s])
    for _ in range(10):
        start = int(next_uniform(state, count) * (sheet.tokens[s] - length + 1))
        free = True
        for g in range(sheet.first[s], sheet.first[s + 1]):
            if sheet.start[g] < start + length and start < sheet.end[g]:
                free = False
        if free:
            return start, start + length, int(habits.extra_label[pick])
    return -1, -1, -1
