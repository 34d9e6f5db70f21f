"""What a server holds of a campaign that goes on: a few bytes for each answer, and full caches."""

import asyncio
import sys
from array import array
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from spancrew.campaign import Campaign, Entry, Submission, Waiting, entry_of
from spancrew.consensus import Consensus, DawidSkene, MajorityVote
from spancrew.server.live.figures import AgreementFold
from spancrew.server.live.folds import SentenceCache
from spancrew.server.live.picture import PictureFold
from spancrew.stores import EventStore, SentenceRow
from tests.server.desks import material, plan
from tests.spread import often

WORKERS, SENTENCES = 4, 1_500
CONTAINERS = (dict, list, tuple, set, frozenset)


def bytes_in(root: object) -> int:
    """Return the bytes of an object and of all that belongs to it."""
    seen: dict[int, object] = {}
    waiting = [root]
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, type):
            continue
        seen[id(each)] = each
        waiting += _parts(each)
    return sum(map(sys.getsizeof, seen.values()))


def _parts(each: Any) -> Iterator[object]:
    if isinstance(each, dict):
        yield from each
    if isinstance(each, CONTAINERS) or hasattr(each, "maxlen"):
        yield from each.values() if isinstance(each, dict) else each
    elif isinstance(each, np.ndarray) and each.base is not None:
        yield each.base
    elif not isinstance(each, array) and type(each).__module__.startswith("spancrew."):
        yield from getattr(each, "__dict__", {}).values()
        for kind in type(each).__mro__:
            for name in getattr(kind, "__slots__", ()):
                yield getattr(each, name, None)


def played(campaign: Campaign, answers: int) -> Iterator[Entry]:
    """Let workers answer so many sentences, and yield what happens."""
    now = 1.0
    while campaign.state.answers < answers:
        now += 1.0
        for worker in range(WORKERS):
            found = campaign.next(worker, range(WORKERS), now)
            if not isinstance(found, Waiting):
                spans = ((0, 1, campaign.plan.labels[0]),) if worker != found.sentence % 9 else ()
                campaign.tell(Submission(found.number, worker, spans, 3.0, f"k{worker}"), now)
        yield from map(entry_of, campaign.news())


@pytest.mark.parametrize("consensus", often([DawidSkene()], [MajorityVote(), DawidSkene()]))
def test_an_answer_takes_few_bytes_of_memory(consensus: Consensus) -> None:
    """A byte for each token in the evidence and in the agreement, and some numbers.

    Rewards and their order are kept, so that a correction can put them right.
    """
    known = material(12)
    large = replace(
        known,
        lengths=np.resize(known.lengths, SENTENCES),
        words=known.words.take(np.resize(np.arange(12), SENTENCES)),
        gold=known.gold.take(np.resize(np.arange(12), SENTENCES)),
    )
    campaign = Campaign.open(plan(consensus=consensus, crew=WORKERS, answers=2), large, 0.0)
    campaign.start(0.0)
    for _ in range(WORKERS):
        campaign.join(0.0)
    folds = PictureFold(), AgreementFold(large)
    sizes, version = [], 0
    for many in (1_000, 3_000):
        for entry in played(campaign, many):
            version += 1
            for fold in folds:
                fold.take(version, entry)
        sizes.append(bytes_in([campaign.state, folds]))
    tokens = float(known.lengths.mean())

    assert (sizes[1] - sizes[0]) / 2_000 < 4 * tokens + 40


class Long:
    """A store of sentences that are all alike."""

    def __init__(self, tokens: int) -> None:
        self.row = SentenceRow("s", "word " * tokens, ((0, 4),) * tokens)

    def sentences_at(self, campaign: str, numbers: list[int]) -> dict[int, SentenceRow]:
        """Return sentences."""
        del campaign
        return dict.fromkeys(numbers, self.row)


@pytest.mark.parametrize(("tokens", "most"), [(10, 5_000), (1_000, 166), (500_000, 1)])
def test_long_sentences_leave_memory_sooner(tokens: int, most: int) -> None:
    """However many workers there are; a single one may be as long as it is."""
    cache = SentenceCache(cast("EventStore", Long(tokens)))

    async def fill() -> None:
        for number in range(most + 20):
            await cache.sentence("a" if number % 2 else "b", number)

    asyncio.run(fill())
    held = len(cache._rows)
    cache.forget("a")
    cache.forget("b")

    assert held == most
    assert (len(cache._rows), cache._weight) == (0, 0)
