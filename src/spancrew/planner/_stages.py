"""How long each stage of a plan takes, as a share of the whole, by what is rehearsed in it."""

from collections.abc import Sequence

from spancrew.planner._candidates import Family
from spancrew.planner._halving import KEPT
from spancrew.planner._look import CROWDS, FIRST, LARGEST, REPLAYS, SECOND, draws_of
from spancrew.planner._models import members_in
from spancrew.planner._parts import MOST, PAIRS, PART_SIZE
from spancrew.planner._terms import Terms

_VOTE, _REPLAY, _OF_PART = 0.2, 0.6, 0.2
"""Parts of the time of a sentence: with a vote, with answers that are looked up, and in forecasts
from parts of a pilot, whose small campaigns have little to learn from; measured."""

_CREWS, _LAST, _TOLD = 5, 4, 2
"""Candidates that other crews make, that are left for the last look, and that a plan tells of."""


def stages(tried: Sequence[Family], pilot: int, terms: Terms) -> list[float]:
    """Return sentences that are rehearsed: first look, second, crews, last, fresh, and parts.

    ``pilot`` is the number of its sentences. Where there are models, three looks without follow.
    """
    campaign = terms.aim.sentences
    largest = min(campaign, LARGEST) + (LARGEST // 2 if campaign > LARGEST else 0)
    replayed, draws = draws_of(pilot)
    part = min(pilot // 2, MOST)
    few = -(-len(tried) // KEPT) + 1
    found = [
        sum(_weight(each) for each in tried) * min(campaign, FIRST),
        few * (min(campaign, SECOND) + 2 * _REPLAY * min(pilot, FIRST)),
        _CREWS * min(campaign, SECOND),
        _LAST * (largest + (1 + draws) * _REPLAY * replayed),
        _TOLD * (CROWDS * largest + 2 * REPLAYS * _REPLAY * replayed),
        2 * PAIRS * _TOLD * _OF_PART * (min(campaign, PART_SIZE) + 2 * _REPLAY * part),
    ]
    # Without models the first looks are taken once more.
    return [*found, found[0], found[1], found[3]] if members_in(terms) else found


def _weight(family: Family) -> float:
    """Return how long the first look at a family takes."""
    return len(family.first_knobs) * (_VOTE if family.consensus == "mv" else 1.0)
