"""What a campaign must keep to, counted a second time from its events alone."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from spancrew.campaign import (
    Answered,
    Assigned,
    AuditDrawn,
    Audited,
    BudgetSet,
    Campaign,
    CapSet,
    Corrected,
    Event,
    ExpertAnswered,
    Expired,
    Extended,
    Finished,
    Halted,
    Joined,
    Opened,
    Paused,
    Readmitted,
    Reanswered,
    Recalled,
    Reopened,
    Returned,
    Scored,
    SentencesAdded,
    Settled,
    Skipped,
    Spans,
    Started,
)

Gone = str


@dataclass(slots=True)
class Books:
    """The plain books of a campaign: no money, no answer and no promise is lost."""

    answers: int = 0
    price: float = 0.0
    cap: int | None = None
    budget: float | None = None
    phase: str = "draft"
    reason: str = ""
    sentences: int = 0
    paid: float = 0.0
    prices: list[float] = field(default_factory=list)
    caps: list[int | None] = field(default_factory=list)
    away: dict[int, str] = field(default_factory=dict)
    given: Counter[int] = field(default_factory=Counter)
    assigned: dict[int, Assigned] = field(default_factory=dict)
    state: dict[int, Gone] = field(default_factory=dict)
    counted: dict[int, dict[int, Spans]] = field(default_factory=dict)
    recalled: set[tuple[int, int]] = field(default_factory=set)
    warm: dict[tuple[int, int], Spans] = field(default_factory=dict)
    settled: dict[int, Settled] = field(default_factory=dict)
    unscored: dict[int, int] = field(default_factory=dict)
    labelled: set[int] = field(default_factory=set)
    drawn: set[int] = field(default_factory=set)
    audited: set[int] = field(default_factory=set)
    reopened: set[int] = field(default_factory=set)
    overruled: set[int] = field(default_factory=set)
    experts: int = 0

    def fold(self, event: Event) -> None:
        """Write an event into the books; what must never happen fails here."""
        act: Callable[[Any], None] | None = getattr(self, f"_{type(event).__name__}", None)
        if act is not None:
            act(event)

    def _Opened(self, event: Opened) -> None:  # noqa: N802  by the name of the event
        self.answers, self.cap = event.plan["answers"], event.plan["cap"]
        self.sentences = event.sentences
        self.price, self.budget = event.plan["prices"]["answer"], event.plan["budget"]

    def _Started(self, _: Started) -> None:  # noqa: N802
        assert self.phase in {"draft", "paused"}
        self.phase = "running"

    def _Paused(self, _: Paused) -> None:  # noqa: N802
        assert self.phase == "running"
        self.phase = "paused"

    def _Finished(self, event: Finished) -> None:  # noqa: N802
        assert self.phase != "finished"
        assert event.reason
        self.phase, self.reason = "finished", event.reason

    def _SentencesAdded(self, event: SentencesAdded) -> None:  # noqa: N802
        assert event.first == self.sentences
        assert event.count > 0
        self.sentences += event.count
        if self.phase == "finished":
            assert self.reason == "every sentence is settled"
            self.phase = "running"

    def _BudgetSet(self, event: BudgetSet) -> None:  # noqa: N802
        self.budget = event.budget

    def _Joined(self, event: Joined) -> None:  # noqa: N802
        assert event.worker == len(self.prices)
        self.prices.append(self.price if event.price is None else event.price)
        self.caps.append(event.cap)

    def _Halted(self, event: Halted) -> None:  # noqa: N802
        self.away[event.worker] = "banned" if event.banned else "paused"

    def _Readmitted(self, event: Readmitted) -> None:  # noqa: N802
        assert self.away.pop(event.worker) == "paused"

    def _CapSet(self, event: CapSet) -> None:  # noqa: N802
        self.caps[event.worker] = event.cap

    def _Assigned(self, event: Assigned) -> None:  # noqa: N802
        assert self.phase == "running"
        assert event.worker not in self.away
        assert event.until > event.at
        assert {"step", "scored", "mean", "seed"} <= event.reason.keys()
        self._refuse_over_cap(event.worker)
        self._refuse_second(event)
        assert event.assignment == len(self.assigned) + 1
        self.assigned[event.assignment] = event
        self.state[event.assignment] = "open"
        if event.purpose == "crew":
            assert event.sentence not in self.settled
            counted = self.counted.setdefault(event.sentence, {})
            assert len(counted) + len(self.open_on(event.sentence)) <= self.answers

    def _refuse_over_cap(self, worker: int) -> None:
        cap = self.cap if self.caps[worker] is None else self.caps[worker]
        assert cap is None or self.given[worker] + len(self.open_of(worker)) < cap

    def _refuse_second(self, event: Assigned) -> None:
        """Allow the sentence of a warm-up again which a worker gave back, and nothing else."""
        for number, before in self.assigned.items():
            if (before.sentence, before.worker) == (event.sentence, event.worker):
                assert before.purpose == event.purpose == "warm-up"
                assert self.state[number] == "gone"

    def _Recalled(self, event: Recalled) -> None:  # noqa: N802
        counted = self.counted.setdefault(event.sentence, {})
        assert event.worker not in counted
        counted[event.worker] = self.warm[event.sentence, event.worker]
        self.recalled.add((event.sentence, event.worker))
        assert len(counted) <= self.answers

    def _Extended(self, event: Extended) -> None:  # noqa: N802
        assert self.state[event.assignment] in {"open", "late"}
        self.state[event.assignment] = "open"

    def _Expired(self, event: Expired) -> None:  # noqa: N802
        assert self.state[event.assignment] == "open"
        self.state[event.assignment] = "late"

    def _Skipped(self, event: Skipped) -> None:  # noqa: N802
        assert self.state[event.assignment] == "open"
        self.state[event.assignment] = "gone"

    def _Returned(self, event: Returned) -> None:  # noqa: N802
        assert self.state[event.assignment] in {"open", "late"}
        self.state[event.assignment] = "gone"

    def _Answered(self, event: Answered) -> None:  # noqa: N802
        before = self.assigned[event.assignment]
        assert self.state[event.assignment] in {"open", "late"}
        assert event.late or self.state[event.assignment] == "open"
        assert (event.sentence, event.worker) == (before.sentence, before.worker)
        assert event.paid == self.prices[event.worker]
        self.state[event.assignment] = "answered"
        self.given[event.worker] += 1
        self.paid += event.paid
        self._count(event, before)

    def _count(self, event: Answered, before: Assigned) -> None:
        if before.purpose != "crew":
            assert not event.surplus
            self.unscored[event.assignment] = event.sentence
            if before.purpose == "warm-up":
                self.warm[event.sentence, event.worker] = event.spans
            return
        if event.surplus:
            return
        counted = self.counted[event.sentence]
        assert event.sentence not in self.settled
        assert event.worker not in counted
        counted[event.worker] = event.spans
        assert len(counted) <= self.answers

    def _Reanswered(self, event: Reanswered) -> None:  # noqa: N802
        before = self.assigned[event.assignment]
        assert self.state[event.assignment] == "answered"
        assert (event.sentence, event.worker) == (before.sentence, before.worker)
        assert event.sentence not in self.settled or event.assignment in self.unscored
        if event.worker in self.counted.get(event.sentence, {}):
            self.counted[event.sentence][event.worker] = event.spans
        if before.purpose == "warm-up":
            self.warm[event.sentence, event.worker] = event.spans

    def _Reopened(self, event: Reopened) -> None:  # noqa: N802
        assert event.sentence in self.settled or event.sentence in self.labelled
        assert event.sentence not in self.reopened
        self.reopened.add(event.sentence)

    def _Corrected(self, event: Corrected) -> None:  # noqa: N802
        is_by_crowd = event.sentence in self.settled and event.sentence not in self.audited
        is_by_crowd &= event.sentence not in self.overruled
        if event.overruled:
            assert is_by_crowd
            assert self.settled[event.sentence].by == "crowd"
            self.overruled.add(event.sentence)
        else:
            assert event.sentence in self.labelled | self.overruled
        self.labelled.add(event.sentence)
        assert all(0 <= reward <= 1 for _, reward in event.rewards)

    def _ExpertAnswered(self, event: ExpertAnswered) -> None:  # noqa: N802
        assert event.sentence not in self.labelled or event.sentence in self.reopened
        self.reopened.discard(event.sentence)
        self.labelled.add(event.sentence)
        self.experts += 1
        self.paid += event.paid

    def _Scored(self, event: Scored) -> None:  # noqa: N802
        assert self.unscored.pop(event.assignment) == event.sentence
        assert 0 <= event.reward <= 1

    def _Settled(self, event: Settled) -> None:  # noqa: N802
        assert event.sentence not in self.settled
        assert event.by in {"crowd", "expert"}
        assert event.by != "expert" or event.sentence in self.labelled
        counted = self.counted.get(event.sentence, {})
        assert event.answers == len(counted)
        assert sorted(worker for worker, _ in event.rewards) == sorted(counted)
        assert 0 <= event.confidence <= 1
        for label in event.labels:
            span = (label.start, label.end, label.label)
            voters = [worker for worker, spans in counted.items() if span in spans]
            assert sorted(label.voters) == sorted(voters)
            assert 0 <= label.confidence <= 1
        self.settled[event.sentence] = event

    def _AuditDrawn(self, event: AuditDrawn) -> None:  # noqa: N802
        assert event.sentence not in (self.labelled - self.reopened) | self.drawn
        assert 0 < event.probability <= 1
        self.drawn.add(event.sentence)

    def _Audited(self, event: Audited) -> None:  # noqa: N802
        assert event.sentence in self.drawn & self.labelled - self.audited
        assert self.settled[event.sentence].by == "crowd"
        self.audited.add(event.sentence)

    def open_of(self, worker: int) -> list[int]:
        """Return the assignments that a worker has in hand."""
        return [n for n, e in self.assigned.items() if e.worker == worker and self.is_(n, "open")]

    def open_on(self, sentence: int) -> list[int]:
        """Return the open assignments of a sentence for the campaign."""
        return [
            n
            for n, e in self.assigned.items()
            if e.sentence == sentence and e.purpose == "crew" and self.is_(n, "open")
        ]

    def is_(self, number: int, state: str) -> bool:
        """Tell whether an assignment is open, late, answered or gone."""
        return self.state[number] == state

    def those(self, *states: str) -> list[int]:
        """Return the assignments in some states."""
        return [number for number, state in self.state.items() if state in states]

    def check(self, campaign: Campaign) -> None:
        """Compare the books with what the campaign says."""
        self._check_money(campaign)
        self._check_pending(campaign)
        status = campaign.status()
        assert status.sentences == self.sentences
        assert status.phase == self.phase
        assert status.settled - status.by_gold == len(self.settled)
        assert status.answers == sum(self.given.values())
        assert status.audited == len(self.audited)
        decided = Counter(each.by for each in self.settled.values())
        assert status.by_crowd == decided["crowd"] - len(self.overruled)
        assert sorted(campaign.state.leases) == self.those("open")
        assert sorted(campaign.state.late) == self.those("late")

    def _check_money(self, campaign: Campaign) -> None:
        ledger = campaign.ledger()
        promised = sum(self.prices[self.assigned[n].worker] for n in self.those("open", "late"))
        assert ledger.spent == pytest.approx(self.paid, abs=1e-8)
        assert ledger.committed >= round(promised, 9) - 1e-9
        assert ledger.experts == self.experts
        assert ledger.budget == self.budget
        if self.budget is not None:
            assert ledger.spent + ledger.committed <= self.budget + 1e-9
        state = campaign.state
        if not (state.hand or state.questions or self.those("open", "late")):
            assert ledger.committed == 0
        if self.phase == "finished":
            assert ledger.committed == pytest.approx(promised, abs=1e-8)

    def _check_pending(self, campaign: Campaign) -> None:
        pending: Counter[int] = Counter()
        for number in self.those("open"):
            if self.assigned[number].purpose == "crew":
                pending[self.assigned[number].worker] += 1
        for sentence, counted in self.counted.items():
            if sentence not in self.settled:
                pending.update(w for w in counted if (sentence, w) not in self.recalled)
        found = campaign.state.standings.pending[0]
        assert np.array_equal(found, [pending[worker] for worker in range(len(self.prices))])
