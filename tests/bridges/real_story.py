"""A story with a real tool: everybody works at once, and whatever is killed comes back."""

import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from random import Random
from threading import Event, Thread
from typing import Protocol

import httpx

from spancrew.client import CampaignClient
from tests.bridges.real import LONGEST, RunningBridge, wait_long
from tests.bridges.scene import ToolUser
from tests.bridges.story import Story

SENTENCES = int(os.environ.get("SPANCREW_BRIDGE_SENTENCES", "20"))
_FOR_A_SENTENCE = 30.0
KILLS = int(os.environ.get("SPANCREW_BRIDGE_KILLS", "6"))


class RealTool(Protocol):
    """A tool that can be killed and started again."""

    def start(self) -> None:
        """Start it and wait until it answers."""
        ...

    def kill(self) -> None:
        """Kill it like a power cut."""
        ...


class Everybody:
    """All people, each in a thread of their own, who go on working whatever breaks."""

    def __init__(self, people: Sequence[ToolUser], played: Story, pause: float) -> None:
        self._stop, self._played, self._pause = Event(), played, pause
        self.people = people
        self._threads = [Thread(target=self._work, args=(k,)) for k in range(len(people))]
        for thread in self._threads:
            thread.start()

    def _work(self, k: int) -> None:
        person = self.people[k]
        number = k if k < len(self._played.names) else None
        while not self._stop.wait(self._pause):
            with suppress(httpx.TransportError, httpx.HTTPStatusError):
                for page, id_ in person.todo():
                    spans = self._played.spans(id_, number)
                    person.annotate(page, self._played.sentence(id_), spans)

    def end(self) -> None:
        """Send everybody home."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        for person in self.people:
            person.close()


def play_for_real(
    played: Story,
    campaign: CampaignClient,
    bridge: RunningBridge,
    tool: RealTool,
    people: Sequence[ToolUser],
    *,
    kills: int = 0,
    pause: float = 1.0,
) -> Counter[str]:
    """Play until the campaign is over; return how often the bridge and the tool were killed."""
    campaign.start()
    started, killed, everybody = time.monotonic(), Counter[str](), None
    try:
        bridge.start()
        everybody = Everybody(people, played, pause)
        _kill_now_and_then(campaign, bridge, tool, kills, killed)
        longest = LONGEST + _FOR_A_SENTENCE * len(played.scene.dataset)
        wait_long(lambda: bridge.is_over, "the campaign was not over", longest)
    finally:
        bridge.kill()
        if everybody is not None:
            everybody.end()
    said, seconds = bridge.log.read_text(), time.monotonic() - started
    sys.stdout.write(f"\n{len(played.scene.dataset)} sentences, killed {dict(killed)}: ")
    sys.stdout.write(f"{seconds:.0f} s\n{said}\n")
    assert "Traceback" not in said
    return killed


def _kill_now_and_then(
    campaign: CampaignClient,
    bridge: RunningBridge,
    tool: RealTool,
    kills: int,
    killed: Counter[str],
) -> None:
    """Kill one of the two after some events, and start it again."""
    rng = Random(1)  # noqa: S311  no secret
    for k in range(kills):
        goal = campaign.status().version + rng.randint(3, 20)
        wait_long(partial(_has_come_to, goal, campaign, bridge), "nothing happens any more")
        time.sleep(rng.uniform(0, 1))
        if bridge.is_over:
            return
        victim: RealTool = bridge if k % 2 else tool
        killed["bridge" if k % 2 else "tool"] += 1
        victim.kill()
        victim.start()


def _has_come_to(goal: int, campaign: CampaignClient, bridge: RunningBridge) -> bool:
    return bridge.is_over or campaign.status().version >= goal
