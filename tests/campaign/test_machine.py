"""Any legal order of calls, and many illegal ones: what a campaign keeps to whatever happens."""

from collections.abc import Callable
from itertools import cycle
from typing import NamedTuple, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from spancrew.campaign import (
    Added,
    Assignment,
    Campaign,
    Event,
    ExpertSheet,
    Receipt,
    Reopened,
    SentencesAdded,
    Submission,
    Waiting,
    entry_of,
    event_of,
)
from spancrew.errors import CampaignError, ConflictError, SpancrewError
from tests.campaign.as_if import as_if_said_at_once, everything
from tests.campaign.books import Books
from tests.campaign.worlds import RULES, WAYS, World, material, said, worlds

T = TypeVar("T")

WAY = st.sampled_from([1, 1, *range(WAYS)])
PICK = st.integers(0, 60)
SKIP, LEAVE = WAYS, WAYS + 1
ACT = st.one_of(WAY, WAY, WAY, st.sampled_from([SKIP, LEAVE]))
EXPERT = st.sampled_from(["e1", "e2", "e3"])
WAIT = st.sampled_from([1.0, 1.0, 1.0, 30.0, 60.0, 130.0])


class Day(NamedTuple):
    """Some turns of work: what is done in turn, how long it takes, who is not there."""

    turns: int
    acts: list[int]
    wait: float
    absent: set[int]
    consults: int


DAY = st.builds(
    Day,
    st.integers(0, 5),
    st.lists(ACT, min_size=1, max_size=8),
    WAIT,
    st.sets(PICK, max_size=2),
    st.integers(0, 2),
)
TURNS = 400
"""Turns after which a campaign with all it needs must be over."""


