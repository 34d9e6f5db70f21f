"""Long random walks through campaigns: the machine of test_machine.py with the dice loaded.

Hypothesis likes short stories; these are long ones in which most steps are work, so that late
answers, stand-ins and tight budgets come together.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from tests.campaign.test_machine import LEAVE, SKIP, CampaignMachine, Day
from tests.campaign.worlds import RULES, WAYS, Choose, any_world
from tests.spread import often

STEPS = 30
Step = Callable[[CampaignMachine, Choose], None]


def dice(seed: int) -> Choose:
    """Return a way to choose that depends on a seed alone."""
    rng = np.random.default_rng(seed)

    def choose(options: Sequence[Any]) -> Any:
        return options[int(rng.integers(len(options)))]

    return choose


def work(machine: CampaignMachine, choose: Choose) -> None:
    """Let people work, of whom some are slow."""
    acts = [choose([1, 1, 1, 1, *range(WAYS), SKIP, LEAVE, LEAVE]) for _ in range(7)]
    absent = {choose(range(12)) for _ in range(choose([0, 0, 1, 3]))}
    machine.work(Day(choose([1, 1, 2]), acts, choose([1.0, 1.0, 40.0]), absent, choose([0, 1])))


STEPS_BY_WEIGHT: list[tuple[int, Step]] = [
    (12, work),
    (3, lambda m, c: m.tick(c([1.0, 60.0, 130.0]))),
    (4, lambda m, c: m.next(c(range(9)), set(range(m.workers)), c([0, 1]))),
    (5, lambda m, c: m.tell(c(range(9)), c(range(WAYS)), c([True, False]), c([True, False]))),
    (1, lambda m, c: m.tell_again(c(range(60)), c([True, False]), c(range(WAYS)))),
    (1, lambda m, c: m.tell_nonsense(c(range(9)), c(range(6)))),
    (2, lambda m, c: m.heartbeat(c(range(9)), c([1.0, 60.0]))),
    (3, lambda m, c: m.consult(c(range(WAYS)), c(["e1", "e2"]))),
    (1, lambda m, c: m.claim(c(["e1", "e2"]), c([1.0, 130.0]))),
    (1, lambda m, c: m.take(c(["e1", "e2"]), c(range(12)))),
    (1, lambda m, c: m.put_back(c(["e1", "e2"]), c(range(12)))),
    (1, lambda m, c: m.tell_expert(c(range(60)), c(range(WAYS)))),
    (2, lambda m, c: m.join(c([None, None, 0.05, 0.5]), c([None, None, 2]))),
    (2, lambda m, c: m.halt(c(range(9)), c(range(6)))),
    (1, lambda m, c: m.set_cap(c(range(9)), c([None, 1, 9]))),
    (1, lambda m, c: m.set_budget(c([None, -1.0, 0.0, 0.3, 2.0]))),
    (1, lambda m, c: m.set_rule(c(RULES))),
    (1, lambda m, c: m.control(c(["start", "start", "pause", "finish"]), c(range(60)))),
    (1, lambda m, c: m.fit(c([True, False]))),
    (1, lambda m, c: m.grow([c([1, 3])] * c([1, 2]), c([None, None, 1]), c([None, "a", "b"]))),
    (1, lambda m, c: m.crash(c([True, False]))),
]
DEALT = [step for weight, step in STEPS_BY_WEIGHT for _ in range(weight)]


def walk(seed: int, methods: Sequence[str] = ("mv", "span-vote")) -> CampaignMachine:
    """Walk through a campaign to its end."""
    choose = dice(seed)
    machine = CampaignMachine()
    machine.begin(any_world(choose, methods), choose(range(1, 10)))
    for _ in range(STEPS):
        choose(DEALT)(machine, choose)
        machine.now += choose([0.0, 1.0])
    machine.teardown()
    return machine


@pytest.mark.parametrize("first", range(0, often(10, 50), 10))
def test_campaigns_keep_to_their_word_on_long_walks(first: int) -> None:
    """Whatever is checked after every step of the machine holds to the end."""
    for seed in range(first, first + 10):
        walk(seed)
