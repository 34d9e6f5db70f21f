"""Campaigns of a single worker, their page, and what the server stored of their work."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from spancrew.campaign import Plan, warm
from spancrew.client import CampaignClient, Client
from tests.browser import Visit
from tests.waiting import wait_until

LABELS = ("PER", "LOC", "ORG")
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 640},
    "has_touch": True,
    "is_mobile": True,
}
Marks = list[tuple[int, int, str]]
_USUAL: dict[str, Any] = {
    "answers": 1,
    "crew": 1,
    "feedback": "crowd",
    "warm_up": "none",
    "policy": "random",
}
SPANS_SHOWN = """() => {
  const tokens = [...document.querySelectorAll(".sentence .token")];
  const found = [];
  tokens.forEach((token, k) => {
    if (token.classList.contains("first")) found.push([k, null, token.dataset.tag]);
    if (token.classList.contains("last")) found.at(-1)[1] = k + 1;
  });
  return found;
}"""


def row(id_: str, text: str, tokens: Sequence[str]) -> dict[str, Any]:
    """Return a sentence for a data file, with the borders of its tokens in code points."""
    borders, at = [], 0
    for token in tokens:
        at = text.index(token, at)
        borders.append([at, at + len(token)])
        at += len(token)
    return {"id": id_, "text": text, "tokens": borders}


def words(*texts: str) -> list[dict[str, Any]]:
    """Return sentences whose tokens are the words between spaces."""
    return [row(f"s{k}", text, text.split()) for k, text in enumerate(texts)]


def campaign_on(
    admin: Client, folder: Path, rows: Sequence[dict[str, Any]], **plan: Any
) -> CampaignClient:
    """Start a campaign in which every sentence gets one answer."""
    labels = plan.pop("labels", LABELS)
    path = folder / "sentences.jsonl"
    lines = [{"spancrew": 1, "labels": labels}, *rows]
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), "utf-8")
    _compiled()
    campaign = admin.create("A test", path, {"labels": labels, **_USUAL, **plan})
    campaign.start()
    return campaign


@cache
def _compiled() -> None:
    """Compile what is hot for such a campaign; the server finds it on the disk, and is quick."""
    warm(Plan.from_json({"labels": LABELS, **_USUAL}))


def happened(campaign: CampaignClient, kind: str) -> list[dict[str, Any]]:
    """Return the bodies of all events of a kind."""
    return [dict(line.body) for line in campaign.all_events() if line.kind == kind]


def stored(campaign: CampaignClient) -> dict[int, Marks]:
    """Return the answer on each sentence; fail if one was taken twice."""
    found: dict[int, Marks] = {}
    for body in happened(campaign, "Answered"):
        assert body["sentence"] not in found, "an answer was taken twice"
        found[body["sentence"]] = [tuple(span) for span in body["spans"]]
    return found


class Seat:
    """The page of a worker at work."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @classmethod
    def of(cls, visit: Visit, campaign: CampaignClient) -> "Seat":
        """Let a new worker in and wait for a sentence."""
        seat = cls(visit.enter(campaign.invite_worker().url))
        seat.ready()
        return seat

    def ready(self) -> None:
        """Wait until there is a sentence to label."""
        first = self.page.locator(".desk:not([aria-busy]) .token").first
        expect(first).to_be_visible()

    def token(self, k: int) -> Locator:
        """Return a token."""
        return self.page.locator(f".sentence .token[data-k='{k}']")

    @property
    def text(self) -> str:
        """Return the sentence."""
        return self.page.locator(".sentence").inner_text()

    @property
    def spans(self) -> Marks:
        """Return what is marked, as it is seen."""
        return [tuple(span) for span in self.page.evaluate(SPANS_SHOWN)]

    def label(self, name: str) -> Locator:
        """Return the button of a label."""
        return self.page.get_by_role("toolbar").get_by_role("button", name=name)

    def button(self, name: str) -> Locator:
        """Return a button."""
        return self.page.get_by_role("button", name=name, exact=True)

    def mark(self, start: int, end: int, label: str) -> None:
        """Mark a span by clicks."""
        self.token(start).click()
        if end > start + 1:
            self.token(end - 1).click()
        self.label(label).click()

    def drag(self, start: int, last: int) -> None:
        """Drag with the mouse from one token to another."""
        for k, act in ((start, self.page.mouse.down), (last, self.page.mouse.up)):
            box = self.token(k).bounding_box()
            assert box is not None
            self.page.mouse.move(
                box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4
            )
            act()

    def submit(self) -> None:
        """Hand the answer in, and wait for another sentence or for news."""
        self.button("Submit").click()

    def sent(self) -> None:
        """Wait until nothing waits to be sent."""
        empty = "!Object.keys(localStorage).some((key) => key.includes('.outbox.'))"
        wait_until(lambda: self.page.evaluate(empty), "the answers were not sent")

    def presses(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)
