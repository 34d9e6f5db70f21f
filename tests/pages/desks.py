"""Campaigns in which sentences wait for an expert, set up quickly."""

import uuid
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from spancrew.client import CampaignClient, Client, WorkerClient
from spancrew.core import Dataset, Sentence, Span
from spancrew.formats import write
from spancrew.wire import WorkerAssignment
from tests.browser import Visit

Marks = Sequence[tuple[int, int, str]]
"""Spans as start, end and label."""

NEWS = ["Ana", "Silva", "met", "the", "board", "of", "Banco", "do", "Brasil", "in", "Lisbon", "."]
NEWS_ANSWERS: list[Marks] = [
    [(0, 2, "PER"), (6, 9, "ORG"), (10, 11, "LOC")],
    [(0, 2, "PER"), (6, 9, "ORG"), (10, 11, "LOC")],
    [(0, 1, "PER"), (8, 9, "LOC"), (10, 11, "LOC")],
]
SPORT = ["Juventus", "beat", "Real", "Madrid", "in", "Turin", "."]
SPORT_ANSWERS: list[Marks] = [
    [(0, 1, "ORG"), (2, 4, "ORG"), (5, 6, "LOC")],
    [(0, 1, "ORG"), (2, 4, "ORG"), (5, 6, "LOC")],
    [(0, 1, "ORG"), (2, 4, "LOC"), (5, 6, "LOC")],
]
NAMES = ("Ana Maria Silva", "Bo Berg", None)


class Desk:
    """A campaign with three workers who answer as they are told, and its experts."""

    def __init__(
        self, admin: Client, folder: Path, texts: Sequence[list[str] | str], **plan: Any
    ) -> None:
        path = folder / "sentences.jsonl"
        write(Dataset.of([_sentence(f"s{k}", text) for k, text in enumerate(texts)]), path)
        usual = {"labels": ["PER", "ORG", "LOC"], "answers": 3, "crew": 3, "warm_up": "none"}
        self.campaign: CampaignClient = admin.create(
            f"Names {uuid.uuid4().hex[:6]}", path, {**usual, "feedback": "expert", **plan}
        )
        self.campaign.start()
        self._links = [self.campaign.invite_worker(name).url for name in NAMES]

    def answer(self, answers: Sequence[Sequence[Marks]]) -> "Desk":
        """Let all workers answer all they get: for each sentence, what each of them says."""
        with ExitStack() as stack:
            guests = [stack.enter_context(Client.from_link(link)) for link in self._links]
            workers = [guest.worker() for guest in guests]
            for worker in workers:
                worker.progress()  # so that all are there when a crew is chosen
            while sheets := [(k, s) for k, w in enumerate(workers) if (s := _work(w))]:
                for k, sheet in sheets:
                    said = answers[int(sheet.sentence.id[1:])][k]
                    workers[k].submit(sheet, [Span(*mark) for mark in said])
        with Client.from_link(self.expert()) as guest:
            guest.expert().queue()  # whatever is compiled for it, a page need not wait for
        return self

    def expert(self) -> str:
        """Return the link of a new expert."""
        return self.campaign.invite_expert("Eve").url

    @property
    def decided(self) -> dict[str, list[tuple[int, int, str]]]:
        """Return what experts said of each sentence."""
        return {
            str(line.body["sentence"]): [tuple(span) for span in line.body["spans"]]
            for line in self.campaign.events()
            if line.kind == "ExpertAnswered"
        }


def _work(worker: WorkerClient) -> WorkerAssignment | None:
    found = worker.next()
    return found if isinstance(found, WorkerAssignment) else None


def _sentence(id_: str, text: list[str] | str) -> Sentence:
    """Return a sentence of words, or of characters where it is one piece of text."""
    return (
        Sentence.from_text(id_, text, "characters")
        if isinstance(text, str)
        else Sentence.from_tokens(id_, text)
    )


def news(admin: Client, folder: Path, **plan: Any) -> Desk:
    """Return a desk with two sentences; that of the news needs an expert most."""
    return Desk(admin, folder, [NEWS, SPORT], **plan).answer([NEWS_ANSWERS, SPORT_ANSWERS])


def at_desk(visit: Visit, link: str) -> Page:
    """Open the desk of an expert and wait for the sheet."""
    page = visit.enter(link)
    expect(page.get_by_role("button", name="Submit")).to_be_visible(timeout=20_000)
    return page


def spans_on(page: Page) -> list[tuple[int, int, str]]:
    """Return the spans in the editor, as they stand on the screen."""
    found: Iterable[Any] = page.evaluate(
        """() => {
          const spans = [];
          [...document.querySelectorAll(".sentence .token")].forEach((token, k) => {
            if (token.classList.contains("first")) spans.push([k, k + 1, token.dataset.tag]);
            else if (token.classList.contains("in")) spans.at(-1)[1] = k + 1;
          });
          return spans;
        }"""
    )
    return [(start, end, label) for start, end, label in found]
