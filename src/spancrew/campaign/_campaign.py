"""One campaign in memory: ask whom to ask, tell what was answered."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import partial
from math import inf

from spancrew.campaign import _answering as answering
from spancrew.campaign import _assigning as assigning
from spancrew.campaign import _experts as experts
from spancrew.campaign import _members as members
from spancrew.campaign import _rounds as rounds
from spancrew.campaign._brain import evidence, revised, revision
from spancrew.campaign._certifying import LabelsSoFar, labels_so_far
from spancrew.campaign._corrections import CampaignCorrections
from spancrew.campaign._events import (
    CrewChosen,
    Event,
    Extended,
    Fitted,
    Opened,
    Skipped,
    Spans,
)
from spancrew.campaign._following import due_fit, expired, fit_of, handed_out
from spancrew.campaign._material import Material
from spancrew.campaign._models_first import may_go_on, models_first
from spancrew.campaign._plan import Plan
from spancrew.campaign._records import WorkerRecord
from spancrew.campaign._snapshot import from_snapshot, to_snapshot
from spancrew.campaign._state import State
from spancrew.campaign._suggesting import with_suggestions
from spancrew.campaign._values import (
    Assignment,
    ExpertSheet,
    Receipt,
    Submission,
    Waiting,
)
from spancrew.certificates import Certificate
from spancrew.consensus import Model, heard
from spancrew.errors import CampaignError, PlanError


class Campaign(CampaignCorrections):
    """A campaign that goes on as it is asked and told.

    A command that raises has changed nothing. What has happened since the last call of
    :meth:`news` is there to be written to a journal; a campaign whose journal could not be written
    must be thrown away and replayed. The consensus method is fitted when that is due,
    on up to ``fits`` rows of evidence; on more somebody else does it, with :meth:`fitting` and
    :meth:`fitted`, as it may take long.
    """

    def __init__(self, state: State, *, fits: float = inf) -> None:
        super().__init__(state, fits=fits)
        self._fitting = Fitted(0.0, 0, 0), 0, 0

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

    def tick(self, now: float) -> None:
        """End the leases whose time is up, and do what follows."""
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
        return [self.assignment(number) for number in open_]

    def next(
        self, worker: int, available: Collection[int], now: float, *, ahead: int = 0
    ) -> Assignment | Waiting:
        """Return what a worker does next; the same again until it is answered.

        With ``ahead`` they get that many beyond the one in hand; the last is returned.
        """
        own = self._worker(worker)
        self._refuse_strangers(available)
        self.tick(now)
        there, before = {*available, worker}, len(own.open)
        goes_on = may_go_on(self.state)
        while len(own.open) <= ahead:
            if not goes_on():
                return Waiting("models have settled many sentences", 1.0)
            found = assigning.stands_off(self.state, own) or self._found(own, there, now)
            if not isinstance(found, Waiting):
                first = models_first(self.state, self._brain, found, now)
                self._do(with_suggestions(self.state, self._brain, first), now)
            elif len(own.open) == before:
                return found
            else:
                return self.assignment(own.open[-1])
        return self.assignment(own.open[ahead])

    def left_out(self, available: Collection[int]) -> int:
        """Return how many of those who are there wait because the crew is asked first."""
        return len(assigning.left_out(self.state, available))

    def _found(
        self, worker: WorkerRecord, available: Collection[int], now: float
    ) -> Iterable[Event] | Waiting:
        """Return what happens so that a worker gets something, or why they get nothing."""
        state = self.state
        if worker.model is not None:
            return members.work(state, worker, now)
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

        It is theirs for the time of a lease; what they had in hand before is free again.
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
        return self.expert_sheet(sentence)

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
        is_reopened = self.state.questions[sentence].purpose == "reopened"
        self._emit([given])
        if is_reopened:
            self._correct(sentence, spans, ("expert", expert), now, key=key)
        self._do([], now)
        taught = experts.taught(self.state, sentence, means, self._news[first:])
        return Receipt(sentence, paid=event.paid, taught=taught)

    def due_fit(self) -> int | None:
        """Return on how many rows of evidence the method is to be fitted; None if it is not."""
        due = due_fit(self.state)
        return None if due is None else due.seen

    def fitting(self, seen: int) -> Callable[[], Model]:
        """Return the fit on the first rows, which takes long and may be done by another thread."""
        fitted = fit_of(self.state, seen)
        self._fitting = fitted, len(self.state.fits), self.state.corrections
        seen_so_far = evidence(self.state, fitted)
        method = heard(self.plan.joins, seen_so_far)
        return partial(method.fit, seen_so_far, self._brain.model(self.state))

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
        made, *since = self._fitting
        is_now = since == [len(self.state.fits), self.state.corrections]
        is_same = model is not None and made.seen == seen and is_now
        fitted = made if is_same else fit_of(self.state, seen)
        self._emit([replace(fitted, at=now)])
        if model is not None and is_same:
            self._brain.install(model, self.state)

    def lacks_model(self) -> int | None:
        """Return on how many rows the model was fitted that is in use but not here; None if it is.

        It is fitted when it is needed, unless it is installed before.
        """
        fits = self.state.fits
        return fits[-1].seen if fits and not self._brain.knows(self.state) else None

    @property
    def model_mark(self) -> int:
        """Return a number that is greater for every later model, by which one can be kept."""
        seen = self.state.fits[-1].seen if self.state.fits else 0
        return seen + (self.state.corrections << 32)

    def install(self, model: Model) -> None:
        """Use the model of the last fit, made elsewhere."""
        self._brain.install(model, self.state)

    def revised(self) -> dict[int, Spans]:
        """Return the crowd's labels, judged with everything the method has learned so far."""
        return revised(self.state)

    def certificate(
        self, level: float = 0.95, *, strict: bool = False, revise: bool = False
    ) -> Certificate:
        """Return how good the labels so far are, by audits; without any, the model's guess.

        With ``revise``, these are the labels of :meth:`revised`.
        """
        return self.labels_so_far(revise=revise).certificate(level, strict=strict)

    def labels_so_far(self, *, revise: bool = False) -> LabelsSoFar:
        """Return the labels of all sentences that are settled, and what audits say of them."""
        return labels_so_far(self.state, revision(self.state) if revise else None)

    def _refuse_strangers(self, available: Collection[int]) -> None:
        """Refuse workers who are not in this campaign, before anything changes."""
        if available:
            self._worker(min(available))
            self._worker(max(available))
