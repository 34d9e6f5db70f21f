"""What happens to assignments and answers."""

from spancrew.campaign._events import (
    Answered,
    Assigned,
    Begun,
    CrewChosen,
    Expired,
    Extended,
    Recalled,
    Returned,
    Skipped,
)
from spancrew.campaign._log import Held
from spancrew.campaign._records import NOT_JUDGED, InHand, Lease, ModelWork, Question, Remembered
from spancrew.campaign._state import State
from spancrew.campaign._values import Remark
from spancrew.policies import PASSED


def crew_chosen(state: State, event: CrewChosen) -> None:
    """Begin a step."""
    state.standings.tick()
    state.log.what.extend([PASSED])
    state.step = event.step
    state.crew = event.crew
    state.seats = 0


def assigned(state: State, event: Assigned) -> None:
    """Lend a sentence to a worker, and take it in hand if it is not yet."""
    worker = state.workers[event.worker]
    aside = worker.price
    if event.purpose == "crew":
        _take_in_hand(state, event.sentence, event.group, tuple(event.reason.get("group", ())))
        aside = _lend(state, event)
        state.seats += 1
    else:
        if event.purpose == "member":
            _ask_model(state, event)
        else:
            _show(state, event)
        state.money.put_aside(aside)
    lease = Lease(
        event.assignment,
        event.sentence,
        event.worker,
        event.until,
        event.purpose,
        aside,
        event.reason,
        suggested=event.suggested,
        shown=event.shown,
    )
    state.leases[event.assignment] = lease
    state.assignments = event.assignment
    worker.open.append(event.assignment)


def _take_in_hand(state: State, sentence: int, group: int, crew: tuple[int, ...]) -> None:
    if sentence in state.hand:
        return
    plan = state.plan
    share = state.price
    aside = round(plan.answers * share, 9)
    for_expert = plan.prices.expert if plan.has_experts else 0.0
    state.hand[sentence] = InHand(sentence, group, plan.first, aside, for_expert, share, crew)
    state.money.put_aside(aside + for_expert)
    state.taken += 1


def _lend(state: State, event: Assigned) -> float:
    """Move money from the sentence to the lease; return how much the lease has."""
    hand, worker = state.hand[event.sentence], state.workers[event.worker]
    hand.aside = round(hand.aside - (worker.price - event.extra), 9)
    state.money.put_aside(event.extra)
    hand.leases[event.assignment] = event.worker
    hand.away.add(event.worker)
    state.standings.pending[0, event.worker] += 1
    state.look_at(hand)
    return worker.price


def _ask_model(state: State, event: Assigned) -> None:
    """Let a model have a sentence beside the people."""
    work = state.by_models.setdefault(event.sentence, ModelWork())
    work.leases[event.assignment] = event.worker
    work.away.add(event.worker)


def _show(state: State, event: Assigned) -> None:
    """Give a worker a sentence whose labels are known, or will be once an expert labels it."""
    worker = state.workers[event.worker]
    worker.seen.add(event.sentence)
    if event.purpose != "warm-up":
        return
    worker.own = event.sentence
    if state.known(event.sentence) is not None or event.sentence in state.questions:
        return
    state.questions[event.sentence] = Question(event.sentence, 0.0, None, "warm-up", event.at)
    state.money.put_aside(state.plan.prices.expert)
    if state.plan.warm_up == "shared":
        state.warm_sentence = event.sentence
        state.order = state.order[state.order != event.sentence]


def recalled(state: State, event: Recalled) -> None:
    """Count the answer that a worker gave in their warm-up."""
    _take_in_hand(state, event.sentence, event.group, event.crew)
    hand = state.hand[event.sentence]
    hand.answers.append(state.warm[event.worker])
    hand.away.add(event.worker)
    spared = min(state.workers[event.worker].price, hand.aside)
    hand.aside = round(hand.aside - spared, 9)
    state.money.put_aside(-spared)
    state.look_at(hand)


def begun(state: State, event: Begun) -> None:
    """Take a sentence in hand that the rule is to look at before any person is asked."""
    _take_in_hand(state, event.sentence, event.group, event.crew)
    hand = state.hand[event.sentence]
    hand.wanted, hand.judged = 0, NOT_JUDGED
    state.look_at(hand)


