"""A campaign with a long journal, as a server leaves it that is killed at the worst moment."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import numpy as np

from benchmarks.live import LABELS, material_of_size, rows_of_size
from spancrew.campaign import Campaign, Entry, Plan, Submission, Waiting, entry_of, event_of
from spancrew.feedback import AgreementGate
from spancrew.server.desk.background import PART
from spancrew.server.desk.summary import summarised
from spancrew.server.people.directory import Directory
from spancrew.server.people.values import CampaignEntry
from spancrew.stores import Derived, SqlStore, material_bytes

LONG = "long"
PLAYED = 1_000
"""Sentences that are really played; the rest of the journal repeats them under other numbers."""
_NUMBERED = {"Assigned": "assignment", "Settled": "sentence", "CrewChosen": "step"}
"""What is numbered, by the kind of event of which there is one for each number."""


def write_long(store: SqlStore, events: int) -> int:
    """Write a campaign of so many events and return how many sentences it is about."""
    listed = Directory(store.engine).campaigns
    head, body = _played()
    copies = -(-(events - len(head)) // len(body))
    sentences = copies * PLAYED
    head[0] = _with(head[0], {"sentences": sentences})
    store.append(LONG, head, expected_version=0)
    for copy, again in enumerate(_copies(body, copies)):
        store.append(LONG, again, expected_version=len(head) + copy * len(body))
    store.keep(LONG, "material", Derived(0, material_bytes(material_of_size(sentences))))
    store.add_sentences(LONG, rows_of_size(sentences))
    listed.add(CampaignEntry(LONG, LONG, 0.0, sentences))
    _keep_state(store, sentences)
    return sentences


def _keep_state(store: SqlStore, sentences: int) -> None:
    """Keep a snapshot that is just not old enough to be made again, and the summary."""
    events = (event_of(each.entry) for each in store.read(LONG))
    until = store.version(LONG) * PART // (PART + 1)
    campaign = Campaign.replay(material_of_size(sentences), islice(events, until))
    store.keep(LONG, "snapshot", Derived(until, campaign.snapshot()))
    for event in events:
        campaign.apply(event)
    with store.turn(LONG) as turn:
        turn.summarise(*summarised(campaign))


def _played() -> tuple[list[Entry], list[Entry]]:
    """Play a campaign; return how it begins, and what happens to its sentences."""
    plan = Plan(
        labels=LABELS.names, crew=6, answers=3, warm_up="none", feedback=AgreementGate(0.5)
    )
    campaign = Campaign.open(plan, material_of_size(PLAYED), 0.0)
    campaign.start(0.0)
    for _ in range(6):
        campaign.join(0.0)
    head, now = [entry_of(event) for event in campaign.news()], 0.0
    rng = np.random.default_rng(0)
    while campaign.phase != "finished":
        now += 1.0
        for worker in range(6):
            found = campaign.next(worker, range(6), now)
            if not isinstance(found, Waiting):
                spans = ((0, int(rng.integers(1, 3)), "PER"),)
                campaign.tell(Submission(found.number, worker, spans, 3.0), now)
        sheet = campaign.next_expert("e0", now)
        if not isinstance(sheet, Waiting):
            campaign.tell_expert(sheet.sentence, "e0", ((0, 1, "PER"),), now)
    body = [entry_of(event) for event in campaign.news()]
    return head, [entry for entry in body if entry.kind != "Finished"]


def _copies(body: list[Entry], copies: int) -> Iterator[list[Entry]]:
    """Yield the same events again and again, each time later and under other numbers."""
    kinds = Counter(entry.kind for entry in body)
    counts = {name: kinds[kind] for kind, name in _NUMBERED.items()}
    for copy in range(copies):
        yield [_moved(entry, copy, counts, body[-1].at) for entry in body]


def _moved(entry: Entry, copy: int, counts: dict[str, int], seconds: float) -> Entry:
    known = json.loads(entry.body)
    numbers = {name: known[name] + copy * count for name, count in counts.items() if name in known}
    return _with(entry, numbers)._replace(at=entry.at + copy * seconds)


def _with(entry: Entry, values: dict[str, int]) -> Entry:
    body = json.loads(entry.body) | values
    return entry._replace(body=json.dumps(body, separators=(",", ":")))
