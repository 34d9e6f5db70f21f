"""A model at work in a live campaign, through the same API as people."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from spancrew.campaign import Waiting
from spancrew.client import WorkerClient
from spancrew.core import MODEL_PREFIX, Sentence
from spancrew.errors import CampaignError, MemberError, SpancrewError
from spancrew.members import AnswerJournal, KeptAnswer, Member, ask_about, surer
from spancrew.wire import MOST_AHEAD, WorkerAssignment

_MOST_FAILURES = 5
"""Batches in a row of which nothing was answered before a model counts as gone."""

_LONGEST = 60.0
"""Seconds of the longest pause after a failure."""


@dataclass(slots=True)
class MemberCounts:
    """What a model has done: answers by sentence, unusable ones, and those that came too late."""

    answered: int = 0
    unusable: int = 0
    late: int = 0
    faults: Counter[str] = field(default_factory=Counter)


class MemberRun:
    """Lets a model answer what a campaign gives it, until the campaign is over.

    What the model says is kept in the journal before it is handed in, so that a run that is killed
    and begun again asks for nothing twice. A sentence whose answer cannot be used is given back.
    Spans of which the model is less sure than ``least`` are left out. ``pause`` sleeps for some
    seconds; ``say`` tells what goes wrong.
    """

    def __init__(
        self,
        work: WorkerClient,
        member: Member,
        journal: AnswerJournal,
        *,
        renamed: Mapping[str, str] | None = None,
        least: float = 0.0,
        pause: Callable[[float], None] = time.sleep,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._work, self._member, self._journal = work, member, journal
        self._renamed, self._least = dict(renamed or {}), least
        self._pause, self._say = pause, say
        self._labels = tuple(work.progress().labels)
        self._failures = 0
        self.counts = MemberCounts()
        journal.begin(member.name, member.version, self._labels, self._renamed)

    def run(self) -> MemberCounts:
        """Work until there is nothing more to do; raise if the model or its money is gone."""
        while True:
            found = self._batch()
            if isinstance(found, Waiting):
                if found.over:
                    return self.counts
                self._pause(found.retry_after)
            else:
                self._answer(found)

    def _batch(self) -> list[WorkerAssignment] | Waiting:
        """Take as many sentences as the model is asked about at once."""
        most = min(self._member.at_once * self._member.in_parallel, MOST_AHEAD + 1)
        sheets: list[WorkerAssignment] = []
        while len(sheets) < most:
            found = self._work.next(ahead=len(sheets))
            if isinstance(found, Waiting):
                return sheets or found
            sheets.append(found)
        return sheets

    def _answer(self, sheets: Sequence[WorkerAssignment]) -> None:
        sentences: list[Sentence] = [each.sentence for each in sheets]
        problem = ask_about(sentences, self._member, self._labels, self._journal, self._renamed)
        is_answered = False
        for sheet, sentence in zip(sheets, sentences, strict=True):
            kept = self._journal.answer(sentence)
            if kept is not None:
                is_answered = True
                self._hand_in(sheet, kept)
        if is_answered:
            self._failures = 0
        if problem is not None:
            self._wait_for_model(problem)

    def _hand_in(self, sheet: WorkerAssignment, kept: KeptAnswer) -> None:
        """Hand in an answer; one whose time is over is kept for the next time."""
        spans, faults = surer(kept.checked, self._least)
        try:
            if spans is None:
                self._work.skip(sheet, ", ".join(faults) or "no answer")
                self.counts.unusable += 1
            else:
                key = f"member-{sheet.assignment}"
                own = [each.span for each in spans]
                self._work.submit(sheet, own, seconds=kept.seconds, key=key)
                self.counts.answered += 1
            self.counts.faults += faults
        except CampaignError as error:
            self.counts.late += 1
            self._say(f"sentence {sheet.sentence.id}: {error}")

    def _wait_for_model(self, problem: str) -> None:
        self._failures += 1
        if self._failures >= _MOST_FAILURES:
            raise MemberError(f"{self._member.name} cannot go on: {problem}")
        self._say(problem)
        self._pause(min(2.0**self._failures, _LONGEST))


def model_name(work_name: str | None) -> str:
    """Return the name of the model that a link was made for; refuse a person's."""
    if work_name is None or not work_name.startswith(MODEL_PREFIX):
        raise SpancrewError(
            "this link was made for a person: 'spancrew campaign member add' makes one for a model"
        )
    return work_name.removeprefix(MODEL_PREFIX)
