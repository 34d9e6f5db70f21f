"""The state of a campaign: the fold of its events.

Applying an event never fails, draws nothing and looks at no clock.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from spancrew.campaign._events import Event, Fitted, Opened, Spans
from spancrew.campaign._log import EvidenceLog, Held, Logged, StatedLog
from spancrew.campaign._material import Material
from spancrew.campaign._plan import Plan, recorded_plan
from spancrew.campaign._records import (
    Agreements,
    InHand,
    Lease,
    ModelWork,
    Money,
    OpenAudit,
    Question,
    WorkerRecord,
)
from spancrew.campaign._values import Phase, Remark
from spancrew.core import BoolArray, Chance, CodeArray, FloatArray, IntArray, Span, decode, encode
from spancrew.feedback import Doubts, Prices, audit_lots
from spancrew.policies import Queue, Standings

Applier = Callable[["State", Any], None]


class SentenceLesson(NamedTuple):
    """What a sentence taught, to be learned when its step ends (rounds) or at once (stream).

    An audit has a ``weight``. In rounds it is learned from in the step after its ``step``, so that
    it does not matter how quick the expert was. ``turn`` is the version before it.
    """

    place: int
    logged: Logged
    step: int = -1


class Shown(NamedTuple):
    """What had been said of a sentence that an expert was then asked for.

    The ``crowd`` had found these spans. What the expert says of them in an audit teaches how many
    errors to expect of others.
    """

    crowd: Spans
    is_audit: bool


@dataclass(slots=True)
class SettledCounts:
    """How many sentences are settled by whom, and what was expected of those of the crowd.

    ``audited`` are those of the crowd that an expert has labelled since; ``size`` are the spans
    found and expected in the crowd's sentences, ``labelled`` those in the experts'.
    """

    crowd: int = 0
    expert: int = 0
    gold: int = 0
    audited: int = 0
    errors: float = 0.0
    size: float = 0.0
    labelled: int = 0

    @property
    def settled(self) -> int:
        """Return how many sentences are settled."""
        return self.crowd + self.expert + self.gold

    @property
    def expected_quality(self) -> float | None:
        """Return the F1 to be expected: experts' labels are right, the crowd's not all.

        Errors are wrong and missing spans; of spans found and expected, they are what F1 lacks.
        """
        # What an expert finds is right, so as many spans are expected as are found.
        size = self.size + 2 * self.labelled
        return max(0.0, 1.0 - self.errors / size) if size else None


@dataclass(slots=True)
class State:
    """Everything that decisions depend on.

    ``stock`` has the sentences of the campaign, ``material``, and may have those that it will
    grow by; ``opened`` is with how many it began.
    """

    plan: Plan
    material: Material
    money: Money
    standings: Standings
    doubts: Doubts
    order: IntArray
    lots: FloatArray
    log: EvidenceLog
    stated: StatedLog
    stock: Material
    opened: int
    phase: Phase = "draft"
    reason: str = ""
    version: int = 0
    taken: int = 0
    step: int = 0
    crew: tuple[int, ...] = ()
    seats: int = 0
    assignments: int = 0
    answers: int = 0
    expert_answers: int = 0
    model_answers: int = 0
    workers: list[WorkerRecord] = field(default_factory=list)
    hand: dict[int, InHand] = field(default_factory=dict)
    by_models: dict[int, ModelWork] = field(default_factory=dict)
    needing: dict[int, None] = field(default_factory=dict)
    ready: dict[int, None] = field(default_factory=dict)
    leases: dict[int, Lease] = field(default_factory=dict)
    late: dict[int, Lease] = field(default_factory=dict)
    settling: dict[int, None] = field(default_factory=dict)
    audits: dict[int, OpenAudit] = field(default_factory=dict)
    auditing: dict[int, None] = field(default_factory=dict)
    audited: dict[int, None] = field(default_factory=dict)
    questions: dict[int, Question] = field(default_factory=dict)
    experts_say: dict[int, CodeArray] = field(default_factory=dict)
    expert_keys: dict[int, tuple[str, str | None]] = field(default_factory=dict)
    unscored: list[tuple[int, Held]] = field(default_factory=list)
    warm: dict[int, Held] = field(default_factory=dict)
    warm_sentence: int | None = None
    ended: int = -1
    shown: dict[int, Shown] = field(default_factory=dict)
    remarks: dict[int, Remark] = field(default_factory=dict)
    corrections: int = 0
    lessons: list[SentenceLesson] = field(default_factory=list)
    fits: list[Fitted] = field(default_factory=list)
    tally: SettledCounts = field(default_factory=SettledCounts)
    additions: dict[str, tuple[int, int]] = field(default_factory=dict)
    agreed_seen: Agreements = field(default_factory=Agreements)
    agreed_unseen: Agreements = field(default_factory=Agreements)

    @classmethod
    def start(cls, event: Opened, stock: Material) -> "State":
        """Return the state after a campaign was set up."""
        plan, material = recorded_plan(event.plan), stock.first(event.sentences)
        learning = plan.policy.learning
        return cls(
            plan,
            material,
            Money(plan.budget),
            Standings.start(1, 0, memory=learning.memory, difficulty=learning.difficulty),
            Doubts.start(1),
            order_of(plan, material, 0),
            lots_of(plan, material),
            EvidenceLog(material),
            StatedLog(material),
            stock,
            event.sentences,
            version=1,
            tally=SettledCounts(gold=len(material.known)),
        )

    def apply(self, event: Event) -> None:
        """Let an event have happened."""
        from spancrew.campaign._apply import APPLIERS  # noqa: PLC0415  they need this class

        APPLIERS[type(event)](self, event)
        self.version += 1

    def chance(self, step: int) -> Chance:
        """Return the random numbers of a step."""
        return Chance.of(self.plan.seed, range(1)).at(step)

    def known(self, sentence: int) -> CodeArray | None:
        """Return an expert's labels of a sentence, or its gold; None where there are neither."""
        if sentence in self.experts_say:
            return self.experts_say[sentence]
        gold = self.material.gold[sentence]
        return gold if len(gold) else None

    def note_remark(self, assignment: int, remark: Remark) -> None:
        """Keep what a worker says of an answer; nothing takes the place of what they said."""
        self.remarks.pop(assignment, None)
        if any(remark):
            self.remarks[assignment] = remark

    def codes(self, sentence: int, spans: Spans) -> CodeArray:
        """Return spans as codes of the sentence's tokens."""
        length = int(self.material.lengths[sentence])
        return encode((Span(*span) for span in spans), length, self.material.labels)

    def spans(self, codes: CodeArray) -> Spans:
        """Return codes as spans."""
        found = decode(codes, self.material.labels)
        return tuple((span.start, span.end, span.label) for span in found)

    def look_at(self, hand: InHand) -> None:
        """Note whether a sentence in hand needs a worker, or is ready for the rule to look."""
        _note(self.needing, hand.sentence, not hand.is_at_expert and hand.taken < hand.wanted)
        _note(self.ready, hand.sentence, hand.is_ready)

    @property
    def audit_chance(self) -> float:
        """Return the probability with which a sentence that the crowd settles is audited.

        A number of audits is a share of the sentences that there were in the beginning.
        """
        known = int(np.count_nonzero(self.material.known < self.opened))
        return self.plan.audit_chance(self.opened - known)

    @property
    def waiting(self) -> int:
        """Return how many sentences nobody has begun."""
        return len(self.order) - self.taken

    @property
    def people(self) -> BoolArray:
        """Tell for every worker whether they are a person and no model."""
        return np.array([worker.model is None for worker in self.workers], bool)

    def said_by_models(self, sentence: int) -> tuple[Held, ...]:
        """Return the answers of models on a sentence that is not settled."""
        work = self.by_models.get(sentence)
        return () if work is None else tuple(work.answers)

    @property
    def price(self) -> float:
        """Return what the most expensive answer of a person costs."""
        price = self.standings.price[self.people]
        return float(price.max(initial=0.0 if len(price) else self.usual_price))

    @property
    def prices(self) -> Prices:
        """Return what an answer costs on average over the people, and an expert."""
        price = self.standings.price[self.people]
        if np.all(price == self.usual_price):
            return self.plan.prices
        return Prices(sum(price.tolist()) / len(price), self.plan.prices.expert)

    @property
    def usual_price(self) -> float:
        """Return what an answer costs unless a worker has a price of their own."""
        return self.plan.prices.answer


def lots_of(plan: Plan, material: Material) -> FloatArray:
    """Return the number of every sentence that decides whether it is audited."""
    lots: FloatArray = audit_lots(Chance.of(plan.seed, range(1)), len(material))[0]
    return lots


def _note(places: dict[int, None], sentence: int, belongs: bool) -> None:
    if belongs:
        places[sentence] = None
    else:
        places.pop(sentence, None)


def order_of(plan: Plan, material: Material, first: int) -> IntArray:
    """Return the sentences from ``first`` on that nobody knows, in the order of their turn."""
    queue = Queue(np.arange(first, len(material)), Chance.of(plan.seed, range(1)))
    order, _ = queue.peek(len(material) - first)
    waiting: IntArray = order[0][material.gold.lengths[order[0]] == 0]
    return waiting
