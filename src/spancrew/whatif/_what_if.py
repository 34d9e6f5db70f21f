"""Compare how a campaign went with how it would have gone by another rule."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from spancrew.campaign import Plan, RuleSet, StandIn, another_course
from spancrew.certificates import Estimate
from spancrew.consensus import consensus_name
from spancrew.errors import SpancrewError
from spancrew.feedback import feedback_name
from spancrew.whatif._collected import CollectedAnswers
from spancrew.whatif._course import CampaignCourse, course_of
from spancrew.whatif._export import course_of_export
from spancrew.whatif._notes import notes
from spancrew.whatif._other import OtherRule
from spancrew.whatif._values import Change, ExpertCounts, Sums, WhatIf, WhatIfFigure

DRAWS = 5
"""How often experts' labels that nobody knows are drawn, where decisions depend on them."""

Progress = Callable[[int, int], None]


def what_if(
    collected: CollectedAnswers,
    other: OtherRule,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress | None = None,
) -> WhatIf:
    """Return what another rule would have decided on the answers that were collected.

    Its decisions are exact, unless they depend on labels of experts who were never asked: these
    are then drawn several times.
    """
    if draws < 1:
        raise SpancrewError(f"draws {draws}: at least 1 is needed; {DRAWS} is usual")
    plan = other.plan(collected.plan)
    _refuse_models_first(collected, plan)
    _refuse_more_answers(collected, plan)
    before = _before(collected)
    if _is_same(collected, other, plan):
        courses = [before]
    else:
        courses = []
        for course in _courses(collected, plan, other, draws, seed):
            courses.append(course)
            if progress is not None:
                progress(len(courses), draws)
    return _compared(collected, plan, before, courses)


def _before(collected: CollectedAnswers) -> CampaignCourse:
    if collected.campaign is None:
        return course_of_export(collected)
    return course_of(collected, collected.campaign)


def _is_same(collected: CollectedAnswers, other: OtherRule, plan: Plan) -> bool:
    """Tell whether nothing differs from what was done, so that the journal is the answer."""
    was = collected.plan
    if collected.campaign is None or plan != replace(was, consensus=was.method, audit=was.audits):
        return False
    changed = any(isinstance(event, RuleSet) for event in collected.past.events)
    return other.keeps_rule or not changed


def _refuse_models_first(collected: CollectedAnswers, plan: Plan) -> None:
    """Refuse a rule that asked, or would ask, people only where models leave doubt."""
    for what, each in (("the campaign had", collected.plan), ("this is", plan)):
        if each.models_first:
            raise SpancrewError(
                f"{what} a rule that has models first ({feedback_name(each.feedback)}): nobody "
                "knows what people would have answered where they were not asked. Rehearse it: "
                "'spancrew simulate'"
            )


def _refuse_more_answers(collected: CollectedAnswers, plan: Plan) -> None:
    """Refuse a rule that needs answers which nobody gave."""
    counts = [
        count
        for sentence, count in collected.past.answers_on().items()
        if sentence in collected.past.settled
    ]
    most = max(counts, default=0)
    enough = sum(count >= plan.answers for count in counts)
    if plan.answers > collected.plan.answers and 2 * enough < len(counts):
        raise SpancrewError(
            f"answers {plan.answers}: only {enough:,} of {len(counts):,} sentences have so many, "
            f"and none has more than {most}; nobody knows what others would have answered. "
            f"Rehearse it: 'spancrew simulate' with --answers {plan.answers}"
        )


def _courses(
    collected: CollectedAnswers, plan: Plan, other: OtherRule, draws: int, seed: int
) -> Iterator[CampaignCourse]:
    """Yield how it would have gone; several times where that depends on what nobody knows.

    The stand-in goes on from what audits taught it. From the second time on, the answers on a
    sentence also come in another order, which is as much left to chance.
    """
    stand_in, rng = StandIn(seed), np.random.default_rng(seed)
    past = collected.past
    for _ in range(draws):
        found = another_course(
            collected.material, past, plan, stand_in, keeps_rule=other.keeps_rule
        )
        crowd = {sentence: judged.crowd for sentence, judged in found.judged.items()}
        yield course_of(collected, found.campaign, found.drawn, crowd, found.short)
        if not (_depends(plan) and found.drawn):
            return
        past = collected.past.shuffled(rng)
        stand_in.go_on()


