"""A server that is killed at any moment loses no answer that it has acknowledged.

Three kills for each store by default; SPANCREW_KILLS says how many.
"""

import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from spancrew.campaign import Plan, Waiting, warm
from spancrew.client import Client
from spancrew.core import Dataset, Sentence, Span
from spancrew.errors import SpancrewError
from spancrew.formats import read, write
from tests.postgres import Postgres, running_postgres
from tests.serving import Serving, start

KILLS = int(os.environ.get("SPANCREW_KILLS", "3"))
WORKERS = 8
SENTENCES = 100 + 30 * KILLS
"""Enough for the work to go on until the last kill."""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL."""
    with running_postgres() as server:
        yield server


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_nothing_acknowledged_is_lost(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Kill the server at random moments under load; it goes on by itself each time."""
    store = None
    if kind == "postgresql":
        store = request.getfixturevalue("postgres").database()
    story = Story(tmp_path, store)
    try:
        story.run(np.random.default_rng(len(kind)))
    finally:
        story.close()

    assert story.errors == []
    assert story.kills == KILLS
    assert_all_there(story)


class Story:
    """A campaign under load, on a server that is killed again and again."""

    def __init__(self, folder: Path, store: str | None) -> None:
        self.folder, self.store = folder, store
        self.server = start(folder, store=store, options=["--quiet"])
        self.token = self.server.admin_token()
        self.acknowledged: list[tuple[int, str]] = []
        self.by_experts: list[str] = []
        self.errors: list[str] = []
        self.kills = 0
        self.over = threading.Event()
        with self.server.admin() as admin:
            self.id, links, expert = self._set_up(admin)
        workers = [Client.from_link(link, patience=120) for link in links]
        experts = [Client.from_link(expert, patience=120)]
        self.clients = [*workers, *experts]
        self.people = [threading.Thread(target=self._work, args=(each,)) for each in workers]
        self.people += [threading.Thread(target=self._settle, args=(each,)) for each in experts]

    def _set_up(self, admin: Client) -> tuple[str, list[str], str]:
        data = many(SENTENCES)
        path = self.folder / "pilot.jsonl"
        write(data, path)
        plan = Plan(
            labels=data.labels.names, answers=3, crew=6, lease=5.0, presence=5.0, warm_up="none"
        )
        # A server that is killed while it compiles would have to begin again each time.
        warm(plan)
        campaign = admin.create("kill", path, plan, gold="ignore")
        links = [campaign.invite_worker(f"w{k}").url for k in range(WORKERS)]
        campaign.start()
        return campaign.id, links, campaign.invite_expert("e").url

    def run(self, rng: np.random.Generator) -> None:
        """Let people work; kill and restart; let them finish."""
        for person in self.people:
            person.start()
        for _ in range(KILLS):
            time.sleep(float(rng.uniform(0.2, 1.5)))
            self.server.kill()
            self.kills += 1
            self.server = start(
                self.folder, store=self.store, port=self.server.port, options=["--quiet"]
            )
            self.server.know(self.token)
        for person in self.people:
            person.join(timeout=240)

    def close(self) -> None:
        """Stop everything."""
        self.over.set()
        for person in self.people:
            person.join(timeout=130)
        for client in self.clients:
            client.close()
        self.server.stop()

    def _work(self, client: Client) -> None:
        """Label until the campaign is over, whatever happens to the server."""
        worker = client.worker(self.id)
        while not self.over.is_set():
            sheet = worker.next()
            if isinstance(sheet, Waiting):
                if sheet.over:
                    return
                time.sleep(min(sheet.retry_after, 0.3))
                continue
            key = f"{id(client)}-{sheet.assignment}"
            label = "PER" if sheet.assignment % 5 else "LOC"
            try:
                worker.submit(sheet, [Span(0, 1, label)], key=key)
                self.acknowledged.append((sheet.assignment, key))
            except SpancrewError as error:
                self.errors.append(f"submit {sheet.assignment}: {error!r}")

    def _settle(self, client: Client) -> None:
        """Answer all questions until the campaign is over."""
        expert = client.expert(self.id)
        while not self.over.is_set():
            sheet = expert.next()
            if isinstance(sheet, Waiting):
                if sheet.over:
                    return
                time.sleep(0.3)
                continue
            key = f"e-{sheet.sentence.id}"
            expert.submit(sheet, [Span(0, 1, "PER")], key=key)
            self.by_experts.append(key)


def many(sentences: int) -> Dataset:
    """Return demo sentences, repeated under other ids as often as needed."""
    demo, _ = read("demo")
    found = (demo.sentences[k % len(demo)] for k in range(sentences))
    renamed = [Sentence(f"s{k}", each.text, each.bounds) for k, each in enumerate(found)]
    return Dataset.of(renamed, labels=demo.labels)


def assert_all_there(story: Story) -> None:
    """Compare what was acknowledged with the journal."""
    server: Serving = start(story.folder, store=story.store, options=["--quiet"])
    server.know(story.token)
    try:
        with server.admin() as admin:
            campaign = admin.campaign(story.id)
            lines = list(campaign.all_events())
            status, ledger = campaign.status(), campaign.ledger()
    finally:
        server.stop()
    answered = [line for line in lines if line.kind == "Answered"]
    keys = Counter(line.body["key"] for line in answered)
    experts = Counter(line.body["key"] for line in lines if line.kind == "ExpertAnswered")
    settled = Counter(line.body["sentence"] for line in lines if line.kind == "Settled")

    assert [line.version for line in lines] == list(range(1, len(lines) + 1))
    assert {key for _, key in story.acknowledged} <= set(keys)
    assert set(story.by_experts) <= set(experts)
    assert max(keys.values()) == 1
    assert max(Counter(line.body["assignment"] for line in answered).values()) == 1
    assert max(settled.values()) == 1
    assert status.phase == "finished"
    assert status.settled == SENTENCES
    assert ledger.answers == len(answered)