class CampaignMachine(RuleBasedStateMachine):
    """A campaign, a twin restored before every command, a mirror that sees the journal."""

    methods: tuple[str, ...] = ("mv", "span-vote")

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.is_sound = False
        self.books = Books()
        self.events: list[Event] = []
        self.handed_in: list[Submission] = []
        self.claimed: list[tuple[int, str, str]] = []

    @initialize(data=st.data(), workers=st.integers(0, 9), starts=st.integers(0, 9), day=DAY)
    def set_up(self, data: st.DataObject, workers: int, starts: int, day: Day) -> None:
        """Open a campaign; mostly some workers are there from the beginning and have begun."""
        self.begin(data.draw(worlds(self.methods)), workers if starts else 0)
        self.work(day)

    def begin(self, world: World, workers: int) -> None:
        """Open a campaign, and start it if there are workers."""
        self.material = world.material
        self.live = Campaign.open(world.plan, self.material, 0.0)
        self.kind = self.live.plan.kind
        (opened,) = self.live.news()
        self.mirror = Campaign.replay(self.material, [event_of(entry_of(opened))])
        self.books.fold(opened)
        self.events.append(opened)
        self.bytes = self.live.snapshot()
        for _ in range(workers):
            self.do(lambda campaign: campaign.join(self.now))
        if workers:
            self.do(lambda campaign: campaign.start(self.now))

    def do(self, work: Callable[[Campaign], T]) -> T | SpancrewError:
        """Do something to the campaign and its twin: they act alike, or refuse without a trace."""
        twin = Campaign.restore(self.material, self.bytes)
        result = _outcome(work, self.live)
        news = self.live.news()
        same = _outcome(work, twin)

        assert twin.news() == news
        assert repr(same) == repr(result)
        if isinstance(result, SpancrewError):
            assert news == []
            assert self.live.snapshot() == self.bytes
        self._write(news)
        return result

    def _write(self, news: list[Event]) -> None:
        """Let the mirror read the journal, and compare."""
        self.is_sound = False
        for event in news:
            read = event_of(entry_of(event))
            assert read == event
            self.books.fold(read)
            if isinstance(read, SentencesAdded):
                self.mirror.supply(self.more)
                self.material = self.material.plus(self.more)
            self.mirror.apply(read)
            self.events.append(read)
        self.bytes = self.live.snapshot()
        assert self.mirror.snapshot() == self.bytes
        assert self.live.version == len(self.events)
        self.books.check(self.live)
        self.is_sound = True

    @property
    def workers(self) -> int:
        """Return how many workers have joined."""
        return len(self.books.prices)

    def an(self, pick: int, *states: str) -> int:
        """Return an assignment in one of some states, or one that there is not."""
        those = self.books.those(*states)
        return those[pick % len(those)] if those else 999

    def submission(self, number: int, way: int, key: str | None = None) -> Submission:
        """Return an answer to an assignment."""
        before = self.books.assigned.get(number)
        if before is None:
            return Submission(number, 0, (), key=key)
        length = int(self.material.lengths[before.sentence])
        spans = said(way, length, self.kind)
        return Submission(number, before.worker, spans, 2.0, key)

    @rule(day=DAY)
    def work(self, day: Day) -> None:
        """Let those who are there work for some turns, and an expert now and then."""
        there = [worker for worker in range(self.workers) if worker not in day.absent]
        acts = cycle(day.acts)
        for _ in range(day.turns):
            found = self.do(lambda campaign: campaign.ask(there, self.now))
            self.now += day.wait
            for each in found if isinstance(found, list) else []:
                self._act(each.number, next(acts))
            for _ in range(day.consults):
                self.consult(next(acts), "e1")

    def _act(self, number: int, act: int) -> None:
        if act < WAYS:
            self._hand_in(self.submission(number, act, f"k{number}"))
        elif act == SKIP:
            self._give_back(number)

    @rule(way=WAY, expert=EXPERT)
    def consult(self, way: int, expert: str) -> None:
        """Let an expert label one sentence."""
        way %= WAYS
        sheet = self.do(lambda campaign: campaign.next_expert(expert, self.now))
        if isinstance(sheet, ExpertSheet):
            assert sheet.doubt.claimed_by == expert
            assert sheet.until > self.now
            self.claimed.append((sheet.sentence, expert, f"x{len(self.claimed)}"))
            self._label(*self.claimed[-1], way)

    @rule(expert=EXPERT, wait=WAIT)
    def claim(self, expert: str, wait: float) -> None:
        """Let an expert begin with a sentence and be slow."""
        sheet = self.do(lambda campaign: campaign.next_expert(expert, self.now))
        self.now += wait
        if isinstance(sheet, ExpertSheet):
            self.claimed.append((sheet.sentence, expert, f"x{len(self.claimed)}"))

    @rule(expert=EXPERT, pick=PICK)
    def take(self, expert: str, pick: int) -> None:
        """Let an expert take a certain sentence, which may be another's, or not in the queue."""
        sentence = pick % len(self.material)
        question = self.live.state.questions.get(sentence)
        is_free = question and (question.expert == expert or question.until <= self.now)
        found = self.do(lambda campaign: campaign.next_expert(expert, self.now, sentence))
        if self.is_over:
            assert isinstance(found, Waiting)
        elif is_free:
            assert isinstance(found, ExpertSheet)
            assert (found.sentence, found.doubt.claimed_by) == (sentence, expert)
            self.claimed.append((sentence, expert, f"x{len(self.claimed)}"))
        else:
            assert isinstance(found, ConflictError)

    @rule(expert=EXPERT, pick=PICK)
    def put_back(self, expert: str, pick: int) -> None:
        """Let an expert leave a sentence to somebody else, theirs or not."""
        sentence = pick % len(self.material)
        self.do(lambda campaign: campaign.put_back(sentence, expert, self.now))
        question = self.live.state.questions.get(sentence)
        assert question is None or question.expert != expert or question.until <= self.now

    @rule(pick=PICK, way=WAY)
    def tell_expert(self, pick: int, way: int) -> None:
        """Label a sentence that was claimed at some time, again perhaps, or too late."""
        if not self.claimed:
            return
        self._label(*self.claimed[pick % len(self.claimed)], way)

    def _label(self, sentence: int, expert: str, key: str, way: int) -> None:
        spans = said(way, int(self.material.lengths[sentence]), self.kind)
        self.do(lambda c: c.tell_expert(sentence, expert, spans, self.now, seconds=9.0, key=key))

    @rule(pick=PICK, way=WAY, other=st.booleans())
    def correct(self, pick: int, way: int, other: bool) -> None:
        """Let an expert correct labels of theirs, or of another: all is as if said at once."""
        if not self.claimed:
            return
        sentence, expert, key = self.claimed[pick % len(self.claimed)]
        name = "e3" if other else expert
        spans = said(way, int(self.material.lengths[sentence]), self.kind)
        found = self.do(lambda c: c.correct(sentence, name, spans, self.now, key=f"c{key}{way}"))
        mine = self.live.state.expert_keys.get(sentence, ("", None))[0]
        assert mine == name or isinstance(found, ConflictError)
        is_once = sentence not in self.books.overruled and not any(
            isinstance(each, Reopened) and each.sentence == sentence for each in self.events
        )
        if isinstance(found, Receipt) and not found.again and is_once:
            journal = (self.live.plan, self.material, self.events, sentence, spans)
            twin = Campaign.replay(self.material, as_if_said_at_once(*journal))
            assert everything(self.live, fits=False) == everything(twin, fits=False)

    @rule(pick=PICK, way=WAY, reopens=st.booleans())
    def overrule(self, pick: int, way: int, reopens: bool) -> None:
        """Let an admin overrule the labels of a sentence, or ask an expert for it."""
        sentence = pick % len(self.material)
        spans = said(way, int(self.material.lengths[sentence]), self.kind)
        is_open = sentence in self.live.state.hand or sentence in self.live.state.questions
        if reopens:
            refused = self.do(lambda campaign: campaign.reopen(sentence, "ann", self.now))
            assert refused is not None or not is_open
            return
        found = self.do(lambda c: c.overrule(sentence, "ann", spans, self.now, note="no"))
        if isinstance(found, Receipt):
            codes = self.live.state.codes(sentence, spans)
            assert (self.live.state.experts_say[sentence] == codes).all()

    @rule(pick=PICK, way=WAY, key=st.booleans())
    def change(self, pick: int, way: int, key: bool) -> None:
        """Let a worker change an answer, judged or not."""
        if not self.handed_in:
            return
        before = self.handed_in[pick % len(self.handed_in)]
        given = self.submission(before.assignment, way, f"again{way}" if key else None)
        may = self.live.may_change(given.worker, given.assignment)
        found = self.do(lambda campaign: campaign.change(given, self.now))
        if isinstance(found, Receipt) and not found.again:
            assert may
            self.handed_in = [
                given if each.assignment == given.assignment else each for each in self.handed_in
            ]

    @rule(price=st.sampled_from([None, None, 0.05, 0.5]), cap=st.sampled_from([None, None, 2]))
    @precondition(lambda self: self.workers < 14)
    def join(self, price: float | None, cap: int | None) -> None:
        """Let a worker come, at a price and with a cap of their own."""
        number = self.do(lambda campaign: campaign.join(self.now, price=price, cap=cap))
        assert number == self.workers - 1

    @rule(
        lengths=st.lists(st.integers(1, 4), min_size=1, max_size=3),
        known=st.sampled_from([None, None, None, 1]),
        key=st.sampled_from([None, "a", "b", "c"]),
    )
    @precondition(lambda self: len(self.material) < 20)
    def grow(self, lengths: list[int], known: int | None, key: str | None) -> None:
        """Add sentences, with new words and old, perhaps once more by the same key."""
        self.more = material(lengths, [known] * len(lengths), self.kind)
        before, has_key = len(self.material), key in self.live.state.additions
        by_hand = self.is_over and self.live.state.reason != "every sentence is settled"
        found = self.do(lambda campaign: campaign.add(self.more, self.now, key=key))
        if has_key:
            assert isinstance(found, Added)
            assert found.again
        elif by_hand:
            assert isinstance(found, CampaignError)
        else:
            assert found == Added(before, len(lengths))
        is_new = not (has_key or by_hand)
        assert self.live.status().sentences == before + is_new * len(lengths)

    @rule(what=st.sampled_from(["start", "start", "start", "pause", "finish"]), chance=PICK)
    def control(self, what: str, chance: int) -> None:
        """Start or pause; end the campaign by hand, rarely."""
        if what == "start":
            self.do(lambda campaign: campaign.start(self.now))
        elif what == "pause":
            self.do(lambda campaign: campaign.pause(self.now))
        elif chance > 50:
            self.do(lambda campaign: campaign.finish(self.now, "enough"))

    @rule(wait=WAIT)
    def tick(self, wait: float) -> None:
        """Let time pass; some leases end."""
        self.now += wait
        self.do(lambda campaign: campaign.tick(self.now))

    @rule(pick=PICK, there=st.sets(st.integers(0, 13)), ahead=st.integers(0, 1))
    def next(self, pick: int, there: set[int], ahead: int) -> None:
        """Let a worker ask for work."""
        worker = pick % (self.workers + 1)
        available = {each for each in there if each < self.workers}
        found = self.do(lambda c: c.next(worker, available, self.now, ahead=ahead))
        if isinstance(found, Assignment):
            assert found.worker == worker
            assert self.books.is_(found.number, "open")
            assert found.number in self.live.state.leases

    @rule(there=st.sets(st.integers(0, 14)), everybody=st.booleans())
    def ask(self, there: set[int], everybody: bool) -> None:
        """Hand out all that can be handed out."""
        available = range(self.workers) if everybody else sorted(there)
        found = self.do(lambda campaign: campaign.ask(available, self.now))
        if isinstance(found, list):
            assert [each.number for each in found] == [
                number for worker in available for number in self.live.state.workers[worker].open
            ]

    @rule(pick=PICK, way=WAY, key=st.booleans(), late=st.booleans())
    def tell(self, pick: int, way: int, key: bool, late: bool) -> None:
        """Hand in an answer, in time or late."""
        number = self.an(
            pick, *(["late"] if late and self.books.those("late") else ["open", "late"])
        )
        self._hand_in(self.submission(number, way, f"k{number}" if key else None))

    def _hand_in(self, given: Submission) -> None:
        late = self.books.state.get(given.assignment) != "open"
        receipt = self.do(lambda campaign: campaign.tell(given, self.now))
        if isinstance(receipt, Receipt):
            assert (receipt.assignment, receipt.again) == (given.assignment, False)
            assert receipt.late >= late
            self.handed_in.append(given)

    def _give_back(self, number: int) -> None:
        worker = self.books.assigned[number].worker
        self.do(lambda campaign: campaign.skip(number, worker, "unclear", self.now))

    @rule(pick=PICK, other=st.booleans(), way=WAY)
    def tell_again(self, pick: int, other: bool, way: int) -> None:
        """Send a submission once more, with its key or with another one."""
        if not self.handed_in:
            return
        before = self.handed_in[pick % len(self.handed_in)]
        key = "other" if other else before.key
        given = self.submission(before.assignment, way, key)
        result = self.do(lambda campaign: campaign.tell(given, self.now))
        if key is not None and key == before.key:
            assert isinstance(result, Receipt)
            assert result.again
        else:
            assert isinstance(result, ConflictError)

    @rule(pick=PICK, wrong=st.integers(0, 5))
    def tell_nonsense(self, pick: int, wrong: int) -> None:
        """Hand in what does not fit; it is refused without a trace."""
        given = self.submission(self.an(pick, "open", "late"), 0)
        nonsense = [
            Submission(given.assignment, given.worker, ((0, 99, "LOC"),)),
            Submission(given.assignment, given.worker, ((0, 1, "LOC"), (0, 1, "PER"))),
            Submission(given.assignment, given.worker, ((0, 1, "ORG"),)),
            Submission(given.assignment, given.worker + 1, given.spans),
            Submission(given.assignment + 500, given.worker, given.spans),
            Submission(given.assignment, -1, given.spans),
        ][wrong]
        result = self.do(lambda campaign: campaign.tell(nonsense, self.now))
        assert isinstance(result, SpancrewError)

    @rule(pick=PICK, wait=WAIT)
    def heartbeat(self, pick: int, wait: float) -> None:
        """Ask for more time."""
        self.now += wait / 2
        given = self.submission(self.an(pick, "open", "late"), 0)
        self.do(lambda c: c.heartbeat(given.assignment, given.worker, self.now))

    @rule(pick=PICK, what=st.integers(0, 5))
    def halt(self, pick: int, what: int) -> None:
        """Halt a worker, rarely for good, or let them go on."""
        worker = pick % (self.workers + 1)
        if what < 3:
            self.do(lambda c: c.halt(worker, self.now, banned=what == 0, reason="slow"))
        else:
            self.do(lambda campaign: campaign.readmit(worker, self.now))

    @rule(pick=PICK, cap=st.sampled_from([None, 0, 1, 2, 9]))
    def set_cap(self, pick: int, cap: int | None) -> None:
        """Change a cap."""
        worker = pick % (self.workers + 1)
        self.do(lambda campaign: campaign.set_cap(worker, cap, self.now))

    @rule(more=st.sampled_from([None, -1.0, 0.0, 0.3, 2.0, 9.0]))
    def set_budget(self, more: float | None) -> None:
        """Change the budget to some more than what is spent or promised, or to less."""
        ledger = self.live.ledger()
        promised = round(ledger.spent + ledger.committed, 9)
        budget = None if more is None else promised + more
        self.do(lambda campaign: campaign.set_budget(budget, self.now))

    @rule(name=st.sampled_from(RULES))
    def set_rule(self, name: str) -> None:
        """Change the feedback rule."""
        self.do(lambda campaign: campaign.set_rule(name, self.now))

    @rule(aside=st.booleans())
    def fit(self, aside: bool) -> None:
        """Fit the method before it is due, here or elsewhere."""
        if not self.live.plan.method.learns:
            return
        seen = len(self.live.state.log)
        self.do(lambda c: c.fitted(seen, c.fit(seen) if aside else None, self.now))

    @rule(restores=st.booleans())
    def crash(self, restores: bool) -> None:
        """Go on with a campaign from the journal or from a snapshot."""
        if restores:
            self.live = Campaign.restore(self.material, self.live.snapshot())
        else:
            self.live = Campaign.replay(self.material, self.events)
        assert self.live.snapshot() == self.mirror.snapshot()

    def teardown(self) -> None:
        """With money, workers and an expert, every campaign gets to its end."""
        if not self.is_sound:
            return
        if not self.is_over:
            self._get_all_it_needs()
        for _ in range(TURNS):
            if self.is_over:
                break
            self._turn()
            status = self.live.status()
            if self.live.plan.stays_open and status.settled == status.sentences:
                self.do(lambda campaign: campaign.finish(self.now, "no more to come"))
        status = self.live.status()
        assert status.phase == "finished"
        if status.reason == "every sentence is settled":
            assert status.settled == status.sentences
            assert self.books.unscored == {}
        assert self.live.snapshot() == Campaign.replay(self.material, self.events).snapshot()

    @property
    def is_over(self) -> bool:
        """Tell whether the campaign has ended."""
        return self.live.phase == "finished"

    def _get_all_it_needs(self) -> None:
        self.do(lambda campaign: campaign.set_budget(None, self.now))
        self.do(lambda campaign: campaign.start(self.now))
        self.fresh = [
            self.live.join(self.now, cap=1000) for _ in range(self.live.plan.answers + 1)
        ]
        self._write(self.live.news())

    def _turn(self) -> None:
        """Let the fresh workers answer all they get, and an expert all questions."""
        self.now += 101.0
        found = self.do(lambda campaign: campaign.ask(self.fresh, self.now))
        assert isinstance(found, list)
        for each in found:
            self._hand_in(self.submission(each.number, each.worker))
        while isinstance(
            sheet := self.do(lambda campaign: campaign.next_expert("e9", self.now)), ExpertSheet
        ):
            spans = said(1, int(self.material.lengths[sheet.sentence]), self.kind)
            self.do(lambda c, s=sheet.sentence, x=spans: c.tell_expert(s, "e9", x, self.now))  # type: ignore[misc]
        assert isinstance(sheet, Waiting)


def _outcome(work: Callable[[Campaign], T], campaign: Campaign) -> T | SpancrewError:
    try:
        return work(campaign)
    except SpancrewError as error:
        return error


class LearningMachine(CampaignMachine):
    """The same with methods that learn."""

    methods = ("bsc", "ds", "auto")


_QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

TestCampaign = CampaignMachine.TestCase
TestCampaign.settings = settings(
    max_examples=max(40, settings().max_examples * 2),
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=_QUIET,
)
TestLearningCampaign = LearningMachine.TestCase
TestLearningCampaign.settings = settings(
    max_examples=15, stateful_step_count=30, deadline=None, suppress_health_check=_QUIET
)
