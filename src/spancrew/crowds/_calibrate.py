"""Turn the knobs until drawn answers have the figures of the real ones.

The method of simulated moments: each knob has one figure that it moves, and is turned towards it
in every round, with fresh random numbers and ever smaller steps (Robbins and Monro 1951), so that
the noise of single rounds averages out.

No constant here is read from a data set. Which knobs there are, and how two figures that pull at
the same knob are weighed, was chosen while looking at the CoNLL, OEI and demo crowds.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from spancrew.core import FloatArray, Ragged
from spancrew.crowds._moments import (
    ALIKE,
    FAITHFUL,
    KAPPA,
    LOST,
    LOST_EASY,
    OTHER,
    OWN,
    SAME,
    SHARED,
    TEMPTED,
    Moments,
)
from spancrew.crowds._picked import lifted, pickedness
from spancrew.crowds._settings import Settings
from spancrew.crowds._tables import WRONG
from spancrew.crowds._vote import steepness, vote_excess


class DrawnPilot(Protocol):
    """A pilot that drawn workers can answer again and again."""

    def draw(self, settings: Settings, seeds: Sequence[int]) -> tuple[list[Ragged], float]:
        """Return all answers for each seed and the share that were empty at the first try."""
        ...

    def measure(self, codes: Ragged) -> Moments:
        """Return the figures of answers."""
        ...

    def f1(self, codes: Ragged) -> FloatArray:
        """Return the mean F1 of every worker."""
        ...


ROUNDS, AGAIN = 40, 24
"""Rounds in which all knobs turn: from a first guess, and from settings for much the same."""

_PULL = 100.0
"""A class with this many pairs counts as much as all classes together."""

_POLISH = 6
_PAIRS = 4
"""Rounds for the skills alone at the end, and how many pairs of mirrored draws each has."""

_CAREFUL, _STRAIGHT = 0.8, 0.55
"""How fast mean F1 is taken to grow with skill, relative to a logistic curve.

