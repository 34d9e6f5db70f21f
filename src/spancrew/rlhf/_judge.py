"""A judge of completions who asks a crowd, with the interface that TRL's trainers expect."""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from spancrew.client import CampaignClient
from spancrew.core import LabelSet, sides_of, winner
from spancrew.errors import PlanError, SpancrewError
from spancrew.formats import write
from spancrew.rlhf._pairs import AskedPair, Text, pair_of, sheets_of

Undecided = Literal["", "tie", "time", "budget", "over"]
"""Why nobody has said which is better: people found both alike, the time or the money was up, or
the campaign had ended. Empty where they have."""

_PAGE = 50
_FAILED = -1


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """What became of a pair: which completion is ``better``, None if ``undecided`` says why not.

    ``sentence`` is its number in the campaign, None for two equal texts, of which nobody is asked.
    ``labels`` are the answers to all questions, ``confidence`` is the probability of the first.
    """

    better: int | None
    undecided: Undecided = ""
    sentence: int | None = None
    labels: tuple[str, ...] = ()
    confidence: float | None = None


class CrewJudge:
    """Asks a live campaign which of two completions is better.

    Pairs are added to the campaign, which must be on choices with labels for both sides, such as A
    and B; ``questions`` are put on every pair, and the first one decides. A call returns when all
    are settled, or after ``seconds``, or when the budget is spent; it looks ``every`` few seconds.
    A pair that was asked for before is not asked for again, also after a restart. ``last`` has
    what the last call found, pair by pair.
    """

    def __init__(
        self,
        campaign: CampaignClient,
        *,
        questions: Sequence[str] = ("preference",),
        seconds: float | None = None,
        every: float = 2.0,
    ) -> None:
        plan = campaign.details().plan
        labels = LabelSet(tuple(plan["labels"]))
        if plan["kind"] != "choices" or sides_of(labels) is None:
            raise PlanError(
                f"campaign {campaign.id} is on {plan['kind']} with the labels "
                f"{', '.join(labels.names)}: a judge needs choices, and labels for both "
                "responses, such as A and B"
            )
        self.last: tuple[PairVerdict, ...] = ()
        self.__name__ = type(self).__name__  # by which TRL calls a reward in its logs
        self._campaign = campaign
        self._labels = labels
        self._questions = tuple(questions)
        self._seconds = seconds
        self._every = every

    def judge(
        self,
        prompts: Sequence[Text],
        completions: Sequence[Sequence[Text]],
        shuffle_order: bool = True,
    ) -> list[int]:
        """Return the index of the better completion of each pair, -1 where there is none.

        With ``shuffle_order`` which of the two is shown first is drawn, by their texts.
        """
        for wait in self._asked(prompts, completions, shuffles=shuffle_order):
            time.sleep(wait)
        return self._ranks()

    async def judge_async(
        self,
        prompts: Sequence[Text],
        completions: Sequence[Sequence[Text]],
        shuffle_order: bool = True,
    ) -> list[int]:
        """Do the same and let others work meanwhile."""
        asked = self._asked(prompts, completions, shuffles=shuffle_order)
        while (wait := await asyncio.to_thread(next, asked, None)) is not None:  # noqa: ASYNC110  a server is asked, not an event
            await asyncio.sleep(wait)
        return self._ranks()

    def __call__(
        self, prompts: Sequence[Text], completions: Sequence[Text], **_: Any
    ) -> list[float | None]:
        """Return rewards, as TRL 1 asks for them: 1 for the better of two, 0 for the other.

        There are two completions of every prompt, wherever they stand; None if it is not decided.
        """
        places: dict[str, list[int]] = {}
        for place, prompt in enumerate(prompts):
            places.setdefault(repr(prompt), []).append(place)
        twos = [pair for those in places.values() for pair in _twos(those)]
        ranks = self.judge(
            [prompts[one] for one, _ in twos],
            [[completions[one], completions[other]] for one, other in twos],
        )
        rewards: list[float | None] = [None] * len(prompts)
        for pair, rank in zip(twos, ranks, strict=True):
            for which, place in enumerate(pair):
                rewards[place] = None if rank == _FAILED else float(which == rank)
        return rewards

    def _ranks(self) -> list[int]:
        return [_FAILED if each.better is None else each.better for each in self.last]

    def _asked(
        self,
        prompts: Sequence[Text],
        completions: Sequence[Sequence[Text]],
        *,
        shuffles: bool,
    ) -> Iterator[float]:
        """Ask for pairs and yield how long to wait until all are settled or it is no use."""
        until = None if self._seconds is None else time.monotonic() + self._seconds
        pairs = [
            pair_of(prompt, both, shuffles=shuffles)
            for prompt, both in zip(prompts, completions, strict=True)
        ]
        asked = {each.id: each for each in pairs if not each.is_same}
        numbers = self._added(list(asked.values()))
        found: dict[str, PairVerdict] = {}
        while True:
            found |= self._settled({id_: n for id_, n in numbers.items() if id_ not in found})
            why = self._why_not(until) if len(found) < len(numbers) else ""
            if why or len(found) == len(numbers):
                break
            yield self._every
        self.last = tuple(_verdict(each, found, numbers, why) for each in pairs)

    def _added(self, pairs: Sequence[AskedPair]) -> dict[str, int]:
        """Add pairs to the campaign that it does not have; return the numbers of all."""
        if not pairs:
            return {}
        with TemporaryDirectory() as folder:
            path = Path(folder) / "pairs.jsonl"
            write(sheets_of(pairs, self._questions, self._labels.names), path, "spancrew")
            added = self._campaign.sentences.add(path, format="spancrew")
        return dict(zip((each.id for each in pairs), added.numbers, strict=True))

    def _settled(self, numbers: Mapping[str, int]) -> dict[str, PairVerdict]:
        """Return the verdicts on pairs that are settled, as response 0 or 1 was shown."""
        ids = {number: id_ for id_, number in numbers.items()}
        wanted, found = list(ids), {}
        for first in range(0, len(wanted), _PAGE):
            page = self._campaign.sentences.page(number=wanted[first : first + _PAGE])
            for hit in page.sentences:
                if hit.state == "settled" and hit.labels:
                    labels = tuple(each.label for each in hit.labels)
                    shown = winner(labels[0], self._labels)
                    why: Undecided = "tie" if shown is None else ""
                    sure = hit.labels[0].confidence
                    verdict = PairVerdict(shown, why, hit.number, labels, sure)
                    found[ids[hit.number]] = verdict
        return found

    def _why_not(self, until: float | None) -> Undecided:
        """Return why it is no use to wait any longer; empty if it is."""
        status = self._campaign.status()
        if status.phase == "finished":
            return "over"
        is_idle = not (status.open or status.at_expert)
        if status.reason == "the budget is spent" and is_idle:
            return "budget"
        return "time" if until is not None and time.monotonic() >= until else ""


def _twos(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the places of the completions of one prompt, two by two."""
    if len(places) % 2:
        raise SpancrewError(f"{len(places)} completions of a prompt cannot be compared in pairs")
    half = len(places) // 2
    yield from zip(places[:half], places[half:], strict=True)


def _verdict(
    pair: AskedPair, found: Mapping[str, PairVerdict], numbers: Mapping[str, int], why: Undecided
) -> PairVerdict:
    if pair.is_same:
        return PairVerdict(0)
    verdict = found.get(pair.id)
    if verdict is None:
        return PairVerdict(None, why, numbers[pair.id])
    if verdict.better is None:
        return verdict
    return PairVerdict(
        pair.better(verdict.better),
        "",
        verdict.sentence,
        verdict.labels,
        verdict.confidence,
    )
