"""A campaign to watch: set up and worked on over the API, looked at in a browser."""

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from spancrew.client import CampaignClient, Client, ExpertClient, WorkerClient
from spancrew.core import Dataset, Span
from spancrew.formats import write
from spancrew.wire import SheetView, WorkerAssignment
from tests.browser import Visit
from tests.server.conftest import demo

NAMES = ("Ana", "Bo", "陈伟", "Dora")
_SENTENCES = 30
PLAN: dict[str, Any] = {
    "crew": 4,
    "answers": 3,
    "warm_up": "none",
    "feedback": "gate:threshold=0.5",
    "prices": {"answer": 0.1, "expert": 1.0},
}


@dataclass
class Watched:
    """A campaign, and who works on it; worker ``k`` errs more the larger ``k`` is."""

    client: CampaignClient
    workers: list[WorkerClient]
    expert: ExpertClient
    data: Dataset
    dice: random.Random = field(default_factory=lambda: random.Random(3))  # noqa: S311  no secret

    def work(self, rounds: int = 1, *, experts: bool = True) -> None:
        """Let everybody answer so many times."""
        for _ in range(rounds):
            for number, worker in enumerate(self.workers):
                sheet = worker.next()
                if isinstance(sheet, WorkerAssignment):
                    worker.submit(sheet, self._said(sheet.sentence.id, number), seconds=4.0)
            doubt = self.expert.next() if experts else None
            if isinstance(doubt, SheetView):
                self.expert.submit(doubt, self._gold(doubt.sentence.id))

    def _gold(self, id_: str) -> tuple[Span, ...]:
        return tuple(self.data.gold_spans(self.data.sentences.index(id_)) or ())

    def _said(self, id_: str, number: int) -> list[Span]:
        """Return gold with mistakes: spans that are missed, and labels that are mixed up."""
        said = []
        for span in self._gold(id_):
            luck = self.dice.random()
            label = self.dice.choice(self.data.labels.names) if luck < 0.2 * number else span.label
            if luck >= 0.1 * number:
                said.append(Span(span.start, span.end, label))
        return said


@contextmanager
def watched(admin: Client, folder: Path, *, start: bool = True, **plan: Any) -> Iterator[Watched]:
    """Set up a campaign on some sentences of the demo data, with four workers and an expert."""
    data = demo(_SENTENCES)
    path = folder / "news.jsonl"
    write(data, path, "spancrew")
    campaign = admin.create("Names in the news", path, {**PLAN, **plan}, gold="ignore")
    links = [campaign.invite_worker(name).url for name in NAMES]
    links.append(campaign.invite_expert("Eve").url)
    if start:
        campaign.start()
    with ExitStack() as doors:
        guests = [doors.enter_context(Client.from_link(link)) for link in links]
        workers = [guest.worker(campaign.id) for guest in guests[:-1]]
        yield Watched(campaign, workers, guests[-1].expert(campaign.id), data)


def dashboard(one: Visit, campaign: str) -> Page:
    """Open the dashboard of a campaign and wait until it is live."""
    page = one.page(f"/campaigns/{campaign}")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    return page
