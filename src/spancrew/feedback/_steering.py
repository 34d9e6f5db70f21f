"""Where doubt becomes too much: by what an error costs, or so that a target is met."""

import math
from typing import NamedTuple

import numpy as np

from spancrew.consensus import Beliefs
from spancrew.core import (
    Answers,
    BoolArray,
    FloatArray,
    IntArray,
    checked_numbers,
    kernel,
    kernel_part,
)
from spancrew.errors import SpancrewError
from spancrew.feedback._base import Situation
from spancrew.feedback._doubts import (
    BINS,
    Doubts,
    decide,
    doubt_at,
    doubt_bin,
    octave_of,
    refuse_wrong_doubts,
    size_of,
    spans_twice,
)
from spancrew.feedback._values import Verdict

ERROR_COST = 3.0
"""What a wrong or missing span costs by default; an expert's label costs 1 by default."""

_FEW = 20
"""Sentences without which a histogram says nothing: until then the running totals decide."""

_HORIZON, _GROWTH = 50.0, 0.1
"""A target that is missed is made up for within 50 sentences, later within a tenth of the seen."""

_UNANSWERED = 1e6
"""Errors on a sentence that nobody answered: more than on any other."""

_ROUNDING = 1e-9
"""What is within this of a limit is at the limit."""

_USUAL, _FIRMNESS = 1.05, 90.0
"""Errors for each that is expected, on many crowds, and how many audited ones that counts for."""

_BEYOND, _LITTLE = 1.3, 20.0
"""How far off errors must be where experts are asked to say something of the others.

Experts see the most doubtful sentences, and calibrated methods have learned from them already.
Before they have found some 20 errors, little is said.
"""

_NEAR, _SPREAD = 0.01, 0.18
"""Nine of ten campaigns are to end at most a point below their target.

With 5 % audits their errors are known to some 14 % at best; one in ten has 18 % more.
"""

_HOPE, _WEIGHT = 1.0 / 3.0, 3.0
"""One more answer is hoped to spare a third of the errors, as if that was seen three times."""


class GateAim(NamedTuple):
    """What is aimed at: a share, else a quality, else to spend least; NaN stands for none."""

    error_cost: float
    quality: float
    share: float


def aim_of(error_cost: float | None, quality: float | None, expert_share: float | None) -> GateAim:
    """Return what is aimed at; refuse numbers out of range, and two targets at once."""
    targets = {"quality": quality, "expert_share": expert_share}
    for name, value in targets.items():
        if value is not None and not 0 <= value <= 1:
            raise SpancrewError(f"{name} {value:g}: it is from 0 to 1, as 0.95 is for 95 %")
    if quality is not None and expert_share is not None:
        raise SpancrewError(
            f"quality {quality:g} and expert_share {expert_share:g} cannot both be met; give one"
        )
    if error_cost is not None and not 0 <= error_cost < math.inf:
        raise SpancrewError(
            f"error_cost {error_cost:g}: what an error costs is a number from 0 up; to ask the "
            "expert always, use the rule 'expert'"
        )
    if all(value is None for value in (error_cost, quality, expert_share)):
        return GateAim(ERROR_COST, math.nan, math.nan)
    told = (error_cost, quality, expert_share)
    return GateAim(*(math.nan if value is None else float(value) for value in told))


def steered(
    aim: GateAim, answers: Answers, beliefs: Beliefs, situation: Situation | None, *, grows: bool
) -> Verdict:
    """Decide sentence by sentence, each knowing what was decided just before in its run.

    A sentence that nobody answered is more doubtful than any other. With ``grows`` one more answer
    is asked for where that pays.
    """
    refuse_wrong_doubts("expected errors", beliefs.errors, answers.sentences)
    now = Situation.first(answers.sentences) if situation is None else situation
    is_answered = (answers.per_sentence > 0) | now.by_models
    errors = np.where(is_answered, beliefs.errors, _UNANSWERED)
    checked_numbers("runs of sentences", now.run, count=len(errors), below=len(now.doubts.seen))
    trusted, more = np.zeros(len(errors), bool), np.zeros(len(errors), bool)
    may_grow = (now.left > 0) & grows
    prices = now.prices.answer, now.prices.expert
    rows = JudgedRows(now.run, errors, spans_twice(beliefs), may_grow)
    _steer(aim, rows, prices, now.doubts.ahead(), _real(now.doubts), trusted, more)
    return Verdict(trusted, beliefs.errors.copy(), more)


class JudgedRows(NamedTuple):
    """Sentences: their run, expected errors and spans, and whether one more may be asked."""

    run: IntArray
    errors: FloatArray
    sizes: FloatArray
    may_grow: BoolArray


@kernel
def _steer(
    aim: GateAim,
    rows: JudgedRows,
    prices: tuple[float, float],
    doubts: Doubts,
    real: FloatArray,
    trusted: BoolArray,
    more: BoolArray,
) -> None:
    answer, expert = prices
    for row in range(len(rows.run)):
        run, errors, size = rows.run[row], rows.errors[row], rows.sizes[row]
        limit = _limit(aim, doubts, run, real[run])
        if rows.may_grow[row]:
            most = _most_errors(aim, limit, doubts, run, expert)
            cost = expert / most if math.isnan(aim.error_cost) else aim.error_cost
            more[row] = cost * _gain(doubts, run, errors, most) > answer + _ROUNDING
        if not more[row]:
            trusted[row] = not _asks(aim, limit, doubts, (run, errors, size), real[run], expert)
            decide(doubts, run, errors, size, trusted[row])


