"""What can be seen of a campaign."""

import math
from collections.abc import Sequence

from spancrew.campaign._anchoring import anchoring
from spancrew.campaign._assigning import cost_of_sentence
from spancrew.campaign._correcting import answers_on
from spancrew.campaign._crew import cap_of, is_capped, may_work, weak_among
from spancrew.campaign._experts import doubts, in_order
from spancrew.campaign._log import Held
from spancrew.campaign._plan import Plan
from spancrew.campaign._records import Money, WorkerRecord
from spancrew.campaign._state import State
from spancrew.campaign._values import (
    Assignment,
    Doubt,
    ExpertSheet,
    Given,
    Ledger,
    Phase,
    Remark,
    Status,
    WorkerStanding,
)
from spancrew.errors import UnknownWorkerError

_TWO_SIDED = 1.96
"""Standard errors to either side that hold 95 % of a normal distribution."""


class CampaignFigures:
    """What can be seen of a campaign."""

    def __init__(self, state: State) -> None:
        self.state = state

    @property
    def version(self) -> int:
        """Return how many events there were."""
        return self.state.version

    @property
    def sentences(self) -> int:
        """Return how many sentences there are."""
        return len(self.state.material)

    @property
    def plan(self) -> Plan:
        """Return the plan, with the rule that holds now."""
        return self.state.plan

    @property
    def phase(self) -> Phase:
        """Return whether the campaign is a draft, running, paused or finished."""
        return self.state.phase

    def assignment(self, number: int) -> Assignment:
        """Return an assignment that can be answered."""
        lease = self.state.leases.get(number) or self.state.late.get(number)
        if lease is None:
            raise UnknownWorkerError(f"assignment {number} is not open")
        return Assignment(
            number,
            lease.sentence,
            lease.worker,
            lease.until,
            lease.purpose,
            lease.reason,
            lease.suggested if lease.shown else None,
        )

    def sentence_of(self, assignment: int, worker: int) -> int | None:
        """Return the sentence that a worker was given by an assignment; None if it is too old."""
        lease = self.state.leases.get(assignment) or self.state.late.get(assignment)
        if lease is not None:
            return lease.sentence
        known = self.state.workers[worker].recent.get(assignment)
        return None if known is None else known.sentence

    def status(self) -> Status:
        """Return how far the campaign is."""
        tally = self.state.tally
        return Status(
            phase=self.state.phase,
            reason=self.state.reason or _stands_still(self.state),
            sentences=self.sentences,
            settled=tally.settled,
            by_crowd=tally.crowd,
            by_expert=tally.expert,
            by_gold=tally.gold,
            audited=tally.audited,
            open=sum(not hand.is_at_expert for hand in self.state.hand.values()),
            at_expert=len(self.state.questions),
            waiting=self.state.waiting,
            step=self.state.step,
            workers=int(self.state.people.sum()),
            ready=sum(each.state == "ready" and each.model is None for each in self.state.workers),
            answers=self.state.answers,
            models=int((~self.state.people).sum()),
            model_answers=self.state.model_answers,
            expected_errors=tally.errors,
            expected_quality=tally.expected_quality,
            version=self.state.version,
            anchoring=anchoring(self.state.agreed_seen, self.state.agreed_unseen),
        )

    def ledger(self) -> Ledger:
        """Return the money."""
        money = self.state.money
        return Ledger(
            self.state.answers,
            self.state.expert_answers,
            money.spent,
            money.aside,
            _forecast(self.state),
            round(_by_experts_alone(self.state) - money.spent, 9),
            money.budget,
            None if money.budget is None else money.left,
            self.state.model_answers,
            money.models,
        )

    def standings(self) -> list[WorkerStanding]:
        """Return what is known of every worker."""
        workers = self.state.workers
        weak = weak_among(self.state, [w.number for w in workers if may_work(self.state, w)])
        return [_standing(self.state, each, weak=each.number in weak) for each in workers]

    def expert_queue(self, most: int | None = None) -> list[Doubt]:
        """Return the sentences that wait for an expert, those that need one most first."""
        return doubts(self.state, in_order(self.state)[:most])

    def expert_sheet(self, sentence: int) -> ExpertSheet:
        """Return a sentence of the queue with all its answers."""
        question = self.state.questions.get(sentence)
        if question is None:
            raise UnknownWorkerError(f"sentence {sentence} does not wait for an expert")
        hand = self.state.hand.get(sentence)
        held: Sequence[Held] = hand.ordered if hand and question.purpose == "crew" else []
        if question.purpose == "reopened":
            held = answers_on(self.state, sentence)
        answers = tuple(_given(self.state, each) for each in held)
        (doubt,) = doubts(self.state, [question])
        return ExpertSheet(sentence, question.until, doubt, answers, question.crowd)

    def is_done(self, worker: int) -> bool:
        """Tell whether there will be nothing more for a worker to do."""
        own = self.state.workers[worker]
        over = self.state.phase == "finished" or own.state == "banned"
        return over or (is_capped(self.state, own) and not own.open)


