"""A campaign with workers who err, driven through the API as far as a test wants."""

import json
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spancrew.core import Dataset
from tests.server.conftest import Visitor, create, demo, gold_spans, invite


@dataclass
class Busy:
    """A campaign, and who works on it; worker ``k`` errs more the larger ``k`` is."""

    admin: Visitor
    campaign: str
    workers: list[Visitor]
    expert: Visitor
    data: Dataset
    dice: random.Random = field(default_factory=lambda: random.Random(7))  # noqa: S311  no secret

    def look(self, what: str, **params: Any) -> Any:
        """Return a view of the campaign."""
        return self.admin.ok("GET", f"/campaigns/{self.campaign}/{what}", params=params)

    def events(self) -> list[dict[str, Any]]:
        """Return all events so far."""
        found: list[dict[str, Any]] = []
        while True:
            page = self.look("events", after=len(found), limit=1000)
            found += page["events"]
            if not page["more"]:
                return found

    def work(self, rounds: int = 1000, *, experts: bool = True) -> None:
        """Let everybody work so many rounds, or until nothing is left."""
        for _ in range(rounds):
            busy = [self._answer(number) for number in range(len(self.workers))]
            busy += [self._decide() for _ in range(experts)]
            if not any(busy):
                return

    def _answer(self, number: int) -> bool:
        worker, path = self.workers[number], f"/campaigns/{self.campaign}"
        work = worker.ok("POST", f"{path}/next")["assignment"]
        if work is None:
            return False
        spans = self._said(gold_spans(self.data, work["sentence"]["id"]), number)
        body = {"assignment": work["assignment"], "spans": spans, "seconds": 2.0 + number}
        worker.ok("POST", f"{path}/answers", json=body)
        return True

    def _said(self, gold: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
        """Return gold with mistakes: spans that are missed, and labels that are mixed up."""
        labels = list(self.data.labels)
        said = []
        for span in gold:
            luck = self.dice.random()
            if luck < 0.08 * number:
                continue
            wrong = luck < 0.16 * number
            said.append({**span, "label": self.dice.choice(labels)} if wrong else span)
        return said

    def _decide(self) -> bool:
        path = f"/campaigns/{self.campaign}/expert"
        sheet = self.expert.ok("POST", f"{path}/next")["sheet"]
        if sheet is None:
            return False
        spans = gold_spans(self.data, sheet["sentence"]["id"])
        self.expert.ok(
            "POST", f"{path}/answers", json={"sentence": sheet["number"], "spans": spans}
        )
        return True


def busy(
    admin: Visitor, folder: Path, *, sentences: int = 40, workers: int = 5, **plan: Any
) -> Busy:
    """Set up and start a campaign with workers and an expert."""
    campaign = create(admin, folder, sentences=sentences, **plan)
    people = [invite(admin, campaign, name=f"Worker {n}") for n in range(workers)]
    expert = invite(admin, campaign, "experts")
    admin.ok("POST", f"/campaigns/{campaign}/start")
    return Busy(admin, campaign, people, expert, demo(sentences))


def sent(text: str) -> list[tuple[str, Any, str | None]]:
    """Return the server-sent events in a text: their names, data and ids."""
    found = []
    for part in text.replace("\r\n", "\n").split("\n\n"):
        lines = dict(line.split(": ", 1) for line in part.splitlines() if ": " in line)
        if "event" in lines:
            found.append((lines["event"], json.loads(lines["data"]), lines.get("id")))
    return found