@kernel
def has_target(aim: GateAim) -> bool:
    """Tell whether there is a share or a quality to meet."""
    return not (math.isnan(aim.share) and math.isnan(aim.quality))


@kernel_part
def _limit(aim: GateAim, doubts: Doubts, run: int, real: float) -> int:
    """Return the bin above which the expert is asked and below which the crowd is trusted.

    It is -1 if only the totals tell, for want of sentences.
    """
    if not has_target(aim) or doubts.seen[run] < _FEW:
        return -1
    horizon = max(_HORIZON, _GROWTH * doubts.seen[run])
    if math.isnan(aim.share):
        return _quality_limit(_loss(aim), doubts, run, real, horizon)
    return _share_limit(aim.share, doubts, run, horizon)


def errors_limit(aim: GateAim, doubts: Doubts, run: int, expert: float) -> float:
    """Return the errors above which a run asks the expert now, as far as that is known."""
    return float(_errors_limit(aim, doubts, run, _real(doubts)[run], expert))


@kernel
def _errors_limit(aim: GateAim, doubts: Doubts, run: int, real: float, expert: float) -> float:
    return _most_errors(aim, _limit(aim, doubts, run, real), doubts, run, expert)


@kernel_part
def _share_limit(share: float, doubts: Doubts, run: int, horizon: float) -> int:
    """Return the bin in which the most doubtful share of the sentences ends."""
    wanted = share + (share * doubts.seen[run] - doubts.asked[run]) / horizon
    if wanted <= 0.0:
        return BINS
    if wanted >= 1.0:
        return 0
    left = wanted * _sum_of(doubts.sentences[run])
    for place in range(BINS - 1, 0, -1):
        left -= doubts.sentences[run, place]
        if left < -_ROUNDING:
            return place
    return 0


@kernel_part
def _quality_limit(loss: float, doubts: Doubts, run: int, real: float, horizon: float) -> int:
    """Return the bin from which on more errors are let pass than the quality allows."""
    spare = (loss * size_of(doubts, run) - real * doubts.let_pass[run]) / horizon
    usual = loss * size_of(doubts, run) / doubts.seen[run]
    left = (usual + spare) * _sum_of(doubts.sentences[run])
    for place in range(BINS):
        left -= real * doubts.errors[run, place]
        if left < -_ROUNDING:
            return place
    return BINS


@kernel_part
def _loss(aim: GateAim) -> float:
    """Return the errors by spans that are aimed at: fewer than allowed where much is let pass."""
    loss = 1.0 - aim.quality
    return float(min(loss, (loss + _NEAR) / (1.0 + _SPREAD * aim.quality)))


def _real(doubts: Doubts) -> FloatArray:
    """Return by run how many errors to reckon with for each that is expected.

    Audits tell; until there are many, what is usual, unless experts find something else.
    """
    asked, audited = doubts.shown[:, 0], doubts.shown[:, 1]
    by_experts = (_LITTLE + asked[:, 1]) / (_LITTLE + asked[:, 0])
    more = np.minimum(by_experts, (by_experts / _BEYOND) ** 2)
    off = np.maximum(more, np.minimum(by_experts * _BEYOND, 1.0))
    usual = _FIRMNESS * _USUAL * off
    real: FloatArray = (usual + audited[:, 1]) / (_FIRMNESS + audited[:, 0])
    return real


@kernel_part
def _sum_of(values: FloatArray) -> float:
    """Add up numbers one by one: what numba makes of whole arrays takes seconds to compile."""
    total = 0.0
    for value in values:
        total += value
    return total


@kernel_part
def _asks(
    aim: GateAim,
    limit: int,
    doubts: Doubts,
    sentence: tuple[int, float, float],
    real: float,
    expert: float,
) -> bool:
    """Tell whether the expert is asked; at the limit, whether the running totals want it."""
    run, errors, size = sentence
    if not has_target(aim):
        return errors * aim.error_cost > expert + _ROUNDING
    place = doubt_bin(errors)
    if limit not in (-1, place):
        return place > limit
    if math.isnan(aim.share):
        allowed = _loss(aim) * (size_of(doubts, run) + size)
        return bool(real * (doubts.let_pass[run] + errors) > allowed + _ROUNDING)
    return bool(doubts.asked[run] < aim.share * (doubts.seen[run] + 1) - _ROUNDING)


@kernel_part
def _most_errors(aim: GateAim, limit: int, doubts: Doubts, run: int, expert: float) -> float:
    """Return the errors from which on an expert is asked, as far as that is known."""
    if not has_target(aim):
        return expert / max(aim.error_cost, _ROUNDING)
    if limit < 0:
        return 1.0 / ERROR_COST
    highest = BINS - 1
    while highest > 1 and doubts.sentences[run, highest] == 0.0:
        highest -= 1
    return doubt_at(max(min(limit, highest), 1))


@kernel_part
def _gain(doubts: Doubts, run: int, errors: float, most: float) -> float:
    """Return how many errors one more answer is expected to spare.

    More than ``most`` are not lost on a sentence, as then an expert is asked.
    """
    now = min(errors, most)
    place = doubt_bin(errors)
    turns = doubts.turns[run, octave_of(place)]
    weight, gained = _WEIGHT, _WEIGHT * _HOPE * now
    for k in range(len(turns)):
        if turns[k] > 0.0:
            weight += turns[k]
            gained += turns[k] * (now - min(doubt_at(place + k - BINS), most))
    return gained / weight
