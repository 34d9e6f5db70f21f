"""The story with the real Potato; `make test-bridges` installs it and runs this."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from spancrew.bridges import Potato
from spancrew.client import CampaignClient, Client
from tests.bridges.real import RunningBridge
from tests.bridges.real_potato import POTATO, RealPotato, Visitor
from tests.bridges.real_story import KILLS, SENTENCES, play_for_real
from tests.bridges.story import Story, assert_as_rehearsed, assert_nothing_twice, story
from tests.serving import Serving

pytestmark = [
    pytest.mark.bridges,
    pytest.mark.skipif(not POTATO.exists(), reason="`make test-bridges` installs it"),
]


@contextmanager
def potato(folder: Path, played: Story) -> Iterator[RealPotato]:
    """Run a Potato on a new project."""
    Potato(folder, played.plan.labels, "demo")
    found = RealPotato(folder)
    try:
        found.start()
        yield found
    finally:
        found.kill()


def bridge_of(server: Serving, played: Story, campaign: CampaignClient, at: Path) -> RunningBridge:
    """Return the bridge of a campaign, not yet started."""
    words = ["potato", "--campaign", campaign.id, "--folder", str(at / "project")]
    for name in played.names:
        words += ["--worker", name]
    words += ["--expert", "expert", "--people", str(at / "people.json"), "--every", "0.5"]
    secrets = {"SPANCREW_SERVER": server.url, "SPANCREW_TOKEN": server.admin_token()}
    return RunningBridge(words, secrets, at / "bridge.log")


@pytest.mark.parametrize("kills", [0, KILLS])
def test_the_real_one_goes_as_the_rehearsal_said(
    server: Serving, admin: Client, tmp_path: Path, kills: int
) -> None:
    """People only talk HTTP to Potato; kills of either side lose nothing and repeat nothing."""
    played = story(SENTENCES, seed=6 if kills else 5)
    campaign = played.create(admin, tmp_path, f"potato {kills}")
    bridge = bridge_of(server, played, campaign, tmp_path)
    with potato(tmp_path / "project", played) as real:
        people = [Visitor(real.url, name) for name in [*played.names, "expert"]]
        killed = play_for_real(played, campaign, bridge, real, people, kills=kills, pause=1.0)
        given = real.answers()

    assert len(killed) == min(kills, 2)
    assert_as_rehearsed(played, campaign)
    assert_nothing_twice(campaign, given)