The first keeps steps small while all knobs turn; the second is about what is measured.
"""

_TOGETHER = 40.0
"""How much mistakes are made alike for agreement, where gold was picked from the answers."""

LARGEST_LOGIT = 20.0
"""Bound of skills and effects. Every knob has bounds, so that no pilot lets a fit run away."""

_BOLD = 8
"""Rounds of full steps before they get smaller."""


def calibrate(
    settings: Settings,
    target_f1: FloatArray,
    real: Moments,
    pilot: DrawnPilot,
    repeats: int,
    rounds: int,
) -> Settings:
    """Turn all knobs round by round; then the skills alone, with many draws.

    While steps are bold one draw is enough: what its noise does is forgotten later.
    """
    for k in range(rounds):
        seeds = range(k * repeats, k * repeats + (1 if k < _BOLD else repeats))
        drawn, first_empty = _drawn(settings, pilot, seeds)
        gain = 0.8 * min(1.0, _BOLD / (k + 1))
        settings = turn(settings, real, target_f1, drawn, first_empty, gain)
    return _polish(settings, target_f1, pilot, repeats)


def _polish(
    settings: Settings, target_f1: FloatArray, pilot: DrawnPilot, repeats: int
) -> Settings:
    """Turn the skills alone; steps of 1, 1/2, 1/3 ... make the end the mean of all rounds."""
    seed = 1_000 * repeats
    for k in range(_POLISH):
        f1 = []
        for _ in range(repeats):
            pairs = [sign * (seed + j) for j in range(_PAIRS) for sign in (1, -1)]
            f1 += [pilot.f1(codes) for codes in pilot.draw(settings, pairs)[0]]
            seed += _PAIRS
        target = lifted(target_f1, settings.lift)
        step = _logit_step(target, np.mean(f1, axis=0), _STRAIGHT)
        settings = settings.but(skill=_logits(settings.skill + step / (k + 1)))
    return settings


def _drawn(settings: Settings, pilot: DrawnPilot, seeds: Sequence[int]) -> tuple[Moments, float]:
    """Draw the crowd several times; return the sums and the share of empty first tries."""
    draws, empty = pilot.draw(settings, seeds)
    moments = pilot.measure(draws[0])
    for codes in draws[1:]:
        moments = moments.plus(pilot.measure(codes))
    return moments, empty


def turn(
    settings: Settings,
    real: Moments,
    target_f1: FloatArray,
    drawn: Moments,
    first_empty: float,
    gain: float,
) -> Settings:
    """Turn every knob a step towards its figure."""
    goal = real.empty / max(real.answerable, 1)
    keep, blank = emptiness(goal, first_empty, settings.blank)
    mean_f1 = drawn.f1 / np.maximum(drawn.answers, 1)
    picked = pickedness(real)
    turned = _turn_by_company(settings, _figures(real), _figures(drawn), gain, picked)
    lift = settings.lift - 2 * gain * picked * vote_excess(real.vote, drawn.vote)
    step = _logit_step(lifted(target_f1, settings.lift), mean_f1, _CAREFUL)
    effect = _effect_step(real, drawn, settings.lift)
    return _turn_shared(turned, real, drawn, gain).but(
        lift=float(np.clip(lift, -1, 1)),
        skill=_logits(settings.skill + gain * step),
        effect=_logits(settings.effect + 0.3 * gain * effect),
        extra_by_size=_rates(settings.extra_by_size * _size_factor(real, drawn) ** gain),
        extra=_rates(settings.extra * _worker_factor(real, drawn) ** gain),
        keep_empty=keep,
        blank=blank,
        leaning=_rates(settings.leaning * _sort_factor(real, drawn) ** gain),
        mess=np.clip(settings.mess * _mess_factor(real, drawn) ** gain, 0.02, 50),
    )


def _turn_by_company(
    settings: Settings, goal: FloatArray, got: FloatArray, gain: float, picked: float
) -> Settings:
    """Turn the knobs that each class of company has for itself."""
    excess = np.clip(got[:, KAPPA] - goal[:, KAPPA], -1, 1)
    same = (_near(goal[:, SAME]) / _near(got[:, SAME])) ** (gain / 4)
    spread = same * np.exp(-2 * gain * excess)
    sentence = gain * (goal[:, OTHER] - got[:, OTHER]) / (np.abs(got[:, SAME]) + 0.02)
    form = gain * (goal[:, OWN] - got[:, OWN]) / 0.15
    alike = np.clip(got[:, ALIKE] - goal[:, ALIKE], -1, 1)
    agreed = 2 * np.maximum(excess, 0) + _TOGETHER * picked * excess
    variety = np.exp(gain * (8 * alike + agreed))
    return settings.but(
        spread=np.clip(settings.spread * spread, 0.05, 3),
        by_sentence=np.clip(settings.by_sentence + sentence, 0, 0.95),
        by_answer=np.clip(settings.by_answer + form, 0, 0.98),
        variety=np.clip(settings.variety * variety, 0.02, 200),
    )


def _turn_shared(settings: Settings, real: Moments, drawn: Moments, gain: float) -> Settings:
    """Turn the knobs that all sentences share."""
    goal, got = _overall(real), _overall(drawn)
    strangeness = ((got[SHARED] + 1e-4) / (goal[SHARED] + 1e-4)) ** (gain / 2)
    level = (real.extra_by_size.sum() / max(real.answers_by_size.sum(), 1)) ** 2 + 1e-4
    tempted = 0.6 * gain * np.clip((goal[TEMPTED] - got[TEMPTED]) / level, -1, 1)
    slant = 4 * gain * np.clip(10 * steepness(real.vote, drawn.vote), -1, 1)
    lost = (got[LOST_EASY] - got[LOST]) - (goal[LOST_EASY] - goal[LOST])
    tilt = 6 * gain * np.clip(lost, -0.1, 0.1)
    faith = gain * (goal[FAITHFUL] - got[FAITHFUL])
    return settings.but(
        strangeness=float(np.clip(settings.strangeness * strangeness, 0.2, 500)),
        temptation=float(np.clip(settings.temptation + tempted, 0, 2)),
        tilt=float(np.clip(settings.tilt + tilt, -12, 12)),
        slant=float(np.clip(settings.slant + slant, -1.3, 1.3)),
        contagion=float(np.clip(settings.contagion + faith, 0, 1)),
    )


def _logit_step(target: FloatArray, mean: FloatArray, growth: float) -> FloatArray:
    """Return how far each skill must move for the mean F1 to reach its target, if it has one."""
    slope = np.maximum(mean * (1 - mean), 0.05) * growth
    step = np.where(np.isnan(target), 0.0, (np.nan_to_num(target) - mean) / slope)
    return np.clip(step, -1.0, 1.0)


def _effect_step(real: Moments, drawn: Moments, lift: float) -> FloatArray:
    """Return how far each class of spans must move for its share of correct spans."""
    goal = lifted((real.right + 1) / (real.right_counts + 2), lift)
    got = drawn.right / np.maximum(drawn.right_counts, 1)
    got = np.where(drawn.right_counts > 0, got, goal)
    pooled = real.right_counts / (real.right_counts + 20)
    return np.clip(pooled * (goal - got) / np.maximum(goal * (1 - goal), 0.05), -1.0, 1.0)


def _size_factor(real: Moments, drawn: Moments) -> FloatArray:
    """Return how the spurious spans of each size of sentence must grow."""
    scale = real.answers_by_size / np.maximum(drawn.answers_by_size, 1)
    return np.clip((real.extra_by_size + 1) / (drawn.extra_by_size * scale + 1), 0.5, 2.0)


def _worker_factor(real: Moments, drawn: Moments) -> FloatArray:
    """Return how the spurious spans of each worker must grow; few answers change little."""
    scale = real.answers / np.maximum(drawn.answers, 1)
    return np.clip((real.extra_by_worker + 2) / (drawn.extra_by_worker * scale + 2), 0.5, 2.0)


def _sort_factor(real: Moments, drawn: Moments) -> FloatArray:
    """Return how each sort of mistake must grow among all."""
    goal = (real.sorts + 1) / (real.sorts + 1).sum()
    got = (drawn.sorts + 1) / (drawn.sorts + 1).sum()
    return _clipped(goal / got)


def _mess_factor(real: Moments, drawn: Moments) -> FloatArray:
    """Return how the spurious spans of each state must grow against those of wrong answers."""
    scale = real.answers_by_state / np.maximum(drawn.answers_by_state, 1)
    factor = (real.extra_by_state + 1) / (drawn.extra_by_state * scale + 1)
    return _clipped(factor / factor[WRONG])


def emptiness(goal: float, first_empty: float, blank: float) -> tuple[float, float]:
    """Return the chances to keep an empty answer and to give a blank one that reach a share.

    ``first_empty`` is the share of answers that were empty at the first try when a share ``blank``
    was given without a look.
    """
    first_try = min(first_empty / (1 - blank), 1.0) if blank < 1 else 0.0
    if first_try <= 0:
        return 1.0, goal
    keep = goal * (1 - first_try) / (first_try * (1 - goal)) if goal < 1 else 1.0
    if keep <= 1:
        return keep, 0.0
    return 1.0, (goal - first_try) / (1 - first_try)


def _logits(values: FloatArray) -> FloatArray:
    """Return logits within what can be told from never and always."""
    return np.clip(values, -LARGEST_LOGIT, LARGEST_LOGIT)


def _rates(values: FloatArray) -> FloatArray:
    """Return rates kept away from nothing, from where no factor leads back, and from all."""
    return np.clip(values, 1e-6, 1e3)


def _clipped(factor: FloatArray) -> FloatArray:
    """Return factors of at most two in either direction."""
    return np.clip(factor, 0.5, 2.0)


def _overall(moments: Moments) -> FloatArray:
    """Return the figures of pairs over all classes of company."""
    figures: FloatArray = moments.pairs.sum(axis=0) / np.maximum(
        moments.pair_counts.sum(axis=0), 1
    )
    return figures


def _figures(moments: Moments) -> FloatArray:
    """Return the figures of pairs by class of company; small classes are pulled to all."""
    pooled = moments.pairs + _PULL * _overall(moments)
    figures: FloatArray = pooled / (moments.pair_counts + _PULL)
    return figures


def _near(covariance: FloatArray) -> FloatArray:
    """Return covariances kept away from zero, where their ratio means nothing."""
    return np.maximum(covariance, 0.0) + 0.004
