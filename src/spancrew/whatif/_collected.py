"""What a campaign has collected: from its journal, or from its export alone."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from spancrew.campaign import (
    Answered,
    Assigned,
    Audited,
    Campaign,
    Event,
    ExpertAnswered,
    FinalLabel,
    Joined,
    Material,
    Opened,
    Past,
    Plan,
    Settled,
    Spans,
    Started,
)
from spancrew.consensus import Consensus, consensus_method, consensus_methods
from spancrew.core import AUDIT, EXPERT, Dataset, Final, IntArray, is_model
from spancrew.errors import SpancrewError
from spancrew.feedback import FeedbackRule, Prices

_GOLD = "gold"


@dataclass(frozen=True, slots=True)
class CollectedAnswers:
    """The answers and experts' labels of a campaign.

    ``campaign`` is how it really went; None where there is no journal, so that ``labels`` and
    ``plan`` are all that is known of it.
    """

    ids: tuple[str, ...]
    material: Material
    past: Past
    plan: Plan
    labels: dict[int, Spans]
    campaign: Campaign | None

    @property
    def truth(self) -> dict[int, Spans]:
        """Return what experts said, by sentence."""
        return {sentence: said.spans for sentence, said in self.past.experts.items()}


def collected_from_events(dataset: Dataset, events: Iterable[Event]) -> CollectedAnswers:
    """Return what a campaign has collected, by its journal and its sentences."""
    material, past = Material.of(dataset), Past.of(events)
    campaign = Campaign.replay(material, past.events)
    _refuse_unsettled(past)
    return CollectedAnswers(dataset.sentences.ids, material, past, campaign.plan, {}, campaign)


def collected_from_export(
    dataset: Dataset, rule: FeedbackRule, prices: Prices | None = None
) -> CollectedAnswers:
    """Return what the export of a campaign tells, with a rule and prices to go by."""
    finals = [dataset.final(k) for k in range(len(dataset))]
    plan = _plan_of(dataset, finals, rule, prices or Prices())
    past = Past.of(_events(dataset, plan, finals))
    _refuse_unsettled(past)
    labels = {
        k: tuple((span.start, span.end, span.label) for span in final.labels)
        for k, final in enumerate(finals)
        if final is not None
    }
    return CollectedAnswers(dataset.sentences.ids, Material.of(dataset), past, plan, labels, None)


def _plan_of(
    dataset: Dataset, finals: list[Final | None], rule: FeedbackRule, prices: Prices
) -> Plan:
    """Return the plan that an export lets one suppose."""
    most = _most_answers(dataset, finals)
    return Plan(
        dataset.labels.names,
        kind=dataset.kind,
        feedback=rule,
        consensus=_method(finals, rule),
        crew=max(most, len(dataset.workers)),
        answers=most,
        warm_up="none",
        audit=0.0,
        prices=prices,
    )


def _most_answers(dataset: Dataset, finals: list[Final | None]) -> int:
    """Return the most answers that a sentence was decided on; refuse what is no export."""
    if not any(final is not None for final in finals):
        raise SpancrewError(
            "there are no final labels in this data: give the export of a campaign, made with "
            "'spancrew campaign export CAMPAIGN labels.jsonl'"
        )
    if not len(dataset.answers):
        raise SpancrewError(
            "there are no answers in this data: export the campaign with its answers (--answers), "
            "in a format that holds them, such as .jsonl"
        )
    most = max(final.answers for final in finals if final is not None)
    if not most:
        raise SpancrewError("no sentence was decided on answers, so no rule could have differed")
    return most


def _refuse_unsettled(past: Past) -> None:
    if not past.settled:
        raise SpancrewError(
            "no sentence is settled yet, so there is nothing to compare: wait for the first "
            "labels, or rehearse the rule with 'spancrew simulate'"
        )


def _method(finals: list[Final | None], rule: FeedbackRule) -> Consensus:
    """Return the method that decided on most sentences, else the usual one of the rule."""
    names = [final.by for final in finals if final is not None]
    known = consensus_methods()
    found = [name for name in names if name.partition("+")[0] in known]
    if not found:
        return rule.usual_consensus
    return consensus_method(max(set(found), key=found.count))


def _events(dataset: Dataset, plan: Plan, finals: list[Final | None]) -> Iterator[Event]:
    """Yield a journal of the answers in the order of their arrival; what it lacks is left out."""
    yield Opened(0.0, plan.to_json(), len(dataset))
    for worker, name in enumerate(dataset.workers):
        yield Joined(0.0, worker, 0.0, model=name) if is_model(name) else Joined(0.0, worker)
    yield Started(0.0)
    seen = np.zeros(len(dataset), np.int64)
    for number, row in enumerate(_by_arrival(dataset).tolist(), 1):
        sentence = int(dataset.answers.sentence[row])
        final = finals[sentence]
        if final is None or not final.answers:
            continue
        if is_model(dataset.workers[int(dataset.answers.worker[row])]):
            yield from _beside(dataset, row, number)
            continue
        surplus = bool(seen[sentence] >= final.answers)
        yield from _answered(dataset, row, number, plan.prices.answer, surplus=surplus)
        seen[sentence] += 1
        if seen[sentence] == final.answers:
            yield from _settled(sentence, final, float(number), plan)


def _by_arrival(dataset: Dataset) -> IntArray:
    """Return the rows of answers by their time; those without one stay where they are."""
    at = dataset.answers.at
    rows = np.arange(len(dataset.answers))
    return rows if at is None else np.lexsort((rows, np.nan_to_num(at, nan=0.0)))


def _answered(
    dataset: Dataset, row: int, number: int, price: float, *, surplus: bool
) -> Iterator[Event]:
    given, at = dataset.answer(row), float(number)
    sentence, worker = int(dataset.answers.sentence[row]), int(dataset.answers.worker[row])
    spans = tuple((span.start, span.end, span.label) for span in given.spans)
    yield Assigned(at, number, sentence, worker, at, "crew", {})
    yield Answered(at, number, sentence, worker, spans, price, surplus=surplus)


def _beside(dataset: Dataset, row: int, number: int) -> Iterator[Event]:
    """Yield the answer of a model, which the data has no price of."""
    asked, given = _answered(dataset, row, number, 0.0, surplus=False)
    assert isinstance(asked, Assigned)  # noqa: S101  as it comes first
    yield replace(asked, purpose="member")
    yield given


def _settled(sentence: int, final: Final, at: float, plan: Plan) -> Iterator[Event]:
    spans = tuple((span.start, span.end, span.label) for span in final.labels)
    is_audit, is_expert = final.by == AUDIT, final.by in {AUDIT, EXPERT, _GOLD}
    if is_expert:
        yield ExpertAnswered(at, sentence, EXPERT, spans, plan.prices.expert)
    labels = tuple(FinalLabel(*span, 1.0, ()) for span in spans)
    by_crowd = is_audit or not is_expert
    by: Literal["crowd", "expert"] = "crowd" if by_crowd else "expert"
    yield Settled(at, sentence, by, labels, final.confidence, final.answers, ())
    if is_audit:
        yield Audited(at, sentence, spans)
