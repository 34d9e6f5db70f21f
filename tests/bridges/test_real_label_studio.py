"""The story with the real Label Studio; `make test-bridges` installs it and runs this."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from threading import Event, Thread

import httpx
import pytest

from spancrew.client import CampaignClient, Client
from tests.bridges.label_studio import TOKEN, Labeller
from tests.bridges.real import ENVIRONMENT, RealLabelStudio, RunningBridge, free_port, wait_long
from tests.bridges.story import Story, assert_as_rehearsed, assert_nothing_twice, story
from tests.serving import Serving, serving

pytestmark = [
    pytest.mark.bridges,
    pytest.mark.skipif(
        not (ENVIRONMENT / "bin" / "label-studio").exists(),
        reason="`make test-bridges` installs it",
    ),
]
SENTENCES = int(os.environ.get("SPANCREW_BRIDGE_SENTENCES", "20"))
KILLS = int(os.environ.get("SPANCREW_BRIDGE_KILLS", "6"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Return a server of spancrew."""
    with serving(tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealLabelStudio]:
    """Return a Label Studio that runs."""
    found = RealLabelStudio(tmp_path_factory.mktemp("label-studio"))
    try:
        found.start()
        yield found
    finally:
        found.kill()


@pytest.fixture
def admin(server: Serving) -> Iterator[Client]:
    """Return the admin."""
    with server.admin() as found:
        yield found


def bridge_of(
    server: Serving,
    real: RealLabelStudio,
    played: Story,
    campaign: CampaignClient,
    folder: Path,
) -> RunningBridge:
    """Return the bridge of a campaign, not yet started."""
    words = ["label-studio", "--campaign", campaign.id, "--url", real.url, "--every", "0.2"]
    for name in played.names:
        words += ["--worker", name]
    words += ["--expert", "expert", "--people", str(folder / "people.json")]
    words += ["--webhook", f"http://127.0.0.1:{free_port()}/"]
    secrets = {
        "LABEL_STUDIO_API_KEY": TOKEN,
        "SPANCREW_SERVER": server.url,
        "SPANCREW_TOKEN": server.admin_token(),
    }
    return RunningBridge(words, secrets, folder / "bridge.log")


class Everybody:
    """All people, each in a thread of their own, who go on working whatever breaks."""

    def __init__(self, real: RealLabelStudio, played: Story) -> None:
        self._stop, self._played = Event(), played
        self.people = [Labeller(real.url, name) for name in [*played.names, "expert"]]
        self._threads = [Thread(target=self._work, args=(k,)) for k in range(len(self.people))]
        for thread in self._threads:
            thread.start()

    def _work(self, k: int) -> None:
        person = self.people[k]
        number = k if k < len(self._played.names) else None
        while not self._stop.wait(0.2):
            with suppress(httpx.TransportError, httpx.HTTPStatusError):
                for task in person.open_tasks():
                    id_ = task["data"]["id"]
                    spans = self._played.spans(id_, number)
                    person.annotate(task, self._played.sentence(id_), spans)

    def end(self) -> None:
        """Send everybody home."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        for person in self.people:
            person.close()


def test_the_real_one_goes_as_the_rehearsal_said(
    server: Serving, real: RealLabelStudio, admin: Client, tmp_path: Path
) -> None:
    """People only talk to Label Studio; crews, labels and money are those of the rehearsal."""
    played = story(SENTENCES)
    campaign = played.create(admin, tmp_path, "real")
    bridge, everybody = bridge_of(server, real, played, campaign, tmp_path), None
    campaign.start()
    started = time.monotonic()
    try:
        bridge.start()
        everybody = Everybody(real, played)
        wait_long(lambda: bridge.is_over, "the campaign was not over")
    finally:
        bridge.kill()
        if everybody is not None:
            everybody.end()
    report(f"{SENTENCES} sentences", started, bridge)

    assert "Traceback" not in bridge.log.read_text()
    assert_as_rehearsed(played, campaign)
    assert_nothing_twice(campaign, real.annotations(campaign.id))


def kill_now_and_then(
    campaign: CampaignClient, bridge: RunningBridge, real: RealLabelStudio, kills: dict[str, int]
) -> None:
    """Kill one of the two after some events, and start it again."""
    rng = Random(1)  # noqa: S311  no secret
    for k in range(KILLS):
        goal = campaign.status().version + rng.randint(3, 20)
        wait_long(partial(_has_come_to, goal, campaign, bridge), "nothing happens any more")
        time.sleep(rng.uniform(0, 1))
        if bridge.is_over:
            return
        victim = "bridge" if k % 2 else "Label Studio"
        kills[victim] += 1
        killed = bridge if victim == "bridge" else real
        killed.kill()
        killed.start()


def _has_come_to(goal: int, campaign: CampaignClient, bridge: RunningBridge) -> bool:
    return bridge.is_over or campaign.status().version >= goal


def report(what: str, started: float, bridge: RunningBridge) -> None:
    """Say how long it took, and what the bridge said."""
    seconds = time.monotonic() - started
    sys.stdout.write(f"\n{what}: {seconds:.0f} s\n{bridge.log.read_text()}\n")


def test_kills_of_either_side_lose_nothing_and_repeat_nothing(
    server: Serving, real: RealLabelStudio, admin: Client, tmp_path: Path
) -> None:
    """Bridge and Label Studio are killed at random moments and started again."""
    played = story(SENTENCES, seed=6)
    campaign = played.create(admin, tmp_path, "killed")
    bridge, everybody = bridge_of(server, real, played, campaign, tmp_path), None
    campaign.start()
    started, kills = time.monotonic(), {"bridge": 0, "Label Studio": 0}
    try:
        bridge.start()
        everybody = Everybody(real, played)
        kill_now_and_then(campaign, bridge, real, kills)
        wait_long(lambda: bridge.is_over, "the campaign was not over")
    finally:
        bridge.kill()
        if everybody is not None:
            everybody.end()
    report(f"{SENTENCES} sentences, killed {kills}", started, bridge)

    assert min(kills.values()) >= 1
    assert "Traceback" not in bridge.log.read_text()
    assert_as_rehearsed(played, campaign)
    assert_nothing_twice(campaign, real.annotations(campaign.id))
