"""Another plan on the answers that are there: a journal is played once more.

Answers come in the order of the journal, and everything else follows from them by the same code as
in a live campaign. Experts say what they said; where nobody asked them, a stand-in answers.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from spancrew.campaign import _events as ev
from spancrew.campaign._brain import Brain
from spancrew.campaign._campaign import Campaign
from spancrew.campaign._following import due_fit, fit_of, follow
from spancrew.campaign._log import Held
from spancrew.campaign._material import Material
from spancrew.campaign._past import Past
from spancrew.campaign._plan import Plan
from spancrew.campaign._records import InHand
from spancrew.campaign._stand_in import StandIn
from spancrew.campaign._state import State
from spancrew.consensus import Beliefs
from spancrew.errors import CampaignError

_AS_THEY_CAME = (
    ev.Started,
    ev.Finished,
    ev.Joined,
    ev.Halted,
    ev.Readmitted,
    ev.CapSet,
    ev.CrewChosen,
)
_STAND_IN = "stand-in"


@dataclass(frozen=True, slots=True)
class AnotherCourse:
    """A campaign as it would have gone by another plan.

    ``judged`` is what the rule said last of every sentence. ``drawn`` are the sentences on which a
    stand-in answered for an expert, with the probability that they would not say what the crowd
    says; on those in ``short`` the rule would have asked for more answers than there are.
    """

    campaign: Campaign
    judged: Mapping[int, ev.Judged]
    drawn: Mapping[int, float]
    short: frozenset[int]


def another_course(
    material: Material, past: Past, plan: Plan, stand_in: StandIn, *, keeps_rule: bool = False
) -> AnotherCourse:
    """Play a journal once more by another plan, always as a stream and without a budget.

    With ``keeps_rule`` the rule changes when it changed in the journal.
    """
    first = past.events[0] if past.events else None
    if not isinstance(first, ev.Opened):
        raise CampaignError("a journal begins with a campaign that was set up; this does not")
    played = replace(plan, mode="stream", budget=None)
    opened = ev.Opened(first.at, played.to_json(), first.sentences)
    player = _Player(past, State.start(opened, material), stand_in, keeps_rule=keeps_rule)
    for event in past.events[1:]:
        player.take(event)
    return player.end()


class _Player:
    """Plays the events of a journal into the state of another plan."""

    def __init__(self, past: Past, state: State, stand_in: StandIn, *, keeps_rule: bool) -> None:
        self._past, self._state, self._stand_in = past, state, stand_in
        self._keeps_rule = keeps_rule
        self._brain = Brain()
        self._answers: dict[int, list[Sequence[ev.Event]]] = defaultdict(list)
        self._used: dict[int, int] = defaultdict(int)
        self._said: set[int] = set()
        self._asked: set[int] = set()
        self._judged: dict[int, ev.Judged] = {}
        self._drawn: dict[int, float] = {}
        self._short: set[int] = set()
        self._now = 0.0

    def take(self, event: ev.Event) -> None:
        """Let an event of the journal happen, as far as the other plan lets it."""
        self._now = event.at
        match event:
            case ev.Answered() if self._past.is_crew(event):
                self._offer(event.sentence, (self._assigned(event), event))
            case ev.Recalled():
                self._offer(event.sentence, (event,))
            case ev.ExpertAnswered():
                self._hear(event)
            case ev.Settled():
                self._close(event.sentence)
            case ev.Fitted():
                self._fit(event)
            case ev.RuleSet() if self._keeps_rule:
                self._do(event)
            case ev.SentencesAdded():
                self._do(event)
            case _:
                self._pass_on(event)

    def end(self) -> AnotherCourse:
        """Pay the answers that came too late to count, and return how it went."""
        for sentence, given in self._answers.items():
            for events in given[self._used[sentence] :]:
                last = events[-1]
                if isinstance(last, ev.Answered) and last.surplus:
                    self._state.money.pay_answer(last.paid)
                    self._state.answers += 1
        campaign = Campaign(self._state)
        return AnotherCourse(campaign, self._judged, self._drawn, frozenset(self._short))

    def _pass_on(self, event: ev.Event) -> None:
        """Let happen what no rule has a say in; another plan may have no warm-up."""
        state = self._state
        match event:
            case ev.Assigned() if event.purpose != "crew":
                is_new = state.workers[event.worker].state == "new"
                is_open = event.purpose == "member" and self._is_open(event.sentence)
                if event.purpose == "gold" or is_new or is_open:
                    self._do(event)
            case ev.Answered() if self._past.purposes.get(event.assignment) == "member":
                if event.assignment in state.leases:
                    self._do(replace(event, surplus=event.sentence not in state.by_models))
            case ev.Answered() | ev.Extended() | ev.Expired() | ev.Skipped() | ev.Returned():
                if event.assignment in state.leases or event.assignment in state.late:
                    self._do(event)
            case _ if isinstance(event, _AS_THEY_CAME) and state.phase != "finished":
                self._do(event)

    def _is_open(self, sentence: int) -> bool:
        """Tell whether a sentence is not settled by the other plan."""
        state = self._state
        return sentence in state.hand or sentence in state.order[state.taken :]

    def _assigned(self, event: ev.Answered) -> ev.Assigned:
        """Return that somebody was asked, at the time when they answered."""
        hand = self._state.hand.get(event.sentence)
        price = self._state.workers[event.worker].price
        extra = 0.0 if hand is None else hand.beyond(price)
        asked = (event.assignment, event.sentence, event.worker, event.at)
        return ev.Assigned(event.at, *asked, "crew", {}, 0, extra)

    def _offer(self, sentence: int, events: Sequence[ev.Event]) -> None:
        """Note an answer that could be had, and take those that the rule wants."""
        self._answers[sentence].append(events)
        while self._wants(sentence) and self._used[sentence] < len(self._answers[sentence]):
            given = self._answers[sentence][self._used[sentence]]
            self._used[sentence] += 1
            self._do(*(_counted(each) for each in given))

    def _wants(self, sentence: int) -> bool:
        state = self._state
        hand = state.hand.get(sentence)
        if state.phase == "finished" or (hand is None and self._used[sentence]):
            return False
        return hand is None or (not hand.is_at_expert and hand.taken < hand.wanted)

    def _hear(self, event: ev.ExpertAnswered) -> None:
        """Take what an expert said, if the other plan has asked for it by now."""
        self._said.add(event.sentence)
        if event.sentence in self._state.questions:
            self._learn(event)
            self._do(event)

    def _close(self, sentence: int) -> None:
        """Let the rule decide on the answers there are, as nobody gave more."""
        state = self._state
        hand = state.hand.get(sentence)
        if hand is None or hand.is_at_expert or not hand.answers:
            return
        self._short.add(sentence)
        plan, hand.wanted, hand.judged, hand.errors = state.plan, len(hand.answers), 0, None
        state.plan = replace(plan, answers=len(hand.answers))
        state.look_at(hand)
        self._do()
        state.plan = plan

    def _fit(self, event: ev.Fitted) -> None:
        """Learn when the campaign learned, from what there is by then."""
        state = self._state
        last = state.fits[-1].seen if state.fits else 0
        seen = min(event.seen, len(state.log))
        if state.plan.method.learns and seen > last:
            state.apply(replace(fit_of(state, seen), at=event.at))

    def _do(self, *events: ev.Event) -> None:
        """Let events happen, what follows from them, and what experts say to it."""
        self._apply(events)
        while open_ := self._state.questions.keys() - self._asked:
            self._asked |= open_
            self._apply([given for each in sorted(open_) if (given := self._expert(each))])
        due = None if self._past.learns else due_fit(self._state)
        if due is not None:
            self._state.apply(replace(due, at=self._now))

    def _apply(self, events: Iterable[ev.Event]) -> None:
        happening = list(events) or list(follow(self._state, self._brain, self._now))
        while happening:
            for event in happening:
                self._state.apply(event)
                if isinstance(event, ev.Judged):
                    self._judged[event.sentence] = event
            happening = list(follow(self._state, self._brain, self._now))

    def _expert(self, sentence: int) -> ev.ExpertAnswered | None:
        """Return what an expert says now; None if they said it later, or have not yet."""
        said = self._past.experts.get(sentence)
        if said is not None:
            if sentence not in self._said:
                return None
            self._learn(said)
            return replace(said, at=self._now)
        if sentence not in self._past.settled or sentence in self._past.asked:
            return None
        return self._stands_in(sentence)

    def _stands_in(self, sentence: int) -> ev.ExpertAnswered:
        held = self._held(sentence)
        beliefs = self._beliefs(sentence, held)
        codes, doubt = self._stand_in.says(beliefs, [each.codes for each in held])
        self._drawn[sentence] = doubt
        price = self._state.plan.prices.expert
        return ev.ExpertAnswered(self._now, sentence, _STAND_IN, self._state.spans(codes), price)

    def _learn(self, event: ev.ExpertAnswered) -> None:
        """Let the stand-in learn from an audit: those are drawn from what it answers on."""
        sentence = event.sentence
        if sentence in self._past.audited and (held := self._held(sentence)):
            truth = self._state.codes(sentence, event.spans)
            self._stand_in.learn(self._beliefs(sentence, held), truth)

    def _beliefs(self, sentence: int, held: list[Held]) -> Beliefs:
        """Return what the consensus makes of the answers that counted on a sentence."""
        hand = InHand(sentence, 0, 0, 0.0, 0.0, 0.0, answers=held)
        return self._brain.judge(self._state, [hand])

    def _held(self, sentence: int) -> list[Held]:
        """Return the answers that counted on a sentence."""
        found = []
        for *_, last in self._answers[sentence][: self._used[sentence]]:
            if isinstance(last, ev.Answered):
                codes = self._state.codes(sentence, last.spans)
                found.append(Held(last.worker, codes, last.assignment))
            elif isinstance(last, ev.Recalled):
                found.append(self._state.warm[last.worker])
        return found


def _counted(event: ev.Event) -> ev.Event:
    """Return an answer as one that counts."""
    return replace(event, surplus=False) if isinstance(event, ev.Answered) else event