def extended(state: State, event: Extended) -> None:
    """Give a worker more time; a lease that was over is open again."""
    lease = state.leases.get(event.assignment)
    if lease is None:
        lease = state.late.pop(event.assignment)
        lease.expired = False
        state.leases[event.assignment] = lease
        state.workers[lease.worker].open.append(event.assignment)
    lease.until = event.until


def expired(state: State, event: Expired) -> None:
    """Let a lease be over; its money stays, as its answer may still come."""
    lease = state.leases.pop(event.assignment)
    lease.expired = True
    state.late[event.assignment] = lease
    _end(state, lease)


def skipped(state: State, event: Skipped) -> None:
    """Take an assignment back from a worker who does not want it."""
    lease = state.leases[event.assignment]
    state.workers[lease.worker].skipped += 1
    _give_back(state, lease.number)


def returned(state: State, event: Returned) -> None:
    """Take an assignment back; a model may get its sentence again."""
    lease = _give_back(state, event.assignment)
    work = state.by_models.get(lease.sentence) if lease.purpose == "member" else None
    if work is not None:
        work.away.discard(lease.worker)


def _give_back(state: State, number: int) -> Lease:
    """Forget a lease and return it; its money goes back to its sentence."""
    lease = _forget(state, number)
    hand = state.hand.get(lease.sentence) if lease.purpose == "crew" else None
    if hand is None or lease.expired or state.phase == "finished":
        state.money.put_aside(-lease.aside)
    else:
        hand.aside = round(hand.aside + lease.aside, 9)
    if not lease.expired:
        _end(state, lease)
    return lease


def _forget(state: State, number: int) -> Lease:
    """Remove a lease from the state and return it."""
    return state.leases.pop(number) if number in state.leases else state.late.pop(number)


def _end(state: State, lease: Lease) -> None:
    state.workers[lease.worker].open.remove(lease.number)
    if lease.purpose == "member" and (work := state.by_models.get(lease.sentence)) is not None:
        work.leases.pop(lease.number)
    if lease.purpose != "crew":
        return
    state.standings.pending[0, lease.worker] -= 1
    hand = state.hand.get(lease.sentence)
    if hand is not None:
        hand.leases.pop(lease.number, None)
        state.look_at(hand)


def answered(state: State, event: Answered) -> None:
    """Keep an answer and pay for it."""
    lease = _forget(state, event.assignment)
    if not lease.expired:
        _end(state, lease)
    state.money.put_aside(-lease.aside)
    _pay(state, event)
    _credit(state, event)
    if lease.suggested is not None:
        agreed = state.agreed_seen if lease.shown else state.agreed_unseen
        agreed.add(event.spans, lease.suggested)
    state.note_remark(event.assignment, Remark(event.unsure, event.note, event.flag))
    held = Held(event.worker, state.codes(event.sentence, event.spans), event.assignment)
    if lease.purpose == "member":
        if not event.surplus:
            state.by_models[event.sentence].answers.append(held)
    elif lease.purpose != "crew":
        _keep_known(state, lease, held)
    elif not event.surplus:
        state.hand[event.sentence].answers.append(held)
        state.standings.pending[0, event.worker] += 1
        state.look_at(state.hand[event.sentence])


def _pay(state: State, event: Answered) -> None:
    """Pay for an answer, and count it; the books have people and models apart."""
    if state.workers[event.worker].model is None:
        state.money.pay_answer(event.paid)
        state.answers += 1
    else:
        state.money.pay_model(event.paid)
        state.model_answers += 1


def _credit(state: State, event: Answered) -> None:
    worker = state.workers[event.worker]
    worker.answered += 1
    worker.late += event.late
    worker.earned = round(worker.earned + event.paid, 9)
    worker.remember(
        event.assignment, Remembered(event.key, event.sentence, event.paid, event.late)
    )
    if event.seconds is not None:
        worker.seconds += event.seconds
        worker.timed += 1


def _keep_known(state: State, lease: Lease, held: Held) -> None:
    """Keep an answer on a sentence whose labels are known, until it is scored."""
    state.unscored.append((lease.sentence, held))
    worker = state.workers[held.worker]
    if lease.purpose != "warm-up":
        return
    if state.plan.warm_up == "own":
        state.warm[held.worker] = held
    if state.plan.mode == "stream" and worker.state == "new":
        worker.state = "ready"
