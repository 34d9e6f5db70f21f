"""A campaign of the live demo: its plan, its simulated people, and the links to it."""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from spancrew.campaign import Status
from spancrew.cli._demo_tempo import KEPT_SENTENCES, Attention, GuestsFirst, OpenSeats
from spancrew.cli._simulated_people import (
    Knowledge,
    PeopleAtWork,
    SimulatedExpert,
    SimulatedPerson,
    SimulatedWorker,
)
from spancrew.client import CampaignClient, Client
from spancrew.core import Dataset, Ragged, Sentence, Span
from spancrew.formats import write
from spancrew.server import real_clock
from spancrew.simulate import Scene
from spancrew.wire import SolvedView

PLAN: dict[str, Any] = {
    "policy": "cucb:scale=0.3",
    "feedback": "gate:threshold=0.45",
    "consensus": "span-vote",
    "answers": 4,
    "gold_share": 0.05,
    "lease": 120.0,
}
KNOWN = 12
"""Sentences whose gold the campaign knows: for practice, warm-up and checks."""
PRACTICE = 2
GUIDE = (
    "Mark every **name**: people, places, organisations, and works such as books or films.\n\n"
    "- Mark the whole name, without titles such as Mr or Dr.\n"
    "- Leave out words that only describe: in “the river Amber”, mark “Amber”.\n"
    "- If there is no name, say that there is nothing to mark."
)
EXAMPLES = (
    SolvedView(
        sentence=Sentence.from_text("x1", "Dr Ines Salt sang in Port Amber."),
        spans=(Span(1, 3, "PER"), Span(5, 7, "LOC")),
        note="“Dr” is a title, so it stays out.",
    ),
    SolvedView(
        sentence=Sentence.from_text("x2", "The Salt Company prints The Long Harbour."),
        spans=(Span(1, 3, "ORG"), Span(4, 7, "WORK")),
        note="“The” belongs to the title of a book, and not to the name of a company.",
    ),
)
_AWAY = 60.0
"""Seconds after which a guest who was not heard of is away."""
PATIENCE = 2.0
"""Seconds for which simulated people try to reach a server that has stopped."""


@dataclass(frozen=True, slots=True)
class DemoLinks:
    """Links to the dashboard and to two free seats; ``workers`` of the others are simulated.

    Sessions are kept by host, so that three hosts let one browser have all three seats. Where
    a browser does not find the expert's, ``expert_alone`` is for a private window.
    """

    workers: int
    dashboard: str
    worker: str
    expert: str
    expert_alone: str


class DemoCampaign:
    """One campaign with simulated people, who leave something for the guest."""

    def __init__(self, admin: Client, scene: Scene, seconds: float, number: int) -> None:
        self._scene = scene
        self._seconds = seconds
        self._number = number
        self._clients = ExitStack()
        self._at_work: PeopleAtWork | None = None
        self._crowd: list[SimulatedWorker] = []
        self._guests: tuple[str, str] = ("", "")
        self.pace = GuestsFirst(time.monotonic)
        self.client = self._created(admin)

    def start(self, dashboard: Callable[[str], str]) -> DemoLinks:
        """Invite everybody, and let them begin."""
        campaign = self.client
        self._crowd = self._workers()
        people: list[SimulatedPerson] = [*self._crowd, self._expert()]
        worker, expert = campaign.invite_worker("you"), campaign.invite_expert("you")
        self._guests = worker.person.pseudonym, expert.person.pseudonym
        campaign.start()
        self._at_work = PeopleAtWork(people)
        return DemoLinks(
            workers=len(self._crowd),
            dashboard=dashboard(campaign.id),
            worker=at_host(worker.url, "localhost"),
            expert=at_host(expert.url, "expert.localhost"),
            expert_alone=expert.url,
        )

    def end(self) -> None:
        """Stop everybody."""
        if self._at_work is not None:
            self._at_work.end()
        self._clients.close()

    def look(self, attention: Attention, *, looks: bool) -> Status:
        """Look how the campaign stands, and let people go on accordingly."""
        status, now = self.client.status(), real_clock()
        guest = self._guest_is_there(now)
        watched = attention.note(now, looks=looks or guest)
        begun = self._begun() if status.waiting <= KEPT_SENTENCES else []
        self.pace.note(status, begun, watched=watched, guest_is_there=guest)
        return status

    def _guest_is_there(self, now: float) -> bool:
        people = self.client.people
        workers = [each.person for each in people.page(text="you").workers]
        experts = people.experts()
        return any(
            person.pseudonym in self._guests and now - (person.seen_at or 0) < _AWAY
            for person in [*workers, *experts]
        )

    def _begun(self) -> list[OpenSeats]:
        held = Counter(worker.at for worker in self._crowd)
        page = self.client.sentences.page(state="open")
        return [
            OpenSeats.of(
                each.workers, PLAN["answers"], held[str(each.sentence.id)], self._guests[0]
            )
            for each in page.sentences
        ]

    def _created(self, admin: Client) -> CampaignClient:
        plan = PLAN | {"seed": self._number}
        with TemporaryDirectory() as folder:
            data = Path(folder) / "sentences.jsonl"
            write(mostly_unknown(self._scene.dataset), data, "spancrew")
            name = f"Names in the news {self._number}"
            campaign = admin.create(name, data, plan, practice=PRACTICE, format="spancrew")
        campaign.set_guide(GUIDE, EXAMPLES, campaign.guide().practice or ())
        return campaign

    def _workers(self) -> list[SimulatedWorker]:
        knowledge = Knowledge(self._scene)
        found = []
        for k, name in enumerate(self._scene.workers):
            invited = self.client.invite_worker(name.capitalize())
            client = self._guest(invited.url).worker(self.client.id)
            asks = partial(self.pace.worker_may_ask, invited.person.pseudonym)
            found.append(SimulatedWorker(client, k, knowledge, self._thinks(k), asks))
        return found

    def _expert(self) -> SimulatedExpert:
        client = self._guest(self.client.invite_expert("Sol").url).expert(self.client.id)
        thinks = self._thinks(len(self._scene.workers))
        knowledge = Knowledge(self._scene)
        # The guest gets what the crowd disagrees on most; audits, which come last, are done.
        return SimulatedExpert(
            client, knowledge, thinks, self.pace.expert_may_ask, from_the_end=True
        )

    def _guest(self, link: str) -> Client:
        return self._clients.enter_context(Client.from_link(link, patience=PATIENCE))

    def _thinks(self, k: int) -> Callable[[], float]:
        """Return what draws how long somebody thinks; the first answer comes soon."""
        rng = Random(k)  # noqa: S311  how long somebody thinks is no secret
        longest = chain([self._seconds / 4, self._seconds / 2], repeat(self._seconds))
        return lambda: next(longest) * rng.uniform(0.4, 1.6) * self.pace.slowness


def at_host(url: str, host: str) -> str:
    """Return an address of this machine by another of its names.

    >>> at_host("http://127.0.0.1:8000/enter#secret", "localhost")
    'http://localhost:8000/enter#secret'
    """
    return url.replace("127.0.0.1", host, 1)


def mostly_unknown(dataset: Dataset) -> Dataset:
    """Return the sentences alone, with the gold of the first few."""
    offsets = np.minimum(dataset.gold.offsets, dataset.gold.offsets[KNOWN])
    gold = Ragged(dataset.gold.values[: offsets[-1]], offsets)
    return replace(dataset.without_answers(), gold=gold, workers=())