def _given(state: State, held: Held) -> Given:
    remark = state.remarks.get(held.assignment, Remark())
    return Given(held.worker, state.spans(held.codes), remark)


def _stands_still(state: State) -> str:
    """Say why a campaign that runs begins no sentence."""
    if state.phase == "running" and not state.money.affords(cost_of_sentence(state)):
        return "the budget is spent" if state.waiting else ""
    return ""


def _forecast(state: State) -> float:
    """Return what all sentences will have cost if the rest costs what those so far did."""
    money = state.money
    done = state.tally.crowd + state.tally.expert
    left = state.waiting + len(state.hand)
    if not done:
        return round(money.spent + money.aside, 9)
    each = _settled_cost(state, money) / done
    audits = len(state.audits) * state.plan.prices.expert
    return round(money.spent + audits + each * left, 9)


def _settled_cost(state: State, money: Money) -> float:
    """Return what was spent on sentences that are settled."""
    held = [each for hand in state.hand.values() for each in hand.answers]
    held += [each for work in state.by_models.values() for each in work.answers]
    in_hand = sum(state.workers[each.worker].price for each in held)
    return max(money.spent - in_hand, 0.0)


def _by_experts_alone(state: State) -> float:
    return (state.tally.crowd + state.tally.expert) * state.plan.prices.expert


def _standing(state: State, worker: WorkerRecord, *, weak: bool) -> WorkerStanding:
    count = float(state.standings.count[0, worker.number])
    mean = state.standings.mean_of(worker.number) if count else None
    if worker.model is not None:
        mean = _mean_of_model(worker)
    low, high = _interval(state, worker.number)
    by = {name: total / number for name, (number, total) in worker.rewards.items()}
    return WorkerStanding(
        worker=worker.number,
        state=worker.state,
        scored=sum(number for number, _ in worker.rewards.values()),
        mean=mean,
        low=low,
        high=high,
        by_crowd=by.get("crowd"),
        by_expert=by.get("expert"),
        by_gold=by.get("gold"),
        answers=worker.answered,
        late=worker.late,
        skipped=worker.skipped,
        seconds=worker.seconds / worker.timed if worker.timed else None,
        earned=worker.earned,
        cap=cap_of(state, worker),
        price=worker.price,
        model=worker.model,
        version=worker.version,
        weak=weak,
    )


def _mean_of_model(worker: WorkerRecord) -> float | None:
    """Return the mean score of a model; no policy learns from it, so that no standing has it."""
    count = sum(number for number, _ in worker.rewards.values())
    return sum(total for _, total in worker.rewards.values()) / count if count else None


def _interval(state: State, worker: int) -> tuple[float | None, float | None]:
    """Return the 95 % interval of a mean, as if two more rewards of 0 and 1 had been seen."""
    standings = state.standings
    count = float(standings.count[0, worker])
    if not count:
        return None, None
    mean = standings.mean_of(worker)
    squares = float(standings.squares[0, worker]) + 1.0
    center = (mean * count + 1.0) / (count + 2.0)
    variance = max(squares / (count + 2.0) - center * center, 0.0)
    half = _TWO_SIDED * math.sqrt(variance / (count + 2.0))
    return max(0.0, center - half), min(1.0, center + half)
