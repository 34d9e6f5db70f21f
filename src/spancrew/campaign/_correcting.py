"""Check corrections of answers and of labels, and turn them into events."""

import math
from collections.abc import Sequence

from spancrew.campaign._answering import in_order, refuse_remark, refuse_unfit, remarked
from spancrew.campaign._events import Corrected, Corrector, Reanswered, Reopened, Spans
from spancrew.campaign._judging import final_labels, scores
from spancrew.campaign._log import Held, Logged
from spancrew.campaign._state import State
from spancrew.campaign._values import Receipt, Submission
from spancrew.errors import CampaignError, ConflictError, UnknownWorkerError


def reanswered(state: State, given: Submission, now: float) -> Reanswered | Receipt:
    """Return that a worker changed an answer, or its receipt if that was taken before."""
    if not 0 <= given.worker < len(state.workers):
        raise UnknownWorkerError(f"worker {given.worker} is not in this campaign")
    before = state.workers[given.worker].recent.get(given.assignment)
    if before is None:
        raise UnknownWorkerError(
            f"assignment {given.assignment} is none of your last answers; "
            "only these can be changed"
        )
    if given.key is not None and given.key == before.key:
        return Receipt(before.sentence, given.assignment, again=True)
    if not may_change(state, given.worker, given.assignment):
        raise ConflictError(
            f"assignment {given.assignment} cannot be changed: its sentence has been judged"
        )
    refuse_unfit(state, before.sentence, given.spans)
    refuse_remark(given)
    return Reanswered(
        now,
        given.assignment,
        before.sentence,
        given.worker,
        in_order(given.spans),
        given.key,
        **remarked(given),
    )


def may_change(state: State, worker: int, assignment: int) -> bool:
    """Tell whether an answer of a worker has not been judged or scored."""
    before = state.workers[worker].recent.get(assignment)
    if before is None:
        return False
    hand = state.hand.get(before.sentence)
    is_unscored = any(held.assignment == assignment for _, held in state.unscored)
    if hand is None:
        # The answer of a warm-up may have been recalled, and its sentence settled with it.
        is_recalled = worker in state.warm and before.sentence not in state.order[state.taken :]
        return is_unscored and not is_recalled
    if state.workers[worker].own == before.sentence and not is_unscored:
        return False
    fresh = [] if hand.is_at_expert else hand.answers[hand.judged :]
    return any(held.assignment == assignment for held in fresh)


def own_labels(state: State, expert: str) -> list[int]:
    """Return the sentences with labels of an expert that they can correct, the last one first."""
    mine = [each for each, (name, _) in state.expert_keys.items() if name == expert]
    return [each for each in reversed(mine) if each not in state.questions]


def refuse_foreign(state: State, sentence: int, expert: str) -> None:
    """Refuse a sentence whose labels are not those of this expert."""
    if state.expert_keys.get(sentence, ("", None))[0] != expert:
        raise ConflictError(
            f"the labels of sentence {sentence} are not yours; ask an admin to correct them"
        )


def is_by_crowd(state: State, sentence: int) -> bool:
    """Tell whether the labels of a sentence that count are the crowd's."""
    return sentence in state.stated and sentence not in state.audited


def corrected(
    state: State, sentence: int, spans: Spans, by: tuple[Corrector, str], now: float
) -> Corrected | None:
    """Return that a sentence has other labels from now on; None if they are the same."""
    _refuse_unlabelled(state, sentence)
    refuse_unfit(state, sentence, spans)
    codes = state.codes(sentence, spans)
    overruled = is_by_crowd(state, sentence)
    before = state.experts_say.get(sentence)
    if not overruled and before is not None and (codes == before).all():
        return None
    rows = [row for row in rows_of(state, sentence) if not row.weight]
    said = [row for row in rows if overruled or not row.by_crowd]
    rewards = {
        held.worker: float(reward)
        for row in said
        for held, old, reward in zip(
            row.answers, row.rewards, scores(state, row.answers, codes), strict=True
        )
        if not math.isnan(old)
    }
    labels = final_labels(state, in_order(spans), answers_on(state, sentence))
    return Corrected(now, sentence, *by, labels, tuple(rewards.items()), overruled)


def answers_on(state: State, sentence: int) -> tuple[Held, ...]:
    """Return the answers that counted on a sentence when it was settled."""
    rows = [row for row in rows_of(state, sentence) if not row.weight]
    return max((row.answers for row in rows), key=len, default=())


def last_answer(state: State, worker: int) -> Held | None:
    """Return the last answer of a worker if it can still be changed."""
    assignment = next(reversed(state.workers[worker].recent), None)
    if assignment is None or not may_change(state, worker, assignment):
        return None
    sentence = state.workers[worker].recent[assignment].sentence
    hand = state.hand.get(sentence)
    held = [*(hand.answers if hand else ()), *(each for _, each in state.unscored)]
    return next((each for each in held if each.assignment == assignment), None)


def rows_of(state: State, sentence: int) -> Sequence[Logged]:
    """Return what is in the evidence of a sentence, or will be when the step ends."""
    pending = [each.logged for each in state.lessons if each.logged.sentence == sentence]
    return [*state.log.rows(state.material, sentence), *pending]


def reopened(state: State, sentence: int, admin: str, note: str, now: float) -> Reopened:
    """Return that an expert is asked for a sentence that is settled."""
    if state.phase == "finished":
        raise CampaignError(
            f"the campaign is over ({state.reason}), so no expert is asked; overrule the labels"
        )
    if not state.plan.has_experts:
        raise CampaignError("this campaign has no experts to ask; overrule the labels")
    _refuse_unlabelled(state, sentence)
    if not state.money.affords(state.plan.prices.expert):
        raise CampaignError("there is no money for an expert; raise the budget, or overrule")
    return Reopened(now, sentence, admin, note)


def may_correct(state: State, sentence: int) -> bool:
    """Tell whether the labels of a sentence can be corrected now."""
    try:
        _refuse_unlabelled(state, sentence)
    except ConflictError:
        return False
    return True


def _refuse_unlabelled(state: State, sentence: int) -> None:
    """Refuse a sentence whose labels cannot be corrected, at least not now."""
    if not 0 <= sentence < len(state.material):
        raise ConflictError(f"sentence {sentence} is not one of the {len(state.material)}")
    if len(state.material.gold[sentence]):
        raise ConflictError(
            f"sentence {sentence} came with its labels; correct them in the data and open a new "
            "campaign"
        )
    if sentence in state.questions and state.phase != "finished":
        raise ConflictError(
            f"sentence {sentence} waits for an expert, whose answer will count; answer it instead"
        )
    if sentence not in state.experts_say and sentence not in state.stated:
        raise ConflictError(f"sentence {sentence} is not settled, so there is nothing to correct")
