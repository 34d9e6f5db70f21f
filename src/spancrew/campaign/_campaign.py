"""One campaign in memory: ask whom to ask, tell what was answered."""

from collections.abc import Callable, Collection, Iterable
from functools import partial
from math import inf

from spancrew.campaign import _answering as answering
from spancrew.campaign import _assigning as assigning
from spancrew.campaign import _control as control
from spancrew.campaign import _experts as experts
from spancrew.campaign import _rounds as rounds
from spancrew.campaign import _views as views
from spancrew.campaign._brain import Brain, evidence
from spancrew.campaign._events import CrewChosen, Event, Extended, Fitted, Opened, Skipped, Spans
from spancrew.campaign._following import due_fit, expired, follow, handed_out
from spancrew.campaign._material import Material
from spancrew.campaign._plan import Plan
from spancrew.campaign._records import Worker
from spancrew.campaign._revising import revised
from spancrew.campaign._snapshot import from_snapshot, to_snapshot
from spancrew.campaign._state import State
from spancrew.campaign._values import (
    Assignment,
    Doubt,
    ExpertSheet,
    Ledger,
    Phase,
    Receipt,
    Status,
    Submission,
    Waiting,
    WorkerStanding,
)
from spancrew.consensus import Model
from spancrew.errors import CampaignError, JournalError, PlanError, UnknownWorkerError
from spancrew.feedback import FeedbackRule


