"""The campaign of the live demo: its plan, its simulated people, and the links to it."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain, repeat
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from spancrew.cli._simulated_people import (
    Knowledge,
    PeopleAtWork,
    SimulatedExpert,
    SimulatedPerson,
    SimulatedWorker,
)
from spancrew.client import CampaignClient, Client
from spancrew.core import Dataset, Ragged, Sentence, Span
from spancrew.errors import SpancrewError
from spancrew.formats import read, write
from spancrew.server import Directory, link_url, real_clock
from spancrew.simulate import scene_of, simulated_crowd
from spancrew.stores import open_sql
from spancrew.wire import SolvedView

PLAN: dict[str, Any] = {
    "policy": "cucb:scale=0.3",
    "feedback": "gate:threshold=0.45",
    "consensus": "span-vote",
    "answers": 4,
    "crew": 12,
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
_DAY = 86400.0
_PATIENCE = 2.0
"""Seconds for which simulated people try to reach a server that has stopped."""


@dataclass(frozen=True, slots=True)
class DemoLinks:
    """Links to the dashboard and to two free seats; ``workers`` of the others are simulated."""

    workers: int
    dashboard: str
    worker: str
    expert: str


class DemoCampaign:
    """A campaign with simulated people; ``address`` is that of the server's store."""

    def __init__(self, address: str, data: Path, seconds: float) -> None:
        self._address = address
        self._seconds = seconds
        pilot = read(data, "spancrew").dataset
        made = simulated_crowd(pilot, "replay")
        self._scene = scene_of(made.dataset, made.crowd)
        self._guests = ExitStack()
        self._at_work: PeopleAtWork | None = None

    def start(self, url: str) -> DemoLinks:
        """Set up the campaign on a server that listens, and let everybody begin."""
        _await(url)
        secret = self._admin_secret()
        admin = self._guests.enter_context(
            Client.from_link(link_url(url, secret), patience=_PATIENCE)
        )
        campaign = self._campaign(admin)
        people: list[SimulatedPerson] = [*self._workers(campaign), self._expert(campaign)]
        links = DemoLinks(
            workers=len(people) - 1,
            dashboard=f"{url}/enter?next=/campaigns/{campaign.id}#{secret}",
            worker=campaign.invite_worker("you").url,
            expert=campaign.invite_expert("you").url,
        )
        campaign.start()
        self._at_work = PeopleAtWork(people)
        return links

    def end(self) -> None:
        """Stop everybody."""
        if self._at_work is not None:
            self._at_work.end()
        self._guests.close()

    def _admin_secret(self) -> str:
        """Return a link that works more than once: the browser and the demo both use it."""
        store = open_sql(self._address)
        try:
            directory, now = Directory(store.engine), real_clock()
            admin = directory.first_admin(now)
            return directory.secrets.issue("link", admin.id, now, lasts=_DAY)[1]
        finally:
            store.close()

    def _campaign(self, admin: Client) -> CampaignClient:
        with TemporaryDirectory() as folder:
            data = Path(folder) / "sentences.jsonl"
            write(mostly_unknown(self._scene.dataset), data, "spancrew")
            campaign = admin.create(
                "Names in the news", data, PLAN, practice=PRACTICE, format="spancrew"
            )
        campaign.set_guide(GUIDE, EXAMPLES, campaign.guide().practice or ())
        return campaign

    def _workers(self, campaign: CampaignClient) -> list[SimulatedWorker]:
        knowledge = Knowledge(self._scene)
        found = []
        for k, name in enumerate(self._scene.workers):
            guest = self._guest(campaign.invite_worker(name.capitalize()).url)
            worker = SimulatedWorker(guest.worker(campaign.id), k, knowledge, self._pace(k))
            found.append(worker)
        return found

    def _expert(self, campaign: CampaignClient) -> SimulatedExpert:
        guest = self._guest(campaign.invite_expert("Sol").url)
        pace = self._pace(len(self._scene.workers))
        return SimulatedExpert(guest.expert(campaign.id), Knowledge(self._scene), pace)

    def _guest(self, link: str) -> Client:
        return self._guests.enter_context(Client.from_link(link, patience=_PATIENCE))

    def _pace(self, k: int) -> Callable[[], float]:
        """Return what draws how long somebody thinks; the first answer comes soon."""
        rng = Random(k)  # noqa: S311  how long somebody thinks is no secret
        longest = chain([self._seconds / 4, self._seconds / 2], repeat(self._seconds))
        return lambda: next(longest) * rng.uniform(0.4, 1.6)


def mostly_unknown(dataset: Dataset) -> Dataset:
    """Return the sentences alone, with the gold of the first few."""
    offsets = np.minimum(dataset.gold.offsets, dataset.gold.offsets[KNOWN])
    gold = Ragged(dataset.gold.values[: offsets[-1]], offsets)
    return replace(dataset.without_answers(), gold=gold, workers=())


def _await(url: str) -> None:
    """Wait until the server answers."""
    deadline = time.monotonic() + 60
    with Client(url, patience=60) as anybody:
        while time.monotonic() < deadline:
            if anybody.is_ready():
                return
            time.sleep(0.05)
    raise SpancrewError(f"the server at {url} did not get ready within a minute")
