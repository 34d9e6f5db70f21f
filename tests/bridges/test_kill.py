"""Payouts that are killed, like a power cut, while they pay."""

import os
import re
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from spancrew.bridges import PayoutJournal, PayoutPlan
from tests.bridges.books import Fake, plan_for, wanted
from tests.bridges.conftest import AWS
from tests.bridges.loopback import Dropped
from tests.bridges.mturk import FakeMTurk, mturk
from tests.bridges.payer import run
from tests.bridges.prolific import TOKEN, prolific
from tests.forked import started
from tests.waiting import PATIENCE

Platform = Callable[[], AbstractContextManager[Fake]]
PAYS = re.compile(r"/pay/|SendBonus")
MOMENTS = ("lost", "made", "answered", "later")


class Killer:
    """Kills a process at its n-th request that pays.

    The request is not carried out, or it is and nobody hears of it, or the answer is on its way,
    or some steps further on.
    """

    def __init__(self, rng: Random, moment: str, before: int) -> None:
        self.rng, self.moment, self.before = rng, moment, before
        self.pid = 0

    def __call__(self, name: str, phase: str) -> None:
        """Hear of a request."""
        if not PAYS.search(name):
            return
        if phase == "arrived":
            self.before -= 1
        if self.before >= 0 or not self.pid:
            return
        if (self.moment, phase) == ("lost", "arrived"):
            self._kill()
            raise Dropped
        if (self.moment, phase) in {("made", "done"), ("answered", "answered")}:
            self._kill()
        elif (self.moment, phase) == ("later", "answered"):
            Thread(target=self._spin, args=(self.rng.randrange(300_000),)).start()

    def _spin(self, turns: int) -> None:
        while turns:
            turns -= 1
        self._kill()

    def _kill(self) -> None:
        pid, self.pid = self.pid, 0
        if pid:
            os.kill(pid, signal.SIGKILL)


class Operator:
    """Somebody who starts a payout again whenever it ended."""

    def __init__(self, fake: Fake, plan: PayoutPlan, folder: Path) -> None:
        self.fake, self.plan, self.folder = fake, plan, folder
        self.log = folder / "log"
        self.environment = {**AWS, "PROLIFIC_TOKEN": TOKEN, "SPANCREW_PAYOUTS": str(folder)}
        self.looked = 0

    def start(self, *words: str) -> BaseProcess:
        """Start a command."""
        return started(run, list(words), self.environment, self.log)

    def pay(self, killer: Killer | None) -> int:
        """Send or resume, and return the exit code."""
        self.fake.web.watch = killer or (lambda _name, _phase: None)
        with PayoutJournal(next(self.folder.glob("*.sqlite"))) as journal:
            begun = journal.has_begun(self.plan)
        how = ["resume", self.plan.id] if begun else ["send", self.plan.id, "--yes"]
        process = self.start("payout", *how, "--wait", "0", "--at-once", "2")
        if killer is not None:
            killer.pid = process.pid or 0
        return ended(process)

    def look(self) -> None:
        """Find at the platform what nobody could tell, and say so."""
        people = re.findall(r"A\d{5}", self.log.read_text("utf-8"))
        made = {submission for submission, _ in self.fake.paid}
        submissions = {each.person: each.submission for each in self.plan.payments}
        for person in people:
            outcome = "paid" if submissions[person] in made else "unpaid"
            assert ended(self.start("payout", "settle", self.plan.id, outcome, person)) == 0
        assert people, self.log.read_text("utf-8")
        self.looked += 1


def ended(process: BaseProcess) -> int:
    """Wait for a process and return its exit code."""
    process.join(PATIENCE)
    assert process.exitcode is not None, "the payout hangs"
    return process.exitcode


def kill_often(fake: Fake, folder: Path, kills: int, people: int) -> tuple[PayoutPlan, int]:
    """Kill a payout so many times, and let it end; return how often an admin had to look."""
    rng = Random(kills)  # noqa: S311  moments, not secrets
    plan = plan_for(fake, [rng.randrange(1, 500) for _ in range(people)])
    with PayoutJournal(folder / "c.sqlite") as journal:
        journal.plan(plan)
    operator = Operator(fake, plan, folder)
    # So few payments between two kills that it is not over before the last one.
    most = people // kills - 1 if isinstance(fake, FakeMTurk) else 2
    killed = 0
    while True:
        killer = Killer(rng, rng.choice(MOMENTS), rng.randrange(most)) if killed < kills else None
        code = operator.pay(killer)
        if code == -signal.SIGKILL:
            killed += 1
        elif code == 2:
            operator.look()
        else:
            break
    assert code == 0, operator.log.read_text("utf-8")
    assert killed == kills
    return plan, operator.looked


@pytest.mark.parametrize("platform", [prolific, mturk])
def test_a_payout_that_is_killed_pays_everybody_once(platform: Platform, tmp_path: Path) -> None:
    """Some kills, for those who run the quick tests."""
    with platform() as fake:
        plan, _ = kill_often(fake, tmp_path, kills=6, people=36)

    assert Counter(fake.paid) == wanted(plan)


@pytest.mark.long
@pytest.mark.parametrize("platform", [prolific, mturk])
def test_fifty_kills_in_a_payout_of_300_bonuses(platform: Platform, tmp_path: Path) -> None:
    """Each is paid exactly once; on MTurk without anybody who looks."""
    with platform() as fake:
        plan, looked = kill_often(fake, tmp_path, kills=50, people=300)

    assert len(plan.payments) == 300
    assert Counter(fake.paid) == wanted(plan)
    assert bool(looked) == (platform is prolific)