class Campaign:
    """A campaign that goes on as it is asked and told.

    A command that raises has changed nothing. What has happened since the last call of
    :meth:`news` is there to be written to a journal; a campaign whose journal could not be written
    must be thrown away and replayed. The consensus method is fitted when that is due,
    on up to ``fits`` rows of evidence; on more somebody else does it, with :meth:`fitting` and
    :meth:`fitted`, as it may take long.
    """

    def __init__(self, state: State, *, fits: float = inf) -> None:
        self.state = state
        self._brain = Brain()
        self._fits = fits
        self._news: list[Event] = []
        self._fitting = Fitted(0.0, 0, 0), 0

    @classmethod
    def open(cls, plan: Plan, material: Material, now: float, *, fits: float = inf) -> "Campaign":
        """Set up a campaign; it begins when it is started."""
        if plan.labels != material.labels.names:
            raise PlanError(
                f"the plan has the labels {', '.join(plan.labels)}, the sentences "
                f"{', '.join(material.labels.names)}; they must be the same"
            )
        opened = Opened(now, plan.to_json(), len(material))
        campaign = cls(State.start(opened, material), fits=fits)
        campaign._news.append(opened)
        return campaign

    @classmethod
    def replay(
        cls, material: Material, events: Iterable[Event], *, fits: float = inf
    ) -> "Campaign":
        """Return the campaign of which these are all events."""
        those = iter(events)
        first = next(those, None)
        if not isinstance(first, Opened):
            raise CampaignError("a journal begins with a campaign that was set up; this does not")
        if first.sentences != len(material):
            raise JournalError(
                f"this is the journal of {first.sentences} sentences, not {len(material)}"
            )
        campaign = cls(State.start(first, material), fits=fits)
        for event in those:
            campaign.apply(event)
        return campaign

    @classmethod
    def restore(cls, material: Material, snapshot: bytes, *, fits: float = inf) -> "Campaign":
        """Return the campaign of which this is a snapshot."""
        return cls(from_snapshot(snapshot, material), fits=fits)

    def snapshot(self) -> bytes:
        """Return the state as bytes, so that it need not be replayed from the first event."""
        return to_snapshot(self.state)

    @property
    def version(self) -> int:
        """Return how many events there were."""
        return self.state.version

    @property
    def plan(self) -> Plan:
        """Return the plan, with the rule that holds now."""
        return self.state.plan

    def apply(self, event: Event) -> None:
        """Let an event have happened that somebody else wrote to the journal."""
        self.state.apply(event)

    def news(self) -> list[Event]:
        """Return what has happened since the last call."""
        news, self._news = self._news, []
        return news

    def _emit(self, events: Iterable[Event]) -> list[Event]:
        """Let events happen one by one; each is made knowing those before it."""
        done = []
        for event in events:
            self.state.apply(event)
            self._news.append(event)
            done.append(event)
        return done

    def _do(self, events: Iterable[Event], now: float) -> None:
        """Let events happen, and whatever follows from them."""
        self._emit(events)
        while self._emit(follow(self.state, self._brain, now)):
            pass
        if (due := due_fit(self.state)) and due.seen <= self._fits:
            self._emit([Fitted(now, due.seen, due.workers)])

    def tick(self, now: float) -> None:
        """Let leases be over whose time is up, and whatever follows."""
        self._do(expired(self.state, now), now)

    def ask(self, available: Collection[int], now: float) -> list[Assignment]:
        """Hand out all that can be handed out to the workers who are there; return all of theirs.

        Workers who have an assignment in hand get no second one.
        """
        self._refuse_strangers(available)
        self.tick(now)
        for number in available:
            self.next(number, available, now)
        open_ = [lease for number in available for lease in self._worker(number).open]
        return [views.assignment(self.state, number) for number in open_]

    def next(
        self, worker: int, available: Collection[int], now: float, *, ahead: int = 0
    ) -> Assignment | Waiting:
        """Return what a worker does next; the same again until it is answered.

        With ``ahead`` they get so many more than the one in hand; the last is returned.
        """
        own = self._worker(worker)
        self._refuse_strangers(available)
        self.tick(now)
        there, before = {*available, worker}, len(own.open)
        while len(own.open) <= ahead:
            found = assigning.stands_off(self.state, own) or self._found(own, there, now)
            if not isinstance(found, Waiting):
                self._do(found, now)
            elif len(own.open) == before:
                return found
            else:
                return views.assignment(self.state, own.open[-1])
        return views.assignment(self.state, own.open[ahead])

    def _found(
        self, worker: Worker, available: Collection[int], now: float
    ) -> Iterable[Event] | Waiting:
        """Return what happens so that a worker gets something, or why they get nothing."""
        state = self.state
        if worker.state == "new":
            return assigning.warm_up(state, worker, now)
        if gold := assigning.gold(state, worker, now):
            return gold
        if state.plan.mode == "stream":
            return assigning.stream(state, worker, available, now)
        events = handed_out(state, available, now)
        if not events:
            return Waiting("others are asked in this step", 2.0)
        return self._with_groups(events, now)

    def _with_groups(self, events: Iterable[Event], now: float) -> Iterable[Event]:
        """Yield events; after a crew was chosen, what its groups are given."""
        for event in events:
            yield event
            if isinstance(event, CrewChosen):
                yield from rounds.hand_out(self.state, event, now)

    def tell(self, answer: Submission, now: float) -> Receipt:
        """Take an answer; it counts once, however often it is sent."""
        if (receipt := answering.repeated(self.state, answer)) is not None:
            return receipt
        event = answering.answered(self.state, answer, now)
        self._do([event], now)
        return Receipt(event.sentence, event.assignment, event.paid, event.late)

    def skip(self, assignment: int, worker: int, reason: str, now: float) -> None:
        """Give an assignment back; its sentence goes to somebody else."""
        lease = answering.lease_of(self.state, assignment, worker)
        if lease.expired:
            return
        self._do([Skipped(now, assignment, reason)], now)

    def heartbeat(self, assignment: int, worker: int, now: float) -> float:
        """Give a worker who is still working more time; return until when."""
        lease = answering.lease_of(self.state, assignment, worker)
        if lease.expired or lease.until <= now:
            return lease.until
        half = now + self.plan.lease / 2
        if lease.until < half:
            self._do([Extended(now, assignment, now + self.plan.lease)], now)
        return lease.until

    def next_expert(
        self, expert: str, now: float, sentence: int | None = None
    ) -> ExpertSheet | Waiting:
        """Return the sentence where an expert helps most, or the one they want.

        It is theirs for the time of a lease; whatever they had in hand before is free again.
        """
        if self.state.phase == "finished":
            return Waiting("the campaign is over", over=True, code="over")
        if sentence is None:
            sentence = experts.first_for(self.state, expert, now)
        else:
            experts.refuse_taken(self.state, sentence, expert, now)
        if sentence is None:
            return Waiting("no sentence needs an expert now", 5.0)
        self._emit(experts.claims(self.state, sentence, expert, now))
        return views.expert_sheet(self.state, sentence)

    def put_back(self, sentence: int, expert: str, now: float) -> None:
        """Leave a sentence to another expert; this one gets it again when no other is left."""
        self._emit(experts.put_back(self.state, sentence, expert, now))

    def tell_expert(
        self,
        sentence: int,
        expert: str,
        spans: Spans,
        now: float,
        *,
        seconds: float | None = None,
        key: str | None = None,
    ) -> Receipt:
        """Take an expert's labels, which count as true."""
        before = self.state.expert_keys.get(sentence)
        if before is not None and key is not None and before == (expert, key):
            return Receipt(sentence, again=True)
        event = answering.expert_answered(self.state, sentence, expert, spans, now)
        given = answering.timed(event, seconds, key)
        means, first = experts.means_of(self.state, sentence), len(self._news)
        self._do([given], now)
        taught = experts.taught(self.state, sentence, means, self._news[first:])
        return Receipt(sentence, paid=event.paid, taught=taught)

    def due_fit(self) -> int | None:
        """Return on how many rows of evidence the method is to be fitted; None if it is not."""
        due = due_fit(self.state)
        return None if due is None else due.seen

    def fitting(self, seen: int) -> Callable[[], Model]:
        """Return the fit on the first rows, which takes long and may be done by another thread."""
        fitted = Fitted(0.0, seen, len(self.state.workers))
        self._fitting = fitted, len(self.state.fits)
        return partial(
            self.plan.method.fit, evidence(self.state, fitted), self._brain.model(self.state)
        )

    def fit(self, seen: int) -> Model:
        """Return what the method learns from the first rows; takes long and changes nothing."""
        return self.fitting(seen)()

    def fitted(self, seen: int, model: Model | None, now: float) -> None:
        """Use a model from now on; without one it is fitted when it is needed.

        So it is where :meth:`fit` of this campaign has not made it, or another fit came between.
        """
        last = self.state.fits[-1].seen if self.state.fits else 0
        if seen <= last:
            return
        made, fits = self._fitting
        is_same = model is not None and made.seen == seen and fits == len(self.state.fits)
        self._emit([Fitted(now, seen, made.workers if is_same else len(self.state.workers))])
        if model is not None and is_same:
            self._brain.install(model, len(self.state.fits))

    def lacks_model(self) -> int | None:
        """Return on how many rows the model was fitted that is in use but not here; None if it is.

        It is fitted when it is needed, unless it is installed before.
        """
        fits = self.state.fits
        return fits[-1].seen if fits and not self._brain.knows(len(fits)) else None

    def install(self, model: Model) -> None:
        """Use the model of the last fit, made elsewhere."""
        self._brain.install(model, len(self.state.fits))

    def revised(self) -> dict[int, Spans]:
        """Return the crowd's labels, judged with everything the method has learned so far."""
        return revised(self.state, self._brain)

    def start(self, now: float) -> None:
        """Hand out assignments, for the first time or again after a pause."""
        self._do(control.start(self.state, now), now)

    def pause(self, now: float) -> None:
        """Hand out nothing until started again; what is in hand can be answered."""
        self._do(control.pause(self.state, now), now)

    def finish(self, now: float, reason: str = "finished by hand") -> None:
        """End the campaign for good; answers in hand are still taken and paid."""
        self._do(control.finish(self.state, now, reason), now)

    def set_budget(self, budget: float | None, now: float) -> None:
        """Change what may be spent; not below what is spent or promised."""
        self._do(control.set_budget(self.state, budget, now), now)

    def set_rule(self, feedback: FeedbackRule | str, now: float) -> None:
        """Decide by another feedback rule from now on; the consensus method stays."""
        self._do(control.set_rule(self.state, feedback, now), now)

    def join(self, now: float, *, price: float | None = None, cap: int | None = None) -> int:
        """Let a worker come; return their number."""
        self._do(control.join(self.state, now, price, cap), now)
        return len(self.state.workers) - 1

    def halt(self, worker: int, now: float, *, banned: bool = False, reason: str = "") -> None:
        """Give a worker nothing any more; what they have in hand goes to others.

        A banned worker cannot come back, and what they had promised is not waited for.
        """
        self._do(control.halt(self.state, self._worker(worker), now, banned, reason), now)

    def readmit(self, worker: int, now: float) -> None:
        """Let a worker go on who had a pause."""
        self._do(control.readmit(self._worker(worker), now), now)

    def set_cap(self, worker: int, cap: int | None, now: float) -> None:
        """Change the most answers of a worker; None leaves it to the plan."""
        self._do(control.set_cap(self._worker(worker), cap, now), now)

    @property
    def phase(self) -> Phase:
        """Return whether the campaign is a draft, running, paused or finished."""
        return self.state.phase

    def assignment(self, number: int) -> Assignment:
        """Return an assignment that can be answered."""
        return views.assignment(self.state, number)

    def status(self) -> Status:
        """Return how far the campaign is."""
        return views.status(self.state)

    def ledger(self) -> Ledger:
        """Return the money."""
        return views.ledger(self.state)

    def standings(self) -> list[WorkerStanding]:
        """Return what is known of every worker."""
        return views.standings(self.state)

    def expert_queue(self, most: int | None = None) -> list[Doubt]:
        """Return the sentences that wait for an expert, those that need one most first."""
        return views.expert_queue(self.state, most)

    def expert_sheet(self, sentence: int) -> ExpertSheet:
        """Return a sentence of the queue with all its answers."""
        return views.expert_sheet(self.state, sentence)

    def is_done(self, worker: int) -> bool:
        """Tell whether there will be nothing more for a worker to do."""
        return views.is_done(self.state, worker)

    def _refuse_strangers(self, available: Collection[int]) -> None:
        """Refuse those who are not in this campaign before anything happens."""
        if available:
            self._worker(min(available))
            self._worker(max(available))

    def _worker(self, number: int) -> Worker:
        if not 0 <= number < len(self.state.workers):
            raise UnknownWorkerError(f"worker {number} is not in this campaign")
        return self.state.workers[number]
