"""`spancrew annotate` is killed, like a power cut, while it asks a language model."""

import os
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from spancrew.formats import read, write
from spancrew.members import AnswerJournal
from tests import quick_command
from tests.bridges.loopback import Dropped
from tests.forked import ForkedCommand
from tests.members.models import people
from tests.members.openai import READ, WRITTEN, FakeOpenAi, openai
from tests.waiting import PATIENCE

SENTENCES = 12
MOMENTS = ("arrived", "done", "answered")


class Killer:
    """Kills a process at its n-th request: before it is carried out, after, or once answered."""

    def __init__(self, moment: str, before: int) -> None:
        self.moment, self.before, self.pid = moment, before, 0

    def __call__(self, _name: str, phase: str) -> None:
        """Hear of a request."""
        if phase != self.moment:
            return
        self.before -= 1
        if self.before < 0 and self.pid:
            os.kill(self.pid, signal.SIGKILL)
            self.pid = 0
            if phase == "arrived":
                raise Dropped


class Operator:
    """Somebody who starts it again whenever it ended."""

    def __init__(self, fake: FakeOpenAi, folder: Path, cap: float) -> None:
        self.fake, self.folder = fake, folder
        write(people(SENTENCES), folder / "data.jsonl")
        self.words = ["annotate", str(folder / "data.jsonl"), "--with", "llm:gpt-x"]
        self.words += ["--url", fake.url, "--input-price", str(READ), "--output-price"]
        self.words += [str(WRITTEN), "--most-money", str(cap), "--keep", str(folder / "kept.db")]
        self.words += ["--parallel", "3", "--out", str(folder / "out.jsonl"), "--force"]

    def start(self, watch: Callable[[str, str], None] = lambda _name, _phase: None) -> int:
        """Run it to its end, and return the exit code."""
        log = self.folder / "log"
        self.fake.loopback.watch = lambda _name, _phase: None
        process = ForkedCommand(quick_command.run, self.words, dict(os.environ), log, log)
        if isinstance(watch, Killer):
            watch.pid = process.pid
        self.fake.loopback.watch = watch
        return process.wait(PATIENCE)


@pytest.mark.parametrize("moment", MOMENTS)
def test_nothing_is_paid_twice_and_the_cap_holds(tmp_path: Path, moment: str) -> None:
    """It is killed twice and then let alone; every sentence has the right answer."""
    with openai() as fake:
        operator = Operator(fake, tmp_path, cap=1.0)
        codes = [operator.start(Killer(moment, number)) for number in (1, 3)]
        last = operator.start()
    with AnswerJournal(tmp_path / "kept.db") as journal:
        spent = journal.spent
    found = read(tmp_path / "out.jsonl").dataset

    assert codes == [-signal.SIGKILL] * 2
    assert last == 0
    assert Counter(fake.asked) == dict.fromkeys(people(SENTENCES).sentences.texts, 1)
    assert sum(fake.charged) <= spent <= 1.0
    assert len(found.answers) == SENTENCES
    assert all(len(found.answer(k).spans) == 2 for k in range(SENTENCES))


@pytest.mark.slow
def test_a_server_that_charges_for_lost_requests_does_not_break_the_cap(tmp_path: Path) -> None:
    """It carries out whatever it gets; what was killed counts with the most it can have cost."""
    with openai() as fake:
        fake.careful = False
        operator = Operator(fake, tmp_path, cap=0.03)
        for _ in range(4):
            operator.start(Killer("done", 2))
        last = operator.start()
    with AnswerJournal(tmp_path / "kept.db") as journal:
        spent = journal.spent
        answered = [each for each in people(SENTENCES).sentences if journal.answer(each)]

    assert sum(fake.charged) <= spent <= 0.03
    assert last == (0 if len(answered) == SENTENCES else 1)
    assert len(fake.asked) <= SENTENCES + 4 * 3
    assert len(read(tmp_path / "out.jsonl").dataset.answers) == len(answered)
