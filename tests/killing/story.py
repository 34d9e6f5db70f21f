"""The story: a campaign under load while clocks go wrong, and what runs it is killed."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from spancrew.campaign import Plan, warm
from spancrew.client import Client
from spancrew.core import Dataset, Sentence
from spancrew.formats import read, write
from spancrew.rlhf._pairs import pair_of, sheets_of
from tests.killing.backups import BackupLoop
from tests.killing.clock import WrongClock
from tests.killing.crowd import Crowd
from tests.killing.storm import StormReceiver, storm
from tests.serving import Serving, start
from tests.waiting import wait_until

WORKERS, HOOKS = 8, 5
FEWEST, MORE = 60, 25
"""Sentences in all, and those for each kill: so there is work until the last one."""
_ANSWERS = 3
_AT_ONCE = 5
"""Sentences that are added at a time, while everything goes on."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What is labelled: data of a given size, the right label of all of it, and a wrong one."""

    data: Callable[[int], Dataset]
    right: str
    wrong: str


Kill = Callable[["Story", Random], str]
"""Kills something, brings back what does not come back by itself, and says what it was."""


class Story:
    """A server with everything that goes on at once; all of it belongs to one folder."""

    def __init__(
        self,
        folder: Path,
        store: str | None,
        processes: int,
        kills: int,
        topic: Topic,
        receiver: tuple[StormReceiver, str],
    ) -> None:
        self.folder, self.processes, self.planned, self.topic = folder, processes, kills, topic
        self.address = store or f"sqlite:///{folder / 'spancrew.db'}"
        self.receiver, url = receiver
        self.kills: list[str] = []
        self._ration = 0
        self.clock = WrongClock(folder)
        self.server = self._served(0)
        self._token = self.server.admin_token()
        with self.server.admin() as admin:
            self.crowd = self._set_up(admin, url)
        self.backups = BackupLoop(
            folder / "backups", self.address, self.clock.environment, self.confirmed
        )

    @property
    def sentences(self) -> int:
        """Return how many sentences the campaign has."""
        return FEWEST + MORE * self.planned

    @property
    def _firsts(self) -> range:
        """Return the numbers of sentences with which an addition begins."""
        return range(FEWEST, self.sentences, _AT_ONCE)

    def confirmed(self) -> frozenset[str]:
        """Return the keys of all answers and corrections that the server has confirmed."""
        crowd = self.crowd
        said = (*crowd.answered, *crowd.decided, *crowd.corrected, *crowd.by_model)
        return frozenset([*said, *crowd.added])

    def run(self, kill: Kill, check: Callable[["Story"], None], dice: Random) -> None:
        """Kill and check again and again, then set the clock right and let people finish."""
        self.crowd.start()
        self.backups.start()
        for _ in range(self.planned):
            self._ration = len(self.crowd.answered) + MORE * _ANSWERS
            self.clock.jump(dice)
            self._await_answers(dice.randint(5, 60))
            time.sleep(dice.uniform(0.0, 0.3))
            self.kills.append(kill(self, dice))
            check(self)
        self.clock.correct()
        self.receiver.calm.set()
        self.crowd.finish()

    def restart(self) -> None:
        """Start the server again where it was."""
        self.server.stop()
        self.server = self._served(self.server.port)
        self.server.know(self._token)

    def close(self) -> None:
        """Stop everything."""
        self.crowd.close()
        self.backups.close()
        self.server.stop()

    def _await_answers(self, more: int) -> None:
        """Wait until people are at work again, and the server has confirmed so many answers."""
        before = len(self.crowd.answered)
        wait_until(lambda: len(self.crowd.answered) >= before + more, "nobody can work")

    def _served(self, port: int) -> Serving:
        return start(
            self.folder,
            store=self.address,
            workers=self.processes,
            port=port,
            options=["--quiet"],
            environment=self.clock.environment,
        )

    def _set_up(self, admin: Client, url: str) -> Crowd:
        data = self.topic.data(self.sentences)
        path = self.folder / "pilot.jsonl"
        write(data.take(np.arange(FEWEST)), path)
        self._parts = [self.folder / f"more{first}.jsonl" for first in self._firsts]
        for first, part in zip(self._firsts, self._parts, strict=True):
            write(data.take(np.arange(first, first + _AT_ONCE)), part)
        plan = Plan(
            labels=data.labels.names,
            kind=data.kind,
            answers=_ANSWERS,
            crew=6,
            lease=5.0,
            presence=5.0,
            warm_up="none",
        )
        # A server that is killed while it compiles would have to begin again each time.
        warm(plan)
        campaign = admin.create("kill", path, plan, gold="ignore")
        added = [campaign.add_webhook(url) for _ in range(HOOKS)]
        self.first = added[0].cursor + 1
        links = [campaign.invite_worker(f"w{k}").url for k in range(WORKERS)]
        campaign.start()
        others = campaign.invite_expert("e").url, campaign.people.add_model("m", price=0.01).url
        return Crowd(
            campaign.id,
            links,
            *others,
            (self.topic.right, self.topic.wrong),
            self._may_answer,
            (self.server.url, self._token, self._parts),
        )

    def _may_answer(self, answers: int) -> bool:
        """Leave some of the work for after each kill, and until all sentences are there."""
        if answers >= 2 * FEWEST and len(self.crowd.added) < len(self._parts):
            return False
        return answers < self._ration or len(self.kills) == self.planned


def many(sentences: int) -> Dataset:
    """Return demo sentences, repeated under other ids as often as needed."""
    demo, _ = read("demo")
    found = (demo.sentences[k % len(demo)] for k in range(sentences))
    renamed = [Sentence(f"s{k}", each.text, each.bounds) for k, each in enumerate(found)]
    return Dataset.of(renamed, labels=demo.labels)


def many_pairs(sheets: int) -> Dataset:
    """Return pairs of responses with one question each."""
    pairs = [pair_of(f"prompt {k}", ["yes", "no"], shuffles=False) for k in range(sheets)]
    return sheets_of(pairs, ["better"], ("A", "B", "tie"))


SPANS = Topic(many, "PER", "LOC")
CHOICES = Topic(many_pairs, "tie", "A")
"""A tie is a tie in whichever order somebody sees the responses."""


@contextmanager
def story(
    folder: Path,
    *,
    store: str | None = None,
    processes: int = 1,
    kills: int,
    dice: Random,
    topic: Topic = SPANS,
) -> Iterator[Story]:
    """Set everything up, and take it down again."""
    with storm(dice) as receiver:
        made = Story(folder, store, processes, kills, topic, receiver)
        try:
            yield made
        finally:
            receiver[0].calm.set()
            made.close()
