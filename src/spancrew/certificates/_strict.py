"""A lower bound that holds however often one looks: betting against every lower value.

For a ratio to be at most f, the crowd's sentences must have at most a certain sum of
``factor x right - f x (delivered and true spans)``. Somebody who bets that the next audited
sentence has more than the mean that this leaves for the rest wins nothing on average if it is
true; their capital exceeds 1 / (1 - level) at any time with a probability of 1 - level at most
(Ville). Sentences are drawn without replacement, as in audits of elections; see Waudby-Smith and
Ramdas, doi:10.1093/jrsssb/qkad009.
"""

import math
from typing import NamedTuple

import numpy as np

from spancrew.certificates._part import Part, PartCounts
from spancrew.certificates._ratio import Ratio
from spancrew.core import FloatArray

_STEPS = 400
"""Values between 0 and 1 that are bet against."""

_STAKES = np.array([0.02, 0.05, 0.1, 0.2, 0.4, 0.65, 0.95])
"""Shares of the capital that are staked, each with an equal part of it."""

_GIVEN_UP = 0.002
"""Of the ratio, what may be given up to cut off the worst that a few long sentences can do."""

_ROUNDING = 1e-9


class _Game(NamedTuple):
    """For every value: the payoff of each audited sentence, its least, and the null's sum."""

    payoff: FloatArray
    least: FloatArray
    null: FloatArray


def strict_low(part: Part, ratio: Ratio, level: float) -> float:
    """Return the highest value below which every one is rejected at some time.

    It is of the labels as they were settled: experts' labels that replace some are no worse. Half
    of the capital bets on what was found, which is best where few spans can be missing for
    certain; half on what was found beyond what was stated, which varies less.
    """
    values = np.linspace(0.0, 1.0, _STEPS, endpoint=False)
    nothing = np.zeros_like(part.stated.delivered)
    plain = _game(part, ratio, values, PartCounts(nothing, nothing, nothing))
    beyond = _game(part, ratio, values, part.stated)
    sentences = len(part.stated.delivered)
    capital = np.logaddexp(_capital(plain, sentences), _capital(beyond, sentences)) - math.log(2)
    is_kept = ~(capital >= -math.log(1 - level)).any(axis=1)
    first = int(np.argmax(is_kept)) if is_kept.any() else _STEPS
    return float(values[first - 1]) if first else 0.0


def _game(part: Part, ratio: Ratio, values: FloatArray, stated: PartCounts) -> _Game:
    """Return the bets on what was found beyond what was stated."""
    given, _, true = part.stated
    worth = _worth(ratio, stated, values)
    worst = worth + values[:, None] * (
        ratio.of_delivered * given + ratio.of_true * np.maximum(part.most, given)
    )
    mean = values * float((ratio.of_delivered * given + ratio.of_true * true).mean())
    least, given_up = _cut(worst, np.maximum(mean, 1e-9) * _GIVEN_UP)
    sure = part.settled
    beside = ratio.factor * sure.right - values * ratio.below(sure.delivered, sure.true)
    null = -beside - worth.sum(axis=1) + given_up * len(given)
    found = _worth(ratio, part.found, values) - worth[:, part.drawn]
    return _Game(np.maximum(found, -least[:, None]), least, null)


def _worth(ratio: Ratio, counts: PartCounts, values: FloatArray) -> FloatArray:
    """Return the numerator minus each value times the denominator, by value and sentence."""
    below = ratio.of_delivered * counts.delivered + ratio.of_true * counts.true
    return ratio.factor * counts.right[None, :] - values[:, None] * below[None, :]


def _cut(worst: FloatArray, most_given_up: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the lowest payoff to allow for, and what the sentences beyond it cost by sentence.

    A high stake needs a small loss at worst. What a payoff is cut off by is added to the null, so
    that the bound stays valid.
    """
    ordered = np.sort(worst, axis=1)[:, ::-1]
    count = np.arange(1, ordered.shape[1] + 1)
    # If payoffs are cut at the k-th highest, this is what the k higher ones exceed it by.
    excess = (np.cumsum(ordered, axis=1) - count * ordered) / ordered.shape[1]
    last = np.argmax(excess > most_given_up[:, None], axis=1) - 1
    none_beyond = ~np.any(excess > most_given_up[:, None], axis=1)
    last = np.where(none_beyond, ordered.shape[1] - 1, np.maximum(last, 0))
    each = np.arange(len(ordered))
    return np.maximum(ordered[each, last], 1e-9), excess[each, last]


def _capital(game: _Game, sentences: int) -> FloatArray:
    """Return the logarithm of the capital by value and audit, the mean over all stakes."""
    before = np.cumsum(game.payoff, axis=1) - game.payoff
    left = sentences - np.arange(game.payoff.shape[1])
    mean = (game.null[:, None] - before) / left
    room = mean + game.least[:, None]
    # Where the rest would have to pay less than is possible, the value is ruled out for certain.
    is_impossible = room < -_ROUNDING
    has_room = room > _ROUNDING
    gain = np.where(has_room, (game.payoff - mean) / np.where(has_room, room, 1.0), 0.0)
    grown = np.cumsum(np.log1p(gain[:, :, None] * _STAKES), axis=1)
    top = grown.max(axis=2)
    mixed = top + np.log(np.exp(grown - top[:, :, None]).mean(axis=2))
    return np.where(is_impossible, np.inf, mixed)
