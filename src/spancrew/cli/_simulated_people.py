"""Simulated workers and experts who work on a real server, each in a thread of their own."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from spancrew.campaign import Waiting
from spancrew.client import ExpertClient, WorkerClient
from spancrew.core import Ragged, Span, decode, turned_labels
from spancrew.errors import CampaignError, SpancrewError
from spancrew.simulate import Scene
from spancrew.wire import SheetView, WorkerAssignment

_SLOWEST = 0.5
"""Most seconds between two looks of somebody who waits; a rehearsal is in a hurry."""


class SimulatedPerson(Protocol):
    """Somebody who does one thing after the other; None when there is nothing left to do."""

    def step(self) -> float | None:
        """Do one thing and return how many seconds to wait before the next."""
        ...


@dataclass
class Knowledge:
    """What simulated people know: what each worker would answer, and gold."""

    scene: Scene
    place: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        """Remember where each sentence is."""
        self.place = {each: k for k, each in enumerate(self.scene.dataset.sentences.ids)}

    def answer(self, sentence: str, worker: int) -> tuple[Span, ...] | None:
        """Return what a worker answers; None if they cannot."""
        row = self.place[sentence]
        if self.scene.can is not None and not self.scene.can[row, worker]:
            return None
        return self._spans(self.scene.source.answers(np.array([row]), np.array([worker])))

    def gold(self, sentence: str) -> tuple[Span, ...]:
        """Return what an expert says."""
        return self._spans(self.scene.dataset.gold.take(np.array([self.place[sentence]])))

    def _spans(self, codes: Ragged) -> tuple[Span, ...]:
        return tuple(decode(codes.values, self.scene.dataset.labels))


def _always() -> bool:
    return True


@dataclass
class SimulatedWorker:
    """A worker of the crowd; ``seconds`` draws how long they think, ``asks`` when they go on."""

    client: WorkerClient
    number: int
    knowledge: Knowledge
    seconds: Callable[[], float]
    asks: Callable[[], bool] = _always
    _sheet: WorkerAssignment | Waiting | None = None
    _thought: float = 0.0

    def step(self) -> float | None:
        """Answer the sentence at hand and take the next one, or ask for one."""
        sheet = self._sheet
        if not isinstance(sheet, WorkerAssignment):
            if not self.asks():
                return _SLOWEST
            self._sheet = self.client.next()
            return self._until_next()
        spans = self.knowledge.answer(sheet.sentence.id, self.number)
        if spans is None:
            self.client.skip(sheet, "this simulated worker has no answer on this sentence")
            self._sheet = None
            return 0.0
        if sheet.turned:
            other = turned_labels(self.knowledge.scene.dataset.labels)
            spans = tuple(Span(s.start, s.end, other[s.label]) for s in spans)
        seconds = self._thought or None
        if not self.asks():
            self._sheet = None
            self.client.submit(sheet, spans, seconds=seconds)
            return _SLOWEST
        _, self._sheet = self.client.submit_and_next(sheet, spans, seconds=seconds)
        return self._until_next()

    @property
    def at(self) -> str | None:
        """Return the id of the sentence in front of them."""
        sheet = self._sheet
        return sheet.sentence.id if isinstance(sheet, WorkerAssignment) else None

    def _until_next(self) -> float | None:
        if isinstance(self._sheet, Waiting):
            return None if self._sheet.over else min(self._sheet.retry_after, _SLOWEST)
        self._thought = self.seconds()
        return self._thought


@dataclass
class SimulatedExpert:
    """An expert who knows gold."""

    client: ExpertClient
    knowledge: Knowledge
    seconds: Callable[[], float]
    asks: Callable[[], bool] = _always
    from_the_end: bool = False

    def step(self) -> float | None:
        """Label the sentence that needs it most, or the one that needs it least."""
        if not self.asks():
            return _SLOWEST
        sheet = self.client.next(self._last() if self.from_the_end else None)
        if isinstance(sheet, SheetView):
            self.client.submit(sheet, self.knowledge.gold(sheet.sentence.id))
            return self.seconds()
        return None if sheet.over else min(sheet.retry_after, _SLOWEST)

    def _last(self) -> int | None:
        """Return the last question of the queue that nobody has; None if there is none."""
        free = [each.sentence for each in self.client.queue() if each.claimed_by is None]
        return free[-1] if free else None


class PeopleAtWork:
    """Everybody at work at once, until all have stopped or one of them has failed."""

    def __init__(self, people: Sequence[SimulatedPerson]) -> None:
        self._stop = threading.Event()
        self._failures: list[Exception] = []
        self._threads = [threading.Thread(target=self._live, args=(p,)) for p in people]
        for thread in self._threads:
            thread.start()

    def _live(self, person: SimulatedPerson) -> None:
        while not self._stop.is_set():
            try:
                wait = person.step()
            except CampaignError:
                # The campaign went on without them: a sentence settled, a lease taken back.
                wait = _SLOWEST
            except (SpancrewError, OSError) as error:
                self._failures.append(error)
                self._stop.set()
                return
            if wait is None:
                return
            self._stop.wait(wait)

    @property
    def over(self) -> bool:
        """Tell whether everybody has stopped."""
        return not any(thread.is_alive() for thread in self._threads)

    def raise_failure(self) -> None:
        """Raise what made somebody stop."""
        if self._failures:
            raise self._failures[0]

    def end(self) -> None:
        """Stop everybody, and wait until they have stopped."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
