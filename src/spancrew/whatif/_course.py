"""How a campaign went, or would have gone: labels, who decided on them, how good they are."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import numpy as np

from spancrew.campaign import Campaign, LabelsSoFar, Spans
from spancrew.certificates import Estimate, Fixed, Part, PartCounts, sampled_f1
from spancrew.core import IntArray
from spancrew.whatif._collected import CollectedAnswers
from spancrew.whatif._values import By, ExpertCounts


class CampaignCourse(NamedTuple):
    """The final labels by sentence, who decided, their F1, and what was paid.

    On the sentences in ``drawn`` an expert is wanted who was never asked, with the probability
    that they would not say what the crowd says, whose word ``crowd`` is.
    """

    labels: Mapping[int, Spans]
    by: Mapping[int, By]
    f1: Estimate
    spent: float
    answers: int
    experts: ExpertCounts
    drawn: Mapping[int, float]
    crowd: Mapping[int, Spans]
    short: AbstractSet[int] = frozenset()


class DecidedSentence(NamedTuple):
    """A sentence: who decided, the crowd's labels before any audit, and the truth if known."""

    by: By
    crowd: Spans
    truth: Spans | None


def course_of(
    collected: CollectedAnswers,
    campaign: Campaign,
    drawn: Mapping[int, float] | None = None,
    crowd: Mapping[int, Spans] | None = None,
    short: AbstractSet[int] = frozenset(),
) -> CampaignCourse:
    """Return how a campaign on collected answers went.

    An export does not say how audits were drawn: what was audited is taken to be audited again.
    """
    state, so_far = campaign.state, campaign.labels_so_far(revise=True)
    again = collected.past.audited if collected.campaign is None else set()
    gold, truth = set(collected.material.known.tolist()), collected.truth
    rows = {
        sentence: _row(campaign, so_far, place, truth.get(sentence), again)
        for place, sentence in enumerate(so_far.sentence.tolist())
        if sentence not in gold
    }
    more = sum(row.by == "audit" and s not in state.audited for s, row in rows.items())
    experts = _experts(campaign, rows, more)
    return CampaignCourse(
        {sentence: _final(row) for sentence, row in rows.items()},
        {sentence: row.by for sentence, row in rows.items()},
        f1_of(collected, rows, so_far),
        round(state.money.spent + more * state.plan.prices.expert, 9),
        state.answers,
        experts,
        drawn or {},
        crowd or {},
        short,
    )


def _row(
    campaign: Campaign,
    so_far: LabelsSoFar,
    place: int,
    truth: Spans | None,
    again: AbstractSet[int],
) -> DecidedSentence:
    sentence = int(so_far.sentence[place])
    spans = campaign.state.spans(so_far.codes[place])
    if not so_far.counted.is_by_crowd[place]:
        return DecidedSentence("expert", spans, truth)
    if sentence in campaign.state.audited:
        given = campaign.state.spans(so_far.audits[place])
        return DecidedSentence("audit", spans, given if truth is None else truth)
    return DecidedSentence("audit" if sentence in again else "crowd", spans, truth)


def _final(row: DecidedSentence) -> Spans:
    return row.truth if row.by == "audit" and row.truth is not None else row.crowd


def _experts(campaign: Campaign, rows: Mapping[int, DecidedSentence], more: int) -> ExpertCounts:
    """Return what experts were asked for; a sentence that warms up all is not the rule's."""
    state = campaign.state
    gate = sum(row.by == "expert" and s != state.warm_sentence for s, row in rows.items())
    audits = len(state.audited)
    warm_up = max(state.expert_answers - gate - audits, 0)
    return ExpertCounts(gate, warm_up, audits + more)


def f1_of(
    collected: CollectedAnswers, rows: Mapping[int, DecidedSentence], so_far: LabelsSoFar
) -> Estimate:
    """Return the F1 of the final labels.

    Sentences that the crowd decides now and decided then are the population from which audits are
    a random sample; of all others the truth is known, or is what an expert delivers.
    """
    counted = so_far.counted
    places = [k for k, s in enumerate(so_far.sentence.tolist()) if _is_open(collected, rows, s)]
    open_ = [int(so_far.sentence[k]) for k in places]
    stated = [
        column[places].sum(axis=1)
        for column in (counted.delivered, counted.stated_right, counted.stated_true)
    ]
    drawn = [k for k, sentence in enumerate(open_) if sentence in collected.past.audited]
    found = np.array([_compared(rows[open_[k]]) for k in drawn], np.float64).reshape(-1, 3)
    sure = np.zeros(3)
    for sentence, row in rows.items():
        sure += _sure(row, is_open=_is_open(collected, rows, sentence))
    part = Part(
        PartCounts(*stated),
        np.array(drawn, np.int64),
        PartCounts(*found.T),
        np.zeros(len(open_)),
        Fixed(*sure.tolist()),
        Fixed(*sure.tolist()),
    )
    return sampled_f1(part)


def _is_open(
    collected: CollectedAnswers, rows: Mapping[int, DecidedSentence], sentence: int
) -> bool:
    """Tell whether the crowd decides on a sentence, and decided on it then."""
    row, before = rows.get(sentence), collected.past.settled.get(sentence)
    return row is not None and row.by != "expert" and before is not None and before.by == "crowd"


def _sure(row: DecidedSentence, *, is_open: bool) -> IntArray:
    """Return delivered, right and true spans that are certain beside those of the population."""
    if is_open:
        if row.by != "audit" or row.truth is None:
            return np.zeros(3, np.int64)
        # The expert's labels are delivered in place of the crowd's.
        delivered, right, true = _compared(row)
        return np.array([true - delivered, true - right, 0])
    if row.by == "crowd" and row.truth is not None:
        return np.array(_compared(row))
    given = row.crowd if row.truth is None else row.truth
    return np.full(3, len(given))


def _compared(row: DecidedSentence) -> tuple[int, int, int]:
    """Return the spans of the crowd, those of them that are right, and the true ones."""
    truth = row.truth or ()
    return len(row.crowd), len(set(row.crowd) & set(truth)), len(truth)
