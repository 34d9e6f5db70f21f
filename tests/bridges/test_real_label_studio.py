"""The story with the real Label Studio; `make test-bridges` installs it and runs this."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from spancrew.client import CampaignClient, Client
from tests.bridges.label_studio import TOKEN
from tests.bridges.real import (
    ENVIRONMENT,
    AtThePages,
    Board,
    RealLabelStudio,
    RunningBridge,
    free_port,
)
from tests.bridges.real_story import KILLS, SENTENCES, play_for_real
from tests.bridges.story import Story, assert_as_rehearsed, assert_nothing_twice, story
from tests.serving import Serving

pytestmark = [
    pytest.mark.bridges,
    pytest.mark.skipif(
        not (ENVIRONMENT / "bin" / "label-studio").exists(),
        reason="`make test-bridges` installs it",
    ),
]


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealLabelStudio]:
    """Return a Label Studio that runs."""
    found = RealLabelStudio(tmp_path_factory.mktemp("label-studio"))
    try:
        found.start()
        yield found
    finally:
        found.kill()


def bridge_of(
    server: Serving,
    real: RealLabelStudio,
    played: Story,
    campaign: CampaignClient,
    folder: Path,
) -> RunningBridge:
    """Return the bridge of a campaign, not yet started."""
    words = ["label-studio", "--campaign", campaign.id, "--url", real.url, "--every", "3"]
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


@pytest.mark.parametrize("kills", [0, KILLS])
def test_the_real_one_goes_as_the_rehearsal_said(
    server: Serving, real: RealLabelStudio, admin: Client, tmp_path: Path, kills: int
) -> None:
    """People only talk to Label Studio; kills of either side lose nothing and repeat nothing."""
    played = story(SENTENCES, seed=6 if kills else 5)
    name = f"with {kills} kills"
    campaign = played.create(admin, tmp_path, name)
    bridge = bridge_of(server, real, played, campaign, tmp_path)
    with closing(Board(real.url)) as board:
        people = [AtThePages(board, real.url, each, name) for each in [*played.names, "expert"]]
        killed = play_for_real(played, campaign, bridge, real, people, kills=kills, pause=0.5)

    assert len(killed) == min(kills, 2)
    assert_as_rehearsed(played, campaign)
    assert_nothing_twice(campaign, real.annotations(campaign.id))
