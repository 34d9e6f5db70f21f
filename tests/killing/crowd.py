"""People and a model who work on whatever happens, and remember what was confirmed."""

import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

from spancrew.campaign import Waiting
from spancrew.client import Client
from spancrew.core import Span
from spancrew.errors import CampaignError, SpancrewError

PATIENCE = 240.0
"""Seconds that somebody goes on asking a server that does not answer."""


class Crowd:
    """Workers, an expert and a model, each in a thread; ``may`` holds workers back if false.

    The two labels are one that is right everywhere, and one that is wrong.
    """

    def __init__(
        self,
        campaign: str,
        workers: list[str],
        expert: str,
        model: str,
        labels: tuple[str, str],
        may: Callable[[int], bool],
        more: tuple[str, str, list[Path]],
    ) -> None:
        self.campaign = campaign
        self.answered: list[str] = []
        self.by_model: list[str] = []
        self.decided: list[str] = []
        self.corrected: list[str] = []
        self.errors: list[str] = []
        self.added: list[str] = []
        self._right, self._wrong = ([Span(0, 1, label)] for label in labels)
        self._may = may
        self._over = Event()
        self._threads = [Thread(target=self._live, args=(self._work, link)) for link in workers]
        self._threads.append(Thread(target=self._live, args=(self._decide, expert)))
        self._threads.append(Thread(target=self._live, args=(self._compute, model)))

        self._threads.append(Thread(target=self._add, args=more))

    def start(self) -> None:
        """Let everybody begin."""
        for thread in self._threads:
            thread.start()

    def finish(self) -> None:
        """Wait until the campaign is over for everybody."""
        for thread in self._threads:
            thread.join(2 * PATIENCE)
        self.errors += ["somebody is stuck" for each in self._threads if each.is_alive()]

    def close(self) -> None:
        """Send everybody home."""
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _live(self, step: Callable[[Client], bool], link: str) -> None:
        try:
            with Client.from_link(link, patience=PATIENCE) as client:
                while not self._over.is_set() and step(client):
                    pass
        except SpancrewError as error:
            self.errors.append(f"{step.__name__}: {error!r}")

    def _add(self, url: str, token: str, parts: list[Path]) -> None:
        """Add sentences a few at a time, each part twice."""
        try:
            with Client(url, token, patience=PATIENCE) as client:
                sentences = client.campaign(self.campaign).sentences
                for part in parts:
                    for _ in range(2):
                        sentences.add(part, key=part.stem)
                    self.added.append(part.stem)
                    self._over.wait(0.2)
        except SpancrewError as error:
            self.errors.append(f"adding: {error!r}")

    def _work(self, client: Client) -> bool:
        """Answer one sentence; tell whether there may be more."""
        if not self._may(len(self.answered)):
            self._over.wait(0.05)
            return True
        worker = client.worker(self.campaign)
        sheet = worker.next()
        if isinstance(sheet, Waiting):
            self._over.wait(min(sheet.retry_after, 0.3))
            return not sheet.over
        key = f"a{sheet.assignment}"
        worker.submit(sheet, self._right if sheet.assignment % 5 else self._wrong, key=key)
        self.answered.append(key)
        return True

    def _compute(self, client: Client) -> bool:
        """Answer one sentence as a model, whose lease may be over when the clock jumps."""
        worker = client.worker(self.campaign)
        sheet = worker.next()
        if isinstance(sheet, Waiting):
            self._over.wait(min(sheet.retry_after, 0.3))
            return not sheet.over
        key = f"m{sheet.assignment}"
        try:
            worker.submit(sheet, self._right, key=key)
        except CampaignError:
            return True
        self.by_model.append(key)
        return True

    def _decide(self, client: Client) -> bool:
        """Decide on one sentence, often wrongly at first; tell whether there may be more."""
        expert = client.expert(self.campaign)
        sheet = expert.next()
        if isinstance(sheet, Waiting):
            time.sleep(0.1)
            return not sheet.over
        key = f"e{sheet.number}"
        is_wrong = sheet.number % 2 == 1
        expert.submit(sheet, self._wrong if is_wrong else self._right, key=key)
        self.decided.append(key)
        if is_wrong:
            expert.correct(sheet, self._right, key=f"c{sheet.number}")
            self.corrected.append(f"c{sheet.number}")
        return True
