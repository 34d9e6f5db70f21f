"""What a reader of a what-if should know, in sentences."""

from collections.abc import Iterator, Sequence

from spancrew.campaign import Plan
from spancrew.whatif._collected import CollectedAnswers
from spancrew.whatif._course import CampaignCourse

FEW = 10
"""Audits below which an estimate of F1 is rough."""


def notes(
    collected: CollectedAnswers,
    plan: Plan,
    before: CampaignCourse,
    courses: Sequence[CampaignCourse],
    sentences: int,
    *,
    is_known: bool,
) -> tuple[str, ...]:
    """Return what is known and what is not, and why."""
    return (
        *_about_decisions(courses, is_known=is_known),
        *_about_quality(collected),
        *_about_answers(collected, plan, courses[0]),
        *_about_source(collected, len(before.labels) - sentences),
    )


def _about_decisions(courses: Sequence[CampaignCourse], *, is_known: bool) -> Iterator[str]:
    asked = round(sum(len(each.drawn) for each in courses) / len(courses))
    if is_known:
        yield "Who decides on each sentence, and the cost, are known: they depend on answers only."
    else:
        yield (
            "Who decides is an estimate: this rule learns from experts, and some of them were "
            f"never asked. Their labels were drawn {len(courses)} times."
        )
    if asked:
        yield (
            f"On {_sentences(asked)} the rule wants an expert who was never asked. What they "
            "would have said is estimated from how sure the consensus is, and from audits."
        )


def _about_quality(collected: CollectedAnswers) -> Iterator[str]:
    audits = len(collected.past.audited)
    if not audits:
        yield (
            "Nothing was audited, so F1 is a guess by the consensus itself, and its interval is "
            "only a rule of thumb. A plan with audit=0.05 lets experts check 5 %."
        )
    elif audits < FEW:
        few = "1 audit" if audits == 1 else f"{audits} audits"
        yield f"F1 is estimated from {few}, which is not much: its interval is wide."
    else:
        yield f"F1 is estimated from {audits:,} audits; experts count as right."


def _about_answers(
    collected: CollectedAnswers, plan: Plan, first: CampaignCourse
) -> Iterator[str]:
    if first.short:
        yield (
            f"On {_sentences(len(first.short))} the rule wants more answers than were collected; "
            "there it decides on those that are there."
        )
    budget = collected.plan.budget
    if budget is not None and first.spent > budget:
        yield f"The cost is more than the budget of {budget:,.2f}, which would have ended it."
    if collected.plan.mode == "rounds" and plan.method.learns:
        yield "The campaign ran in rounds; sentences are played again one by one."


def _about_source(collected: CollectedAnswers, lost: int) -> Iterator[str]:
    if collected.campaign is None:
        yield (
            "An export has no prices and no warm-up: those given count, and warm-ups are left "
            "out. The campaign itself, or its journal, tells more."
        )
    if lost > 0:
        yield f"{_sentences(lost)} that were settled would not be yet, and are left out."


def _sentences(count: int) -> str:
    return "1 sentence" if count == 1 else f"{count:,} sentences"
