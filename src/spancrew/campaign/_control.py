"""What the person in charge does with a campaign: start and stop, money, rules, workers."""

from collections.abc import Iterable
from dataclasses import replace
from math import inf

from spancrew.campaign._brain import Brain
from spancrew.campaign._events import (
    BudgetSet,
    CapSet,
    Event,
    Finished,
    Halted,
    Joined,
    Paused,
    Readmitted,
    Returned,
    RuleSet,
    Started,
)
from spancrew.campaign._following import due_fit, follow
from spancrew.campaign._records import WorkerRecord
from spancrew.campaign._state import State
from spancrew.campaign._views import CampaignFigures
from spancrew.errors import CampaignError, ConflictError, PlanError, UnknownWorkerError
from spancrew.feedback import FeedbackRule, feedback_name, feedback_rule


class CampaignControl(CampaignFigures):
    """A campaign to which events can happen, with the commands of the person in charge."""

    def __init__(self, state: State, *, fits: float = inf) -> None:
        super().__init__(state)
        self._brain = Brain()
        self._fits = fits
        self._news: list[Event] = []

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
        """Let events happen, and what follows from them."""
        self._emit(events)
        while self._emit(follow(self.state, self._brain, now)):
            pass
        if (due := due_fit(self.state)) and due.seen <= self._fits:
            self._emit([replace(due, at=now)])

    def start(self, now: float) -> None:
        """Hand out assignments, for the first time or again after a pause."""
        self._refuse_over()
        self._do([] if self.phase == "running" else [Started(now)], now)

    def pause(self, now: float) -> None:
        """Hand out nothing until started again; what is in hand can be answered."""
        self._refuse_over()
        if self.phase == "draft":
            raise CampaignError("the campaign has not begun, so it cannot pause; start it first")
        self._do([Paused(now)] if self.phase == "running" else [], now)

    def finish(self, now: float, reason: str = "finished by hand") -> None:
        """End the campaign; answers in hand are still taken and paid."""
        self._do([] if self.phase == "finished" else [Finished(now, reason)], now)

    def set_budget(self, budget: float | None, now: float) -> None:
        """Change what may be spent; not below what is spent or promised."""
        promised = round(self.state.money.spent + self.state.money.aside, 9)
        if budget is not None and not promised <= budget < inf:
            raise PlanError(
                f"budget {budget:g}: {promised:g} is spent or promised; give at least that"
            )
        self._do([BudgetSet(now, budget)], now)

    def set_rule(self, feedback: FeedbackRule | str, now: float) -> None:
        """Decide by another feedback rule from now on; the consensus method stays."""
        self._refuse_over()
        rule = feedback_rule(feedback) if isinstance(feedback, str) else feedback
        if self.plan.with_rule(rule).has_experts != self.plan.has_experts:
            raise PlanError(
                "a campaign with experts cannot go on without, nor the other way round: money is "
                "put aside for them from the beginning; open a new campaign"
            )
        self._do([RuleSet(now, feedback_name(rule))], now)

    def join(
        self,
        now: float,
        *,
        price: float | None = None,
        cap: int | None = None,
        model: str | None = None,
        version: str = "",
    ) -> int:
        """Let a worker come; return their number.

        One that is a ``model`` has a name of its own, and costs nothing unless it has a price.
        """
        if price is not None and not 0 <= price < inf:
            raise PlanError(f"a price of {price:g} for an answer: it cannot be negative")
        _refuse_cap(cap)
        if model is not None:
            self._refuse_model(model)
            price = price or 0.0
        number = len(self.state.workers)
        self._do([Joined(now, number, price, cap, model, version)], now)
        return number

    def _refuse_model(self, name: str) -> None:
        if not name.strip():
            raise PlanError("a model needs a name, which makes it the worker model:NAME")
        if any(worker.model == name for worker in self.state.workers):
            raise ConflictError(
                f"there is a model {name!r} in this campaign; give the new one another name"
            )

    def halt(self, worker: int, now: float, *, banned: bool = False, reason: str = "") -> None:
        """Stop giving a worker assignments; those in hand go to others.

        A banned worker cannot come back, and their late answers are not waited for.
        """
        own = self._worker(worker)
        events: list[Event] = []
        if own.state != "banned" and (own.state != "paused" or banned):
            late = [each.number for each in self.state.late.values() if each.worker == worker]
            back = [Returned(now, number) for number in [*own.open, *(late if banned else ())]]
            events = [Halted(now, worker, banned, reason), *back]
        self._do(events, now)

    def readmit(self, worker: int, now: float) -> None:
        """Let a worker go on who had a pause."""
        own = self._worker(worker)
        if own.state == "banned":
            raise CampaignError(f"worker {worker} is banned for good and cannot be readmitted")
        self._do([Readmitted(now, worker)] if own.state == "paused" else [], now)

    def set_cap(self, worker: int, cap: int | None, now: float) -> None:
        """Change the most answers of a worker; None leaves it to the plan."""
        self._worker(worker)
        _refuse_cap(cap)
        self._do([CapSet(now, worker, cap)], now)

    def _refuse_over(self) -> None:
        if self.phase == "finished":
            raise CampaignError(f"the campaign is over ({self.state.reason}); open a new one")

    def _worker(self, number: int) -> WorkerRecord:
        if not 0 <= number < len(self.state.workers):
            raise UnknownWorkerError(f"worker {number} is not in this campaign")
        return self.state.workers[number]


def _refuse_cap(cap: int | None) -> None:
    if cap is not None and cap < 1:
        raise PlanError(f"cap {cap}: at least 1 is needed; to give a worker nothing, halt them")
