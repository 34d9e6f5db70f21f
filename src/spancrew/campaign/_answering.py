"""Check answers of workers and experts, and turn them into events."""

import math
from dataclasses import replace
from typing import Any

from spancrew.campaign._events import Answered, ExpertAnswered, Spans
from spancrew.campaign._records import Lease
from spancrew.campaign._state import State
from spancrew.campaign._values import Receipt, Submission
from spancrew.errors import (
    AnswerRefusedError,
    CampaignError,
    ConflictError,
    InvalidSpanError,
    UnknownLabelError,
    UnknownWorkerError,
)


def lease_of(state: State, assignment: int, worker: int) -> Lease:
    """Return an assignment of a worker that can be answered, in time or late."""
    lease = state.leases.get(assignment) or state.late.get(assignment)
    if lease is None or lease.worker != worker:
        raise UnknownWorkerError(
            f"assignment {assignment} is not one of yours that is open; ask for the next one"
        )
    return lease


def repeated(state: State, given: Submission) -> Receipt | None:
    """Return the receipt of a submission that was taken before; None if it is new."""
    if not 0 <= given.worker < len(state.workers):
        raise UnknownWorkerError(f"worker {given.worker} is not in this campaign")
    before = state.workers[given.worker].recent.get(given.assignment)
    if before is None:
        return None
    if given.key is None or given.key != before.key:
        raise ConflictError(
            f"assignment {given.assignment} has been answered already; an answer cannot be changed"
        )
    return Receipt(before.sentence, given.assignment, before.paid, before.late, again=True)


def answered(state: State, given: Submission, now: float) -> Answered:
    """Return that an answer was given; refuse one that does not fit."""
    lease = lease_of(state, given.assignment, given.worker)
    refuse_unfit(state, lease.sentence, given.spans)
    refuse_remark(given)
    _refuse_time(given.seconds)
    return Answered(
        now,
        lease.number,
        lease.sentence,
        lease.worker,
        in_order(given.spans),
        state.workers[lease.worker].price,
        given.seconds,
        late=lease.expired or lease.until <= now,
        surplus=_is_surplus(state, lease),
        key=given.key,
        turned=given.turned,
        **remarked(given),
    )


def _is_surplus(state: State, lease: Lease) -> bool:
    """Tell whether an answer comes when its sentence needs none any more."""
    if lease.purpose == "member":
        return lease.sentence not in state.by_models or state.phase == "finished"
    if lease.purpose != "crew":
        return False
    hand = state.hand.get(lease.sentence)
    is_full = hand is None or hand.is_at_expert or len(hand.answers) >= hand.wanted
    return is_full or state.phase == "finished"


def expert_answered(
    state: State, sentence: int, expert: str, spans: Spans, now: float
) -> ExpertAnswered:
    """Return that an expert labelled a sentence; refuse what nobody has asked for."""
    if state.phase == "finished":
        raise CampaignError(f"the campaign is over ({state.reason}); no expert is asked any more")
    if sentence not in state.questions:
        raise ConflictError(
            f"sentence {sentence} does not wait for an expert: another one may have been quicker"
        )
    refuse_unfit(state, sentence, spans)
    return ExpertAnswered(now, sentence, expert, in_order(spans), state.plan.prices.expert)


def refuse_unfit(state: State, sentence: int, spans: Spans) -> None:
    """Refuse spans that do not fit the sentence, the labels or the kind of the campaign."""
    try:
        codes = state.codes(sentence, spans)
    except (InvalidSpanError, UnknownLabelError) as error:
        raise AnswerRefusedError(str(error)) from None
    if state.plan.kind == "choices" and not (codes % 2 == 1).all():
        missing = int((codes % 2 != 1).argmax())
        raise AnswerRefusedError(
            f"question {missing} has no answer of its own: a choice is one label for every token"
        )


def refuse_remark(given: Submission) -> None:
    """Refuse doubts about spans that are not in the answer."""
    starts = {start for start, _, _ in given.spans}
    for start in given.remark.unsure:
        if start not in starts:
            raise AnswerRefusedError(f"no span of the answer begins at token {start}")


def remarked(given: Submission) -> dict[str, Any]:
    """Return what an event says of the worker's remark."""
    return given.remark._replace(unsure=tuple(sorted(set(given.remark.unsure))))._asdict()


def in_order(spans: Spans) -> Spans:
    """Return spans in the order of the text."""
    return tuple(sorted(spans))


def _refuse_time(seconds: float | None) -> None:
    if seconds is not None and not 0 <= seconds < math.inf:
        raise AnswerRefusedError(f"an answer cannot have taken {seconds:g} seconds")


def timed(event: ExpertAnswered, seconds: float | None, key: str | None) -> ExpertAnswered:
    """Return the same answer with how long it took and what the client calls it."""
    _refuse_time(seconds)
    return replace(event, seconds=seconds, key=key)
