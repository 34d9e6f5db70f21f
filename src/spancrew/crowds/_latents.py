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
from spancrew.crowds._tables import MISSED, Habits, Mistakes, Records, SentenceSheet, part

INVITED = 6
"""How many popular mistakes a span has; the rest of the mass is for fresh ones."""

_SITES = 32
"""How many spurious spans a sentence tempts to at most."""

_FEW = 10.0
"""A class with this many mistakes is asked as often as its parent."""

_MOOD = np.dtype([("first", np.int64), ("sites", np.int64), ("boost", np.float64)])
_SPOT = np.dtype([("rank", np.float64), ("variety", np.float64), ("rest", np.float64)])
_SITE = np.dtype(
    [("start", np.int64), ("end", np.int64), ("label", np.int64), ("popularity", np.float64)]
)


class Latents(NamedTuple):
    """The latents of sentences, one row of ``mood`` and ``site`` for each seed and sentence.

    From ``first`` on there is a row for each gold span: ``spot`` has its rank in easiness and the
    variety of its mistakes, ``invited`` six of these with their ``share``; the ``rest`` is for
    others. The first ``sites`` of ``site`` are spurious spans with their popularity; ``boost``
    multiplies all spurious spans.
    """

    mood: Records
    spot: Records
    invited: IntArray
    share: FloatArray
    site: Records


def draw_latents(
    sheet: SentenceSheet, mistakes: Mistakes, habits: Habits, seeds: IntArray, sentences: IntArray
) -> Latents:
    """Draw the latents of all sentences for the first seed, then for the next.

    A negative seed gives the mirror image of the positive one: what is easy becomes hard.
    """
    first, last = sheet.sentence["first"][sentences], sheet.sentence["last"][sentences]
    spots = len(seeds) * int((last - first).sum())
    rows = len(seeds) * len(sentences)
    latents = Latents(
        np.empty(rows, _MOOD),
        np.empty(spots, _SPOT),
        np.empty((spots, INVITED), np.int64),
        np.empty((spots, INVITED)),
        np.empty((rows, _SITES), _SITE),
    )
    _fill(sheet, mistakes, habits, seeds, sentences, latents)
    return latents


@kernel
def _fill(
    sheet: SentenceSheet,
    mistakes: Mistakes,
    habits: Habits,
    seeds: IntArray,
    sentences: IntArray,
    latents: Latents,
) -> None:
    count = np.zeros(1, np.int64)
    row = base = int(np.int64(0))  # a literal would be one more type to compile for
    for seed in seeds:
        for s in sentences:
            sentence = sheet.sentence[s]
            state = stream(abs(seed), s, 0)
            count[0] = 0
            mood = latents.mood[row]
            mood["first"] = base
            side = -1.0 if seed < 0 else 1.0
            of_sentence = next_normal(state, count)
            sigma = habits.temptation
            tempted = side * next_normal(state, count)
            mood["boost"] = math.exp(sigma * tempted - sigma * sigma / 2)
            base = _fill_spots(
                sheet, mistakes, habits, s, side, of_sentence, state, count, latents, base
            )
            wanted = habits.shared * sentence["extra"] * mood["boost"]
            mood["sites"] = _fill_sites(sheet, habits, s, wanted, state, count, latents.site[row])
            row += 1


@part
def _fill_spots(  # noqa: PLR0913, PLR0917  a kernel gets its tables one by one
    sheet: SentenceSheet,
    mistakes: Mistakes,
    habits: Habits,
    s: int,
    side: float,
    of_sentence: float,
    state: np.uint64,
    count: IntArray,
    latents: Latents,
    base: int,
) -> int:
    """Draw what is hidden in each gold span; return the row after the last."""
    sentence = sheet.sentence[s]
    company = habits.company[sentence["company"]]
    alike = company["by_sentence"]
    spans = sentence["last"] - sentence["first"]
    for g in range(spans):
        own = next_normal(state, count)
        shared = math.sqrt(alike) * of_sentence
        rank = normal_cdf(side * (shared + math.sqrt(1 - alike) * own))
        variety = company["variety"] * math.exp(habits.slant * (2 * rank - 1))
        spot = latents.spot[base + g]
        spot["rank"] = rank
        twin = _twin(sheet.span, sentence["first"], g)
        if twin >= 0 and next_uniform(state, count) < habits.contagion:
            _copy(latents, base + twin, base + g)
            continue
        spot["variety"] = variety
        rest = 1.0
        for t in range(INVITED):
            broken = 1 - (1 - next_uniform(state, count)) ** (1 / variety)
            latents.share[base + g, t] = rest * broken
            rest *= 1 - broken
            latents.invited[base + g, t] = draw_mistake(
                mistakes, sheet.span[sentence["first"] + g], sentence["tokens"], state, count
            )
        spot["rest"] = rest
    return int(base + spans)


@part
def _copy(latents: Latents, twin: int, to: int) -> None:
    """Let a span invite the same mistakes as another."""
    latents.spot[to]["variety"] = latents.spot[twin]["variety"]
    latents.spot[to]["rest"] = latents.spot[twin]["rest"]
    for t in range(INVITED):
        latents.invited[to, t] = latents.invited[twin, t]
        latents.share[to, t] = latents.share[twin, t]


@part
def _twin(span: Records, first: int, g: int) -> int:
    """Return the nearest span before ``g`` with the same label, or -1."""
    for h in range(g - 1, -1, -1):
        if span[first + h]["label"] == span[first + g]["label"]:
            return h
    return -1


@part
def _fill_sites(
    sheet: SentenceSheet,
    habits: Habits,
    s: int,
    wanted: float,
    state: np.uint64,
    count: IntArray,
    site: Records,
) -> int:
    """Draw the spurious spans that the sentence tempts to; return how many there are."""
    sites = 0
    for _ in range(min(next_poisson(min(wanted, 20.0), state, count), len(site))):
        rank = next_uniform(state, count)
        start, end, label = draw_extra(sheet, habits.extra, s, state, count)
        if start < 0:
            continue
        site[sites]["start"] = start
        site[sites]["end"] = end
        site[sites]["label"] = label
        site[sites]["popularity"] = _popularity(habits.popularity, rank)
        sites += 1
    return sites


@part
def _popularity(table: Records, rank: float) -> float:
    """Return the popularity below which a share ``rank`` of all lies."""
    low, high = 0, len(table) - 1
    while low < high:
        middle = (low + high) // 2
        if table[middle]["cdf"] < rank:
            low = middle + 1
        else:
            high = middle
    return float(table[low]["popularity"])


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
    sheet: SentenceSheet, known: Records, s: int, state: np.uint64, count: IntArray
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