def _depends(plan: Plan) -> bool:
    """Tell whether decisions depend on what experts say."""
    return plan.method.learns or plan.feedback.needs_probabilities


def _compared(
    collected: CollectedAnswers,
    plan: Plan,
    before: CampaignCourse,
    courses: Sequence[CampaignCourse],
) -> WhatIf:
    first = courses[0]
    is_known = first is before or not (_depends(plan) and first.drawn)
    common = sorted(set(before.labels).intersection(*(each.labels for each in courses)))
    changed = WhatIfFigure.of_estimates([_changed(before, each, common) for each in courses])
    is_all_known = not any(each.drawn for each in courses)
    return WhatIf(
        len(common),
        WhatIfFigure(is_all_known, *(len(common) * each for each in changed[1:])),
        _sums_before(collected, before, common),
        _sums_after(plan, courses, common, is_known=is_known),
        len(collected.past.audited),
        round(np.mean([len(each.drawn) for each in courses])),
        len(first.short),
        len(courses),
        tuple(_changes(before, courses, common)),
        notes(collected, plan, before, courses, len(common), is_known=is_known),
    )


def _sums_after(
    plan: Plan, courses: Sequence[CampaignCourse], common: Sequence[int], *, is_known: bool
) -> Sums:
    # Every label that nobody knows may move a decision, one way or the other.
    reach = math.sqrt(np.mean([len(each.drawn) for each in courses]))
    count, shares = max(len(common), 1), [_share(each, common) for each in courses]
    spent, money = [each.spent for each in courses], reach * plan.prices.expert
    return Sums(
        feedback_name(plan.feedback),
        consensus_name(plan.method),
        plan.answers,
        _figure(shares, known=is_known, most=1.0, reach=reach / count),
        WhatIfFigure.of_estimates([each.f1 for each in courses]),
        _figure(spent, known=is_known, most=math.inf, reach=money),
        float(np.mean([each.answers for each in courses])),
        ExpertCounts(*np.mean([each.experts for each in courses], axis=0).tolist()),
    )


def _figure(values: Sequence[float], *, known: bool, most: float, reach: float) -> WhatIfFigure:
    return (
        WhatIfFigure.exactly(values[0])
        if known
        else WhatIfFigure.of_draws(values, 0.0, most, reach)
    )


def _sums_before(
    collected: CollectedAnswers, before: CampaignCourse, common: Sequence[int]
) -> Sums:
    plan = collected.plan
    return Sums(
        "unknown" if collected.campaign is None else feedback_name(plan.feedback),
        consensus_name(plan.method),
        plan.answers,
        WhatIfFigure.exactly(_share(before, common)),
        WhatIfFigure.of_estimates([before.f1]),
        WhatIfFigure.exactly(before.spent),
        float(before.answers),
        before.experts,
    )


def _share(course: CampaignCourse, common: Sequence[int]) -> float:
    """Return the share of the sentences that experts decide because the rule asks them."""
    return sum(course.by[each] == "expert" for each in common) / max(len(common), 1)


def _changed(before: CampaignCourse, after: CampaignCourse, common: Sequence[int]) -> Estimate:
    """Return the share of the sentences that get other labels."""
    sure, doubts = 0, []
    for each in common:
        if each in after.drawn:
            doubt = after.drawn[each]
            doubts.append(doubt if after.crowd.get(each) == before.labels[each] else 1 - doubt)
        else:
            sure += before.labels[each] != after.labels[each]
    count, mean = max(len(common), 1), sure + sum(doubts)
    reach = 1.96 * math.sqrt(sum(each * (1 - each) for each in doubts))
    low, high = max(mean - reach, sure), min(mean + reach, sure + len(doubts))
    return Estimate(mean / count, low / count, high / count)


def _changes(
    before: CampaignCourse, courses: Sequence[CampaignCourse], common: Sequence[int]
) -> Iterator[Change]:
    first = courses[0]
    for each in common:
        after, by = _probable(first, each), first.by[each]
        if (before.labels[each], before.by[each]) != (after, by):
            known = each not in first.drawn and all(
                (other.labels[each], other.by[each]) == (after, by) for other in courses
            )
            yield Change(each, before.labels[each], after, before.by[each], by, known)


def _probable(course: CampaignCourse, sentence: int) -> "tuple[tuple[int, int, str], ...]":
    """Return the labels that a sentence gets most probably."""
    if sentence in course.drawn:
        return course.crowd.get(sentence, course.labels[sentence])
    return course.labels[sentence]
